"""Signals that compare meanings learnt from the store's own texts."""

from __future__ import annotations

import numpy as np

from biorag.signals.registry import Candidates, FloatArray, beside, signal


@signal(
    order=9,
    name="ppmi_score",
    weight=0.06,
    seed_weight=0.15,
    source="cosine in the store's PPMI-SVD space, Levy, Goldberg & Dagan 2015",
)
def ppmi(candidates: Candidates) -> FloatArray:
    """Cosine of the question and each candidate, over the best of the pool.

    In a store whose order means something, what its neighbours lend says more of a short text than
    vectors trained on a few hundred of them, which lower conversations by .01 nDCG@10: there the
    signal fades to nothing.

    Where the user has an embedder, its calibrated cosine counts instead where it is larger.

    Returns:
        Shape (n,) in [0, 1]; all 0 without a space.
    """
    embedding = beside(candidates, "embedding")
    retrofitted = candidates.beside.get("cosine")
    cosines = candidates.ranked.cosines.astype(np.float64) if retrofitted is None else retrofitted
    best = float(cosines.max(initial=0.0))
    if best <= 0.0:
        return embedding
    return np.maximum(cosines / best * (1.0 - candidates.trust_in_order), embedding)
