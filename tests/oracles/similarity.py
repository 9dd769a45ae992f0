"""Similarity by definition: plain loops, no closed forms."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence


def shared_out(
    parts: Sequence[tuple[float, float, float, float]], share: float
) -> tuple[list[float], list[float], list[float]]:
    """Relevance by its definition, and each part as what it adds to the others.

    `parts` are (bm25, function words, lent, fit) of each candidate.
    """
    own = [bm25 + share * function for bm25, function, _, _ in parts]
    whole = [(words + lent) * fit for words, (_, _, lent, fit) in zip(own, parts, strict=True)]
    highest = max(whole, default=0.0)
    if highest <= 0.0:
        return ([0.0] * len(parts),) * 3
    lowest = min(own) if max(own) > min(own) else 0.0
    ceiling = min(1.0, highest)
    rows = []
    for mine, (_, _, lent, fit) in zip(own, parts, strict=True):
        unfit = min(fit, 1.0)
        rows.append(((mine - lowest) * unfit, lent * unfit, (mine + lent) * (fit - unfit)))
    largest = max(map(sum, rows))
    if largest <= 0.0:
        return ([0.0] * len(parts),) * 3
    words, loans, fits = (
        [part / largest * ceiling for part in column] for column in zip(*rows, strict=True)
    )
    return words, loans, fits


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
