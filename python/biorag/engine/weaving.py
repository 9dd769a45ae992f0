"""Links that the system makes by itself, by rules, between memories whose words speak for it."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from biorag.kernels.graph import Graph
from biorag.kernels.index import AnalysedDocuments, TextIndex
from biorag.model_upkeep import Woven
from biorag.storage import meta
from biorag.storage.bulk import chunks
from biorag.storage.connection import Store
from biorag.storage.edges import SystemLink, active_links, add_system_links
from biorag.storage.latent import LatentLink, replace_latent, values_shared
from biorag.storage.lookups import ids_above

AT_WRITE = 32  # memories of a batch that are linked as they are learnt; a bulk load is linked later
MOST = 20  # links of the system that one memory may have
BATCH = 1_000  # memories linked in one transaction

LEAST_NPMI = 0.02  # of two memories without a common dimension, for a latent link
COMMON_GAIN = 0.3  # what a common dimension adds to a latent link

_THROUGH = "woven_through"  # the last memory that was linked
_LATENT_THROUGH = "latent_through"  # the last link whose paths were followed


def weave_new(
    connection: sqlite3.Connection,
    index: TextIndex,
    ids: Sequence[int],
    documents: AnalysedDocuments,
    now: float,
) -> int:
    """Links memories that are being learnt to those that the index holds.

    Args:
        connection: The transaction in which they are learnt.
        index: Without them.
        ids: Rising, at most `AT_WRITE`.
        documents: The same, analysed.
        now: Epoch seconds.

    Returns:
        How many links were made.
    """
    if not ids:
        return 0
    found = zip(ids, index.affinities_of(documents), strict=True)
    links = [
        SystemLink(number, other, rel, weight)
        for number, affinities in found
        for other, rel, weight in affinities
    ]
    if _through(connection) == ids[0] - 1:
        meta.put(connection, _THROUGH, str(ids[-1]))
    return add_system_links(connection, links, now, most=MOST) if links else 0


def weave(store: Store, index: TextIndex, now: float) -> Woven:
    """Links the memories that were learnt in bulk, and finds the latent links around all new ones.

    Each batch is one transaction; what was done before an error stays.

    Raises:
        StorageError: the store cannot be written.
    """
    pending = ids_above(store.reading(), _through(store.reading()))
    made = 0
    for batch in chunks(pending, BATCH):
        links = [
            SystemLink(number, other, rel, weight)
            for number, affinities in zip(batch, index.affinities(list(batch)), strict=True)
            for other, rel, weight in affinities
        ]
        with store.atomic() as connection:
            made += add_system_links(connection, links, now, most=MOST)
            meta.put(connection, _THROUGH, str(batch[-1]))
    return Woven(memories=len(pending), links=made, latent=_weave_latent(store, index, now))


def _weave_latent(store: Store, index: TextIndex, now: float) -> int:
    """Rebuilds the latent links of every memory that a new link touched."""
    with store.atomic() as connection:
        done = int(meta.get(connection, _LATENT_THROUGH) or 0)
        new, last = active_links(connection, done)
        if not new:
            return 0
        graph = Graph(active_links(connection)[0])
        touched = sorted({end for src, dst, _ in new for end in (src, dst)})
        around = {neighbour for end in touched for neighbour, _ in graph.neighbours(end, MOST)}
        ids = sorted(around.union(touched))
        pairs = graph.latent(ids)
        values = values_shared(connection, sorted({end for p in pairs for end in (p.src, p.dst)}))
        none: frozenset[int] = frozenset()
        together = index.npmi([(pair.src, pair.dst) for pair in pairs])
        links = []
        for pair, pmi in zip(pairs, together, strict=True):
            common = bool(values.get(pair.src, none) & values.get(pair.dst, none))
            if common or pmi >= LEAST_NPMI:
                gain = (1.0 + COMMON_GAIN * common) * (1.0 + pmi)
                weight = min(1.0, pair.weight * gain)
                links.append(LatentLink(pair.src, pair.dst, weight, pair.hops, pmi, common))
        replace_latent(connection, ids, links, now)
        meta.put(connection, _LATENT_THROUGH, str(last))
    return len(links)


def _through(connection: sqlite3.Connection) -> int:
    return int(meta.get(connection, _THROUGH) or 0)
