"""Keeping the full-text index true to the text that it is made of."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable
from typing import TypeVar

from biorag.errors import CorruptDataError
from biorag.storage.connection import Store
from biorag.storage.schema import FTS_TABLE
from biorag.storage.search_text import quoted

logger = logging.getLogger(__name__)

SAMPLED_TEXTS = 100

_SHADOWS = ("fts", "fts_data", "fts_idx", "fts_docsize", "fts_config")

ResultT = TypeVar("ResultT")


def fulltext_problem(connection: sqlite3.Connection) -> str | None:
    """What is wrong with the full-text index; None when it is exactly what the texts make of it.

    Needs a connection that can write: FTS5 takes the question as an INSERT.
    """
    try:
        # Rank 1 compares the index with the texts, and not only its parts with each other.
        connection.execute("INSERT INTO fts (fts, rank) VALUES ('integrity-check', 1)")
        missed = texts_not_found(connection)
    except CorruptDataError as error:
        return str(error)
    if missed:
        return f"{missed} of {SAMPLED_TEXTS} texts are not found by their words: rebuild the index"
    return None


def texts_not_found(connection: sqlite3.Connection, sample: int = SAMPLED_TEXTS) -> int:
    """How many of `sample` texts, spread over the store, are not found by their longest word.

    FTS5's own check passes when the table that leads from words to pages has lost its rows.
    """
    last = connection.execute("SELECT coalesce(max(node_id), 0) FROM node_text").fetchone()[0]
    missed = 0
    for step in range(sample):
        row = connection.execute(
            "SELECT node_id, name || ' ' || body FROM node_text WHERE node_id > ?"
            " ORDER BY node_id LIMIT 1",
            (last * step // sample,),
        ).fetchone()
        words = [] if row is None else row[1].split()
        if words:
            missed += not _is_found(connection, row[0], max(words, key=len))
    return missed


def _is_found(connection: sqlite3.Connection, node_id: int, word: str) -> bool:
    row = connection.execute(
        "SELECT 1 FROM fts WHERE fts MATCH ? AND rowid = ?", (quoted(word), node_id)
    ).fetchone()
    return row is not None


def rebuild_fulltext(store: Store) -> None:
    """Make the full-text index anew from the analysed texts.

    Where FTS5's own rebuild stumbles over the damage, the index's tables are dropped and made
    again; where even that cannot read them, they are struck from the schema and the file is
    written anew without their pages. Each attempt is a transaction of its own: FTS5 takes the
    damage that it has met along to the end of the transaction.

    Raises:
        CorruptDataError: the texts themselves cannot be read.
        DatabaseBusyError: someone else kept writing.
    """
    for repair in (_rebuild, _recreate, _strike_and_recreate):
        try:
            with store.atomic() as connection:
                repair(connection)
        except CorruptDataError as error:
            failure = error
            logger.warning("the full-text index resists%s: %s", repair.__name__, error)
        else:
            break
    else:
        raise failure
    if repair is _strike_and_recreate:
        store.rewrite()


def optimise_fulltext(connection: sqlite3.Connection) -> None:
    """Merge the index's segments into one: smaller, and faster to search."""
    connection.execute("INSERT INTO fts (fts) VALUES ('optimize')")


def write_repairing(store: Store, write: Callable[[sqlite3.Connection], ResultT]) -> ResultT:
    """The result of `write` in a transaction, the full-text index mended if it is in the way.

    A damaged index must not keep a memory from being changed or deleted: when the write fails on
    damaged data, the index is made anew and the write tried once more. Not to be called inside
    another transaction, which the damage would spoil.

    Raises:
        CorruptDataError: the damage is not in the index.
    """
    try:
        with store.atomic() as connection:
            return write(connection)
    except CorruptDataError as error:
        logger.warning("%s; rebuilding the full-text index and trying again", error)
        rebuild_fulltext(store)
        with store.atomic() as connection:
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
