"""Leads the scored pool through the stages, and remembers what each moved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from biorag.retrieval.candidates import Pool
from biorag.retrieval.fusion import Scored
from biorag.retrieval.query import Question
from biorag.retrieval.stages import Standing, all_stages
from biorag.settings import Settings

Moves = Mapping[str, npt.NDArray[np.intp]]
"""Stage to, by row of the pool, how many places it moved a candidate up (down when negative)."""


def pass_stages(
    scored: Scored, pool: Pool, question: Question, settings: Settings, *, explain: bool
) -> tuple[Scored, Moves]:
    """The pool after every stage that the settings want, in order.

    Args:
        scored: The formula's scores.
        pool: The candidates.
        question: What was asked.
        settings: Switches.
        explain: Remember what each stage moved.

    Returns:
        The new scores and order; moves are empty unless they are to be explained.
    """
    moves: dict[str, npt.NDArray[np.intp]] = {}
    if not pool.size or not settings.monotone:
        return scored, moves
    scores, order = scored.scores, scored.order
    for stage in all_stages():
        if not stage.is_on(settings) or stage.name in settings.without:
            continue
        changed = stage.apply(Standing(pool, question, settings, scores, order))
        if changed is scores:
            continue
        before, scores = order, changed
        order = scored.order_of(scores, pool.ranked.ids)
        if explain:
            moves[stage.name] = _places(before) - _places(order)
    return replace(scored, scores=scores, order=order), moves


def _places(order: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    places = np.empty(order.size, dtype=np.intp)
    places[order] = np.arange(order.size)
    return places
