"""The table of sources beside the ranked index: the only place that knows which there are."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from biorag.kernels.index import RankedCandidates
from biorag.retrieval.knowledge import Inquiry

THIN = 3  # candidates; with fewer, and none that holds the whole question, others are asked too
COMPLETE = 0.999  # share of the question that a candidate holds which answers it by its words

When = Literal["always", "thin", "crowded", "burst"]

SourceFunction = Callable[[Inquiry, Sequence[int]], Iterable[int]]
"""From the inquiry, and what was found so far (best first), to ids that join the candidates."""


@dataclass(frozen=True, slots=True)
class Source:
    """One source of candidates.

    Attributes:
        order: Its place in the cascade, and in what a hit says of its origin.
        when: `always`; only while the pool is `thin`; only where it is `crowded`, more matching
            than it takes and none in it holding the whole question; only in a `burst`.
        budget: How many candidates it may bring.
        lane: What the store must hold for it to run; `None` runs on every store.
    """

    order: int
    name: str
    when: When
    budget: int
    find: SourceFunction
    lane: str | None


_sources: dict[int, Source] = {}


def source(
    *, order: int, name: str, when: When, budget: int, lane: str | None = None
) -> Callable[[SourceFunction], SourceFunction]:
    """Enters the decorated function in the table at a place and under a name of its own."""

    def register(find: SourceFunction) -> SourceFunction:
        if order in _sources or any(name == known.name for known in _sources.values()):
            raise ValueError(f"source {order} ({name}) is already registered")
        _sources[order] = Source(order, name, when, budget, find, lane)
        return find

    return register


def all_sources() -> tuple[Source, ...]:
    """Every source, in the order of the cascade."""
    return tuple(_sources[order] for order in sorted(_sources))


def is_thin(found: int) -> bool:
    """Whether so few candidates call for the sources that cost more."""
    return found < THIN


def is_wanting(ranked: RankedCandidates) -> bool:
    """Whether the index alone leaves a question open: few candidates, none with all its words."""
    return is_thin(ranked.ids.size) and not _is_complete(ranked)


def is_crowded(ranked: RankedCandidates, limit: int) -> bool:
    """Whether more memories match than were ranked, and none of those holds all words."""
    return ranked.matched > limit and not _is_complete(ranked)


def _is_complete(ranked: RankedCandidates) -> bool:
    return float(ranked.coverage.max(initial=0.0)) >= COMPLETE


def bring(
    inquiry: Inquiry,
    when: When,
    found: Sequence[int],
    is_allowed: Callable[[int], bool] = lambda _: True,
) -> dict[str, frozenset[int]]:
    """Asks the sources of a moment in order, the later ones only while the pool stays thin.

    Args:
        inquiry: What was asked, of what.
        when: Which sources.
        found: Candidates so far, best first.
        is_allowed: Whether the page may show a memory; what it may not uses no budget up.

    Returns:
        Of each source that brought something, its ids.
    """
    brought: dict[str, frozenset[int]] = {}
    known = list(found)
    having = inquiry.having
    for place in all_sources():
        if place.when != when or place.name in having.settings.without:
            continue
        if place.lane is not None and place.lane not in having.revisions:
            continue
        if when == "thin" and not is_thin(len(known)):
            break
        shown = filter(is_allowed, dict.fromkeys(place.find(inquiry, known)))
        if when in ("thin", "crowded"):
            # What is a candidate already is not brought again under another name.
            shown = filter(lambda number: number not in known, shown)
        ids = list(itertools.islice(shown, place.budget))
        if ids:
            brought[place.name] = frozenset(ids)
            known += [number for number in ids if number not in known]
    return brought
