"""Makes the codes of memories, and keeps those in memory in step with the store."""

from __future__ import annotations

import logging
import sqlite3
import threading
import time
from collections.abc import Mapping

from biorag.engine.intake import DEFAULT_CATEGORY
from biorag.errors import DatabaseBusyError, ReadOnlyStoreError
from biorag.kernels.sdm import CODE_BYTES, CodeTable, sdm_codes
from biorag.model_upkeep import CodesMade
from biorag.storage.changes import changes_since, latest_change
from biorag.storage.codes import (
    LANE,
    code_sources,
    codes_since,
    dirty_ids,
    forget_codes,
    has_dirty,
    made_whole_at,
    note_made_whole,
    store_codes,
)
from biorag.storage.connection import Store
from biorag.storage.revisions import revisions

logger = logging.getLogger(__name__)

BATCH = 2_000  # memories whose words are in memory at a time while codes are made
WHOLE_EVERY_S = 86_400.0  # by then the idf that runs of bits follow may have changed
TICK_S = 1e-3  # between the times of two writes, when the clock stands or goes back

_Codes = dict[int, bytes]
_State = tuple[int, tuple[tuple[str, int], ...]]


class CodesKeeper:
    """Owns the codes of one store.

    SQLite is the truth, and knows which memories changed since their code was made. Learning makes
    no code: who asks for likeness first makes those that are missing. Nothing is held in memory,
    256 bytes a memory, before someone asks.

    Thread-safe, but not to be called inside a transaction: codes are taken over when theirs is
    committed.
    """

    def __init__(self) -> None:
        """Reads nothing yet."""
        self._lock = threading.Lock()
        self._table: CodeTable | None = None
        self._revision = 0  # of the codes that the table shows
        self._change = 0  # the last change whose deletions it shows
        self._made_at = 0.0  # when the newest code in it was made
        self._beyond_store: _State | None = None  # for which it has codes that could not be stored

    def held(self, store: Store, seen: Mapping[str, int]) -> CodeTable | None:
        """The codes that are stored, some of them old or missing; `None` when there are none.

        Writes nothing.

        Args:
            store: Read when codes were made since.
            seen: The revisions that the caller read last.
        """
        if LANE not in seen:
            return None
        with self._lock, store.snapshot() as connection:
            return self._followed(connection)

    def current(self, store: Store) -> CodeTable:
        """The codes of all memories; those that are missing or old are made now, in one write.

        Where the store cannot be written, they are held in memory alone.
        """
        with self._lock:
            with store.snapshot() as connection:
                table = self._followed(connection)
                if not has_dirty(connection) and made_whole_at(connection) is not None:
                    return table
                state = _state(connection)
                if state == self._beyond_store:
                    return table
            try:
                self._make(store, whole=False)
            except (ReadOnlyStoreError, DatabaseBusyError) as error:
                logger.info("codes are held in memory alone: %s", error)
                with store.snapshot() as connection:
                    codes = _missing(connection)
                self._take(table, codes)
                self._beyond_store = state
            return table

    def make(self, store: Store, *, whole: bool | None) -> CodesMade:
        """Makes the codes that are missing or old, or all of them, in one write.

        Args:
            store: Keeps them.
            whole: All of them; `None`: when the last time is a day ago.

        Raises:
            StorageError: the store cannot be written; the codes before stay.
        """
        with self._lock:
            with store.snapshot() as connection:
                self._followed(connection)
                last = made_whole_at(connection)
            if whole is None:
                whole = last is not None and store.clock.now() - last >= WHOLE_EVERY_S
            return self._make(store, whole=whole)

    def _make(self, store: Store, *, whole: bool) -> CodesMade:
        started = time.perf_counter()
        now = store.clock.now()
        with store.atomic() as connection:
            # Codes of another make cannot be compared with those that would be added.
            whole = whole or made_whole_at(connection) is None
            table = self._followed(connection)
            if whole:
                forget_codes(connection)
                note_made_whole(connection, now)
            codes = _missing(connection)
            made_at = max(now, self._made_at + TICK_S)
            if codes or whole:
                store_codes(connection, codes, made_at)
            revision, change = revisions(connection).get(LANE, 0), latest_change(connection)
        # Only now: what is rolled back must not be in memory.
        self._take(table, codes)
        self._revision, self._change, self._made_at = revision, change, made_at
        elapsed_s = time.perf_counter() - started
        logger.info("made the codes of %d memories in %.2f s", len(codes), elapsed_s)
        return CodesMade(made=len(codes), memories=len(table), whole=whole, seconds=elapsed_s)

    def _take(self, table: CodeTable, codes: _Codes) -> None:
        table.put(list(codes), b"".join(codes.values()))

    def _followed(self, connection: sqlite3.Connection) -> CodeTable:
        """The table with all that was stored and deleted since it was last asked for."""
        revision, change = revisions(connection).get(LANE, 0), latest_change(connection)
        table = self._table
        gone: list[int] = []
        if table is not None and change != self._change:
            changes = changes_since(connection, self._change)
            if changes is None:
                table = None
            else:
                gone = [number for number, kind in changes.items() if kind == "del"]
        if table is None:
            table = self._table = CodeTable()
            self._revision, self._made_at = 0, 0.0
        if gone:
            table.delete(gone)
        if revision != self._revision:
            ids, codes, self._made_at = codes_since(connection, self._made_at)
            table.put(ids, codes)
        self._revision, self._change = revision, change
        return table


def _missing(connection: sqlite3.Connection) -> _Codes:
    """The codes of all memories whose code is missing or old, by id."""
    codes: _Codes = {}
    ids = dirty_ids(connection)
    for start in range(0, len(ids), BATCH):
        sources = code_sources(connection, ids[start : start + BATCH])
        # That two memories have no category of their own does not make them alike.
        made = sdm_codes(
            [
                (
                    of.body,
                    of.name,
                    of.dimensions,
                    "" if of.category == DEFAULT_CATEGORY else of.category,
                    of.neighbours,
                )
                for of in sources
            ]
        )
        for nth, of in enumerate(sources):
            codes[of.id] = made[nth * CODE_BYTES : (nth + 1) * CODE_BYTES]
    return codes


def _state(connection: sqlite3.Connection) -> _State:
    return latest_change(connection), tuple(sorted(revisions(connection).items()))
