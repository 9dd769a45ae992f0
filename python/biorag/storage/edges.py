"""Links between memories."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from typing import Literal

from biorag.storage.bulk import select_in
from biorag.storage.codes import mark_dirty
from biorag.storage.revisions import revise

Origin = Literal["agent", "system"]

# Only an active edge has to be unique, so the conflict names the same condition.
_INSERT = """INSERT INTO edge (src, dst, rel, origin, directed, weight, context, created_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (src, dst, rel) WHERE active = 1 DO NOTHING"""


def link_nodes(
    connection: sqlite3.Connection,
    src: int,
    dst: int,
    now: float,
    *,
    rel: str = "manual",
    origin: Origin = "agent",
    directed: bool = False,
    weight: float = 1.0,
    context: str | None = None,
) -> bool:
    """Link two memories; False when this link already stands.

    An undirected link is the same link from both ends. A memory is not linked to itself: that
    is False too.
    """
    if src == dst:
        return False
    if not directed and src > dst:
        src, dst = dst, src
    cursor = connection.execute(
        _INSERT, (src, dst, rel, origin, int(directed), weight, context, now)
    )
    if cursor.rowcount:
        revise(connection, "links")
        mark_dirty(connection, [src, dst])
    return bool(cursor.rowcount)


def link_pairs(
    connection: sqlite3.Connection,
    pairs: Iterable[tuple[int, int]],
    now: float,
    *,
    rel: str = "manual",
    origin: Origin = "agent",
    weight: float = 1.0,
) -> int:
    """Link many pairs without direction; returns how many links are new."""
    rows = [
        (min(pair), max(pair), rel, origin, 0, weight, None, now)
        for pair in pairs
        if pair[0] != pair[1]
    ]
    made = max(connection.executemany(_INSERT, rows).rowcount, 0)
    if made:
        revise(connection, "links")
        mark_dirty(connection, sorted({end for row in rows for end in row[:2]}))
    return made


def end_links(
    connection: sqlite3.Connection,
    src: int,
    dst: int,
    now: float,
    *,
    rel: str | None = None,
    origin: Origin | None = None,
) -> int:
    """End the active links between two memories, either way; they stay as history.

    Args:
        connection: Inside `Store.atomic`.
        src: One end.
        dst: The other end.
        now: When they ended, epoch seconds.
        rel: Only this relation; None: every one.
        origin: Only links made by the agent, or by the system; None: both.

    Returns:
        How many links ended.
    """
    ended = connection.execute(
        "UPDATE edge SET active = 0, ended_at = :now WHERE active = 1"
        " AND ((src = :src AND dst = :dst) OR (src = :dst AND dst = :src))"
        " AND (:rel IS NULL OR rel = :rel) AND (:origin IS NULL OR origin = :origin)",
        {"now": now, "src": src, "dst": dst, "rel": rel, "origin": origin},
    ).rowcount
    if ended:
        revise(connection, "links")
        mark_dirty(connection, [src, dst])
    return ended


def agent_links(connection: sqlite3.Connection, ids: Sequence[int]) -> dict[int, tuple[str, ...]]:
    """Names that each memory is linked to by the agent, in the order in which they were linked."""
    found: dict[int, dict[int, str]] = {}
    for here, there in (("src", "dst"), ("dst", "src")):
        for node_id, edge_id, name in select_in(
            connection,
            f"SELECT {here}, edge.id, node.name FROM edge JOIN node ON node.id = {there}"
            f" WHERE {here} IN {{ids}} AND active = 1 AND origin = 'agent'",
            ids,
        ):
            found.setdefault(node_id, {})[edge_id] = name
    return {
        node_id: tuple(dict.fromkeys(names[edge_id] for edge_id in sorted(names)))
        for node_id, names in found.items()
    }
