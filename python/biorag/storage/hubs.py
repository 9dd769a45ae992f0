"""Concept Hubs: bridges of words that lead to a memory which does not hold them."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import NamedTuple

from biorag.inputs import name_key
from biorag.model import Angle, Bridge
from biorag.storage.bulk import select_in


class HubRow(NamedTuple):
    """One hub, and the memory that it leads to."""

    id: int
    name: str
    node_id: int
    node_name: str
    description: str
    created_at: float


class BridgeRow(NamedTuple):
    """One bridge of a hub."""

    id: int
    hub_id: int
    node_id: int
    text: str
    weight: float


_HUBS = (
    "SELECT hub.id, hub.name, node_id, node.name, description, hub.created_at"
    " FROM hub JOIN node ON node.id = node_id"
)
_BRIDGES = (
    "SELECT hub_bridge.id, hub_id, node_id, text, weight FROM hub_bridge"
    " JOIN hub ON hub.id = hub_id"
)


def insert_hub(
    connection: sqlite3.Connection, name: str, node_id: int, description: str, now: float
) -> int:
    """A new hub's id; no hub may have this name yet."""
    cursor = connection.execute(
        "INSERT INTO hub (key, name, node_id, description, created_at) VALUES (?, ?, ?, ?, ?)",
        (name_key(name), name, node_id, description, now),
    )
    return int(cursor.lastrowid or 0)


def insert_bridges(connection: sqlite3.Connection, hub_id: int, bridges: Sequence[Bridge]) -> None:
    """Adds bridges whose texts the hub does not have yet, in order."""
    connection.executemany(
        "INSERT INTO hub_bridge (hub_id, angle, text) VALUES (?, ?, ?)",
        [(hub_id, bridge.angle, bridge.text) for bridge in bridges],
    )


def set_angles(
    connection: sqlite3.Connection, node_id: int, bridges: Sequence[Bridge], now: float
) -> tuple[str, bool]:
    """Gives a memory's own hub these five bridges in place of those with an angle that it has.

    The hub is made when there is none. Bridges without an angle stay.

    Returns:
        The hub's name, and whether anything changed.
    """
    hub_id, name = _own_hub(connection, node_id, now)
    held = [bridge for bridge in bridges_of(connection, [hub_id]).get(hub_id, ()) if bridge.angle]
    if held == list(bridges):
        return name, False
    connection.execute("DELETE FROM hub_bridge WHERE hub_id = ? AND angle IS NOT NULL", (hub_id,))
    connection.executemany(
        "DELETE FROM hub_bridge WHERE hub_id = ? AND text = ?",
        [(hub_id, bridge.text) for bridge in bridges],
    )
    insert_bridges(connection, hub_id, bridges)
    return name, True


def hub_named(connection: sqlite3.Connection, name: str) -> HubRow | None:
    """The hub of a name; case, blanks and `_` make no difference."""
    row = connection.execute(f"{_HUBS} WHERE hub.key = ?", (name_key(name),)).fetchone()
    return None if row is None else HubRow(*row)


def all_hubs(connection: sqlite3.Connection) -> list[HubRow]:
    """Every hub, in the order in which they were made."""
    return [HubRow(*row) for row in connection.execute(f"{_HUBS} ORDER BY hub.id").fetchall()]


def hubs_of(connection: sqlite3.Connection, node_ids: Sequence[int]) -> list[HubRow]:
    """The hubs that lead to these memories, in the order in which they were made."""
    rows = select_in(connection, f"{_HUBS} WHERE node_id IN {{ids}}", node_ids)
    return sorted(HubRow(*row) for row in rows)


def hubs_with(connection: sqlite3.Connection, hub_ids: Sequence[int]) -> dict[int, HubRow]:
    """The hubs with these ids; absent ones are left out."""
    rows = select_in(connection, f"{_HUBS} WHERE hub.id IN {{ids}}", hub_ids)
    return {row[0]: HubRow(*row) for row in rows}


def bridges_of(
    connection: sqlite3.Connection, hub_ids: Sequence[int]
) -> dict[int, tuple[Bridge, ...]]:
    """The bridges of each hub in the order in which they were added; a hub without is left out."""
    found: dict[int, list[Bridge]] = {}
    for hub_id, text, angle in select_in(
        connection,
        "SELECT hub_id, text, angle FROM hub_bridge WHERE hub_id IN {ids} ORDER BY hub_id, id",
        hub_ids,
    ):
        found.setdefault(hub_id, []).append(Bridge(text, _angle(angle)))
    return {hub_id: tuple(bridges) for hub_id, bridges in found.items()}


def bridges_after(connection: sqlite3.Connection, bridge_id: int) -> list[BridgeRow]:
    """Every bridge with an id above this one, ascending."""
    rows = connection.execute(
        f"{_BRIDGES} WHERE hub_bridge.id > ? ORDER BY hub_bridge.id", (bridge_id,)
    )
    return [BridgeRow(*row) for row in rows.fetchall()]


def hubs_after(connection: sqlite3.Connection, hub_id: int) -> tuple[int, int]:
    """How many hubs have an id above this one, and the largest id of all (0 without hubs)."""
    count, largest = connection.execute(
        "SELECT (SELECT count(*) FROM hub WHERE id > ?), (SELECT coalesce(max(id), 0) FROM hub)",
        (hub_id,),
    ).fetchone()
    return int(count), int(largest)


def bridge_texts(connection: sqlite3.Connection, bridge_ids: Sequence[int]) -> dict[int, str]:
    """The texts of bridges, by id; absent ones are left out."""
    query = "SELECT id, text FROM hub_bridge WHERE id IN {ids}"
    return dict(select_in(connection, query, bridge_ids))


def delete_hub(connection: sqlite3.Connection, hub_id: int) -> int:
    """Deletes a hub with its bridges; returns how many bridges it had."""
    bridges = connection.execute("DELETE FROM hub_bridge WHERE hub_id = ?", (hub_id,)).rowcount
    connection.execute("DELETE FROM hub WHERE id = ?", (hub_id,))
    return bridges


def _own_hub(connection: sqlite3.Connection, node_id: int, now: float) -> tuple[int, str]:
    """The hub that a memory's own bridges are in: `hub_` and its name."""
    (key,) = connection.execute("SELECT key FROM node WHERE id = ?", (node_id,)).fetchone()
    wanted = name = f"hub_{key.replace(' ', '_')}"
    attempt = 1
    # Whoever made a hub of this name for another memory keeps it.
    while (held := hub_named(connection, name)) is not None:
        if held.node_id == node_id:
            return held.id, held.name
        attempt += 1
        name = f"{wanted}_{attempt}"
    return insert_hub(connection, name, node_id, "", now), name


def _angle(text: str | None) -> Angle | None:
    match text:
        case "sinonimo" | "problema" | "solucion" | "situacion" | "ingenuo" | None:
            return text
        case _:
            raise ValueError(f"unknown angle {text!r}")
