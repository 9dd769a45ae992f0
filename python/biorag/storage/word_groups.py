"""Which kinds of things each memory's words name: WordNet's lexicographer files."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence

from biorag.storage import meta
from biorag.storage.bulk import IDS_PER_QUERY, chunks, insert_rows, placeholders, select_in
from biorag.storage.revisions import revise

LANE = "groups"
_SEEN = "groups_seen_change"

MOST_GROUPS = 62  # a group is a bit of a signed 64-bit number; WordNet has 45


def seen_change(connection: sqlite3.Connection) -> int | None:
    """The last change of texts that the groups show; `None` before the first time."""
    number = meta.get(connection, _SEEN)
    return None if number is None else int(number)


def replace_groups(
    connection: sqlite3.Connection, groups: Mapping[int, Mapping[str, int]], seen: int
) -> None:
    """Gives memories these groups in place of what they had, within the caller's transaction.

    Args:
        connection: Inside `Store.atomic`.
        groups: Memory to group to how many of its words are in it; memories that are gone by now
            are passed over.
        seen: The last change of texts that they show.
    """
    ids = sorted(groups)
    rows = select_in(connection, "SELECT id FROM node WHERE id IN {ids}", ids)
    there = {number for (number,) in rows}
    for some in chunks(ids, IDS_PER_QUERY):
        connection.execute(
            f"DELETE FROM node_group WHERE node_id IN {placeholders(len(some))}", tuple(some)
        )
    numbers = _numbers(connection, sorted({name for held in groups.values() for name in held}))
    insert_rows(
        connection,
        "INSERT INTO node_group (node_id, group_id, words)",
        [
            (number, numbers[name], words)
            for number in ids
            if number in there
            for name, words in sorted(groups[number].items())
        ],
    )
    meta.put(connection, _SEEN, str(seen))
    revise(connection, LANE)


def group_bits(connection: sqlite3.Connection) -> dict[str, int]:
    """Which bit stands for each group, by its name."""
    return {
        name: 1 << number
        for number, name in connection.execute("SELECT id, name FROM lexical_group").fetchall()
    }


def group_masks(connection: sqlite3.Connection) -> list[tuple[int, int]]:
    """Of each memory that has any, its id and the bits of its groups, by id."""
    return connection.execute(
        "SELECT node_id, sum(1 << group_id) FROM node_group GROUP BY node_id ORDER BY node_id"
    ).fetchall()


def _numbers(connection: sqlite3.Connection, names: Sequence[str]) -> dict[str, int]:
    connection.executemany(
        "INSERT INTO lexical_group (name) VALUES (?) ON CONFLICT (name) DO NOTHING",
        [(name,) for name in names],
    )
    rows = connection.execute("SELECT name, id FROM lexical_group").fetchall()
    return {name: number for name, number in rows if number <= MOST_GROUPS}
