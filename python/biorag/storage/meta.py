"""Small named facts about the store itself."""

from __future__ import annotations

import sqlite3


def get(connection: sqlite3.Connection, key: str) -> str | None:
    """The value kept under `key`, or None."""
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return None if row is None else str(row[0])


def put(connection: sqlite3.Connection, key: str, value: str) -> None:
    """Keep `value` under `key`, in place of what was there."""
    connection.execute(
        "INSERT INTO meta (key, value) VALUES (?, ?)"
        " ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        (key, value),
    )


def store_id(connection: sqlite3.Connection) -> str:
    """A name that this store got when it was made, and that no other store has but its copies."""
    return get(connection, "store_id") or ""
