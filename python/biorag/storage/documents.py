"""Every memory's own words in order of id, for building an index over all of them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import NamedTuple


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
    name: str
    synonyms: str
    key_nouns: str
    bridges: str
    body: str


def iterate_documents(
    connection: sqlite3.Connection, after_id: int = 0, batch: int = 2000
) -> Iterator[Document]:
    """Every memory with an id above `after_id`, ascending, `batch` of them in memory at a time.

    Inside `Store.snapshot` all of them are of the same moment.
    """
    while True:
        nodes = connection.execute(
            "SELECT id, language, created_at, name FROM node WHERE id > ? ORDER BY id LIMIT ?",
            (after_id, batch),
        ).fetchall()
        if not nodes:
            return
        last = nodes[-1][0]
        span = (after_id, last)
        synonyms = _joined(
            connection,
            "SELECT node_id, text FROM term WHERE kind = 'synonym'"
            " AND node_id > ? AND node_id <= ? ORDER BY node_id, ord",
            span,
        )
        key_nouns = _joined(
            connection,
            "SELECT node_id, text FROM term WHERE kind = 'key_noun'"
            " AND node_id > ? AND node_id <= ? ORDER BY node_id, ord",
            span,
        )
        bodies = _joined(
            connection,
            "SELECT node_id, content FROM observation"
            " WHERE superseded_by IS NULL AND node_id > ? AND node_id <= ?"
            " ORDER BY node_id, ord",
            span,
        )
        for node_id, language, created_at, name in nodes:
            yield Document(
                id=node_id,
                language=language,
                created_at=created_at,
                name=name,
                synonyms=synonyms.get(node_id, ""),
                key_nouns=key_nouns.get(node_id, ""),
                bridges="",
                body=bodies.get(node_id, ""),
            )
        after_id = last


def _joined(connection: sqlite3.Connection, query: str, span: tuple[int, int]) -> dict[int, str]:
    """The texts of each node in a span of ids (above the first, up to the last), one a line."""
    texts: dict[int, str] = {}
    for node_id, text in connection.execute(query, span).fetchall():
        before = texts.get(node_id)
        texts[node_id] = text if before is None else f"{before}\n{text}"
    return texts
