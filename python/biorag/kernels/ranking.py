"""What compares a pool of candidates with the question, one call for the whole pool."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from biorag import _native
from biorag.errors import ShapeError
from biorag.kernels.arrays import FloatArray, float_array, int_array


class Shares(NamedTuple):
    """What makes up the relevance of n candidates, each of shape (n,) in [0, 1].

    Attributes:
        words: What its own words give.
        loan: What its neighbours lend.
        fit: What it gains by fitting the question beyond words.
    """

    words: FloatArray
    loan: FloatArray
    fit: FloatArray


def share_out(
    *,
    bm25: npt.NDArray[np.float32],
    function_words: npt.NDArray[np.float32],
    lent: npt.NDArray[np.float32],
    fit: npt.NDArray[np.float32],
    share: float,
) -> Shares:
    """BM25 normalised within the question, (v - lo) / (hi - lo) * min(1, hi), in its parts.

    The relevance of a candidate is `(own + lent) * fit` with `own = bm25 + share *
    function_words`; lo is the pool's least own score (0 where all are alike), hi its largest
    relevance. The factor min(1, hi) keeps a pool whose best match is weak from looking strong.

    Args:
        bm25: Shape (n,), from 0.
        function_words: Shape (n,), from 0.
        lent: Shape (n,), from 0, in the same unit.
        fit: Shape (n,), a factor from 0; below 1 it lowers words and loan.
        share: What function words count beside content words, from 0.

    Returns:
        Three parts that add up to at most 1 for each candidate.

    Raises:
        KernelInputError: a value is negative or not finite, or the shapes differ.
    """
    return Shares(*_native.share_out(bm25, function_words, lent, fit, share))


def jensen_shannon_similarity(
    query_counts: npt.ArrayLike, counts: npt.ArrayLike, lengths: npt.ArrayLike
) -> FloatArray:
    """1 - sqrt(JSD) between the question's term distribution and each candidate's.

    Base-2 logarithms and no smoothing: terms that only one side has need no counting, because
    their share of the divergence follows from the lengths (Lin 1991; the root is a metric, Endres
    & Schindelin 2003).

    Args:
        query_counts: Shape (m,): count of each term in the question; fractions are fine.
        counts: Shape (n, m): count of each of those terms in each candidate.
        lengths: Shape (n,): count of all terms of each candidate.

    Returns:
        Shape (n,) in [0, 1]; exactly 0 for a candidate with none of the terms.

    Raises:
        ShapeError: the three do not fit each other.
        KernelInputError: a count is negative or not finite, the question's counts sum to 0, or
            a row adds up to more than its length.
    """
    query_counts = float_array("query_counts", query_counts)
    counts = float_array("counts", counts, ndim=2)
    lengths = float_array("lengths", lengths)
    expected = (lengths.size, query_counts.size)
    if counts.shape != expected:
        raise ShapeError(f"counts: expected shape {expected}, found {counts.shape}")
    return _native.jensen_shannon_similarity(query_counts, counts, lengths)


@dataclass(frozen=True, slots=True, kw_only=True)
class LimbicParameters:
    """The constants of the limbic ranking; other values are tried by passing another object.

    Attributes:
        beta_salience: Weight of importance in the score.
        beta_degree: Weight of the degree within importance.
        degree_cap: Degree from which more relations add nothing.
        decay_per_hour: Rate of the exponential decay: half is left after 289 days.
        gamma: Weight of co-occurrence in the score.
        temporal_floor: Least temporal factor.
        cooccurrence_floor: Least temporal factor of a co-occurrence.
        rrf_k: Constant of reciprocal rank fusion, by which the candidates were merged.
        expansion_factor: How many times the asked number of candidates each source brings.
    """

    beta_salience: float = 0.5
    beta_degree: float = 0.15
    degree_cap: float = 15.0
    decay_per_hour: float = 1e-4
    gamma: float = 0.01
    temporal_floor: float = 0.1
    cooccurrence_floor: float = 0.1
    rrf_k: int = 60
    expansion_factor: int = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class LimbicCandidates:
    """What is known of n candidates, one entry each; hours count back from the request's clock.

    Attributes:
        ids: Node ids, all different.
        base: Relevance to the question, from 0.
        accesses: How often each was accessed, at most `max_accesses`.
        degrees: How many active relations each has, none twice.
        hours: Since the last access, else since creation; the future (negative) counts as 0.
        max_accesses: The most accesses that any candidate has; 0 makes every importance 0.
    """

    ids: npt.ArrayLike
    base: npt.ArrayLike
    accesses: npt.ArrayLike
    degrees: npt.ArrayLike
    hours: npt.ArrayLike
    max_accesses: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CooccurrenceRows:
    """What n candidates were seen together with, in compressed sparse row form.

    Attributes:
        row_starts: Shape (n + 1,): entries `row_starts[i]:row_starts[i + 1]` are candidate i's.
        neighbours: Shape (e,): node ids; those that are no candidate are skipped.
        counts: Shape (e,): how often the pair was seen.
        hours: Shape (e,): since it was last seen; the future (negative) counts as 0.
    """

    row_starts: npt.ArrayLike
    neighbours: npt.ArrayLike
    counts: npt.ArrayLike
    hours: npt.ArrayLike


class LimbicScores(NamedTuple):
    """The scores and the factors that made them, each of shape (n,) in the candidates' order.

    Attributes:
        scores: base * (1 + beta_salience * importance) * temporal * (1 + gamma * cooccurrence).
        importance: Share of accesses, raised by the degree; 0 to 1 + beta_degree.
        temporal: Decay since the last access, temporal_floor to 1.
        cooccurrence: Sum over the other candidates, from 0 and unbounded.
    """

    scores: FloatArray
    importance: FloatArray
    temporal: FloatArray
    cooccurrence: FloatArray


DEFAULT_LIMBIC = LimbicParameters()


def limbic_scores(
    candidates: LimbicCandidates,
    rows: CooccurrenceRows,
    parameters: LimbicParameters = DEFAULT_LIMBIC,
) -> LimbicScores:
    """The limbic score of every candidate: relevance times salience, recency and company.

    Raises:
        ShapeError: the arrays do not fit each other.
        KernelInputError: a count or base is negative or not finite, an hour is NaN, an id comes
            twice, a candidate has more accesses than `max_accesses`, the row starts do not rise
            from 0 to e, or a parameter lies outside its range.
    """
    return LimbicScores(
        *_native.limbic_scores(
            (
                int_array("ids", candidates.ids),
                float_array("base", candidates.base),
                float_array("accesses", candidates.accesses),
                float_array("degrees", candidates.degrees),
                float_array("hours", candidates.hours),
            ),
            candidates.max_accesses,
            (
                int_array("row_starts", rows.row_starts),
                int_array("neighbours", rows.neighbours),
                float_array("counts", rows.counts),
                float_array("hours of co-occurrences", rows.hours),
            ),
            parameters,
        )
    )
