"""Keeps the bridges of Concept Hubs in memory, in step with the store."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # numpy takes longer to import than all else, and learning does not need it.
    from biorag.retrieval.hubs import Hubs


class HubReader:
    """Reads the bridges of a store; those that were only added are read alone.

    Not thread-safe: `Following` calls it under its lock.
    """

    def __init__(self) -> None:
        """Reads nothing yet."""
        self._before: Hubs | None = None

    def __call__(self, connection: sqlite3.Connection) -> Hubs:
        """The bridges as of the connection's snapshot."""
        from biorag.retrieval.hubs import read_hubs

        self._before = read_hubs(connection, self._before)
        return self._before
