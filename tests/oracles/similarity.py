"""Similarity by definition: plain loops, no closed forms."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

LITERAL_COST = 1
COPY_COST = 3


def normalised_bm25(values: Sequence[float], lowest: float, highest: float) -> list[float]:
    """(|v| - lo) / (hi - lo) * min(1, hi), value by value."""
    ceiling = min(1.0, highest)
    if highest == lowest:
        return [ceiling for _ in values]
    return [(abs(value) - lowest) / (highest - lowest) * ceiling for value in values]


def jensen_shannon(query: Mapping[str, float], document: Mapping[str, float]) -> float:
    """1 - sqrt(JSD) of two bags of words, summed over the whole of both vocabularies."""
    terms = query.keys() | document.keys()
    p = {term: query.get(term, 0.0) / sum(query.values()) for term in terms}
    q = {term: document.get(term, 0.0) / sum(document.values()) for term in terms}
    mixture = {term: (p[term] + q[term]) / 2 for term in terms}
    divergence = (_kullback_leibler(p, mixture) + _kullback_leibler(q, mixture)) / 2
    return 1 - math.sqrt(min(1.0, max(0.0, divergence)))


def _kullback_leibler(p: Mapping[str, float], q: Mapping[str, float]) -> float:
    return sum(p[term] * math.log2(p[term] / q[term]) for term in p if p[term] > 0)


def _parse_cost(query: bytes, text: bytes) -> int:
    rest = [0] * (len(query) + 1)
    for at in reversed(range(len(query))):
        costs = [LITERAL_COST + rest[at + 1]]
        for end in range(at + 1, len(query) + 1):
            piece = query[at:end]
            # A copy may overlap what it writes, so its source need only *start* in the past.
            in_own_past = query.find(piece, 0, end - 1) != -1
            if piece in text or in_own_past:
                costs.append(COPY_COST + rest[end])
        rest[at] = min(costs)
    return rest[0]
