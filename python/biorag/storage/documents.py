"""Every memory's own words in order of id, for building an index over all of them."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from biorag.storage.bulk import select_in

Rows = list[Any]
"""Rows of (node id, text), the texts of a node next to each other and in order."""


class Document(NamedTuple):
    """The words of one memory as they were given, not analysed.

    Attributes:
        synonyms: One a line.
        key_nouns: One a line.
        bridges: One a line.
        body: Its live texts in order, one a line.
    """

    id: int
    language: str
    created_at: float
    author: str | None
    name: str
    synonyms: str
    key_nouns: str
    bridges: str
    body: str


_NODES = "SELECT id, language, created_at, author, name FROM node"
_SYNONYMS = "SELECT node_id, text FROM term WHERE kind = 'synonym'"
_KEY_NOUNS = "SELECT node_id, text FROM term WHERE kind = 'key_noun'"
# In the order in which they were added, and shaped so that the same conditions fit behind it.
_BRIDGES = (
    "SELECT node_id, text FROM (SELECT hub.node_id, text, hub_bridge.id AS ord"
    " FROM hub JOIN hub_bridge ON hub_id = hub.id) WHERE true"
)
_BODIES = "SELECT node_id, content FROM observation WHERE superseded_by IS NULL"


def iterate_documents(
    connection: sqlite3.Connection, after_id: int = 0, batch: int = 2000
) -> Iterator[Document]:
    """Every memory with an id above `after_id`, ascending, `batch` of them in memory at a time.

    Inside `Store.snapshot` all of them are of the same moment.
    """
    while True:
        nodes = connection.execute(
            f"{_NODES} WHERE id > ? ORDER BY id LIMIT ?", (after_id, batch)
        ).fetchall()
        if not nodes:
            return
        span = (after_id, nodes[-1][0])

        def words(query: str, span: tuple[int, int] = span) -> Rows:
            within = f"{query} AND node_id > ? AND node_id <= ? ORDER BY node_id, ord"
            return connection.execute(within, span).fetchall()

        yield from _documents(nodes, words)
        after_id = span[1]


def documents_of(connection: sqlite3.Connection, ids: Sequence[int]) -> list[Document]:
    """The memories with these ids, ascending; absent ones are left out."""
    nodes = select_in(connection, f"{_NODES} WHERE id IN {{ids}}", ids)

    def words(query: str) -> Rows:
        return select_in(connection, f"{query} AND node_id IN {{ids}} ORDER BY node_id, ord", ids)

    return list(_documents(sorted(nodes), words))


def _documents(nodes: Sequence[Any], words: Callable[[str], Rows]) -> Iterator[Document]:
    synonyms, key_nouns, bridges, bodies = map(
        _joined, map(words, (_SYNONYMS, _KEY_NOUNS, _BRIDGES, _BODIES))
    )
    for node_id, language, created_at, author, name in nodes:
        yield Document(
            id=node_id,
            language=language,
            created_at=created_at,
            author=author,
            name=name,
            synonyms=synonyms.get(node_id, ""),
            key_nouns=key_nouns.get(node_id, ""),
            bridges=bridges.get(node_id, ""),
            body=bodies.get(node_id, ""),
        )


def _joined(rows: Rows) -> dict[int, str]:
    """The texts of each node, one a line; `rows` are (node id, text), in order."""
    texts: dict[int, str] = {}
    for node_id, text in rows:
        before = texts.get(node_id)
        texts[node_id] = text if before is None else f"{before}\n{text}"
    return texts
