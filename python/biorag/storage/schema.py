"""The tables, indexes and triggers of a store's first version.

Times are seconds since 1970 (UTC). Later capabilities bring their tables with a migration of
their own.
"""

from __future__ import annotations

import sqlite3
import string
import uuid

from biorag.storage.axes import AXES

FTS_COLUMNS = ("name", "synonyms", "key_nouns", "bridges", "body")

# The index splits at spaces and nowhere else: its text is already analysed, and a token such as
# `ord-417` or `c++` must stay whole. The ascii tokenizer takes every byte above 127 as part of a
# word, so it also knows no outdated table of letters.
_TOKEN_CHARACTERS = string.punctuation.replace("'", "''").replace('"', '""')

FTS_TABLE = (
    f"CREATE VIRTUAL TABLE fts USING fts5({', '.join(FTS_COLUMNS)},"
    " content='node_text', content_rowid='node_id',"
    f" tokenize=\"ascii tokenchars '{_TOKEN_CHARACTERS}'\")"
)

_OLD = ", ".join(f"old.{column}" for column in FTS_COLUMNS)
_NEW = ", ".join(f"new.{column}" for column in FTS_COLUMNS)
_COLUMNS = ", ".join(FTS_COLUMNS)
_FORGET = f"INSERT INTO fts (fts, rowid, {_COLUMNS}) VALUES ('delete', old.node_id, {_OLD});"
_INDEX = f"INSERT INTO fts (rowid, {_COLUMNS}) VALUES (new.node_id, {_NEW});"
_CHANGED = " OR ".join(f"old.{column} IS NOT new.{column}" for column in FTS_COLUMNS)

STATEMENTS: tuple[str, ...] = (
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID",
    """CREATE TABLE migraciones_ejecutadas (
        version INTEGER PRIMARY KEY,
        name TEXT NOT NULL,
        applied_at REAL NOT NULL
    ) STRICT""",
    # AUTOINCREMENT: the id of a deleted memory is never given to another.
    """CREATE TABLE node (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        key TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL,
        category TEXT NOT NULL,
        state TEXT NOT NULL DEFAULT 'activo' CHECK (state IN ('activo', 'dormido', 'cuarentena')),
        tier TEXT NOT NULL DEFAULT 'corto' CHECK (tier IN ('corto', 'largo')),
        weight REAL NOT NULL DEFAULT 1.0 CHECK (weight BETWEEN 0 AND 1),
        valence REAL NOT NULL DEFAULT 0.0 CHECK (valence BETWEEN 0 AND 1),
        priority INTEGER NOT NULL DEFAULT 3 CHECK (priority BETWEEN 0 AND 5),
        successes INTEGER NOT NULL DEFAULT 0,
        failures INTEGER NOT NULL DEFAULT 0,
        author TEXT,
        language TEXT NOT NULL,
        created_at REAL NOT NULL,
        updated_at REAL NOT NULL,
        last_access REAL,
        expires_at REAL,
        content_rev INTEGER NOT NULL DEFAULT 1
    ) STRICT""",
    # Few are not active, and every recall leaves those out.
    "CREATE INDEX node_not_active ON node (state) WHERE state <> 'activo'",
    # An index ends in the id, so these give the listing's order, newest first, without sorting.
    "CREATE INDEX node_by_time ON node (created_at)",
    "CREATE INDEX node_by_category ON node (category, created_at)",
    "CREATE INDEX node_by_author ON node (author, created_at) WHERE author IS NOT NULL",
    """CREATE TABLE observation (
        id INTEGER PRIMARY KEY,
        node_id INTEGER NOT NULL REFERENCES node (id) ON DELETE CASCADE,
        kind TEXT NOT NULL,
        content TEXT NOT NULL,
        content_hash BLOB NOT NULL,
        ord INTEGER NOT NULL,
        created_at REAL NOT NULL,
        superseded_by INTEGER,
        superseded_at REAL,
        similarity_flag REAL
    ) STRICT""",
    "CREATE INDEX observation_by_node ON observation (node_id, ord)",
    """CREATE UNIQUE INDEX observation_live ON observation (node_id, content_hash)
        WHERE superseded_by IS NULL""",
    """CREATE TABLE term (
        node_id INTEGER NOT NULL REFERENCES node (id) ON DELETE CASCADE,
        kind TEXT NOT NULL CHECK (kind IN ('synonym', 'key_noun')),
        ord INTEGER NOT NULL,
        text TEXT NOT NULL,
        PRIMARY KEY (node_id, kind, ord)
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE axis (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE
    ) STRICT""",
    """CREATE TABLE axis_value (
        id INTEGER PRIMARY KEY,
        axis_id INTEGER NOT NULL REFERENCES axis (id),
        name TEXT NOT NULL,
        auto_generated INTEGER NOT NULL DEFAULT 0,
        confidence REAL NOT NULL DEFAULT 1.0,
        created_at REAL,
        UNIQUE (axis_id, name)
    ) STRICT""",
    """CREATE TABLE node_axis_value (
        node_id INTEGER NOT NULL REFERENCES node (id) ON DELETE CASCADE,
        axis_value_id INTEGER NOT NULL REFERENCES axis_value (id),
        PRIMARY KEY (node_id, axis_value_id)
    ) STRICT, WITHOUT ROWID""",
    "CREATE INDEX node_axis_value_by_value ON node_axis_value (axis_value_id)",
    # An undirected edge is stored once, with src < dst.
    """CREATE TABLE edge (
        id INTEGER PRIMARY KEY,
        src INTEGER NOT NULL REFERENCES node (id) ON DELETE CASCADE,
        dst INTEGER NOT NULL REFERENCES node (id) ON DELETE CASCADE,
        rel TEXT NOT NULL,
        origin TEXT NOT NULL CHECK (origin IN ('agent', 'system')),
        directed INTEGER NOT NULL DEFAULT 0 CHECK (directed IN (0, 1)),
        weight REAL NOT NULL DEFAULT 1.0 CHECK (weight BETWEEN 0 AND 1),
        context TEXT,
        active INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1)),
        ended_at REAL,
        created_at REAL NOT NULL,
        last_used REAL,
        CHECK (src <> dst)
    ) STRICT""",
    "CREATE INDEX edge_by_src ON edge (src)",
    "CREATE INDEX edge_by_dst ON edge (dst)",
    "CREATE UNIQUE INDEX edge_active ON edge (src, dst, rel) WHERE active = 1",
    """CREATE TABLE predicate (
        id INTEGER PRIMARY KEY,
        node_id INTEGER NOT NULL REFERENCES node (id) ON DELETE CASCADE,
        subject TEXT,
        action TEXT NOT NULL,
        object TEXT,
        context TEXT,
        created_at REAL NOT NULL
    ) STRICT""",
    "CREATE INDEX predicate_by_node ON predicate (node_id)",
    # The analysed tokens of each field, joined by spaces: what the full-text index is made of,
    # and can always be made of again.
    """CREATE TABLE node_text (
        node_id INTEGER PRIMARY KEY REFERENCES node (id) ON DELETE CASCADE,
        name TEXT NOT NULL,
        synonyms TEXT NOT NULL,
        key_nouns TEXT NOT NULL,
        bridges TEXT NOT NULL,
        body TEXT NOT NULL
    ) STRICT""",
    FTS_TABLE,
    # What other processes' indexes in memory follow. The newest row is never deleted, so a
    # number is never used twice.
    """CREATE TABLE change (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        node_id INTEGER NOT NULL,
        kind TEXT NOT NULL CHECK (kind IN ('put', 'del'))
    ) STRICT""",
    f"""CREATE TRIGGER node_text_added AFTER INSERT ON node_text BEGIN
        {_INDEX}
        INSERT INTO change (node_id, kind) VALUES (new.node_id, 'put');
    END""",
    f"""CREATE TRIGGER node_text_changed AFTER UPDATE OF {_COLUMNS} ON node_text
    WHEN {_CHANGED} BEGIN
        {_FORGET}
        {_INDEX}
        INSERT INTO change (node_id, kind) VALUES (new.node_id, 'put');
    END""",
    f"""CREATE TRIGGER node_text_removed AFTER DELETE ON node_text BEGIN
        {_FORGET}
        INSERT INTO change (node_id, kind) VALUES (old.node_id, 'del');
    END""",
)


def create(connection: sqlite3.Connection) -> None:
    """Create the tables in an empty file and fill in the catalogue of axes."""
    for statement in STATEMENTS:
        connection.execute(statement)
    connection.execute("INSERT INTO meta (key, value) VALUES ('store_id', ?)", (uuid.uuid4().hex,))
    for axis_id, (axis, values) in enumerate(AXES.items(), start=1):
        connection.execute("INSERT INTO axis (id, name) VALUES (?, ?)", (axis_id, axis))
        connection.executemany(
            "INSERT INTO axis_value (axis_id, name) VALUES (?, ?)",
            [(axis_id, value) for value in values],
        )
