"""Keeping the full-text index true to the text that it is made of."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable
from typing import TypeVar

from biorag.errors import CorruptDataError
from biorag.storage.connection import Store
from biorag.storage.schema import FTS_TABLE

logger = logging.getLogger(__name__)

_SHADOWS = ("fts", "fts_data", "fts_idx", "fts_docsize", "fts_config")

ResultT = TypeVar("ResultT")


def fulltext_problem(connection: sqlite3.Connection) -> str | None:
    """What is wrong with the full-text index; None when it is exactly what the texts make of it.

    Needs a connection that can write: FTS5 takes the question as an INSERT.
    """
    try:
        # Rank 1 compares the index with the texts, and not only its parts with each other.
        connection.execute("INSERT INTO fts (fts, rank) VALUES ('integrity-check', 1)")
    except CorruptDataError as error:
        return str(error)
    return None


def rebuild_fulltext(connection: sqlite3.Connection) -> None:
    """Make the full-text index anew from the analysed texts, inside `Store.atomic`.

    Where FTS5's own rebuild stumbles over the damage, the index's tables are dropped and made
    again; where even that cannot read them, they are struck from the schema. Their pages then
    stay behind unused until the next purge.

    Raises:
        CorruptDataError: the texts themselves cannot be read.
    """
    for repair in (_rebuild, _recreate, _strike_and_recreate):
        connection.execute("SAVEPOINT repair")
        try:
            repair(connection)
        except CorruptDataError as error:
            connection.execute("ROLLBACK TO repair")
            connection.execute("RELEASE repair")
            failure = error
            logger.warning("the full-text index resists%s: %s", repair.__name__, error)
        else:
            connection.execute("RELEASE repair")
            return
    raise failure


def optimise_fulltext(connection: sqlite3.Connection) -> None:
    """Merge the index's segments into one: smaller, and faster to search."""
    connection.execute("INSERT INTO fts (fts) VALUES ('optimize')")


def write_repairing(store: Store, write: Callable[[sqlite3.Connection], ResultT]) -> ResultT:
    """The result of `write` in a transaction, the full-text index mended if it is in the way.

    A damaged index must not keep a memory from being changed or deleted: when the write fails on
    damaged data, the index is made anew and the write tried once more. Both are one transaction,
    so the repair is kept only when it helped.

    Raises:
        CorruptDataError: the damage is not in the index.
    """
    try:
        with store.atomic() as connection:
            return write(connection)
    except CorruptDataError as error:
        logger.warning("%s; rebuilding the full-text index and trying again", error)
        with store.atomic() as connection:
            rebuild_fulltext(connection)
            return write(connection)


def _rebuild(connection: sqlite3.Connection) -> None:
    connection.execute("INSERT INTO fts (fts) VALUES ('rebuild')")
    _check(connection)


def _recreate(connection: sqlite3.Connection) -> None:
    connection.execute("DROP TABLE fts")
    connection.execute(FTS_TABLE)
    _rebuild(connection)


def _strike_and_recreate(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA writable_schema=ON")
    try:
        marks = ", ".join("?" * len(_SHADOWS))
        connection.execute(f"DELETE FROM sqlite_schema WHERE name IN ({marks})", _SHADOWS)
    finally:
        connection.execute("PRAGMA writable_schema=RESET")
    connection.execute(FTS_TABLE)
    _rebuild(connection)


def _check(connection: sqlite3.Connection) -> None:
    problem = fulltext_problem(connection)
    if problem is not None:
        raise CorruptDataError(problem)
