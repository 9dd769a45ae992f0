"""Memories by category, author and time, counted and paged in the database."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import Literal

from biorag.model import StoredMemory
from biorag.storage.bulk import placeholders
from biorag.storage.nodes import fetch

State = Literal["activo", "dormido", "cuarentena"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """Which memories are meant; a field that is not set excludes none.

    Attributes:
        since: Earliest time of creation, epoch seconds, itself included.
        until: Latest time of creation, epoch seconds, itself included.
        states: Any of these; empty: every state.
        as_of: Only what was known at this time and held then, epoch seconds.
    """

    category: str | None = None
    author: str | None = None
    since: float | None = None
    until: float | None = None
    states: tuple[State, ...] = ()
    as_of: float | None = None


EVERYTHING = Filters()


def listing(
    connection: sqlite3.Connection,
    filters: Filters,
    page: int,
    limit: int,
    *,
    oldest_first: bool = False,
) -> list[StoredMemory]:
    """One page of the matching memories, newest first; of the same time, the later one first.

    Args:
        connection: A reading connection.
        filters: Which memories are meant.
        page: Counted from 1.
        limit: Memories on a page.
        oldest_first: Turns the order round.
    """
    way = "ASC" if oldest_first else "DESC"
    where, values = _where(filters)
    rows = connection.execute(
        f"SELECT id FROM node{where} ORDER BY created_at {way}, id {way} LIMIT ? OFFSET ?",
        (*values, limit, (page - 1) * limit),
    ).fetchall()
    return list(fetch(connection, [node_id for (node_id,) in rows]).values())


def count(connection: sqlite3.Connection, filters: Filters = EVERYTHING) -> int:
    """How many memories match."""
    where, values = _where(filters)
    total: int = connection.execute(f"SELECT count(*) FROM node{where}", values).fetchone()[0]
    return total


def ids_matching(connection: sqlite3.Connection, filters: Filters) -> list[int]:
    """The ids of all matching memories, ascending."""
    where, values = _where(filters)
    rows = connection.execute(f"SELECT id FROM node{where}", values).fetchall()
    return sorted(node_id for (node_id,) in rows)


def _where(filters: Filters) -> tuple[str, tuple[object, ...]]:
    conditions: list[str] = []
    values: list[object] = []
    for condition, value in (
        ("category = ?", filters.category),
        ("author = ?", filters.author),
        ("created_at >= ?", filters.since),
        ("created_at <= ?", filters.until),
    ):
        if value is not None:
            conditions.append(condition)
            values.append(value)
    if filters.as_of is not None:
        conditions += [
            "created_at <= ?",
            "(valid_from IS NULL OR valid_from <= ?)",
            "(valid_to IS NULL OR valid_to > ?)",
        ]
        values += [filters.as_of] * 3
    if filters.states:
        conditions.append(f"state IN {placeholders(len(filters.states))}")
        values += filters.states
    return (f" WHERE {' AND '.join(conditions)}" if conditions else ""), tuple(values)
