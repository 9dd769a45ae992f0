"""The store: who may use which connection when, and the one way to write."""

from __future__ import annotations

import sqlite3
import threading
import time
import uuid
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Literal, Self

from biorag.clock import Clock, SystemClock
from biorag.errors import DatabaseBusyError, ReadOnlyStoreError, StorageError
from biorag.storage import forking
from biorag.storage.handles import (
    Access,
    Handle,
    abandon,
    connect_best,
    connect_memory,
    file_stamp,
    is_writable,
)
from biorag.storage.migrations import MIGRATIONS, Migration, bring_up_to_date
from biorag.storage.opening import (
    check_left_over_log,
    prepare_file,
    refuse_newer,
    require_sqlite,
    use_write_ahead_log,
)
from biorag.storage.transactions import outermost, roll_back, savepoint, until

MEMORY = ":memory:"


class Store:
    """One SQLite file (or memory) shared by threads, processes and forked children.

    Every thread has its own connection, so reads never wait for a writer. Writers of one process
    queue on a lock; writers of several processes queue on SQLite's.
    """

    def __init__(
        self, path: Path | None, *, synchronous: str, busy_timeout_s: float, clock: Clock
    ) -> None:
        self.path = path
        self.clock = clock
        self._synchronous = synchronous
        self._busy_timeout_s = busy_timeout_s
        self._memory_name = f"biorag-{uuid.uuid4().hex}"
        self._closed = False
        self._writers = threading.RLock()
        self._local = threading.local()
        self._handles: weakref.WeakSet[Handle] = weakref.WeakSet()
        self._anchor: Handle | None = None  # keeps a database in memory alive between threads
        self._opened = 0  # how many connections there have been, to tell them apart
        self._held_for_fork = False
        self._inherited = 0  # how many connections a fork would take along
        self._locks_after_fork: list[int] = []
        forking.watch(self)

    @classmethod
    def open(
        cls,
        path: Path | Literal[":memory:"],
        *,
        synchronous: Literal["FULL", "NORMAL"] = "FULL",
        busy_timeout_s: float = 10.0,
        clock: Clock | None = None,
        migrations: Sequence[Migration] = MIGRATIONS,
    ) -> Self:
        """Open a store, creating or upgrading it when its file allows writing.

        Args:
            path: The store's file; its folder is created too. `:memory:` keeps nothing.
            synchronous: `FULL`: what `atomic` has committed survives a power cut. `NORMAL`: it
                survives the end of the process.
            busy_timeout_s: How long a write waits for another process's.
            clock: Where the times in the store come from.
            migrations: The steps that lead to the schema, in order.

        Raises:
            SchemaVersionError: a newer biorag wrote the file; it was left as it is.
            CorruptDataError: the file is not a store, or is damaged.
            ReadOnlyStoreError: the file must be created or upgraded and cannot be written.
            StorageError: SQLite lacks full-text search, or the file cannot be opened.
        """
        require_sqlite()
        store = cls(
            None if str(path) == MEMORY else Path(path).expanduser().resolve(),
            synchronous=synchronous,
            busy_timeout_s=busy_timeout_s,
            clock=SystemClock() if clock is None else clock,
        )
        try:
            store._prepare(migrations)
        except BaseException:
            store.close()
            raise
        return store

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def closed(self) -> bool:
        """Whether it was closed; a closed store cannot be used again."""
        return self._closed

    @property
    def read_only(self) -> bool:
        """Whether this thread's connection cannot write."""
        return self._handle().access is not Access.WRITE

    def reading(self) -> sqlite3.Connection:
        """This thread's connection, to read with: each statement sees the newest commit.

        Fetch all rows of a statement before the next call: in a read-only folder the connection
        is replaced when the file changes.
        """
        return self._handle().connection

    @contextmanager
    def snapshot(self) -> Iterator[sqlite3.Connection]:
        """This thread's connection, all of whose statements see one and the same state."""
        handle = self._handle()
        if handle.connection.in_transaction:
            yield handle.connection
            return
        handle.connection.execute("BEGIN")
        try:
            # A transaction gets its view of the data with its first read, not when it begins.
            handle.connection.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchone()
            yield handle.connection
        finally:
            roll_back(handle)

    @contextmanager
    def atomic(self) -> Iterator[sqlite3.Connection]:
        """All that is written inside is on disk when the block ends, or none of it.

        Inside another `atomic` of the same thread it is a savepoint: an exception that leaves
        the inner block undoes the inner block only.

        Raises:
            DatabaseBusyError: another writer did not finish within the busy timeout.
            ReadOnlyStoreError: the file or its folder does not allow writing.
            DiskFullError: there is no room left; nothing was kept.
        """
        handle = self._handle()
        if handle.depth:
            with savepoint(handle):
                yield handle.connection
            return
        with self._only_writer() as (handle, deadline):
            until(deadline, lambda: handle.connection.execute("BEGIN IMMEDIATE"))
            with outermost(handle):
                yield handle.connection

    def rewrite(self) -> None:
        """Write the file anew without its free pages, and empty its log.

        Raises:
            DatabaseBusyError: someone else kept reading or writing. The file may be rewritten
                already, while its former pages are still in the log.
            ReadOnlyStoreError: the file or its folder does not allow writing.
        """
        with self._only_writer() as (handle, deadline):
            # The new copy goes through a temporary file, which may be larger than memory allows.
            handle.connection.execute("PRAGMA temp_store=FILE")
            try:
                until(deadline, lambda: handle.connection.execute("VACUUM"))
            finally:
                handle.connection.execute("PRAGMA temp_store=MEMORY")
            until(deadline, lambda: self._empty_log_or_refuse(handle))

    def data_version(self) -> tuple[int, int]:
        """A value that changes when anyone but this thread's own connection has written.

        Compare it only with an earlier value got in the same thread.
        """
        handle = self._handle()
        version: int = handle.connection.execute("PRAGMA data_version").fetchone()[0]
        return handle.number, version

    def checkpoint(self) -> bool:
        """Move the log into the main file and empty it; False when a reader still needs it."""
        if self.path is None or self.read_only:
            return True
        return _empty_log(self._handle())

    def close(self) -> None:
        """Empty the log into the main file and close every thread's connection.

        Waits for a write of another thread, for as long as the busy timeout at most.
        """
        waited = self._writers.acquire(timeout=self._busy_timeout_s)
        try:
            self._closed = True
            for handle in list(self._handles):
                if handle.access is Access.WRITE and self.path is not None:
                    # Readers of another process may need the log; whoever closes last empties it.
                    with suppress(StorageError, sqlite3.Error):
                        handle.connection.execute("PRAGMA busy_timeout=0")
                        _empty_log(handle)
                handle.close()
            self._forget_handles()
        finally:
            if waited:
                self._writers.release()

    def before_fork(self) -> None:
        """Let no write be under way, and leave the child no connection of this thread."""
        self._held_for_fork = self._writers.acquire(timeout=self._busy_timeout_s)
        self._inherited = len(self._handles)
        handle: Handle | None = getattr(self._local, "handle", None)
        if handle is not None and self.path is not None and not handle.connection.in_transaction:
            self._local.handle = None
            handle.close()
            self._handles.discard(handle)
            self._inherited -= 1

    def after_fork_in_parent(self) -> None:
        """Let other threads write again."""
        if self._held_for_fork:
            self._writers.release()

    def after_fork_in_child(self) -> None:
        """Forget the parent's connections without closing them."""
        self._writers = threading.RLock()
        if self.path is None:
            for handle in list(self._handles):
                handle.close.detach()
                handle.adopt()  # the child has its own copy of the memory, and may go on with it
            return
        for handle in list(self._handles):
            handle.close.detach()
            abandon(handle.connection)
        self._forget_handles()
        if self._inherited and not self._closed:
            self._locks_after_fork += forking.hold_locks_again(self.path)

    def _prepare(self, migrations: Sequence[Migration]) -> None:
        deadline = time.monotonic() + self._busy_timeout_s
        newest = migrations[-1].version
        if self.path is None:
            self._anchor = self._new_handle()
        else:
            prepare_file(self.path)
            check_left_over_log(self.path, newest)
        handle = self._handle()
        version = refuse_newer(handle.connection, newest, self.path)
        if handle.access is Access.WRITE:
            if self.path is not None:
                until(deadline, lambda: use_write_ahead_log(handle.connection))
            bring_up_to_date(self, migrations)
        elif version < newest:
            raise ReadOnlyStoreError(
                f"{self.path} has schema version {version} and must be brought to {newest},"
                " but it cannot be written"
            )

    @contextmanager
    def _only_writer(self) -> Iterator[tuple[Handle, float]]:
        """A handle that can write, no other thread writing, and the moment to stop waiting."""
        deadline = time.monotonic() + self._busy_timeout_s
        writers = self._writers  # a fork inside the block gives the child another lock
        if not writers.acquire(timeout=self._busy_timeout_s):
            raise DatabaseBusyError(
                f"another thread has been writing for {self._busy_timeout_s:g} s; try again"
            )
        try:
            yield self._writing_handle(), deadline
        finally:
            writers.release()

    def _empty_log_or_refuse(self, handle: Handle) -> None:
        if self.path is not None and not _empty_log(handle):
            raise DatabaseBusyError(f"someone else still needs the log of {self.path}; try again")

    def _handle(self) -> Handle:
        handle: Handle | None = getattr(self._local, "handle", None)
        if handle is None:
            handle = self._local.handle = self._new_handle()
        elif (
            handle.access is Access.FROZEN
            and self.path is not None
            and not handle.connection.in_transaction
            and file_stamp(self.path) != handle.stamp
        ):
            handle = self._replaced(handle)
        return handle

    def _writing_handle(self) -> Handle:
        handle = self._handle()
        if handle.access is not Access.WRITE and self.path is not None and is_writable(self.path):
            handle = self._replaced(handle)  # someone made it writable since it was opened
        if handle.access is not Access.WRITE:
            raise ReadOnlyStoreError(
                f"{self.path} cannot be written: it or its folder is read-only"
            )
        return handle

    def _replaced(self, old: Handle) -> Handle:
        new = self._new_handle()
        self._local.handle = new
        old.close()
        return new

    def _new_handle(self) -> Handle:
        if self._closed:
            raise StorageError("the store is closed")
        if self.path is None:
            connection = connect_memory(self._memory_name, busy_timeout_s=self._busy_timeout_s)
            handle = Handle(connection, Access.WRITE)
        else:
            handle = connect_best(
                self.path, synchronous=self._synchronous, busy_timeout_s=self._busy_timeout_s
            )
        self._opened += 1
        handle.number = self._opened
        self._handles.add(handle)
        return handle

    def _forget_handles(self) -> None:
        self._local = threading.local()
        self._handles = weakref.WeakSet()
        self._anchor = None


def _empty_log(handle: Handle) -> bool:
    row = handle.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    return not row[0]
