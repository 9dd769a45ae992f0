"""Synonyms and key nouns of memories, in the order in which they were given."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from typing import Literal

from biorag.storage.bulk import insert_rows, select_in

TermKind = Literal["synonym", "key_noun"]

_INSERT = "INSERT INTO term (node_id, kind, ord, text)"


def insert_terms(
    connection: sqlite3.Connection,
    terms: Iterable[tuple[int, TermKind, Sequence[str]]],
) -> None:
    """Add the terms of memories that have none of that kind yet."""
    rows = [
        (node_id, kind, position, text)
        for node_id, kind, texts in terms
        for position, text in enumerate(texts)
    ]
    insert_rows(connection, _INSERT, rows)


def replace_terms(
    connection: sqlite3.Connection, node_id: int, kind: TermKind, texts: Sequence[str]
) -> None:
    """Make `texts` all the terms of this kind that a memory has."""
    connection.execute("DELETE FROM term WHERE node_id = ? AND kind = ?", (node_id, kind))
    insert_terms(connection, [(node_id, kind, texts)])


def terms(
    connection: sqlite3.Connection, ids: Sequence[int]
) -> dict[tuple[int, TermKind], tuple[str, ...]]:
    """The terms of each memory by id and kind, in order; what has none is left out."""
    found: dict[tuple[int, TermKind], list[str]] = {}
    for node_id, kind, text in select_in(
        connection,
        "SELECT node_id, kind, text FROM term WHERE node_id IN {ids} ORDER BY node_id, kind, ord",
        ids,
    ):
        found.setdefault((node_id, kind), []).append(text)
    return {owner: tuple(texts) for owner, texts in found.items()}
