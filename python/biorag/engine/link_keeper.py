"""Keeps the links in memory in step with the store."""

from __future__ import annotations

import threading
from collections.abc import Mapping

from biorag.engine.following import Following
from biorag.kernels.graph import Graph
from biorag.retrieval.links import Links
from biorag.storage import edges, latent
from biorag.storage.connection import Store
from biorag.storage.revisions import revisions

_NONE = Graph()


class LinkKeeper:
    """Owns the links of one store.

    New links are read and added; where links ended or changed, all are read again. Thread-safe.
    """

    def __init__(self) -> None:
        """Reads nothing until a recall asks."""
        self._lock = threading.Lock()
        self._shown: tuple[int, int] = (0, 0)
        self._last = 0
        self._graph: Graph | None = None
        self._latent = Following(latent.LANE, lambda store: Graph(latent.all_latent(store)))

    def current(self, store: Store, seen: Mapping[str, int]) -> Links | None:
        """The links as of the last write; `None` when the store never had one.

        Args:
            store: Read where it has been written since.
            seen: The revisions that the caller read last.
        """
        if edges.LANE not in seen:
            return None
        return Links(self._written(store, seen), self._latent.current(store, seen) or _NONE)

    def _written(self, store: Store, seen: Mapping[str, int]) -> Graph:
        graph = self._graph
        if graph is not None and self._shown == _stamp(seen):
            return graph
        with self._lock, store.snapshot() as connection:
            now = _stamp(revisions(connection))
            if self._graph is None or self._shown[1] != now[1]:
                links, self._last = edges.active_links(connection)
                self._graph = Graph(links)
            elif self._shown != now:
                links, self._last = edges.active_links(connection, self._last)
                self._graph.add(links)
            self._shown = now
            return self._graph


def _stamp(seen: Mapping[str, int]) -> tuple[int, int]:
    return seen.get(edges.LANE, 0), seen.get(edges.REWRITTEN, 0)
