"""Latent links: two memories that no link joins and a path of strong ones does."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import NamedTuple

from biorag.storage.bulk import select_in
from biorag.storage.revisions import revise

LANE = "latent"


class LatentLink(NamedTuple):
    """A latent link, the smaller number first.

    Attributes:
        weight: Of the path, with what it gained by pmi and a common dimension, in [0, 1].
        hops: Links of the path.
        pmi: How closely the words of the two go together, in [0, 1].
    """

    src: int
    dst: int
    weight: float
    hops: int
    pmi: float
    common_dimension: bool


def replace_latent(
    connection: sqlite3.Connection, ids: Sequence[int], links: Sequence[LatentLink], now: float
) -> None:
    """Puts these latent links in the place of all that the memories had."""
    for end in ("src", "dst"):
        connection.executemany(
            f"DELETE FROM latent_edge WHERE {end} = ?", ((number,) for number in ids)
        )
    connection.executemany(
        "INSERT OR REPLACE INTO latent_edge"
        " (src, dst, weight, hops, pmi, common_dimension, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
        ((*link[:5], int(link.common_dimension), now) for link in links),
    )
    revise(connection, LANE)


def all_latent(connection: sqlite3.Connection) -> list[tuple[int, int, float]]:
    """Both ends and the weight of every latent link."""
    return connection.execute(
        "SELECT src, dst, weight FROM latent_edge ORDER BY src, dst"
    ).fetchall()


def values_shared(connection: sqlite3.Connection, ids: Sequence[int]) -> dict[int, frozenset[int]]:
    """The axis values of each memory that has any, for telling what two have in common."""
    found: dict[int, set[int]] = {}
    for number, value in select_in(
        connection,
        "SELECT node_id, axis_value_id FROM node_axis_value WHERE node_id IN {ids}",
        ids,
    ):
        found.setdefault(number, set()).add(value)
    return {number: frozenset(values) for number, values in found.items()}
