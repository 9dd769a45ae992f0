"""QCR, the query coverage gate: what evidences too little of the question goes behind the rest."""

from __future__ import annotations

import numpy as np

from biorag.retrieval.stages.registry import Standing, stage
from biorag.signals import FloatArray

ENOUGH = 0.5  # of the question's words
FEWEST_WORDS = 2  # one word is there or it is not
STRONG = 0.6  # closeness to a synonym that needs no words in common
SURE_HUB = 0.4  # a hub's confidence; its bridge stands for the words


@stage(order=1, name="qcr", is_on=lambda settings: settings.coverage_gate)
def coverage_gate(standing: Standing) -> FloatArray:
    """Puts candidates that evidence under half of the question's words behind those with more.

    A word counts as evidenced by any alternative that stands for it, a correction within two slips
    too. Whoever is named, holds every quoted phrase, is all but named or meant by a hub stays. When
    nobody passes, all keep their places.
    """
    ranked = standing.pool.ranked
    if ranked.idf.size < FEWEST_WORDS:
        return standing.scores
    evidenced = (ranked.found >= 0).mean(axis=1)
    kept = (
        (evidenced >= ENOUGH)
        | standing.pool.named_exactly
        | ranked.named
        | standing.pool.holds_phrase
        | (ranked.synonym >= STRONG)
    )
    hubs = standing.pool.beside.get("hub_confidence")
    if hubs is not None:
        kept |= hubs >= SURE_HUB
    if kept.all() or not kept.any():
        return standing.scores
    return demoted(standing.scores, ~kept)


def demoted(scores: FloatArray, rows: np.ndarray) -> FloatArray:
    """The scores with those of some rows shrunk, in proportion, below all others."""
    floor = float(scores[~rows].min())
    highest = float(scores[rows].max())
    if highest < floor or highest <= 0.0:
        return scores
    # The largest number below the floor keeps ties with the last of the kept from arising.
    ceiling = np.nextafter(floor, 0.0) if floor > 0.0 else 0.0
    return np.where(rows, scores * (ceiling / highest), scores)
