"""SQLite's own full-text search, as most local memories use it: any word, ordered by rank."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence
from pathlib import Path

from biorag.evaluation.corpus import Document

_WORD = re.compile(r"\w+")


class Fts5:
    """An FTS5 table of the texts, with accents folded and FTS5's own BM25 (k1 1.2, b .75)."""

    def __init__(self, directory: Path) -> None:
        self._path = directory / "fts5.db"
        self._ids: list[str] = []
        self._connection = sqlite3.connect(self._path)
        self._connection.execute(
            "CREATE VIRTUAL TABLE texts USING fts5"
            "(body, tokenize = 'unicode61 remove_diacritics 2')"
        )

    def build(self, documents: Sequence[Document]) -> None:
        """Store the texts in one transaction."""
        with self._connection:
            self._connection.executemany(
                "INSERT INTO texts (rowid, body) VALUES (?, ?)",
                ((row, document.text) for row, document in enumerate(documents)),
            )
        self._ids = [document.id for document in documents]

    def search(self, question: str, language: str, k: int) -> list[str]:
        """Documents with any of the question's words, in any language, by rank."""
        del language  # FTS5 has no stemmer for Spanish and no stop words
        expression = any_word(question)
        if not expression:
            return []
        rows = self._connection.execute(
            "SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY rank LIMIT ?", (expression, k)
        )
        return [self._ids[row] for (row,) in rows]

    def disk_bytes(self) -> int:
        """Size of the database file."""
        return self._path.stat().st_size

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


def any_word(question: str) -> str:
    """The FTS5 expression that matches a text with any word of the question; empty: no words."""
    words = dict.fromkeys(_WORD.findall(question.lower()))
    return " OR ".join(f'"{word}"' for word in words)
