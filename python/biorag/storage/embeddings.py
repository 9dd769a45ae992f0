"""Vectors of memories in a user's own space."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import NamedTuple

from biorag.storage.revisions import revise

LANE = "embedding"
PREFIX = "user:"  # of such spaces' names, so that none is taken for the store's own


class Pending(NamedTuple):
    """A memory whose vector is missing, or of an older text."""

    id: int
    content_rev: int
    name: str


def embedded_space(connection: sqlite3.Connection, name: str, dims: int, now: float) -> int:
    """The id of a space; one of other dimensions under this name is forgotten with its vectors."""
    row = connection.execute(
        "SELECT id, dims FROM vector_space WHERE name = ?", (PREFIX + name,)
    ).fetchone()
    if row is not None and row[1] == dims:
        return int(row[0])
    connection.execute("DELETE FROM vector_space WHERE name = ?", (PREFIX + name,))
    cursor = connection.execute(
        "INSERT INTO vector_space (name, dims, documents, created_at) VALUES (?, ?, 0, ?)",
        (PREFIX + name, dims, now),
    )
    return int(cursor.lastrowid or 0)


def pending(connection: sqlite3.Connection, name: str, limit: int) -> list[Pending]:
    """Memories whose vector in this space is missing or old, rising."""
    rows = connection.execute(
        "SELECT node.id, node.content_rev, node.name FROM node"
        " LEFT JOIN vector_space ON vector_space.name = ?"
        " LEFT JOIN node_vector ON space_id = vector_space.id AND node_id = node.id"
        " WHERE node_vector.content_rev IS NOT node.content_rev ORDER BY node.id LIMIT ?",
        (PREFIX + name, limit),
    ).fetchall()
    return [Pending(*row) for row in rows]


def put_vectors(
    connection: sqlite3.Connection, space: int, rows: Sequence[tuple[int, int, bytes]]
) -> None:
    """Keeps vectors, given as (memory, content_rev, float32 bytes), of memories that are there."""
    connection.executemany(
        "INSERT OR REPLACE INTO node_vector (space_id, node_id, content_rev, vector)"
        " SELECT ?, id, ?, ? FROM node WHERE id = ?",
        ((space, rev, vector, number) for number, rev, vector in rows),
    )
    revise(connection, LANE)


def vectors(connection: sqlite3.Connection, name: str) -> list[tuple[int, bytes]]:
    """Every vector of a space by memory, rising."""
    return connection.execute(
        "SELECT node_id, vector FROM node_vector"
        " JOIN vector_space ON vector_space.id = space_id WHERE name = ? ORDER BY node_id",
        (PREFIX + name,),
    ).fetchall()
