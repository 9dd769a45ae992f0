"""Lateral inhibition (GABA): where one candidate is sure, the unlike ones are quietened."""

from __future__ import annotations

import numpy as np

from biorag.retrieval.stages.registry import Standing, stage
from biorag.signals import FloatArray

SURE = 0.8
FAR_BELOW = 0.7  # of the best score
QUIETENED = 0.6


@stage(order=4, name="gaba", is_on=lambda settings: settings.inhibition)
def inhibition(standing: Standing) -> FloatArray:
    """Multiplies by .6 what scores below .7 of a best that is .8 or more.

    It changes no order: all that is below the line stays in order below all that is above it.
    """
    best = float(standing.scores.max(initial=0.0))
    if best < SURE:
        return standing.scores
    low = standing.scores < FAR_BELOW * best
    return np.where(low, standing.scores * QUIETENED, standing.scores)
