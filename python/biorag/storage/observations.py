"""The texts of a memory: each is kept once, and one that was replaced is kept as history."""

from __future__ import annotations

import hashlib
import sqlite3
import unicodedata
from collections.abc import Sequence

from biorag.storage.bulk import insert_rows, select_in

_COLUMNS = "node_id, kind, content, content_hash, ord, created_at"


# Marks that steer the direction of display; a number copied from a chat carries them unseen.
_UNSEEN = dict.fromkeys((0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)))


def content_hash(content: str) -> bytes:
    """Sixteen bytes that tell one text from another.

    Texts that only differ in what nobody sees are one: composed or decomposed letters, marks of
    direction.
    """
    seen = unicodedata.normalize("NFC", content.translate(_UNSEEN))
    return hashlib.blake2b(seen.encode(), digest_size=16).digest()


def insert_bodies(connection: sqlite3.Connection, rows: Sequence[tuple[int, str, float]]) -> None:
    """Add the first text of new memories, given as (node id, content, created_at)."""
    insert_rows(
        connection,
        f"INSERT INTO observation ({_COLUMNS})",
        [
            (node_id, "body", content, content_hash(content), 0, created_at)
            for node_id, content, created_at in rows
        ],
    )


def append_observation(
    connection: sqlite3.Connection,
    node_id: int,
    content: str,
    now: float,
    *,
    kind: str = "observation",
) -> bool:
    """Add a text to a memory; False when this text is already among its live ones."""
    added = connection.execute(
        f"INSERT INTO observation ({_COLUMNS}) VALUES (?, ?, ?, ?,"
        " (SELECT coalesce(max(ord), -1) + 1 FROM observation WHERE node_id = ?), ?)"
        " ON CONFLICT DO NOTHING",
        (node_id, kind, content, content_hash(content), node_id, now),
    ).rowcount
    if added:
        _mark_revised(connection, node_id, now)
    return bool(added)


def replace_content(connection: sqlite3.Connection, node_id: int, content: str, now: float) -> bool:
    """Make `content` the only live text of a memory; what it replaces stays as history.

    Returns:
        False when it already was the only live text, to the letter.
    """
    digest = content_hash(content)
    live = connection.execute(
        "SELECT id, content_hash, content FROM observation"
        " WHERE node_id = ? AND superseded_by IS NULL",
        (node_id,),
    ).fetchall()
    kept, held = next(((row, text) for row, known, text in live if known == digest), (None, ""))
    if kept is not None and len(live) == 1 and held == content:
        return False
    if kept is not None and held != content:
        # The same text otherwise spelt: two of them cannot be live at once.
        connection.execute("UPDATE observation SET content = ? WHERE id = ?", (content, kept))
    if kept is None:
        kept = connection.execute(
            f"INSERT INTO observation ({_COLUMNS}) VALUES (?, 'body', ?, ?,"
            " (SELECT coalesce(max(ord), -1) + 1 FROM observation WHERE node_id = ?), ?)",
            (node_id, content, digest, node_id, now),
        ).lastrowid
    connection.execute(
        "UPDATE observation SET superseded_by = ?, superseded_at = ?"
        " WHERE node_id = ? AND superseded_by IS NULL AND id <> ?",
        (kept, now, node_id, kept),
    )
    _mark_revised(connection, node_id, now)
    return True


def remove_observation(
    connection: sqlite3.Connection, node_id: int, content: str, now: float
) -> bool:
    """Delete the live text that is exactly `content`; False when there is none."""
    removed = connection.execute(
        "DELETE FROM observation WHERE node_id = ? AND content_hash = ? AND superseded_by IS NULL",
        (node_id, content_hash(content)),
    ).rowcount
    if removed:
        _mark_revised(connection, node_id, now)
    return bool(removed)


def observations(connection: sqlite3.Connection, ids: Sequence[int]) -> dict[int, tuple[str, ...]]:
    """The live texts of each memory, in order."""
    texts: dict[int, list[str]] = {node_id: [] for node_id in ids}
    for node_id, content in _live_texts(connection, ids):
        texts[node_id].append(content)
    return {node_id: tuple(parts) for node_id, parts in texts.items()}


def contents(connection: sqlite3.Connection, ids: Sequence[int]) -> dict[int, str]:
    """The content of each memory: its live texts in order, one a line; absent ids are left out."""
    texts: dict[int, str] = {}
    for node_id, content in _live_texts(connection, ids):
        before = texts.get(node_id)
        texts[node_id] = content if before is None else f"{before}\n{content}"
    return texts


def contents_as_of(
    connection: sqlite3.Connection, ids: Sequence[int], moment: float
) -> dict[int, str]:
    """The content of each memory as it was at a moment, in epoch seconds.

    A text that was replaced since is there again, one that was added since is not; a memory that
    had no text yet is left out.
    """
    rows = select_in(
        connection,
        "SELECT node_id, content, created_at, superseded_at FROM observation"
        " WHERE node_id IN {ids} ORDER BY node_id, ord",
        ids,
    )
    texts: dict[int, str] = {}
    for node_id, content, created_at, superseded_at in rows:
        if created_at <= moment and (superseded_at is None or superseded_at > moment):
            before = texts.get(node_id)
            texts[node_id] = content if before is None else f"{before}\n{content}"
    return texts


def _live_texts(connection: sqlite3.Connection, ids: Sequence[int]) -> list[tuple[int, str]]:
    rows: list[tuple[int, str]] = select_in(
        connection,
        "SELECT node_id, content FROM observation"
        " WHERE node_id IN {ids} AND superseded_by IS NULL ORDER BY node_id, ord",
        ids,
    )
    return rows


def _mark_revised(connection: sqlite3.Connection, node_id: int, now: float) -> None:
    connection.execute(
        "UPDATE node SET updated_at = ?, content_rev = content_rev + 1 WHERE id = ?",
        (now, node_id),
    )
