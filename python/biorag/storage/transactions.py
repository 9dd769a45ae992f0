"""Beginning, ending and undoing transactions on one connection."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TypeVar

from biorag.errors import DatabaseBusyError, StorageError
from biorag.storage.handles import Handle

# SQLite's own waiting backs off to 100 ms; where it gives up at once (the log is being recovered,
# or the journal mode changed), ask again this often.
RETRY_PAUSE_S = 0.01

ResultT = TypeVar("ResultT")


def until(deadline: float, attempt: Callable[[], ResultT]) -> ResultT:
    """The result of `attempt`, tried again while the store is busy and `deadline` not past.

    Args:
        deadline: A value of `time.monotonic`.
        attempt: What to do; it must leave nothing behind when it raises `DatabaseBusyError`.
    """
    while True:
        try:
            return attempt()
        except DatabaseBusyError:
            if time.monotonic() >= deadline:
                raise
            time.sleep(RETRY_PAUSE_S)


@contextmanager
def outermost(handle: Handle) -> Iterator[None]:
    """Commit the open transaction when the block ends; roll it back when anything is raised."""
    handle.depth = 1
    try:
        yield
        _refuse_inherited(handle)
        handle.connection.execute("COMMIT")
    except BaseException:
        roll_back(handle)
        raise
    finally:
        handle.depth = 0


@contextmanager
def savepoint(handle: Handle) -> Iterator[None]:
    """Undo what the block wrote, and nothing else, when anything is raised in it."""
    _refuse_inherited(handle)
    name = f"level_{handle.depth}"
    handle.connection.execute(f"SAVEPOINT {name}")
    handle.depth += 1
    try:
        yield
        _refuse_inherited(handle)
        handle.connection.execute(f"RELEASE {name}")
    except BaseException:
        # A full disk makes SQLite roll the whole transaction back; then no savepoint is left.
        if handle.pid == os.getpid() and handle.connection.in_transaction:
            handle.connection.execute(f"ROLLBACK TO {name}")
            handle.connection.execute(f"RELEASE {name}")
        raise
    finally:
        handle.depth -= 1


def roll_back(handle: Handle) -> None:
    """End the transaction, if there still is one, without keeping anything of it."""
    if handle.pid == os.getpid() and handle.connection.in_transaction:
        # What made the block fail matters more than a failing rollback, after which SQLite
        # undoes the transaction when the file is next opened.
        with suppress(StorageError, sqlite3.Error):
            handle.connection.execute("ROLLBACK")


def _refuse_inherited(handle: Handle) -> None:
    if handle.pid != os.getpid():
        raise StorageError(
            "the process was forked inside a transaction; the child cannot take part in it"
        )
