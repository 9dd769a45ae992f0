"""Links between memories."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from biorag.storage.bulk import select_in
from biorag.storage.codes import mark_dirty
from biorag.storage.revisions import revise

Origin = Literal["agent", "system"]

LANE = "links"
REWRITTEN = "links_rewritten"  # links ended or changed: what is kept of them is read again

# Only an active edge has to be unique, so the conflict names the same condition.
_INSERT = """INSERT INTO edge (src, dst, rel, origin, directed, weight, context, created_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (src, dst, rel) WHERE active = 1 DO NOTHING"""


_PRESENT = "SELECT id FROM node WHERE id IN {ids}"


def link_nodes(
    connection: sqlite3.Connection,
    src: int,
    dst: int,
    now: float,
    *,
    rel: str = "manual",
    origin: Origin = "agent",
    directed: bool = False,
    weight: float = 1.0,
    context: str | None = None,
) -> bool:
    """Link two memories; False when this link already stands.

    An undirected link is the same link from both ends. A memory is not linked to itself: that
    is False too.
    """
    if src == dst:
        return False
    if not directed and src > dst:
        src, dst = dst, src
    cursor = connection.execute(
        _INSERT, (src, dst, rel, origin, int(directed), weight, context, now)
    )
    if cursor.rowcount:
        revise(connection, LANE)
        mark_dirty(connection, [src, dst])
    return bool(cursor.rowcount)


def link_pairs(
    connection: sqlite3.Connection,
    pairs: Iterable[tuple[int, int]],
    now: float,
    *,
    rel: str = "manual",
    origin: Origin = "agent",
    weight: float = 1.0,
) -> int:
    """Link many pairs without direction; returns how many links are new."""
    rows = [
        (min(pair), max(pair), rel, origin, 0, weight, None, now)
        for pair in pairs
        if pair[0] != pair[1]
    ]
    made = max(connection.executemany(_INSERT, rows).rowcount, 0)
    if made:
        revise(connection, LANE)
        mark_dirty(connection, sorted({end for row in rows for end in row[:2]}))
    return made


class SystemLink(NamedTuple):
    """A link that a rule makes; it has no direction.

    Attributes:
        rel: What the relation is called.
        weight: In [0, 1].
    """

    src: int
    dst: int
    rel: str
    weight: float


def add_system_links(
    connection: sqlite3.Connection, links: Sequence[SystemLink], now: float, *, most: int
) -> int:
    """Writes links of the system between memories that are there.

    Args:
        connection: Inside `Store.atomic`.
        links: In the order in which they are wanted.
        now: Epoch seconds.
        most: Links of the system that one memory may have; what goes beyond is left out.

    Returns:
        How many links are new.
    """
    ends = sorted({end for link in links for end in (link.src, link.dst)})
    present = {number for (number,) in select_in(connection, _PRESENT, ends)}
    counts: dict[int, int] = dict.fromkeys(ends, 0)
    for end in ("src", "dst"):
        for number, count in select_in(
            connection,
            f"SELECT {end}, count(*) FROM edge WHERE {end} IN {{ids}} AND active = 1"
            f" AND origin = 'system' GROUP BY {end}",
            ends,
        ):
            counts[number] += count
    made = 0
    touched: set[int] = set()
    for link in links:
        src, dst = min(link.src, link.dst), max(link.src, link.dst)
        if src == dst or not {src, dst} <= present or max(counts[src], counts[dst]) >= most:
            continue
        row = (src, dst, link.rel, "system", 0, link.weight, None, now)
        if connection.execute(_INSERT, row).rowcount > 0:
            made += 1
            counts[src] += 1
            counts[dst] += 1
            touched |= {src, dst}
    if made:
        revise(connection, LANE)
        mark_dirty(connection, sorted(touched))
    return made


def active_links(
    connection: sqlite3.Connection, after: int = 0
) -> tuple[list[tuple[int, int, float]], int]:
    """The active links with a number above `after`: both ends and the weight; the last number."""
    rows = connection.execute(
        "SELECT id, src, dst, weight FROM edge WHERE id > ? AND active = 1 ORDER BY id", (after,)
    ).fetchall()
    return [(src, dst, weight) for _, src, dst, weight in rows], rows[-1][0] if rows else after


class Association(NamedTuple):
    """A neighbour of a memory, and the strongest link to it."""

    neighbour: int
    rel: str
    weight: float


def associations_of(
    connection: sqlite3.Connection, ids: Sequence[int], *, least: float
) -> dict[int, list[Association]]:
    """The neighbours of each memory over links of at least this weight, strongest first.

    Ties go to the smaller number; of several links to one neighbour the strongest counts.
    """
    found: dict[int, dict[int, Association]] = {}
    for here, there in (("src", "dst"), ("dst", "src")):
        for number, neighbour, rel, weight in select_in(
            connection,
            f"SELECT {here}, {there}, rel, weight FROM edge WHERE {here} IN {{ids}}"
            f" AND active = 1 AND weight >= {float(least)!r} ORDER BY id",
            ids,
        ):
            held = found.setdefault(number, {}).get(neighbour)
            if held is None or weight > held.weight:
                found[number][neighbour] = Association(neighbour, rel, weight)
    return {
        number: sorted(links.values(), key=lambda link: (-link.weight, link.neighbour))
        for number, links in found.items()
    }


def end_links(
    connection: sqlite3.Connection,
    src: int,
    dst: int,
    now: float,
    *,
    rel: str | None = None,
    origin: Origin | None = None,
) -> int:
    """End the active links between two memories, either way; they stay as history.

    Args:
        connection: Inside `Store.atomic`.
        src: One end.
        dst: The other end.
        now: When they ended, epoch seconds.
        rel: Only this relation; None: every one.
        origin: Only links made by the agent, or by the system; None: both.

    Returns:
        How many links ended.
    """
    ended = connection.execute(
        "UPDATE edge SET active = 0, ended_at = :now WHERE active = 1"
        " AND ((src = :src AND dst = :dst) OR (src = :dst AND dst = :src))"
        " AND (:rel IS NULL OR rel = :rel) AND (:origin IS NULL OR origin = :origin)",
        {"now": now, "src": src, "dst": dst, "rel": rel, "origin": origin},
    ).rowcount
    if ended:
        revise(connection, REWRITTEN)
        mark_dirty(connection, [src, dst])
    return ended


def agent_neighbours(connection: sqlite3.Connection, ids: Sequence[int]) -> list[tuple[int, int]]:
    """Pairs of one of these memories and one that the agent linked it to, either way, rising."""
    pairs: set[tuple[int, int]] = set()
    for here, there in (("src", "dst"), ("dst", "src")):
        query = f"SELECT {here}, {there} FROM edge WHERE {here} IN {{ids}}"
        pairs.update(select_in(connection, f"{query} AND active = 1 AND origin = 'agent'", ids))
    return sorted(pairs)


def agent_links(connection: sqlite3.Connection, ids: Sequence[int]) -> dict[int, tuple[str, ...]]:
    """Names that each memory is linked to by the agent, in the order in which they were linked."""
    found: dict[int, dict[int, str]] = {}
    for here, there in (("src", "dst"), ("dst", "src")):
        for node_id, edge_id, name in select_in(
            connection,
            f"SELECT {here}, edge.id, node.name FROM edge JOIN node ON node.id = {there}"
            f" WHERE {here} IN {{ids}} AND active = 1 AND origin = 'agent'",
            ids,
        ):
            found.setdefault(node_id, {})[edge_id] = name
    return {
        node_id: tuple(dict.fromkeys(names[edge_id] for edge_id in sorted(names)))
        for node_id, names in found.items()
    }
