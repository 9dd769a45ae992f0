"""Convergence: a candidate whose name, synonyms, key nouns and text all speak for it."""

from __future__ import annotations

import numpy as np

from biorag.kernels.index import FIELDS
from biorag.retrieval.stages.registry import Standing, stage
from biorag.signals import FloatArray

HEAD = 10  # candidates that may change places: an agent's page
_SPEAKING = [FIELDS.index(field) for field in ("name", "synonyms", "key_nouns", "body")]

# One word in two fields may be chance, three are not.
_DAMPING = {1: 0.4, 2: 0.7}


@stage(order=5, name="convergencia", is_on=lambda settings: settings.convergence)
def convergence(standing: Standing) -> FloatArray:
    """Lifts candidates of the head that more than one field speaks for; scores only change places.

    The bonus is at most `convergence_bonus`: the question's share in each field beyond the best
    one, averaged over the three others.
    """
    head = standing.order[:HEAD]
    if head.size < 2:
        return standing.scores
    key = standing.scores[head] + bonus(standing)[head]
    return standing.promoted(head[np.argsort(-key, kind="stable")])


def bonus(standing: Standing) -> FloatArray:
    """What convergence adds to each candidate before the head is sorted, shape (n,)."""
    ranked = standing.pool.ranked
    shares = ranked.field_share[:, _SPEAKING].astype(np.float64)
    beyond: FloatArray = shares.sum(axis=1) - shares.max(axis=1, initial=0.0)
    damping = _DAMPING.get(int(ranked.idf.size), 1.0)
    most = standing.settings.convergence_bonus
    return most * damping * beyond / (len(_SPEAKING) - 1)
