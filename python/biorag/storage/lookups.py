"""Single columns of many memories, for callers that need no more of them."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import NamedTuple

from biorag.storage.bulk import select_in


class Heading(NamedTuple):
    """What a page shows of a memory beside its text."""

    id: int
    name: str
    category: str
    author: str | None
    created_at: float
    valid_from: float | None
    valid_to: float | None


def headings(connection: sqlite3.Connection, ids: Sequence[int]) -> dict[int, Heading]:
    """The headings of memories, by id; absent ones are left out."""
    rows = select_in(
        connection,
        "SELECT id, name, category, author, created_at, valid_from, valid_to FROM node"
        " WHERE id IN {ids}",
        ids,
    )
    return {row[0]: Heading(*row) for row in rows}


def names_of(connection: sqlite3.Connection, ids: Sequence[int]) -> dict[int, str]:
    """The names of memories, by id; absent ones are left out."""
    return dict(select_in(connection, "SELECT id, name FROM node WHERE id IN {ids}", ids))


def created_at(connection: sqlite3.Connection, ids: Sequence[int]) -> dict[int, float]:
    """When memories were created, epoch seconds by id; absent ones are left out."""
    return dict(select_in(connection, "SELECT id, created_at FROM node WHERE id IN {ids}", ids))


def ids_above(connection: sqlite3.Connection, number: int) -> list[int]:
    """The memories with an id above this one, rising."""
    rows = connection.execute("SELECT id FROM node WHERE id > ? ORDER BY id", (number,)).fetchall()
    return [found for (found,) in rows]


def weights_of(connection: sqlite3.Connection, ids: Sequence[int]) -> dict[int, float]:
    """Synaptic weights in [0, 1] by id; absent memories are left out."""
    return dict(select_in(connection, "SELECT id, weight FROM node WHERE id IN {ids}", ids))


def ids_not_active(connection: sqlite3.Connection, *, deep: bool) -> list[int]:
    """The memories that a recall leaves out: in quarantine, and unless it is deep, asleep."""
    states = "('cuarentena')" if deep else "('cuarentena', 'dormido')"
    rows = connection.execute(
        f"SELECT id FROM node WHERE state <> 'activo' AND state IN {states} ORDER BY id"
    ).fetchall()
    return [number for (number,) in rows]
