"""Sources along links, for questions that few words answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from biorag.retrieval.knowledge import Inquiry
from biorag.retrieval.sources.registry import source

SEEDS = 5
LATENT = 5
CHAINED = 5


@source(order=8, name="latent", when="thin", budget=LATENT, lane="latent")
def latent(inquiry: Inquiry, found: Sequence[int]) -> Iterable[int]:
    """What strong paths join to what was found, the strongest first."""
    links = inquiry.having.links
    if links is None or not inquiry.request.inference:
        return ()
    reached = [
        (-weight, number)
        for seed in found[:SEEDS]
        for number, weight in links.latent.neighbours(seed, LATENT)
    ]
    return [number for _, number in sorted(reached) if number not in found]


@source(order=11, name="chain", when="thin", budget=CHAINED, lane="links")
def chain(inquiry: Inquiry, found: Sequence[int]) -> Iterable[int]:
    """What spreading activation reaches from what was found, the strongest first."""
    links = inquiry.having.links
    if links is None or not found:
        return ()
    steps = links.written.spread([(number, 1.0) for number in found[:SEEDS]])
    return [step.id for step in steps if step.id not in found]
