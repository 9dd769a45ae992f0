"""The links between memories, in memory."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from biorag._native import Graph as _Graph

Link = tuple[int, int, float]
"""One memory, the other, and the weight in [0, 1]."""


class Step(NamedTuple):
    """A memory that was reached along a link.

    Attributes:
        parent: The memory that it was reached from.
        value: How strongly, in (0, 1].
        hops: Over how many links.
    """

    id: int
    parent: int
    value: float
    hops: int


class LatentPair(NamedTuple):
    """Two memories, the smaller number first, that a path joins and no link."""

    src: int
    dst: int
    weight: float
    hops: int


class Graph:
    """Undirected weighted links; of several between two memories the strongest counts.

    Neighbours come by weight, ties by the smaller number. Thread-safe.
    """

    def __init__(self, links: Iterable[Link] = ()) -> None:
        """A graph of these links."""
        self._native = _Graph()
        self.add(links)

    def __len__(self) -> int:
        return len(self._native)

    def add(self, links: Iterable[Link]) -> None:
        """Adds links; one that is there keeps the larger weight."""
        self._native.add(list(links))

    def degrees(self, ids: Sequence[int]) -> list[int]:
        """How many memories each is linked to."""
        return self._native.degrees(list(ids))

    def neighbours(self, number: int, limit: int) -> list[tuple[int, float]]:
        """The strongest neighbours of a memory, each with the link's weight."""
        return self._native.neighbours(number, limit)

    def smoothed(self, ids: Sequence[int], values: Sequence[float], *, share: float) -> list[float]:
        """Values drawn towards those of the linked memories that are among `ids`.

        One step of retrofitting (Faruqui et al. 2015): `(1 - share) * own + share * mean`, the
        mean by the links' weights; a memory without such a neighbour keeps its own.

        Raises:
            ShapeError: not one value a memory.
        """
        return self._native.smoothed(list(ids), list(values), share)

    def spread(
        self,
        seeds: Sequence[tuple[int, float]],
        *,
        hops: int = 3,
        fan: int = 10,
        least: float = 0.05,
    ) -> list[Step]:
        """Spreading activation, strongest first (Collins & Loftus 1975; Anderson 1983).

        A memory passes to each of its `fan` strongest neighbours its value times the link's weight
        over how many links it has, halved with every hop after the first, as long as that is
        `least` or more.

        Args:
            seeds: Memories with a value in [0, 1].
            hops: Over how many links at most.
            fan: Links of a memory that pass something on.
            least: The weakest activation that is kept.
        """
        return [Step(*step) for step in self._native.spread(list(seeds), hops, fan, least)]

    def context(self, seeds: Sequence[int], *, depth: int, per_node: int, limit: int) -> list[Step]:
        """What lies around some memories, breadth first, each met once.

        Args:
            seeds: Where to begin; they are not returned.
            depth: Over how many links at most.
            per_node: New neighbours taken of each memory, strongest first.
            limit: How many memories to return at most.
        """
        return [Step(*step) for step in self._native.context(list(seeds), depth, per_node, limit)]

    def latent(
        self, ids: Sequence[int], *, least: float = 0.25, decay: float = 0.7, limit: int = 20
    ) -> list[LatentPair]:
        """Pairs of one of `ids` and another that a path of two or three strong links joins.

        Args:
            ids: At one end of each pair.
            least: The weakest link of a path.
            decay: What every link after the first costs.
            limit: Pairs for each of `ids`, strongest first.
        """
        return [LatentPair(*pair) for pair in self._native.latent(list(ids), least, decay, limit)]
