"""How sure the engine must look before it answers, learnt from questions that it cannot answer.

Split conformal prediction (Vovk et al. 2005): of n questions that nothing here answers, the
ceil((n + 1)(1 - alpha))-th smallest certainty is a threshold that another such question passes with
a probability of alpha at most. The promise holds for questions like those: made from the store with
what they were made from hidden, and foreign ones. It is no promise about the questions of one user.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from biorag.kernels.index import TextIndex
from biorag.kernels.lexicon import Lexicon
from biorag.learning.self_questions import QuestionMaker, SelfQuestion, foreign_questions
from biorag.model import Calibration

METHOD = "gram-bm25-1"  # names the statistic and the negatives: of another make, it is done again
FEWEST_MEMORIES = 30  # fewer give no distribution worth the name
DRIFT = 0.2  # change of the number of memories after which it is done again
SEED = 20_240_611

NEAR_SHARE = 0.01  # hidden with the memory: the question's own neighbourhood
WIDE_SHARE = 0.05  # its whole region

# A foreign question counts as three: with one, what is far from everything would weigh less than
# what is far from its own region, and long conversations lose a good answer in ten.
FOREIGN_WEIGHT = 3

# A store that tells its own questions clearly from the near negatives can afford to refuse those,
# too, and a little more than the near threshold does; one self-made question in twenty may be lost.
LOST_SELF_QUESTIONS = 0.05
NEAR_CAUTION = 0.8

NEWTON_STEPS = 25
LEAST_CURVATURE = 1e-6


@dataclass(frozen=True, slots=True)
class Certainties:
    """What the statistic gave for questions of each kind; `answerable` are about what is there."""

    near: tuple[float, ...]
    wide: tuple[float, ...]
    foreign: tuple[float, ...]
    answerable: tuple[float, ...]


def why_due(
    known: Calibration | None, memories: int, alpha: float, *, asked: bool = False
) -> Literal["first", "drift", "alpha"] | None:
    """Why a store of so many memories needs another calibration; `None` when it does not.

    Args:
        known: What is known of it.
        memories: How many it holds now.
        alpha: What is wanted: the setting, or by hand.
        asked: A caller wants this alpha. Otherwise one that a caller asked for before stays.
    """
    if known is None or known.method != METHOD:
        return "first"
    if abs(memories - known.memories) > DRIFT * known.memories:
        return "drift"
    keeps = known.by_hand and not asked
    return None if keeps or known.requested_alpha == alpha else "alpha"


def measure(
    index: TextIndex, lexicon: Lexicon | None, *, meanings: bool, spellings: bool, count: int
) -> Certainties:
    """Asks questions of each kind; the same for the same store, whoever asks.

    Args:
        index: Of the store.
        lexicon: As a recall has it.
        meanings: Whether translations and synonyms are searched.
        spellings: Whether corrections are searched.
        count: Questions of each kind that is made from the store; the foreign ones are all asked.
    """

    def certainty(text: str, hidden: Sequence[int]) -> float:
        question = index.prepare(
            text, lexicon, protected=[], meanings=meanings, spellings=spellings
        )
        return index.certainty(question, list(hidden))

    def of(questions: Sequence[SelfQuestion]) -> tuple[float, ...]:
        return tuple(certainty(question.text, question.hidden) for question in questions)

    make = QuestionMaker(index, seed=SEED).questions
    return Certainties(
        near=of(make(count, hidden_share=NEAR_SHARE)),
        wide=of(make(count, hidden_share=WIDE_SHARE)),
        foreign=tuple(certainty(question, ()) for question in foreign_questions()),
        answerable=of(make(count)),
    )


def calibrated(
    found: Certainties, *, alpha: float, by_hand: bool, memories: int, at: float
) -> Calibration:
    """Thresholds and the probability scale for these certainties.

    Args:
        found: From `measure`.
        alpha: Share of unanswerable questions that may be answered, in (0, 1).
        by_hand: A caller asked for this alpha; the settings' is not to replace it.
        memories: How many the store holds.
        at: Seconds since 1970-01-01T00:00:00Z.
    """
    far = (*found.wide, *FOREIGN_WEIGHT * found.foreign)
    near_threshold = conformal_threshold(found.near, alpha)
    affordable = quantile(found.answerable, LOST_SELF_QUESTIONS)
    cautious = min(conformal_threshold(found.near, NEAR_CAUTION * alpha), affordable)
    abstain_at = max(conformal_threshold(far, alpha), cautious)
    slope, intercept = platt(found.answerable, far)
    return Calibration(
        abstain_at=abstain_at,
        direct_above=max(near_threshold, abstain_at),
        alpha=effective_alpha(alpha, min(len(found.near), len(far))),
        requested_alpha=alpha,
        by_hand=by_hand,
        slope=slope,
        intercept=intercept,
        near=len(found.near),
        wide=len(found.wide),
        foreign=len(found.foreign),
        answerable=len(found.answerable),
        memories=memories,
        method=METHOD,
        calibrated_at=at,
    )


def effective_alpha(alpha: float, count: int) -> float:
    """The alpha that so many negatives can promise: not below 1 / (n + 1)."""
    return max(alpha, 1.0 / (count + 1))


def conformal_threshold(values: Sequence[float], alpha: float) -> float:
    """The ceil((n + 1)(1 - alpha))-th smallest of n values; alpha not below 1 / (n + 1).

    Raises:
        ValueError: there are no values.
    """
    if not values:
        raise ValueError("a threshold needs at least one negative")
    n = len(values)
    share = 1.0 - effective_alpha(alpha, n)
    # A product that is whole but for the last bit must not be rounded up.
    rank = math.ceil((n + 1) * share - 1e-9)
    return sorted(values)[min(max(rank, 1), n) - 1]


def quantile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least `share` of the values do not exceed; 0 for no values."""
    if not values:
        return 0.0
    rank = math.ceil(share * len(values) - 1e-9)
    return sorted(values)[min(max(rank, 1), len(values)) - 1]


def platt(positives: Sequence[float], negatives: Sequence[float]) -> tuple[float, float]:
    """Slope and intercept of P(answerable | C) = 1 / (1 + exp(-(slope * C + intercept))).

    Platt 1999 with his smoothed targets, by Newton's method; both kinds weigh the same, so the
    probability is that of a mix of as many answerable questions as others.

    Returns:
        The slope is never negative: more certainty is never less probable.
    """
    if not positives or not negatives:
        return 0.0, 0.0
    high = (len(positives) + 1.0) / (len(positives) + 2.0)
    low = 1.0 / (len(negatives) + 2.0)
    cases = [(value, high, 0.5 / len(positives)) for value in positives]
    cases += [(value, low, 0.5 / len(negatives)) for value in negatives]
    slope = intercept = 0.0
    for _ in range(NEWTON_STEPS):
        gradient_slope = gradient_intercept = 0.0
        slope_slope = slope_intercept = intercept_intercept = 0.0
        for value, target, weight in cases:
            p = 1.0 / (1.0 + math.exp(-(slope * value + intercept)))
            error = weight * (p - target)
            curvature = weight * p * (1.0 - p)
            gradient_slope += error * value
            gradient_intercept += error
            slope_slope += curvature * value * value
            slope_intercept += curvature * value
            intercept_intercept += curvature
        slope_slope += LEAST_CURVATURE
        intercept_intercept += LEAST_CURVATURE
        determinant = slope_slope * intercept_intercept - slope_intercept**2
        slope -= (
            intercept_intercept * gradient_slope - slope_intercept * gradient_intercept
        ) / determinant
        intercept -= (
            slope_slope * gradient_intercept - slope_intercept * gradient_slope
        ) / determinant
    return max(slope, 0.0), intercept
