"""Keeps in memory what the store knows in one lane, and reads it again when it was written."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Mapping
from typing import Generic, TypeVar

from biorag.storage.connection import Store
from biorag.storage.revisions import revisions

T = TypeVar("T")


class Following(Generic[T]):
    """One value made of a lane that is written seldom, whoever writes it.

    SQLite is the truth; `read` makes the value of what it holds. Thread-safe.
    """

    def __init__(self, lane: str, read: Callable[[sqlite3.Connection], T]) -> None:
        """Reads nothing until the value is asked for."""
        self._lane = lane
        self._read = read
        self._lock = threading.Lock()
        self._held: tuple[int, T] | None = None

    def current(self, store: Store, seen: Mapping[str, int]) -> T | None:
        """The value as of the last write; `None` when the lane was never written.

        Args:
            store: Read when the value is older.
            seen: The revisions that the caller read last.
        """
        number = seen.get(self._lane)
        if number is None:
            return None
        held = self._held
        if held is not None and held[0] == number:
            return held[1]
        with self._lock, store.snapshot() as connection:
            number = revisions(connection).get(self._lane, 0)
            if self._held is None or self._held[0] != number:
                self._held = (number, self._read(connection))
            return self._held[1]
