"""Answer, offer as related, or abstain."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from biorag.model import Calibration, Certainty
from biorag.retrieval.candidates import Pool

# Where the store is not calibrated, a memory is judged by the share of the question that it holds.
DIRECT_SHARE = 0.60
RELATED_SHARE = 0.35

# A memory that holds every word of the question speaks to it, however common the words are. Of
# questions that nothing answers, 2 in 1,000 have one.
COMPLETE_SHARE = 0.999

NAMED_CONFIDENCE = 0.99  # who asks by name means that memory, whatever its text


@dataclass(frozen=True, slots=True)
class Verdict:
    """What can be said of a question and of each candidate.

    Attributes:
        certainty: Of the question.
        value: The statistic C of the question.
    """

    certainty: Certainty
    value: float
    _pool: Pool
    _first: int | None
    _calibration: Calibration | None

    @property
    def abstains(self) -> bool:
        """Whether nothing stored answers the question, as far as can be told."""
        return self.certainty == "sin_evidencia_directa" and (
            self._calibration is not None or not self._pool.size
        )

    def of(self, row: int | None) -> tuple[Certainty, float | None]:
        """The certainty and the calibrated confidence of a candidate; `None` is below the pool.

        The first of the ranking is as sure as the question itself; the others by their evidence.
        """
        if row is not None and _is_named(self._pool, row):
            return "evidencia_directa", None if self._calibration is None else NAMED_CONFIDENCE
        if self._calibration is None:
            share = 0.0 if row is None else float(self._pool.ranked.coverage[row])
            return _by_share(share), None
        if row is None:
            evidence = 0.0
        elif row == self._first:
            evidence = 1.0
        else:
            evidence = float(self._pool.ranked.evidence[row])
        value = evidence * self.value
        share = 0.0 if row is None else float(self._pool.ranked.coverage[row])
        level = _level(value, share, self._calibration)
        return level, _probability(value, self._calibration)


def judge(pool: Pool, first: int | None, calibration: Calibration | None) -> Verdict:
    """Judges whether the candidates of a question answer it.

    A question that is a memory's name, or that quotes its words, is answered by that memory.

    Args:
        pool: The candidates.
        first: The row of the best one; `None` when there is none.
        calibration: Of the store; `None` abstains only when there is no candidate.
    """
    value = pool.ranked.certainty
    share = float(pool.ranked.coverage.max(initial=0.0))
    if bool(np.any(pool.named_exactly | pool.ranked.named | pool.holds_phrase)):
        certainty: Certainty = "evidencia_directa"
    elif calibration is not None:
        certainty = _level(value, share, calibration)
    else:
        certainty = _by_share(share)
    return Verdict(certainty, value, pool, first, calibration)


def _is_named(pool: Pool, row: int) -> bool:
    return bool(pool.named_exactly[row] or pool.ranked.named[row] or pool.holds_phrase[row])


def _level(value: float, share: float, calibration: Calibration) -> Certainty:
    if value <= calibration.abstain_at and share < COMPLETE_SHARE:
        return "sin_evidencia_directa"
    if value <= calibration.direct_above:
        return "relacionado_confianza_media"
    return "evidencia_directa"


def _by_share(share: float) -> Certainty:
    if share >= DIRECT_SHARE:
        return "evidencia_directa"
    if share >= RELATED_SHARE:
        return "relacionado_confianza_media"
    return "sin_evidencia_directa"


def _probability(value: float, calibration: Calibration) -> float:
    return 1.0 / (1.0 + math.exp(-(calibration.slope * value + calibration.intercept)))
