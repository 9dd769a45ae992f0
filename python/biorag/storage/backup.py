"""Whole, checked copies of a store while it is in use."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

from biorag.errors import CorruptDataError, StorageError
from biorag.storage.failures import storage_error


def copy_database(source: sqlite3.Connection, destination: Path) -> None:
    """Copy everything that `source` sees, its log included, into a new file.

    The copy grows under a temporary name and gets its own only once it is on disk and was read
    back whole, so a file of this name is always a good one. It is a single file, private to the
    user, that can be opened from read-only media.

    Raises:
        StorageError: the destination exists, or the copy could not be written or read back.
    """
    if destination.exists():
        raise StorageError(f"{destination} exists; a backup never replaces a file")
    partial = destination.with_name(f".{destination.name}.partial-{os.getpid()}")
    started_here = not source.in_transaction
    try:
        os.close(os.open(partial, os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_CLOEXEC, 0o600))
        if started_here:
            source.execute("BEGIN")
        expected = row_counts(source)
        _write_copy(source, partial)
        _check_copy(partial, expected)
        partial.replace(destination)
    except OSError as error:
        raise StorageError(f"no backup at {destination}: {error.strerror}") from error
    except sqlite3.Error as error:
        raise storage_error(error, partial) or error from error
    finally:
        if started_here and source.in_transaction:
            source.execute("ROLLBACK")
        for leftover in (partial, partial.with_name(partial.name + "-journal")):
            leftover.unlink(missing_ok=True)


def row_counts(connection: sqlite3.Connection) -> dict[str, int]:
    """How many rows each table has, the full-text index's own tables left out."""
    tables = connection.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'fts%'"
        " AND name NOT LIKE 'sqlite_%' ORDER BY name"
    ).fetchall()
    return {
        name: connection.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0]
        for (name,) in tables
    }


def _write_copy(source: sqlite3.Connection, file: Path) -> None:
    copy = sqlite3.connect(file, isolation_level=None)
    try:
        source.backup(copy)
        # One file, without the log that the original's header asks for.
        copy.execute("PRAGMA journal_mode=DELETE").fetchone()
    finally:
        copy.close()
    descriptor = os.open(file, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _check_copy(file: Path, expected: dict[str, int]) -> None:
    copy = sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True, isolation_level=None)
    try:
        verdict = copy.execute("PRAGMA quick_check(1)").fetchone()[0]
        counts = row_counts(copy)
    finally:
        copy.close()
    if verdict != "ok" or counts != expected:
        raise CorruptDataError(f"the copy {file} does not hold what the store holds")
