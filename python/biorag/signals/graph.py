"""Signals that links, associations and use give."""

from __future__ import annotations

import numpy as np

from biorag.signals.registry import Candidates, FloatArray, beside, signal


@signal(
    order=4,
    name="latent_chain",
    weight=0.02,
    seed_weight=0.10,
    source="spreading activation, Collins & Loftus 1975; latent paths; burst: the largest of them",
)
def latent_chain(candidates: Candidates) -> FloatArray:
    """How much links to the best candidates, or the burst's words, activate a candidate.

    Returns:
        Shape (n,) in [0, 1].
    """
    return np.maximum(beside(candidates, "activation"), beside(candidates, "burst"))


@signal(
    order=7,
    name="associations",
    weight=0.005,
    seed_weight=0.02,
    source="degree in the graph of links / 20, capped at 1",
)
def associations(candidates: Candidates) -> FloatArray:
    """How connected a candidate is.

    Returns:
        Shape (n,) in [0, 1].
    """
    return beside(candidates, "degree")


@signal(
    order=22,
    name="weight",
    weight=0.02,
    seed_weight=0.10,
    source="synaptic weight, raised by use and consolidation and lowered by decay",
)
def weight(candidates: Candidates) -> FloatArray:
    """How much more synaptic weight a candidate has than the lightest one.

    Returns:
        Shape (n,) in [0, 1].
    """
    return beside(candidates, "weight")
