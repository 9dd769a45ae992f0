"""Binary codes of memories, and which memories have an old one or none.

Learning writes nothing here. A memory without a code is one that was stored after the newest that
has one, since codes are made in order of id; a memory whose code is out of date stands in
`sdm_dirty`, and gets there only if it has a code.
"""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from biorag.storage import meta
from biorag.storage.bulk import placeholders, select_in
from biorag.storage.revisions import revise

LANE = "codes"

# Names how codes are made: of another make, they are not comparable, and all are made again.
MAKE = "1"

CODE_BYTES = 256

# More names would fill most of the neighbours' 128 bits and make every hub look like every other.
MOST_NEIGHBOURS = 12

_META_KEY = "sdm_codes"


@dataclass(frozen=True, slots=True)
class CodeSource:
    """What the code of a memory is made of.

    Attributes:
        name: Analysed tokens, joined by spaces.
        body: Analysed tokens of its texts, joined by spaces.
        dimensions: `axis:value` of each value that it has, and the value's idf.
        neighbours: Keys of the memories that it is linked to, strongest link first.
    """

    id: int
    name: str
    body: str
    dimensions: tuple[tuple[str, float], ...]
    category: str
    neighbours: tuple[str, ...]


def mark_dirty(connection: sqlite3.Connection, ids: Sequence[int]) -> None:
    """Notes that something changed that the codes of these memories are made of."""
    # Two statements for most writes, on a table that is empty until codes are asked for.
    for start in range(0, len(ids), 500):
        some = tuple(ids[start : start + 500])
        connection.execute(
            "INSERT OR IGNORE INTO sdm_dirty SELECT node_id FROM sdm_code"
            f" WHERE node_id IN {placeholders(len(some))}",
            some,
        )


def mark_neighbours_dirty(connection: sqlite3.Connection, ids: Sequence[int]) -> None:
    """Notes that these memories go, or get another name, for those that are linked to them."""
    if connection.execute("SELECT 1 FROM sdm_code LIMIT 1").fetchone() is None:
        return
    found: set[int] = set()
    for here, there in (("src", "dst"), ("dst", "src")):
        found.update(
            number
            for (number,) in select_in(
                connection, f"SELECT {there} FROM edge WHERE {here} IN {{ids}} AND active = 1", ids
            )
        )
    mark_dirty(connection, sorted(found))


def dirty_ids(connection: sqlite3.Connection) -> list[int]:
    """The memories whose code is missing or old, rising."""
    rows = connection.execute(
        "SELECT id FROM node WHERE id > (SELECT coalesce(max(node_id), 0) FROM sdm_code)"
        " UNION SELECT node_id FROM sdm_dirty ORDER BY 1"
    ).fetchall()
    return [number for (number,) in rows]


def has_dirty(connection: sqlite3.Connection) -> bool:
    """Whether any memory's code is missing or old."""
    found: int = connection.execute(
        "SELECT EXISTS (SELECT 1 FROM sdm_dirty) OR coalesce((SELECT max(id) FROM node), 0)"
        " > coalesce((SELECT max(node_id) FROM sdm_code), 0)"
    ).fetchone()[0]
    return bool(found)


def code_sources(connection: sqlite3.Connection, ids: Sequence[int]) -> list[CodeSource]:
    """What the codes of these memories are made of, by id; absent ones are left out.

    The idf of a value is ln(memories / memories that have it), counted now. A code keeps the idf
    of its day: runs of bits of one value begin alike whatever their length.
    """
    rows = select_in(
        connection,
        "SELECT node.id, node_text.name, body, category FROM node"
        " JOIN node_text ON node_id = node.id WHERE node.id IN {ids}",
        ids,
    )
    dimensions = _dimensions(connection, ids)
    neighbours = _neighbours(connection, ids)
    return [
        CodeSource(
            id=number,
            name=name,
            body=body,
            dimensions=tuple(dimensions.get(number, ())),
            category=category,
            neighbours=tuple(neighbours.get(number, ())),
        )
        for number, name, body, category in sorted(rows)
    ]


def value_idf(connection: sqlite3.Connection, values: Sequence[int]) -> dict[int, float]:
    """How rare each value of a dimension is: ln(memories / memories that have it), by its id."""
    (memories,) = connection.execute("SELECT count(*) FROM node").fetchone()
    counts = select_in(
        connection,
        "SELECT axis_value_id, count(*) FROM node_axis_value WHERE axis_value_id IN {ids}"
        " GROUP BY axis_value_id",
        values,
    )
    return {value: math.log(memories / having) for value, having in counts}


def used_values(connection: sqlite3.Connection) -> dict[int, tuple[str, str]]:
    """Axis and name of each value of a dimension that a memory has, by its id."""
    rows = connection.execute(
        "SELECT axis_value.id, axis.name, axis_value.name FROM axis_value"
        " JOIN axis ON axis.id = axis_id WHERE EXISTS"
        " (SELECT 1 FROM node_axis_value WHERE axis_value_id = axis_value.id)"
        " ORDER BY axis_value.id"
    ).fetchall()
    return {number: (axis, value) for number, axis, value in rows}


def store_codes(connection: sqlite3.Connection, codes: Mapping[int, bytes], made_at: float) -> None:
    """Gives memories these codes, within the caller's transaction; they are dirty no more.

    Args:
        connection: Inside `Store.atomic`.
        codes: By id.
        made_at: Later than every code stored before, so that followers find these by it.
    """
    connection.executemany(
        "INSERT INTO sdm_code (node_id, code, updated_at) VALUES (?, ?, ?) ON CONFLICT (node_id)"
        " DO UPDATE SET code = excluded.code, updated_at = excluded.updated_at",
        [(number, code, made_at) for number, code in codes.items()],
    )
    connection.executemany(
        "DELETE FROM sdm_dirty WHERE node_id = ?", [(number,) for number in codes]
    )
    revise(connection, LANE)


def codes_since(connection: sqlite3.Connection, made_at: float) -> tuple[list[int], bytes, float]:
    """The codes that were made after a time.

    Returns:
        Ids, rising; their codes, one after another; when the last of them was made.
    """
    rows = connection.execute(
        "SELECT node_id, code, updated_at FROM sdm_code WHERE updated_at > ? ORDER BY node_id",
        (made_at,),
    ).fetchall()
    newest = max((row[2] for row in rows), default=made_at)
    return [row[0] for row in rows], b"".join(row[1] for row in rows), newest


def forget_codes(connection: sqlite3.Connection) -> None:
    """Drops every code, so that all of them are made again."""
    connection.execute("DELETE FROM sdm_dirty")
    connection.execute("DELETE FROM sdm_code")


def made_whole_at(connection: sqlite3.Connection) -> float | None:
    """When all codes were made anew last, in epoch seconds; `None`: never, or in another make."""
    make, _, at = (meta.get(connection, _META_KEY) or "").partition(":")
    return float(at) if make == MAKE else None


def note_made_whole(connection: sqlite3.Connection, at: float) -> None:
    """Keeps when all codes were made anew."""
    meta.put(connection, _META_KEY, f"{MAKE}:{at}")


def _dimensions(
    connection: sqlite3.Connection, ids: Sequence[int]
) -> dict[int, list[tuple[str, float]]]:
    rows = select_in(
        connection,
        "SELECT node_id, axis_value_id, axis.name, axis_value.name FROM node_axis_value"
        " JOIN axis_value ON axis_value.id = axis_value_id JOIN axis ON axis.id = axis_id"
        " WHERE node_id IN {ids} ORDER BY node_id, axis_value_id",
        ids,
    )
    idf = value_idf(connection, sorted({row[1] for row in rows}))
    found: dict[int, list[tuple[str, float]]] = {}
    for number, value_id, axis, value in rows:
        found.setdefault(number, []).append((dimension_text(axis, value), idf[value_id]))
    return found


def dimension_text(axis: str, value: str) -> str:
    """What stands for a value of a dimension in a code."""
    return f"{axis}:{value}"


def _neighbours(connection: sqlite3.Connection, ids: Sequence[int]) -> dict[int, list[str]]:
    linked: dict[int, dict[int, tuple[float, str]]] = {}
    for here, there in (("src", "dst"), ("dst", "src")):
        for number, other, weight, key in select_in(
            connection,
            f"SELECT {here}, {there}, edge.weight, key FROM edge JOIN node ON node.id = {there}"
            f" WHERE {here} IN {{ids}} AND active = 1",
            ids,
        ):
            before = linked.setdefault(number, {}).get(other, (0.0, key))
            linked[number][other] = max(before, (weight, key))
    return {
        number: [
            key
            for _, _, key in sorted((-weight, other, key) for other, (weight, key) in of.items())
        ][:MOST_NEIGHBOURS]
        for number, of in linked.items()
    }
