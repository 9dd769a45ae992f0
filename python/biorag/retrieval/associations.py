"""Channel 2: what is linked to the memories of a page, shown beside them; no score hears it."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from biorag.model import Association, ContextStep
from biorag.retrieval.links import Links
from biorag.storage import edges
from biorag.storage.lookups import names_of, weights_of
from biorag.storage.observations import contents

STRONG = 0.5  # weight from which on a link is shown
MOST_EXPLICIT = 2  # links by a synonym, which would fill the list with other names of one thing

PER_NODE = 6  # neighbours of a memory in its context
STEPS_A_LEVEL = 15


def associations(
    connection: sqlite3.Connection, ids: Sequence[int], most: int
) -> dict[int, tuple[Association, ...]]:
    """The strongest neighbours of each memory, at most `most`, ties by the smaller number."""
    chosen: dict[int, list[edges.Association]] = {}
    for number, found in edges.associations_of(connection, ids, least=STRONG).items():
        kept: list[edges.Association] = []
        explicit = 0
        for link in found:
            if link.rel == "sinonimo_explicito":
                explicit += 1
                if explicit > MOST_EXPLICIT:
                    continue
            kept.append(link)
        chosen[number] = kept[:most]
    wanted = sorted({link.neighbour for links in chosen.values() for link in links})
    names, weights = names_of(connection, wanted), weights_of(connection, wanted)
    texts = contents(connection, wanted)
    return {
        number: tuple(
            Association(
                id=link.neighbour,
                name=names[link.neighbour],
                rel=link.rel,
                strength=link.weight,
                weight=weights[link.neighbour],
                content=texts.get(link.neighbour, ""),
            )
            for link in links
            if link.neighbour in names and link.neighbour in weights
        )
        for number, links in chosen.items()
    }


def context(
    connection: sqlite3.Connection, links: Links, ids: Sequence[int], depth: int
) -> tuple[ContextStep, ...]:
    """What lies around these memories, breadth first, `PER_NODE` new neighbours of each."""
    limit = STEPS_A_LEVEL * depth
    steps = links.written.context(ids, depth=depth, per_node=PER_NODE, limit=limit)
    shown = [step.id for step in steps]
    names = names_of(connection, sorted({*shown, *(step.parent for step in steps)}))
    texts = contents(connection, shown)
    return tuple(
        ContextStep(
            id=step.id,
            name=names[step.id],
            parent=names[step.parent],
            strength=round(step.value, 6),
            hops=step.hops,
            content=texts.get(step.id, ""),
        )
        for step in steps
        if step.id in names and step.parent in names
    )
