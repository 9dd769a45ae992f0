"""The values of semantic axes with how many memories hold each, and who shares which."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence

from biorag.catalogue import AxisValue
from biorag.storage.bulk import placeholders, select_in


def axis_values(connection: sqlite3.Connection) -> list[AxisValue]:
    """Every value of every axis, in catalogue order; counted by one pass over an index."""
    rows = connection.execute(
        "SELECT axis_value.id, axis.name, axis_value.name, auto_generated, confidence,"
        " coalesce(memories, 0) FROM axis_value JOIN axis ON axis.id = axis_id"
        " LEFT JOIN (SELECT axis_value_id, count(*) AS memories FROM node_axis_value"
        " GROUP BY axis_value_id) AS held ON held.axis_value_id = axis_value.id"
        " ORDER BY axis.id, auto_generated, axis_value.id"
    ).fetchall()
    return [
        AxisValue(
            id=number,
            axis=axis,
            name=name,
            auto_generated=bool(auto_generated),
            confidence=confidence,
            memories=memories,
        )
        for number, axis, name, auto_generated, confidence, memories in rows
    ]


def axes(connection: sqlite3.Connection) -> list[tuple[int, str]]:
    """The id and the name of every axis, in catalogue order."""
    return connection.execute("SELECT id, name FROM axis ORDER BY id").fetchall()


def values_held(connection: sqlite3.Connection, ids: Sequence[int]) -> tuple[str, str]:
    """Which values these memories have: two texts of ids with commas between them, in step.

    As texts, because a row a value costs a recall three times as much as all the rest of it.

    Returns:
        Memory by memory its id, once for each of its values; and those values' ids.
    """
    rows = select_in(
        connection,
        "SELECT group_concat(node_id), group_concat(axis_value_id) FROM node_axis_value"
        " WHERE node_id IN {ids}",
        ids,
    )
    found = [row for row in rows if row[0] is not None]
    return ",".join(nodes for nodes, _ in found), ",".join(values for _, values in found)


def sharing(dimensions: Mapping[str, Sequence[str]]) -> tuple[str, tuple[str, ...]]:
    """A subquery for the memories that share values: `node_id` and how many are `shared`.

    Args:
        dimensions: Normalised, and not empty.

    Returns:
        Its text, and its parameters.
    """
    pairs = [(axis, value) for axis, values in dimensions.items() for value in values]
    marks = ", ".join([placeholders(2)] * len(pairs))
    text = (
        "(SELECT node_id, count(*) AS shared FROM node_axis_value WHERE axis_value_id IN"
        " (SELECT axis_value.id FROM axis_value JOIN axis ON axis.id = axis_id"
        f" WHERE (axis.name, axis_value.name) IN (VALUES {marks})) GROUP BY node_id)"
    )
    return text, tuple(part for pair in pairs for part in pair)
