"""The nearest memories in a user's own vector space."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from biorag.retrieval.knowledge import Inquiry
from biorag.retrieval.sources.registry import source

NEAREST = 20


@source(order=18, name="embedding", when="always", budget=NEAREST, lane="embedding")
def embedded(inquiry: Inquiry, found: Sequence[int]) -> Iterable[int]:
    """The memories nearest the question, as far as they are nearer than random pairs are."""
    del found
    space = inquiry.having.embeddings
    return () if space is None else space.nearest(inquiry.question.text, NEAREST)
