"""How much of a burst's words each candidate holds."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from biorag.kernels.index import RankedCandidates, rank
from biorag.retrieval.evidence.registry import evidence
from biorag.retrieval.knowledge import Inquiry
from biorag.signals import FloatArray


@evidence(name="burst")
def burst(inquiry: Inquiry, ranked: RankedCandidates) -> Mapping[str, FloatArray]:
    """`burst`: the share of the burst's words that each candidate holds as whole words.

    It speaks only where the burst ran.
    """
    if inquiry.burst is None or not inquiry.burst.words:
        return {}
    having = inquiry.having
    ids = [int(number) for number in ranked.ids]
    held = rank(
        having.index,
        inquiry.burst,
        k1=having.settings.bm25_k1,
        b=having.settings.bm25_b,
        trust_in_order=0.0,
        fit=False,
        limit=0,
        allowed=sorted(ids),
        included=sorted(ids),
    )
    shares = dict(zip(held.ids.tolist(), (held.found >= 0).mean(axis=1).tolist(), strict=True))
    return {"burst": np.array([shares.get(number, 0.0) for number in ids])}
