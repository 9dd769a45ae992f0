"""Re-ranking of the head by Jaccard overlap of the question's words and the text's."""

from __future__ import annotations

import numpy as np

from biorag.retrieval.stages.registry import Standing, stage
from biorag.signals import FloatArray


@stage(order=3, name="jaccard", is_on=lambda settings: settings.jaccard)
def jaccard(standing: Standing) -> FloatArray:
    """Re-sorts the first twenty by score and overlap; the first keeps its place.

    Nothing happens where the best overlap is too small to say anything.
    """
    settings = standing.settings
    head = standing.order[: settings.jaccard_top]
    if head.size < 3:
        return standing.scores
    ranked = standing.pool.ranked
    shared = (ranked.found[head] >= 0).sum(axis=1).astype(np.float64)
    union = ranked.idf.size + ranked.lengths[head] - shared
    overlap = np.divide(shared, union, out=np.zeros(head.size), where=union > 0.0)
    best = float(overlap.max())
    if best < settings.jaccard_gate:
        return standing.scores
    key = standing.scores[head] + settings.jaccard_alpha * overlap / best
    key[0] = np.inf
    return standing.promoted(head[np.argsort(-key, kind="stable")])
