"""Many rows in few statements."""

from __future__ import annotations

import itertools
import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

# Rows that one INSERT carries. FTS5 writes its pending terms to disk at the start of every
# statement that fires a trigger, so a statement per row costs three times as much as this.
ROWS_PER_INSERT = 1000

# SQLite's lowest default bound on parameters of one statement is 32,766; a short list of ids
# keeps the statements few, and their texts the same from call to call.
IDS_PER_QUERY = 500

ItemT = TypeVar("ItemT")


def chunks(items: Sequence[ItemT], size: int) -> Iterator[Sequence[ItemT]]:
    """`items` in consecutive pieces of at most `size`."""
    for start in range(0, len(items), size):
        yield items[start : start + size]


def placeholders(count: int) -> str:
    """`(?, ?, …)` with `count` marks."""
    return f"({', '.join('?' * count)})"


def insert_rows(
    connection: sqlite3.Connection, insert: str, rows: Sequence[tuple[object, ...]]
) -> None:
    """Run `insert` (`INSERT INTO table (columns)`) for all rows, a thousand a statement."""
    for some in chunks(rows, ROWS_PER_INSERT):
        row = placeholders(len(some[0]))
        values = ", ".join([row] * len(some))
        connection.execute(f"{insert} VALUES {values}", tuple(itertools.chain.from_iterable(some)))


def select_in(connection: sqlite3.Connection, query: str, ids: Sequence[ItemT]) -> list[Any]:
    """All rows of `query`, whose `{ids}` stands for the list of `ids`, five hundred at a time."""
    rows: list[Any] = []
    for some in chunks(ids, IDS_PER_QUERY):
        sql = query.format(ids=placeholders(len(some)))
        rows += connection.execute(sql, tuple(some)).fetchall()
    return rows
