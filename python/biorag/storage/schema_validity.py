"""From when to when what a memory says holds in the world; no bound means always."""

from __future__ import annotations

import sqlite3

STATEMENTS = (
    "ALTER TABLE node ADD COLUMN valid_from REAL",
    "ALTER TABLE node ADD COLUMN valid_to REAL",
)


def create(connection: sqlite3.Connection) -> None:
    """Add the columns."""
    for statement in STATEMENTS:
        connection.execute(statement)
