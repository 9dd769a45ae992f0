"""The weighted score: every signal once, then what only a bonus can say."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from biorag.retrieval.candidates import Pool
from biorag.signals import FloatArray, Signal, all_signals

PHRASE_BONUS = 1.0  # logit; a quoted phrase is what the user insists on, a name means more
_EDGE = 1e-6  # keeps logits finite


@dataclass(frozen=True, slots=True)
class Scored:
    """The pool's scores, and what each signal gave.

    Attributes:
        order: Shape (n,); rows of the pool, best first, ties by the exact name and the number.
        scores: Shape (n,) in [0, 1], by row of the pool.
        values: Shape (n, s); each signal's value, by row and by position in `signals`.
        weights: Shape (s,); each signal's weight, 0 for one that cannot speak.
        total: What the weighted sum is divided by.
        signals: The signals, by column.
    """

    order: npt.NDArray[np.intp]
    scores: FloatArray
    values: FloatArray
    weights: FloatArray
    total: float
    signals: tuple[Signal, ...]

    def order_of(self, scores: FloatArray, ids: npt.NDArray[np.int64]) -> npt.NDArray[np.intp]:
        """Rows by these scores, best first, ties by the exact name and the smaller id."""
        exact = self.values[:, _column(self.signals, "exact_match")]
        return np.lexsort((ids, -exact, -scores))

    def tie_order(
        self, rows: npt.NDArray[np.intp], ids: npt.NDArray[np.int64], created_at: FloatArray
    ) -> npt.NDArray[np.intp]:
        """The order of some rows: score, then the exact name, the newer memory, the smaller id.

        Args:
            rows: Shape (m,); rows of the pool.
            ids: Shape (n,).
            created_at: Shape (m,); of these rows.

        Returns:
            Shape (m,); positions in `rows`.
        """
        exact = self.values[rows, _column(self.signals, "exact_match")]
        return np.lexsort((ids[rows], -created_at, -exact, -self.scores[rows]))


def score(pool: Pool, *, formula: str, without: Collection[str] = ()) -> Scored:
    """Scores the pool: sum of w * s over sum of w, then the bonuses in logit space.

    A signal that is 0 for every candidate has nothing to say of this question (no memory has
    synonyms, no key noun was given), so its weight is left out rather than held against all.

    Args:
        pool: The candidates.
        formula: `ajustada` or `semilla`, the profile of weights.
        without: Names of signals to leave out.
    """
    signals = all_signals()
    values = np.empty((pool.size, len(signals)))
    for column, signal in enumerate(signals):
        values[:, column] = signal.score(pool)
    seed = formula == "semilla"
    weights = np.array([signal.seed_weight if seed else signal.weight for signal in signals])
    if without:
        values[:, [signal.name in without for signal in signals]] = 0.0
    return weigh(values, weights, signals, ids=pool.ranked.ids, holds_phrase=pool.holds_phrase)


def weigh(
    values: FloatArray,
    weights: FloatArray,
    signals: tuple[Signal, ...],
    *,
    ids: npt.NDArray[np.int64],
    holds_phrase: npt.NDArray[np.bool_],
) -> Scored:
    """The formula itself, over values of signals that are known.

    Args:
        values: Shape (n, s) in [0, 1].
        weights: Shape (s,), each signal's.
        signals: The s signals, by column.
        ids: Shape (n,).
        holds_phrase: Shape (n,).
    """
    if ids.size:
        weights = weights * (values.max(axis=0) > 0.0)
    total = _total(signals, weights)
    mean = values @ weights / total if total > 0.0 else np.zeros(ids.size)
    bonus = values @ np.array([signal.bonus for signal in signals])
    bonus = bonus + PHRASE_BONUS * holds_phrase
    scores = _shifted(mean, bonus)
    exact = values[:, _column(signals, "exact_match")]
    order = np.lexsort((ids, -exact, -scores))
    return Scored(
        order=order, scores=scores, values=values, weights=weights, total=total, signals=signals
    )


def _total(signals: tuple[Signal, ...], weights: FloatArray) -> float:
    """The sum of the weights, a joint's largest one standing for all of it."""
    joints: dict[str, float] = {}
    alone = 0.0
    for signal, weight in zip(signals, weights.tolist(), strict=True):
        if signal.joint is None:
            alone += weight
        else:
            joints[signal.joint] = max(weight, joints.get(signal.joint, 0.0))
    return alone + sum(joints.values())


def _shifted(scores: FloatArray, bonus: FloatArray) -> FloatArray:
    """Adds a bonus in logit space, where it lifts a middling score most and never passes 1."""
    lifted = bonus > 0.0
    if not lifted.any():
        return scores
    inside = np.clip(scores, _EDGE, 1.0 - _EDGE)
    logit = np.log(inside / (1.0 - inside)) + bonus
    return np.where(lifted, 1.0 / (1.0 + np.exp(-logit)), scores)


def _column(signals: tuple[Signal, ...], name: str) -> int:
    return next(column for column, signal in enumerate(signals) if signal.name == name)
