"""Tables of the vector spaces that were trained on the store's texts."""

from __future__ import annotations

import sqlite3

STATEMENTS = (
    # AUTOINCREMENT: an id tells one training from another for good.
    """CREATE TABLE vector_space (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL UNIQUE,
        dims INTEGER NOT NULL,
        documents INTEGER NOT NULL,
        created_at REAL NOT NULL
    ) STRICT""",
    # Some thousand terms a row: a line each; weights and scales float32, vectors one byte a
    # dimension, to be multiplied by the term's scale.
    """CREATE TABLE token_vector (
        space_id INTEGER NOT NULL REFERENCES vector_space (id) ON DELETE CASCADE,
        chunk INTEGER NOT NULL,
        terms TEXT NOT NULL,
        weights BLOB NOT NULL,
        scales BLOB NOT NULL,
        vectors BLOB NOT NULL,
        PRIMARY KEY (space_id, chunk)
    ) STRICT, WITHOUT ROWID""",
)


def create(connection: sqlite3.Connection) -> None:
    """Create the tables."""
    for statement in STATEMENTS:
        connection.execute(statement)
