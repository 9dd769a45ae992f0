"""Statements of memories: who does what to what, the agent's own and those read in the texts."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from biorag.model_predicates import Predicate
from biorag.storage.bulk import insert_rows, select_in
from biorag.storage.revisions import revise

# What agents stated. What is read in texts holds no word that they lack, and is written with
# nearly every memory: whoever keeps statements in memory would read them anew each time.
LANE = "roles"

Origin = Literal["agent", "system"]


class PredicateRow(NamedTuple):
    """One statement of one memory; a role that it does not fill is empty."""

    node_id: int
    subject: str
    action: str
    object: str
    context: str


def add_predicates(
    connection: sqlite3.Connection,
    given: Iterable[tuple[int, Predicate]],
    now: float,
    *,
    origin: Origin,
) -> int:
    """Adds statements to memories, those left out that a memory already has.

    Args:
        connection: Inside `Store.atomic`.
        given: Memory and statement.
        now: Epoch seconds.
        origin: Who says so.

    Returns:
        How many are new.
    """
    wanted = list(dict.fromkeys(given))
    if not wanted:
        return 0
    held = set(predicates_of(connection, sorted({node_id for node_id, _ in wanted})))
    rows = [
        (node_id, p.subject or None, p.action, p.object or None, p.context or None, now, origin)
        for node_id, p in wanted
        if PredicateRow(node_id, p.subject, p.action, p.object, p.context) not in held
    ]
    if rows:
        insert_rows(
            connection,
            "INSERT INTO predicate (node_id, subject, action, object, context, created_at, origin)",
            rows,
        )
        if origin == "agent":
            revise(connection, LANE)
    return len(rows)


def forget_read(connection: sqlite3.Connection, ids: Sequence[int]) -> None:
    """Forgets what was read in the texts of these memories; the agent's statements stay."""
    connection.executemany(
        "DELETE FROM predicate WHERE node_id = ? AND origin = 'system'",
        ((number,) for number in ids),
    )


def predicates_of(connection: sqlite3.Connection, ids: Sequence[int]) -> list[PredicateRow]:
    """The statements of these memories, in the order in which they were made."""
    rows = select_in(
        connection,
        "SELECT node_id, coalesce(subject, ''), action, coalesce(object, ''),"
        " coalesce(context, '') FROM predicate WHERE node_id IN {ids} ORDER BY id",
        ids,
    )
    return [PredicateRow(*row) for row in rows]


def told_subjects_and_objects(connection: sqlite3.Connection) -> list[tuple[int, str, str]]:
    """Memory, subject and object of every statement that an agent made, in order of memory."""
    return connection.execute(
        "SELECT node_id, coalesce(subject, ''), coalesce(object, '') FROM predicate"
        " WHERE origin = 'agent' ORDER BY node_id, id"
    ).fetchall()


def any_told(connection: sqlite3.Connection, ids: Sequence[int]) -> bool:
    """Whether an agent made a statement of any of these memories."""
    return bool(
        select_in(
            connection,
            "SELECT node_id FROM predicate WHERE node_id IN {ids} AND origin = 'agent'",
            ids,
        )
    )


def ids_with_own(connection: sqlite3.Connection) -> list[int]:
    """Memories that an agent made a statement of, whatever words their texts have."""
    rows = connection.execute(
        "SELECT DISTINCT node_id FROM predicate WHERE origin = 'agent' ORDER BY node_id"
    ).fetchall()
    return [number for (number,) in rows]


def ids_with_action(connection: sqlite3.Connection, actions: Sequence[str]) -> list[int]:
    """Memories with a statement read in their text that has one of these actions.

    What is denied is an action of its own, `not eat`, and found by its verb, too.
    """
    spelt = [form for action in actions for form in (action, f"not {action}", f"no {action}")]
    rows = select_in(
        connection,
        "SELECT DISTINCT node_id FROM predicate WHERE action IN {ids} AND origin = 'system'",
        spelt,
    )
    return sorted({number for (number,) in rows})
