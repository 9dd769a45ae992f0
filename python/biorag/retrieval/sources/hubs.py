"""Memories that a question means in other words: over the bridges of Concept Hubs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from biorag.retrieval.knowledge import Inquiry
from biorag.retrieval.sources.registry import source

SURE_ENOUGH = 0.4  # a hub's confidence, from which on the gate lets its memory pass, too
BROUGHT = 5


@source(order=3, name="hub", when="always", budget=BROUGHT, lane="hubs")
def canonical(inquiry: Inquiry, found: Sequence[int]) -> Iterable[int]:
    """The memories that the question's hubs lead to, the surest first."""
    del found
    hubs = inquiry.having.hubs
    if hubs is None:
        return ()
    matches = hubs.matches(inquiry.question)
    return [match.node for match in matches if match.confidence >= SURE_ENOUGH]
