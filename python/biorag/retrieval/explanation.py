"""Why a memory is where it is among the answers to a question, or why it is not there."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from biorag.model import Explanation, Hit
from biorag.retrieval.hits import RankedRow
from biorag.retrieval.knowledge import Knowledge, Request
from biorag.retrieval.recall import RankedPool, rank_pool, trace_of
from biorag.storage.listing import EVERYTHING, ids_matching
from biorag.storage.lookups import ids_not_active
from biorag.storage.observations import contents

Excluded = Literal["state", "filter"]


def explain(request: Request, number: int, having: Knowledge) -> Explanation:
    """Ranks a question with one memory in the pool, whether it would be there or not.

    Args:
        request: What is asked.
        number: The memory's id.
        having: What the store knows.
    """
    request = replace(request, explain=True)
    ranked = rank_pool(request, having, included=[number])
    ids = ranked.candidates.ranked.ids
    order = ranked.scored.order
    places = [int(ids[row]) for row in order]
    place = places.index(number) + 1 if number in places else None
    hit = None if place is None else _hit(ranked, int(order[place - 1]), having)
    best = _hit(ranked, int(order[0]), having) if places else None
    words = ranked.question.words
    return Explanation(
        query=request.query,
        place=place,
        candidates=len(places),
        hit=hit,
        best=best,
        missing=words if hit is None else tuple(word for word in words if word not in hit.evidence),
        excluded=_excluded(request, number, having),
        trace=trace_of(ranked, {}),
        certainty=ranked.verdict.certainty,
        abstained=not places or ranked.verdict.abstains,
    )


def _hit(ranked: RankedPool, row: int, having: Knowledge) -> Hit | None:
    number = int(ranked.candidates.ranked.ids[row])
    placed = RankedRow(number, float(ranked.scored.scores[row]), row)
    texts = contents(having.connection, [number])
    hits = ranked.builder(explain=True).hits([placed], having.connection, texts)
    return hits[0] if hits else None


def _excluded(
    request: Request, number: int, having: Knowledge
) -> Literal["state", "filter"] | None:
    """Why the memory cannot be an answer at all, whatever it says."""
    if number in ids_not_active(having.connection, deep=request.deep):
        return "state"
    filters = request.filters
    if filters != EVERYTHING and number not in ids_matching(having.connection, filters):
        return "filter"
    return None
