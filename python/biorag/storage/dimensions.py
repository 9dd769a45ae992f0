"""Values of semantic axes: a catalogue that agents may extend, and what each memory has of it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from biorag.errors import DimensionsError, InvalidInputError, LimitExceededError, shortened
from biorag.inputs import normalise_dimension_value
from biorag.storage.axes import AXES
from biorag.storage.bulk import chunks, insert_rows, placeholders, select_in
from biorag.storage.codes import mark_dirty
from biorag.storage.revisions import revise

Dimensions = Mapping[str, Sequence[str]]

MOST_DIMENSIONS = 100  # values of one question
NEW_VALUE_CONFIDENCE = 0.7  # of a value that an agent brought, against 1 of the catalogue's


def normalised_dimensions(
    dimensions: Dimensions,
) -> tuple[dict[str, tuple[str, ...]], tuple[str, ...]]:
    """The dimensions in the form in which they are stored, and what cannot take that form.

    Returns:
        Axis to its values, without repetition, in the given order; then `axis:value` for every
        value of an unknown axis and every value that `normalise_dimension_value` refuses.
    """
    valid: dict[str, tuple[str, ...]] = {}
    invalid: list[str] = []
    for given_axis, given_values in dimensions.items():
        axis = normalise_dimension_value(given_axis)
        values: dict[str, None] = {}
        for given in given_values:
            value = normalise_dimension_value(given)
            if axis is None or axis not in AXES or value is None:
                invalid.append(f"{given_axis}:{given}")
            else:
                values[value] = None
        if axis is not None and values:
            valid[axis] = tuple(dict.fromkeys((*valid.get(axis, ()), *values)))
    return valid, tuple(invalid)


def check_dimensions(
    dimensions: Mapping[str, Sequence[str]] | None, field: str = "dimensions"
) -> dict[str, tuple[str, ...]]:
    """The dimensions of a question, axis to values, in the form in which they are stored.

    A value that no memory has yet is one, all the same: axes are open.

    Raises:
        DimensionsError: an axis that there is not, or a value that cannot take that form.
        LimitExceededError: more than `MOST_DIMENSIONS` values.
    """
    if dimensions is None:
        return {}
    if not isinstance(dimensions, Mapping):
        raise InvalidInputError(field, dimensions, "expected axis to values")
    listed = {axis: [v] if isinstance(v, str) else list(v) for axis, v in dimensions.items()}
    valid, invalid = normalised_dimensions(listed)
    unknown = [axis for axis in listed if normalise_dimension_value(axis) not in AXES]
    if unknown:
        named = ", ".join(shortened(axis, 40) for axis in unknown[:8])
        rule = f"unknown axis {named}; known are {', '.join(AXES)}"
        raise DimensionsError(field, invalid or tuple(f"{axis}:" for axis in unknown), rule)
    if invalid:
        rule = "a value is a word of 2 to 80 letters, digits and _ that starts with a letter"
        raise DimensionsError(field, invalid, rule)
    if sum(map(len, valid.values())) > MOST_DIMENSIONS:
        rule = f"a question has at most {MOST_DIMENSIONS} values"
        raise LimitExceededError(field, sum(map(len, valid.values())), rule)
    return valid


def insert_dimensions(
    connection: sqlite3.Connection, given: Iterable[tuple[int, Dimensions]], now: float
) -> None:
    """Add normalised dimensions to memories; values that are new join the catalogue."""
    wanted = [
        (node_id, axis, value)
        for node_id, dimensions in given
        for axis, values in dimensions.items()
        for value in values
    ]
    if not wanted:
        return
    value_ids = _value_ids(connection, {(axis, value) for _, axis, value in wanted}, now)
    insert_rows(
        connection,
        "INSERT OR IGNORE INTO node_axis_value (node_id, axis_value_id)",
        [(node_id, value_ids[axis, value]) for node_id, axis, value in wanted],
    )
    mark_dirty(connection, sorted({node_id for node_id, _, _ in wanted}))
    revise(connection, "dimensions")


def set_dimensions(
    connection: sqlite3.Connection, node_id: int, dimensions: Dimensions, now: float
) -> tuple[str, ...]:
    """Make these the values of a memory on the axes named here; its other axes stay.

    Returns:
        `axis:value` for each that could not be normalised; the rest was kept.
    """
    valid, invalid = normalised_dimensions(dimensions)
    for axes in chunks(tuple(valid), len(AXES)):
        connection.execute(
            "DELETE FROM node_axis_value WHERE node_id = ? AND axis_value_id IN ("
            "SELECT axis_value.id FROM axis_value JOIN axis ON axis.id = axis_id"
            f" WHERE axis.name IN {placeholders(len(axes))})",
            (node_id, *axes),
        )
    insert_dimensions(connection, [(node_id, valid)], now)
    return invalid


def add_dimensions(
    connection: sqlite3.Connection, node_id: int, dimensions: Dimensions, now: float
) -> tuple[str, ...]:
    """Add these values to what a memory has.

    Returns:
        `axis:value` for each that could not be normalised; the rest was added.
    """
    valid, invalid = normalised_dimensions(dimensions)
    insert_dimensions(connection, [(node_id, valid)], now)
    return invalid


def dimensions_of(
    connection: sqlite3.Connection, ids: Sequence[int]
) -> dict[int, Mapping[str, tuple[str, ...]]]:
    """The dimensions of each memory that has any: axis to values, in catalogue order."""
    found: dict[int, dict[str, list[str]]] = {}
    for node_id, axis, value in select_in(
        connection,
        "SELECT node_id, axis.name, axis_value.name FROM node_axis_value"
        " JOIN axis_value ON axis_value.id = axis_value_id JOIN axis ON axis.id = axis_id"
        " WHERE node_id IN {ids} ORDER BY node_id, axis.id, axis_value.id",
        ids,
    ):
        found.setdefault(node_id, {}).setdefault(axis, []).append(value)
    return {
        node_id: MappingProxyType({axis: tuple(values) for axis, values in axes.items()})
        for node_id, axes in found.items()
    }


def catalogue(connection: sqlite3.Connection) -> dict[str, tuple[str, ...]]:
    """Every axis with all its values, those that agents brought at the end."""
    axes: dict[str, list[str]] = {}
    for axis, value in connection.execute(
        "SELECT axis.name, axis_value.name FROM axis_value JOIN axis ON axis.id = axis_id"
        " ORDER BY axis.id, axis_value.id"
    ).fetchall():
        axes.setdefault(axis, []).append(value)
    return {axis: tuple(values) for axis, values in axes.items()}


def _value_ids(
    connection: sqlite3.Connection, wanted: set[tuple[str, str]], now: float
) -> dict[tuple[str, str], int]:
    """The id of each (axis, value), made when it is new. Axes are trusted to exist."""
    names = sorted({value for _, value in wanted})
    known = _known_values(connection, names)
    new = sorted(wanted - known.keys())
    if new:
        connection.executemany(
            "INSERT INTO axis_value (axis_id, name, auto_generated, confidence, created_at)"
            " VALUES ((SELECT id FROM axis WHERE name = ?), ?, 1, ?, ?)",
            [(axis, value, NEW_VALUE_CONFIDENCE, now) for axis, value in new],
        )
        known = _known_values(connection, names)
    return known


def _known_values(
    connection: sqlite3.Connection, names: Sequence[str]
) -> dict[tuple[str, str], int]:
    rows = select_in(
        connection,
        "SELECT axis.name, axis_value.name, axis_value.id FROM axis_value"
        " JOIN axis ON axis.id = axis_id WHERE axis_value.name IN {ids}",
        names,
    )
    return {(axis, value): value_id for axis, value, value_id in rows}
