"""The log of which memories' texts changed, which an index in another process follows."""

from __future__ import annotations

import sqlite3
from typing import Literal

Kind = Literal["put", "del"]

KEPT_CHANGES = 50_000  # beyond that, reading every text anew costs no more than following


def latest_change(connection: sqlite3.Connection) -> int:
    """The number of the newest change; 0 when there was none."""
    newest: int = connection.execute("SELECT coalesce(max(seq), 0) FROM change").fetchone()[0]
    return newest


def changes_since(connection: sqlite3.Connection, seq: int) -> dict[int, Kind] | None:
    """What became of each memory whose text changed after change number `seq`.

    Returns:
        Node id to `put` (new or changed text) or `del`, in order of the last change; empty when
        nothing changed. None when the log no longer reaches back to `seq`, or never came as far
        (the file is another one): the follower must read everything anew.
    """
    oldest, newest = connection.execute(
        "SELECT coalesce(min(seq), 1), coalesce(max(seq), 0) FROM change"
    ).fetchone()
    if seq > newest or seq + 1 < oldest:
        return None
    rows = connection.execute(
        "SELECT node_id, kind FROM change WHERE seq > ? ORDER BY seq", (seq,)
    ).fetchall()
    latest: dict[int, Kind] = {}
    for node_id, kind in rows:
        latest.pop(node_id, None)
        latest[node_id] = kind
    return latest


def prune_changes(connection: sqlite3.Connection, kept: int = KEPT_CHANGES) -> None:
    """Drop all but the newest `kept` changes (at least one: its number must not come again)."""
    connection.execute(
        "DELETE FROM change WHERE seq <= (SELECT max(seq) FROM change) - ?", (max(kept, 1),)
    )
