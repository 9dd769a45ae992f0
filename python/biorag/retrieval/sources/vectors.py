"""Memories near the question in the vector space, whatever their words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from biorag.retrieval.knowledge import Inquiry
from biorag.retrieval.sources.registry import source

BUDGET = 10

# Cosine. Of what is this near to a question of the training halves, .84 answers it in Banking77,
# .76 in CLINC150, .70 in XQuAD, .67 in Cranfield, .47 in LoCoMo's facts; at .7 it is .78, .67, .49,
# .41 and .31. Of 176 questions of other fields that found too little there, it brings something to
# one (at .7, to three).
NEAR = 0.8


@source(order=13, name="vectors", when="thin", budget=BUDGET)
def nearest(inquiry: Inquiry, found: Sequence[int]) -> Iterable[int]:
    """The memories nearest the question, where word vectors were trained."""
    del found
    having = inquiry.having
    if having.space is None:
        return ()
    ids, cosines = having.space.nearest(having.index, inquiry.question.prepared, BUDGET)
    return [int(number) for number in ids[cosines >= NEAR]]
