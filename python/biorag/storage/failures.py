"""SQLite's error codes in plain words: which class of `biorag.errors` each one is."""

from __future__ import annotations

import os
import shutil
import sqlite3
from pathlib import Path

from biorag.errors import (
    CorruptDataError,
    DatabaseBusyError,
    DiskFullError,
    ReadOnlyStoreError,
    StorageError,
)

# An I/O error with less than this left on the disk is a full disk: SQLite reports the failed
# growth of its shared-memory file as a general I/O error.
FULL_DISK_BYTES = 64 * 1024


def storage_error(error: sqlite3.Error, path: Path | None) -> StorageError | None:
    """The typed error for what SQLite reported, judged by its result code alone.

    Args:
        error: What the driver raised.
        path: The store's file, or None when the store lives in memory.

    Returns:
        The error to raise in its place; None when the driver itself refused the call (wrong
        number of parameters, say), which is a mistake in the code and stays what it is.
    """
    code: int | None = getattr(error, "sqlite_errorcode", None)
    if code is None:
        return None
    where = "the store in memory" if path is None else str(path)
    match code & 0xFF:  # the low byte is the primary code, the rest says more about it
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return DatabaseBusyError(
                f"{where} is being written by someone else for longer than the busy timeout;"
                " try again"
            )
        case sqlite3.SQLITE_FULL:
            return _disk_full(where)
        case sqlite3.SQLITE_IOERR if path is not None and _disk_is_full(path):
            return _disk_full(where)
        case sqlite3.SQLITE_READONLY:
            return _read_only(where)
        case sqlite3.SQLITE_CANTOPEN if path is not None and not os.access(path.parent, os.W_OK):
            return _read_only(where)
        case sqlite3.SQLITE_CORRUPT if code == sqlite3.SQLITE_CORRUPT_VTAB:
            return CorruptDataError(
                f"the full-text index of {where} is damaged; the memories are intact:"
                " rebuild the index"
            )
        case sqlite3.SQLITE_CORRUPT:
            return CorruptDataError(
                f"{where} is damaged; run the health check, and restore a backup if it says so"
            )
        case sqlite3.SQLITE_NOTADB:
            return CorruptDataError(f"{where} is not a SQLite database")
        case _:
            return StorageError(f"{where}: SQLite reports {error.sqlite_errorname}: {error}")


def _disk_full(where: str) -> DiskFullError:
    return DiskFullError(f"no room left for {where}; nothing of this write was kept")


def _read_only(where: str) -> ReadOnlyStoreError:
    return ReadOnlyStoreError(f"{where} cannot be written: its file or folder is read-only")


def _disk_is_full(path: Path) -> bool:
    try:
        return shutil.disk_usage(path.parent).free < FULL_DISK_BYTES
    except OSError:
        return False
