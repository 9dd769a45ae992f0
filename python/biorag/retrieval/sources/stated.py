"""Memories by what agents stated of them, for questions that their texts do not answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from biorag.retrieval.knowledge import Inquiry
from biorag.retrieval.sources.registry import source
from biorag.storage.predicates import LANE

BUDGET = 10


@source(order=16, name="roles", when="thin", budget=BUDGET, lane=LANE)
def stated(inquiry: Inquiry, found: Sequence[int]) -> Iterable[int]:
    """Memories with subjects or objects that are words of the question, most of them first.

    Of what agents stated alone: a statement that was read in a text has the text's own words, by
    which the index has found it.
    """
    del found
    told = inquiry.having.told()
    return () if told is None else map(int, told.naming(inquiry.question.prepared.terms))
