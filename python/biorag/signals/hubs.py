"""Signals of Concept Hubs."""

from __future__ import annotations

from biorag.signals.registry import Candidates, FloatArray, beside, signal


@signal(
    order=10,
    name="hub_match",
    weight=0.08,
    seed_weight=0.2,
    source="bridges of five angles that lead a question to a memory in other words",
)
def hub_match(candidates: Candidates) -> FloatArray:
    """How far bridges lead from the question to each candidate, or to what it is linked to.

    Returns:
        Shape (n,) in [0, 1]; all 0 where no hub is meant.
    """
    return beside(candidates, "hub_match")
