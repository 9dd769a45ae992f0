"""Counts over the whole store, made in the database."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    """What a store holds.

    Attributes:
        mean_weight: Mean synaptic weight in [0, 1]; 0 in an empty store.
        with_key_nouns: How many memories have key nouns.
        categories: Memories in each category, by name.
        languages: Memories in each language, by code.
    """

    memories: int
    active: int
    dormant: int
    short_term: int
    mean_weight: float
    with_key_nouns: int
    categories: dict[str, int]
    languages: dict[str, int]
    schema_version: int
    journal_mode: str


def count_all(connection: sqlite3.Connection) -> Statistics:
    """Counts everything in a handful of statements; no row leaves the database."""
    memories, active, dormant, short_term, mean_weight = connection.execute(
        "SELECT count(*), coalesce(sum(state = 'activo'), 0), coalesce(sum(state = 'dormido'), 0),"
        " coalesce(sum(tier = 'corto'), 0), coalesce(avg(weight), 0.0) FROM node"
    ).fetchone()
    (with_key_nouns,) = connection.execute(
        "SELECT count(DISTINCT node_id) FROM term WHERE kind = 'key_noun'"
    ).fetchone()
    return Statistics(
        memories=memories,
        active=active,
        dormant=dormant,
        short_term=short_term,
        mean_weight=mean_weight,
        with_key_nouns=with_key_nouns,
        categories=memories_by_category(connection),
        languages=_counts(connection, "language"),
        schema_version=connection.execute("PRAGMA user_version").fetchone()[0],
        journal_mode=connection.execute("PRAGMA journal_mode").fetchone()[0],
    )


def memories_by_category(connection: sqlite3.Connection) -> dict[str, int]:
    """How many memories are in each category that has any, most first."""
    return _counts(connection, "category")


def _counts(connection: sqlite3.Connection, column: str) -> dict[str, int]:
    rows = connection.execute(
        f"SELECT {column}, count(*) FROM node GROUP BY {column} ORDER BY count(*) DESC, {column}"
    ).fetchall()
    return dict(rows)
