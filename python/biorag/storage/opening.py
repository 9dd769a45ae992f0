"""What must hold before a store's file is used: SQLite's abilities, the file, its log."""

from __future__ import annotations

import errno
import logging
import os
import sqlite3
from collections.abc import Collection
from pathlib import Path

from biorag.errors import (
    CorruptDataError,
    ReadOnlyStoreError,
    SchemaVersionError,
    StorageError,
)
from biorag.storage.handles import Access, connect

logger = logging.getLogger(__name__)

APPLICATION_ID = 0x42526167  # "BRag": tells a store from any other SQLite file
OLDEST_SQLITE = (3, 37, 0)  # the first with STRICT tables

DIRECTORY_MODE = 0o700
FILE_MODE = 0o600


def require_sqlite() -> None:
    """Check that this Python's SQLite can hold a store.

    Raises:
        StorageError: it is too old, or was built without FTS5.
    """
    connection = sqlite3.connect(":memory:")
    try:
        modules = {name for (name,) in connection.execute("PRAGMA module_list").fetchall()}
    finally:
        connection.close()
    missing = missing_ability(sqlite3.sqlite_version_info, modules)
    if missing is not None:
        raise StorageError(f"this Python's SQLite {sqlite3.sqlite_version} {missing}")


def missing_ability(version: tuple[int, ...], modules: Collection[str]) -> str | None:
    """What a SQLite of this version with these modules lacks; None when it lacks nothing."""
    if version < OLDEST_SQLITE:
        oldest = ".".join(str(part) for part in OLDEST_SQLITE)
        return f"is too old: biorag needs {oldest} or newer"
    if "fts5" not in modules:
        return "was built without FTS5, the full-text search that biorag needs"
    return None


def prepare_file(path: Path) -> None:
    """Create the store's file and folder when they are not there, private to the user.

    Raises:
        CorruptDataError: the file is missing or empty while a log of its writes is there.
        ReadOnlyStoreError: it would have to be created where this user may not.
        StorageError: the path is no regular file.
    """
    if path.exists() and not path.is_file():
        raise StorageError(f"{path} is not a file")
    log = path.with_name(path.name + "-wal")
    if (not path.exists() or path.stat().st_size == 0) and _size(log):
        # SQLite would throw the log away, and with it whatever it holds.
        raise CorruptDataError(
            f"{path} is missing or empty, but the log of its writes, {log}, is not:"
            " put the file back, or move the log elsewhere to start an empty store"
        )
    if path.exists():
        return
    try:
        _make_folder(path.parent)
        os.close(os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, FILE_MODE))
        _sync_folder(path.parent)
    except (PermissionError, FileNotFoundError) as error:
        raise ReadOnlyStoreError(f"{path} cannot be created: {error.strerror}") from error
    except OSError as error:
        if error.errno == errno.EROFS:
            raise ReadOnlyStoreError(f"{path} cannot be created: {error.strerror}") from error
        raise StorageError(f"{path} cannot be created: {error.strerror}") from error


def check_left_over_log(path: Path, newest: int) -> None:
    """Look at a log that was left beside the file, before anything can merge the two.

    A log is left by a process that still runs or was killed, and is then right. It is also left
    when a copy of the file was restored or synchronised without it; then its pages belong to
    another state of the file. That is suspected when the shared memory is gone or the file is
    younger than its log, and settled by a full check.

    Raises:
        SchemaVersionError: the log holds the schema of a newer biorag.
        CorruptDataError: file and log do not fit together. Both were left as they are.
    """
    log = path.with_name(path.name + "-wal")
    if not _size(log):
        return
    suspect = (
        not path.with_name(path.name + "-shm").exists()
        or path.stat().st_mtime_ns > log.stat().st_mtime_ns
    )
    try:
        # Closing a read-only connection, unlike another, does not merge the log into the file.
        connection = connect(path, Access.READ, synchronous="FULL", busy_timeout_s=1.0)
    except ReadOnlyStoreError:
        return  # nobody can write here, so nothing can be merged either
    except CorruptDataError as error:
        raise _mismatch(path, log) from error
    try:
        refuse_newer(connection, newest, path)
        if suspect and not _is_sound(connection):
            raise _mismatch(path, log)
    finally:
        connection.close()


def refuse_newer(connection: sqlite3.Connection, newest: int, path: Path | None) -> int:
    """The schema version of an open store, which is at most `newest`.

    Raises:
        SchemaVersionError: it is above `newest`.
        CorruptDataError: the file holds another program's tables.
    """
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    owner: int = connection.execute("PRAGMA application_id").fetchone()[0]
    tables: int = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
    if tables and owner != APPLICATION_ID:
        raise CorruptDataError(f"{path} is a SQLite database, but not a store of biorag")
    if version > newest:
        raise SchemaVersionError(
            f"{path} was written by a newer biorag (schema {version}; this one knows {newest});"
            " it was left as it is: upgrade biorag to use it"
        )
    return version


def use_write_ahead_log(connection: sqlite3.Connection) -> None:
    """Let readers and a writer work at the same time, where the file system allows it."""
    if connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal":
        return
    mode = connection.execute("PRAGMA journal_mode=WAL").fetchone()[0]
    if mode != "wal":
        logger.warning("no write-ahead log on this file system; reads will wait for writes")


def _is_sound(connection: sqlite3.Connection) -> bool:
    try:
        return bool(connection.execute("PRAGMA integrity_check(1)").fetchone()[0] == "ok")
    except CorruptDataError:
        return False


def _mismatch(path: Path, log: Path) -> CorruptDataError:
    return CorruptDataError(
        f"{path} does not fit the log beside it, {log.name}: one of the two was restored or"
        " synchronised alone. Both were left as they are; put the matching file back, or move"
        " the log elsewhere to open the file without the writes that it holds"
    )


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:
        return 0


def _make_folder(folder: Path) -> None:
    missing = []
    while not folder.exists():
        missing.append(folder)
        folder = folder.parent
    for each in reversed(missing):
        each.mkdir(mode=DIRECTORY_MODE, exist_ok=True)


def _sync_folder(folder: Path) -> None:
    """Put a new file's name on disk, as SQLite does with what is in it."""
    if os.name == "nt":
        return  # folders cannot be opened there, and need not be
    descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
