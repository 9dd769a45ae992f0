"""The table of ranking signals: the only place that knows how many there are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from biorag.kernels.index import RankedCandidates
from biorag.kernels.ranking import Shares

FloatArray = npt.NDArray[np.float64]


class Candidates(Protocol):
    """What a signal may read of the n candidates that it scores.

    Attributes:
        ranked: What the index found, one row a candidate.
        query: The question as asked.
        named_exactly: Shape (n,); whether the question is the candidate's name, letter for letter
            but for case, spaces and `_`.
        key_noun_share: Shape (n,); share of the caller's key nouns that the candidate holds.
        relevance: What makes up each candidate's relevance.
        trust_in_order: How far the order of storage means something, in [0, 1].
        beside: Evidence beside the words, each of shape (n,), by name; what is absent says nothing.
    """

    @property
    def ranked(self) -> RankedCandidates:
        """What the index found."""

    @property
    def query(self) -> str:
        """The question as asked."""

    @property
    def named_exactly(self) -> npt.NDArray[np.bool_]:
        """Shape (n,)."""

    @property
    def key_noun_share(self) -> FloatArray:
        """Shape (n,) in [0, 1]."""

    @property
    def relevance(self) -> Shares:
        """What makes up each candidate's relevance."""

    @property
    def trust_in_order(self) -> float:
        """In [0, 1]."""

    @property
    def beside(self) -> Mapping[str, FloatArray]:
        """Each of shape (n,)."""


SignalFunction = Callable[[Candidates], FloatArray]


@dataclass(frozen=True, slots=True)
class Signal:
    """One ranking signal: what it is called, how much it counts, and how to compute it.

    Attributes:
        order: Its column in the feature matrix; a trained network depends on it, so a column is
            never reused.
        weight: Share in the weighted mean under the fitted profile.
        seed_weight: The same under the original system's profile.
        joint: Signals of one joint are parts of one whole: their values add up to at most 1, and
            the largest of their weights counts once in the sum that the mean is divided by.
        bonus: What a value of 1 adds to the logit of the score instead; such a signal has no share
            in the mean.
    """

    order: int
    name: str
    weight: float
    seed_weight: float
    bonus: float
    source: str
    score: SignalFunction
    joint: str | None = None


_signals: dict[int, Signal] = {}


def signal(
    *,
    order: int,
    name: str,
    source: str,
    weight: float = 0.0,
    seed_weight: float = 0.0,
    bonus: float = 0.0,
    joint: str | None = None,
) -> Callable[[SignalFunction], SignalFunction]:
    """Enter the decorated function in the table under a column and a name of its own."""

    def register(score: SignalFunction) -> SignalFunction:
        if order in _signals or any(name == known.name for known in _signals.values()):
            raise ValueError(f"signal {order} ({name}) is already registered")
        _signals[order] = Signal(order, name, weight, seed_weight, bonus, source, score, joint)
        return score

    return register


def beside(candidates: Candidates, name: str) -> FloatArray:
    """A kind of evidence beside the words, shape (n,); all 0 where it has nothing to say."""
    found = candidates.beside.get(name)
    return np.zeros(candidates.ranked.ids.size) if found is None else found


def all_signals() -> tuple[Signal, ...]:
    """Every signal, by column."""
    return tuple(_signals[order] for order in sorted(_signals))
