"""Hub promotion: the memory that a sure hub leads to comes first."""

from __future__ import annotations

import numpy as np

from biorag.retrieval.stages.registry import Standing, stage
from biorag.signals import FloatArray

SURE = 0.75  # a hub's confidence: three quarters of what a bridge says


@stage(order=2, name="promocion_hub", is_on=lambda settings: settings.hub_promotion)
def hub_promotion(standing: Standing) -> FloatArray:
    """Puts the memory of the surest hub first, unless what stands there is named by the question.

    Of several that are as sure the one that ranks best is meant.
    """
    confidence = standing.pool.beside.get("hub_confidence")
    if confidence is None:
        return standing.scores
    first = standing.order[0]
    if standing.pool.named_exactly[first] or standing.pool.ranked.named[first]:
        return standing.scores
    place = int(np.argmax(confidence[standing.order]))
    if place == 0 or confidence[standing.order[place]] < SURE:
        return standing.scores
    row = standing.order[place]
    return standing.promoted(np.concatenate([[row], standing.order[:place]]))
