"""The figures of a ranking, by the field's own library, and how sure one can be of them.

nDCG takes 2**grade - 1 as a document's gain (Burges et al. 2005), so that one complete answer
outweighs several of minimum interest; with grades of one only, as in most corpora, it is the usual
figure. R@k is the share of a question's relevant documents among the first k (fractional recall);
Success@k asks whether any is there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from biorag.errors import MissingExtraError
from biorag.evaluation.collections import Asked
from biorag.evaluation.corpus import HIGHEST_GRADE

try:
    import ir_measures
    from ir_measures import RR, R, Success, nDCG
except ImportError as error:
    raise MissingExtraError(str(error.name), "bench") from error

FloatArray = npt.NDArray[np.float64]

_GAINS = {grade: 2**grade - 1 for grade in range(1, HIGHEST_GRADE + 1)}
_MEASURES = {
    "nDCG@10": nDCG(gains=_GAINS) @ 10,
    "RR@10": RR @ 10,
    "R@1": R @ 1,
    "R@5": R @ 5,
    "R@10": R @ 10,
    "R@20": R @ 20,
    "Success@1": Success @ 1,
    "Success@5": Success @ 5,
    "Success@10": Success @ 10,
}
MEASURES = tuple(_MEASURES)
HEADLINE = ("nDCG@10", "R@5", "RR@10")

RESAMPLES = 2_000
BOOTSTRAP_SEED = 20_240_609


def figures(
    questions: Sequence[Asked], rankings: Mapping[str, Sequence[str]]
) -> dict[str, FloatArray]:
    """Each measure's value for each question.

    Args:
        questions: Questions that have at least one relevant document.
        rankings: Question key to document ids, best first. A question without one scores 0.

    Returns:
        Measure to an array of shape (n,) in [0, 1], in the order of the questions.
    """
    place = {asked.key: row for row, asked in enumerate(questions)}
    values = {name: np.zeros(len(questions)) for name in MEASURES}
    relevant = {asked.key: dict(asked.grades) for asked in questions}
    # The library orders by score; ranks turned round say the same without ties.
    runs = {
        key: {document: float(len(ranked) - rank) for rank, document in enumerate(ranked)}
        for key in place
        if (ranked := rankings.get(key, ()))
    }
    name_of = {measure: name for name, measure in _MEASURES.items()}
    if runs:
        for value in ir_measures.iter_calc(list(_MEASURES.values()), relevant, runs):
            values[name_of[value.measure]][place[value.query_id]] = value.value
    return values


def bootstrap_means(columns: FloatArray) -> FloatArray:
    """Means of each column over questions drawn again with replacement.

    All columns see the same draws, so the difference of two is a paired comparison.

    Args:
        columns: Shape (n questions, m).

    Returns:
        Shape (`RESAMPLES`, m); the same for the same input.
    """
    n = len(columns)
    random = np.random.default_rng(BOOTSTRAP_SEED)
    means = np.empty((RESAMPLES, columns.shape[1]))
    for row in means:
        times_drawn = np.bincount(random.integers(n, size=n), minlength=n)
        row[:] = times_drawn @ columns / n
    return means


def interval(means: FloatArray) -> tuple[float, float]:
    """The middle 95 % of bootstrap means of shape (`RESAMPLES`,)."""
    low, high = np.percentile(means, (2.5, 97.5))
    return float(low), float(high)
