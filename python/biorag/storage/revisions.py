"""How often each lane of knowledge beside the texts was written."""

from __future__ import annotations

import sqlite3


def revisions(connection: sqlite3.Connection) -> dict[str, int]:
    """The number of writes of each lane that the store has ever had."""
    return dict(connection.execute("SELECT lane, number FROM revision").fetchall())


def revise(connection: sqlite3.Connection, lane: str) -> None:
    """Counts a write of a lane, within the caller's transaction."""
    connection.execute(
        "INSERT INTO revision (lane, number) VALUES (?, 1)"
        " ON CONFLICT (lane) DO UPDATE SET number = number + 1",
        (lane,),
    )
