"""What links say of the candidates: how connected each is, and what the best ones activate."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from biorag.kernels.index import RankedCandidates
from biorag.retrieval.evidence.registry import evidence
from biorag.retrieval.knowledge import Inquiry
from biorag.signals import FloatArray
from biorag.storage.lookups import weights_of

SEEDS = 5  # the best candidates by words, from which activation spreads
# How far vectors are drawn towards linked ones. On train halves, by cosine alone: .2 gives CLINC
# +.008 nDCG@10 and Banking77 +.005, .4 +.016 and +.009; Cranfield loses .001 either way.
DRAWN = 0.4

FULL_DEGREE = 20  # links from which on more add nothing


@evidence(name="links", lane="links")
def links(inquiry: Inquiry, ranked: RankedCandidates) -> Mapping[str, FloatArray]:
    """`degree`, and `activation`: the larger of what latent links and chains of links bring.

    The best `SEEDS` candidates by words activate with their share of the best relevance; a
    candidate that is one of them is activated by the others only.
    """
    found = inquiry.having.links
    if found is None:
        return {}
    ids = [int(number) for number in ranked.ids]
    relevance = ranked.relevance.astype(np.float64)
    best = float(relevance.max(initial=0.0))
    degrees = np.minimum(np.array(found.written.degrees(ids)) / FULL_DEGREE, 1.0)
    values: dict[int, float] = {}
    if best > 0.0:
        seeds = [
            (number, float(value) / best)
            for number, value in zip(ids[:SEEDS], relevance, strict=False)
            if value > 0.0
        ]
        for step in found.written.spread(seeds):
            values[step.id] = step.value
        if inquiry.request.inference:
            for seed, value in seeds:
                for other, weight in found.latent.neighbours(seed, FULL_DEGREE):
                    values[other] = max(values.get(other, 0.0), value * weight)
    activation = np.array([values.get(number, 0.0) for number in ids])
    return {"degree": degrees, "activation": np.minimum(activation, 1.0)}


@evidence(name="retrofit", lane="links")
def retrofit(inquiry: Inquiry, ranked: RankedCandidates) -> Mapping[str, FloatArray]:
    """`cosine`: each candidate's cosine, drawn towards those of the candidates linked to it."""
    found = inquiry.having.links
    if found is None or not inquiry.having.settings.retrofit or not ranked.cosines.size:
        return {}
    drawn = found.written.smoothed(ranked.ids.tolist(), ranked.cosines.tolist(), share=DRAWN)
    return {"cosine": np.array(drawn)}


@evidence(name="weights", lane="weights")
def weights(inquiry: Inquiry, ranked: RankedCandidates) -> Mapping[str, FloatArray]:
    """`weight`: how much more synaptic weight each candidate has than the lightest of them.

    A weight that all of them have says nothing, and must not move their scores.
    """
    ids = [int(number) for number in ranked.ids]
    held = weights_of(inquiry.having.connection, ids)
    lightest = min(held.values(), default=0.0)
    return {"weight": np.array([held.get(number, lightest) - lightest for number in ids])}
