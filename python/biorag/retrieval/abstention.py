"""Answer, offer as related, or abstain."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from biorag.kernels.index import RankedCandidates
from biorag.model import Calibration, Certainty
from biorag.retrieval.candidates import Pool
from biorag.signals import FloatArray

# Where the store is not calibrated, a memory is judged by the share of the question that it holds.
DIRECT_SHARE = 0.60
RELATED_SHARE = 0.35

# A memory that holds every word of the question speaks to it, however common the words are. Of
# questions that nothing answers, 2 in 1,000 have one.
COMPLETE_SHARE = 0.999

# A hub's confidence from which the question is what a bridge says, in its words or others'.
SURE_HUB = 0.75

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
    _ranked: RankedCandidates
    _named: npt.NDArray[np.bool_]
    _first: int | None
    _calibration: Calibration | None
    _is_silent: bool

    @property
    def abstains(self) -> bool:
        """Whether nothing stored answers the question, as far as can be told."""
        return self.certainty == "sin_evidencia_directa" and (
            self._calibration is not None or self._is_silent
        )

    def of(self, row: int | None) -> tuple[Certainty, float | None]:
        """The certainty and the calibrated confidence of a candidate; `None` is below the pool.

        The first of the ranking is as sure as the question itself; the others by their evidence.
        """
        calibration = self._calibration
        if row is None:
            if calibration is None:
                return "sin_evidencia_directa", None
            return "sin_evidencia_directa", _probability(0.0, calibration)
        if self._named[row]:
            return "evidencia_directa", None if calibration is None else NAMED_CONFIDENCE
        share = float(self._ranked.coverage[row])
        if calibration is None:
            return _by_share(share), None
        evidence = 1.0 if row == self._first else float(self._ranked.evidence[row])
        value = evidence * self.value
        return _level(value, share, calibration), _probability(value, calibration)


def judge(pool: Pool, first: int | None, calibration: Calibration | None) -> Verdict:
    """Judges whether the candidates of a question answer it.

    A question that is a memory's name, that quotes its words, or that all but says one of its
    bridges is answered by that memory.

    Args:
        pool: The candidates.
        first: The row of the best one; `None` when there is none.
        calibration: Of the store; `None` abstains only when no candidate holds a word of the
            question, and no hub says that one of them is meant.
    """
    ranked = pool.ranked
    share = float(ranked.coverage.max(initial=0.0))
    named = pool.named_exactly | ranked.named | pool.holds_phrase | (_led_to(pool) >= SURE_HUB)
    if named.any():
        certainty: Certainty = "evidencia_directa"
    elif calibration is not None:
        certainty = _level(ranked.certainty, share, calibration)
    else:
        certainty = _by_share(share)
    led = pool.brought.get("hub", frozenset()).intersection(ranked.ids.tolist())
    silent = share <= 0.0 and not led
    return Verdict(certainty, ranked.certainty, ranked, named, first, calibration, silent)


def _led_to(pool: Pool) -> FloatArray:
    """How sure a hub is that the question means each candidate, shape (n,)."""
    found = pool.beside.get("hub_confidence")
    return np.zeros(pool.size) if found is None else found


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
