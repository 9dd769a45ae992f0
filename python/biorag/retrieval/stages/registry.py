"""The table of stages after the score: the only place that knows which there are.

A stage changes the order of candidates by changing their scores. It never takes one out: what is
not shown on the first page is on a later one, whatever a stage thinks of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from biorag.retrieval.candidates import Pool
from biorag.retrieval.query import Question
from biorag.settings import Settings
from biorag.signals import FloatArray


@dataclass(frozen=True, slots=True)
class Standing:
    """The n candidates of a question as they stand before a stage.

    Attributes:
        scores: Shape (n,) in [0, 1], by row of the pool.
        order: Shape (n,); rows, best first.
    """

    pool: Pool
    question: Question
    settings: Settings
    scores: FloatArray
    order: npt.NDArray[np.intp]

    def promoted(self, order: npt.NDArray[np.intp]) -> FloatArray:
        """The scores dealt out anew so that the rows stand in this order.

        The rows of `order` share the scores that they had, the highest going to the new first: the
        set of candidates and the list of scores stay as they were.

        Args:
            order: Shape (m,); the first m rows of the standing, in their new order.
        """
        scores = self.scores.copy()
        scores[order] = self.scores[self.order[: order.size]]
        return scores


StageFunction = Callable[[Standing], FloatArray]


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage: where it comes, what it is called, and how it changes the scores.

    Attributes:
        is_on: Whether the settings want it.
    """

    order: int
    name: str
    is_on: Callable[[Settings], bool]
    apply: StageFunction


_stages: dict[int, Stage] = {}


def stage(
    *, order: int, name: str, is_on: Callable[[Settings], bool]
) -> Callable[[StageFunction], StageFunction]:
    """Enters the decorated function in the table at a place and under a name of its own."""

    def register(apply: StageFunction) -> StageFunction:
        if order in _stages or any(name == known.name for known in _stages.values()):
            raise ValueError(f"stage {order} ({name}) is already registered")
        _stages[order] = Stage(order, name, is_on, apply)
        return apply

    return register


def all_stages() -> tuple[Stage, ...]:
    """Every stage, in the order in which they come."""
    return tuple(_stages[order] for order in sorted(_stages))
