"""Memories by category, author, time and dimensions, counted and paged in the database."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from biorag.model import StoredMemory
from biorag.storage.axis_values import sharing
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
        dimensions: Only what has, on each of these axes, one of the values beside it.
        among: Only these ids; `None`: any.
    """

    category: str | None = None
    author: str | None = None
    since: float | None = None
    until: float | None = None
    states: tuple[State, ...] = ()
    as_of: float | None = None
    dimensions: tuple[tuple[str, tuple[str, ...]], ...] = ()
    among: tuple[int, ...] | None = None


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


def listing_sharing(
    connection: sqlite3.Connection,
    filters: Filters,
    dimensions: Mapping[str, Sequence[str]],
    page: int,
    limit: int,
) -> list[StoredMemory]:
    """One page of the matching memories that share a dimension: see `ids_sharing` for the order."""
    ids = ids_sharing(connection, filters, dimensions, limit, (page - 1) * limit)
    return list(fetch(connection, ids).values())


def ids_sharing(
    connection: sqlite3.Connection,
    filters: Filters,
    dimensions: Mapping[str, Sequence[str]],
    limit: int,
    offset: int = 0,
) -> list[int]:
    """Matching memories that share at least one of these values.

    Those that share most come first, then the heavier, the newer, the smaller id.

    Args:
        connection: A reading connection.
        filters: Which memories are meant.
        dimensions: Axis to values, normalised, not empty.
        limit: How many at most.
        offset: How many to pass over.
    """
    shared, pairs = sharing(dimensions)
    where, values = _where(filters)
    rows = connection.execute(
        f"SELECT id FROM {shared} JOIN node ON id = node_id{where}"
        " ORDER BY shared DESC, weight DESC, created_at DESC, id LIMIT ? OFFSET ?",
        (*pairs, *values, limit, offset),
    ).fetchall()
    return [node_id for (node_id,) in rows]


def count_sharing(
    connection: sqlite3.Connection, filters: Filters, dimensions: Mapping[str, Sequence[str]]
) -> int:
    """How many matching memories share at least one of these values."""
    shared, pairs = sharing(dimensions)
    where, values = _where(filters)
    total: int = connection.execute(
        f"SELECT count(*) FROM {shared} JOIN node ON id = node_id{where}", (*pairs, *values)
    ).fetchone()[0]
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
    if filters.among is not None:
        conditions.append("id IN (SELECT value FROM json_each(?))")
        values.append(json.dumps(filters.among))
    for axis, wanted in filters.dimensions:
        shared, pairs = sharing({axis: wanted})
        conditions.append(f"id IN (SELECT node_id FROM {shared})")
        values += pairs
    return (f" WHERE {' AND '.join(conditions)}" if conditions else ""), tuple(values)
