"""One SQLite connection with its pragmas, its way of access, and errors in plain words."""

from __future__ import annotations

import os
import sqlite3
import weakref
from collections.abc import Iterable
from enum import Enum
from pathlib import Path
from typing import Any, Self

from biorag.errors import ReadOnlyStoreError, StorageError
from biorag.storage.failures import storage_error

CACHE_KIB = 8 * 1024  # per connection, and a connection per thread: bounded memory first
LOG_LIMIT_BYTES = 64 * 1024 * 1024  # what a checkpoint leaves of the write-ahead log

FileStamp = tuple[tuple[int, int, int] | None, ...]


class Access(Enum):
    """How a connection reaches the file.

    Attributes:
        WRITE: Reads and writes.
        READ: Reads beside writers of other processes.
        FROZEN: Reads a file in a folder where SQLite cannot keep its shared memory; sees the
            file as it was when opened, so it must be reopened when the file changes.
    """

    WRITE = "mode=rw"
    READ = "mode=ro"
    FROZEN = "mode=ro&immutable=1"


# The driver's own signatures say `Any` where a row or a parameter can be of any SQLite type.


class StoreCursor(sqlite3.Cursor):
    """A cursor whose failures are errors of `biorag.errors`."""

    def execute(self, sql: str, parameters: Any = (), /) -> Self:  # noqa: ANN401
        """Run one statement."""
        try:
            return super().execute(sql, parameters)
        except sqlite3.Error as error:
            raise self._translated(error) from error

    def executemany(self, sql: str, parameters: Iterable[Any], /) -> Self:
        """Run one statement for each row of parameters."""
        try:
            return super().executemany(sql, parameters)
        except sqlite3.Error as error:
            raise self._translated(error) from error

    def fetchone(self) -> Any:  # noqa: ANN401
        """The next row, or None."""
        try:
            return super().fetchone()
        except sqlite3.Error as error:
            raise self._translated(error) from error

    def fetchmany(self, size: int | None = 1) -> list[Any]:
        """The next rows, at most `size`."""
        try:
            return super().fetchmany(size)
        except sqlite3.Error as error:
            raise self._translated(error) from error

    def fetchall(self) -> list[Any]:
        """All rows that are left."""
        try:
            return super().fetchall()
        except sqlite3.Error as error:
            raise self._translated(error) from error

    def _translated(self, error: sqlite3.Error) -> Exception:
        return storage_error(error, getattr(self.connection, "path", None)) or error


class StoreConnection(sqlite3.Connection):
    """A connection whose cursors raise errors of `biorag.errors`."""

    path: Path | None = None

    def cursor(self, factory: Any = StoreCursor) -> Any:  # noqa: ANN401
        """A cursor that translates errors."""
        return super().cursor(factory)

    # The driver's own shortcuts do not go through `cursor`.

    def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:  # noqa: ANN401
        """Run one statement on a cursor of its own."""
        cursor: StoreCursor = self.cursor()
        return cursor.execute(sql, parameters)

    def executemany(self, sql: str, parameters: Iterable[Any], /) -> sqlite3.Cursor:
        """Run one statement for each row of parameters, on a cursor of its own."""
        cursor: StoreCursor = self.cursor()
        return cursor.executemany(sql, parameters)


class Handle:
    """One connection, closed when its thread ends or its store closes, never by a forked child."""

    __slots__ = ("__weakref__", "access", "close", "connection", "depth", "number", "pid", "stamp")

    def __init__(
        self, connection: sqlite3.Connection, access: Access, stamp: FileStamp | None = None
    ) -> None:
        self.connection = connection
        self.access = access
        self.stamp = stamp
        self.depth = 0  # of nested transactions
        self.number = 0  # which of its store's connections this is
        self.adopt()

    def adopt(self) -> None:
        """Make the connection this process's own, to use and to close."""
        self.pid = os.getpid()
        self.close = weakref.finalize(self, _close_unless_inherited, self.connection, self.pid)
        # An open connection at exit is closed by the interpreter; doing it from an exit hook
        # would also run in a forked child.
        self.close.atexit = False


def connect(
    path: Path, access: Access, *, synchronous: str, busy_timeout_s: float
) -> StoreConnection:
    """Open an existing file and set the pragmas that do not write to it.

    Raises:
        StorageError: the file cannot be opened or read in this way, by its narrowest class.
    """
    return _opened(f"{path.as_uri()}?{access.value}", path, synchronous, busy_timeout_s)


def connect_memory(name: str, *, busy_timeout_s: float) -> StoreConnection:
    """Open a database in memory that every connection of this process finds by `name`."""
    connection = _opened(f"file:/{name}?vfs=memdb", None, "OFF", busy_timeout_s)
    connection.execute("PRAGMA journal_mode=MEMORY")
    return connection


def connect_best(path: Path, *, synchronous: str, busy_timeout_s: float) -> Handle:
    """Open a file in the most capable way that its permissions allow.

    Raises:
        StorageError: it cannot even be read.
    """
    if not os.access(path, os.R_OK):
        raise StorageError(f"{path} cannot be read: its permissions do not allow it to this user")
    stamp = file_stamp(path)  # taken first: a change while opening must show as a change
    ways = [Access.WRITE] if is_writable(path) else []
    ways += [Access.READ] if ways else [Access.READ, Access.FROZEN]
    refusal = ReadOnlyStoreError(f"{path} cannot be opened")
    for access in ways:
        try:
            connection = connect(
                path, access, synchronous=synchronous, busy_timeout_s=busy_timeout_s
            )
        except ReadOnlyStoreError as error:
            refusal = error
            continue
        return Handle(connection, access, stamp)
    raise refusal


def is_writable(path: Path) -> bool:
    """Whether this user may write the file, and SQLite its two companions."""
    companions = [path.with_name(path.name + suffix) for suffix in ("-wal", "-shm")]
    return os.access(path, os.W_OK) and (
        os.access(path.parent, os.W_OK) or all(os.access(each, os.W_OK) for each in companions)
    )


def file_stamp(path: Path) -> FileStamp:
    """Inode, size and time of change of a store's file and of its log; None for what is not there.

    The log counts too: it is where another process's newest writes are.
    """
    stamps: list[tuple[int, int, int] | None] = []
    for file in (path, path.with_name(path.name + "-wal")):
        try:
            status = file.stat()
        except OSError:
            stamps.append(None)
        else:
            stamps.append((status.st_ino, status.st_size, status.st_mtime_ns))
    return tuple(stamps)


def _opened(uri: str, path: Path | None, synchronous: str, timeout_s: float) -> StoreConnection:
    try:
        connection = sqlite3.connect(
            uri,
            uri=True,
            timeout=timeout_s,
            isolation_level=None,  # transactions are `Store.atomic` and nothing else
            check_same_thread=False,  # `Store.close` closes the connections of all threads
            factory=StoreConnection,
        )
    except sqlite3.Error as error:
        raise storage_error(error, path) or error from error
    connection.path = path
    try:
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        for pragma in (
            "foreign_keys=ON",
            f"synchronous={synchronous}",
            f"cache_size=-{CACHE_KIB}",
            "temp_store=MEMORY",
            f"journal_size_limit={LOG_LIMIT_BYTES}",
        ):
            connection.execute(f"PRAGMA {pragma}").fetchone()
    except BaseException:
        connection.close()
        raise
    return connection


def _close_unless_inherited(connection: sqlite3.Connection, pid: int) -> None:
    if os.getpid() == pid:
        connection.close()
    else:
        abandon(connection)


def abandon(connection: sqlite3.Connection) -> None:
    """Keep an inherited connection from ever being closed by this forked process.

    SQLite forbids a child to touch its parent's connection, closing included: it would roll
    back the parent's transaction in the shared memory of the log. A reference that nobody
    gives back outlives even the interpreter's own clean-up.
    """
    import ctypes  # 2 ms that only a forked child needs

    ctypes.pythonapi.Py_IncRef(ctypes.py_object(connection))
