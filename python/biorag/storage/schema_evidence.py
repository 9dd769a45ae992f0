"""Tables of what the store knows beside its texts: codes, links, hubs, groups, domain words."""

from __future__ import annotations

import sqlite3

_REVISED = (
    "INSERT INTO revision (lane, number) VALUES ('{lane}', 1)"
    " ON CONFLICT (lane) DO UPDATE SET number = number + 1;"
)


def _followed(lane: str, table: str) -> tuple[str, ...]:
    """Triggers that count every write of a table that is written seldom."""
    revised = _REVISED.format(lane=lane)
    return tuple(
        f"CREATE TRIGGER {table}_{event.lower()}_revised AFTER {event} ON {table}"
        f" BEGIN {revised} END"
        for event in ("INSERT", "UPDATE", "DELETE")
    )


STATEMENTS = (
    # How often each lane was written: what is kept of it in memory follows, and a lane that the
    # store never had costs a recall nothing.
    """CREATE TABLE revision (
        lane TEXT PRIMARY KEY,
        number INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID""",
    # Binary codes, 2048 bits; a memory in sdm_dirty has an old one, or none.
    """CREATE TABLE sdm_code (
        node_id INTEGER PRIMARY KEY REFERENCES node (id) ON DELETE CASCADE,
        code BLOB NOT NULL CHECK (length(code) = 256),
        updated_at REAL NOT NULL
    ) STRICT""",
    """CREATE TABLE sdm_dirty (
        node_id INTEGER PRIMARY KEY REFERENCES node (id) ON DELETE CASCADE
    ) STRICT""",
    # Paths over two edges or more, stored once with src < dst.
    """CREATE TABLE latent_edge (
        src INTEGER NOT NULL REFERENCES node (id) ON DELETE CASCADE,
        dst INTEGER NOT NULL REFERENCES node (id) ON DELETE CASCADE,
        weight REAL NOT NULL CHECK (weight BETWEEN 0 AND 1),
        hops INTEGER NOT NULL,
        pmi REAL NOT NULL,
        common_dimension INTEGER NOT NULL CHECK (common_dimension IN (0, 1)),
        created_at REAL NOT NULL,
        PRIMARY KEY (src, dst),
        CHECK (src < dst)
    ) STRICT, WITHOUT ROWID""",
    "CREATE INDEX latent_edge_by_dst ON latent_edge (dst)",
    """CREATE TABLE hub (
        id INTEGER PRIMARY KEY,
        key TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL,
        node_id INTEGER NOT NULL REFERENCES node (id) ON DELETE CASCADE,
        description TEXT NOT NULL DEFAULT '',
        created_at REAL NOT NULL
    ) STRICT""",
    "CREATE INDEX hub_by_node ON hub (node_id)",
    """CREATE TABLE hub_bridge (
        id INTEGER PRIMARY KEY,
        hub_id INTEGER NOT NULL REFERENCES hub (id) ON DELETE CASCADE,
        angle TEXT CHECK (angle IN ('sinonimo', 'problema', 'solucion', 'situacion', 'ingenuo')),
        text TEXT NOT NULL,
        weight REAL NOT NULL DEFAULT 1.0 CHECK (weight BETWEEN 0 AND 1),
        UNIQUE (hub_id, text)
    ) STRICT""",
    """CREATE TABLE lexical_group (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE
    ) STRICT""",
    """CREATE TABLE node_group (
        node_id INTEGER NOT NULL REFERENCES node (id) ON DELETE CASCADE,
        group_id INTEGER NOT NULL REFERENCES lexical_group (id),
        words INTEGER NOT NULL,
        PRIMARY KEY (node_id, group_id)
    ) STRICT, WITHOUT ROWID""",
    # What the store's own texts use together: a word, a word that goes with it, how closely.
    """CREATE TABLE domain_term (
        term TEXT NOT NULL,
        related TEXT NOT NULL,
        weight REAL NOT NULL CHECK (weight BETWEEN 0 AND 1),
        PRIMARY KEY (term, related)
    ) STRICT, WITHOUT ROWID""",
    # Vectors of a space that is not made of term vectors: float32, the space's dims each.
    """CREATE TABLE node_vector (
        space_id INTEGER NOT NULL REFERENCES vector_space (id) ON DELETE CASCADE,
        node_id INTEGER NOT NULL REFERENCES node (id) ON DELETE CASCADE,
        content_rev INTEGER NOT NULL,
        vector BLOB NOT NULL,
        PRIMARY KEY (space_id, node_id)
    ) STRICT, WITHOUT ROWID""",
    "CREATE INDEX node_vector_by_node ON node_vector (node_id)",
    "ALTER TABLE predicate ADD COLUMN origin TEXT NOT NULL DEFAULT 'agent'"
    " CHECK (origin IN ('agent', 'system'))",
    "CREATE INDEX predicate_by_action ON predicate (action)",
    "CREATE INDEX predicate_by_agent ON predicate (node_id) WHERE origin = 'agent'",
    *_followed("hubs", "hub"),
    *_followed("hubs", "hub_bridge"),
)


def create(connection: sqlite3.Connection) -> None:
    """Create the tables, and note which lanes a store of an older version already has."""
    for statement in STATEMENTS:
        connection.execute(statement)
    for lane, table in (
        ("links", "edge"),
        ("dimensions", "node_axis_value"),
        ("roles", "predicate"),
    ):
        connection.execute(
            f"INSERT INTO revision (lane, number) SELECT ?, 1 WHERE EXISTS (SELECT 1 FROM {table})",
            (lane,),
        )
