"""What the values of semantic axes say: which are asked for, and which the pool has in common."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from biorag.kernels.index import RankedCandidates
from biorag.retrieval.axis_values import AxisValues
from biorag.retrieval.evidence.registry import evidence
from biorag.retrieval.knowledge import Inquiry
from biorag.signals import FloatArray
from biorag.storage.axis_values import values_held

IntArray = npt.NDArray[np.int64]

LEXICAL = 3  # candidates matched by words, below which their dimensions mean nothing
TOP = 5  # whose dimensions become the question's
AGREEING = 2  # of the top that must have a value: one alone says nothing of the question

MEMBERS = 50  # of the pool that each candidate is compared with
LEAST_SIMILARITY = 0.1
AMPLIFIED = 3.0  # a pool is rarely of one theme: a third of it in common counts as all


@evidence(name="dimensions", lane="dimensions")
def dimensional(inquiry: Inquiry, ranked: RankedCandidates) -> Mapping[str, FloatArray]:
    """How far candidates share the question's dimensions, and those of the pool.

    `dimensions`: sqrt(sum of w^2 over shared values) over sqrt(sum of w^2 over the question's),
    w the confidence of a value that an agent brought and 1 of the catalogue's. The question's are
    those that the caller gave; without any, and with `LEXICAL` candidates that match by words,
    those of the best `TOP` that `AGREEING` of them have (pseudo-relevance).

    `thematic`: mean similarity to the first `MEMBERS` of the pool, itself aside, similarities up to
    `LEAST_SIMILARITY` as 0, times `AMPLIFIED`, at most 1. Similarity is Jaccard over the shared
    values weighted by idf = ln(N / n); the original counted those that both lack.

    Returns:
        Each of shape (n,) in [0, 1].
    """
    known = inquiry.having.axis_values
    if known is None:
        return {}
    rows, values = _held(inquiry, ranked, known)
    asked = _asked(inquiry, ranked, rows, values, known)
    return {
        "dimensions": _overlap(ranked.ids.size, rows, values, asked, known),
        "thematic": _theme(ranked.ids.size, rows, values, len(inquiry.having.index), known),
    }


def _held(
    inquiry: Inquiry, ranked: RankedCandidates, known: AxisValues
) -> tuple[IntArray, IntArray]:
    """Row by row of the pool the ids of its values, each of shape (k,)."""
    ids = ranked.ids.astype(np.int64)
    held, values = map(_numbers, values_held(inquiry.having.connection, ids.tolist()))
    known_already = values < known.size
    by_id = np.argsort(ids, kind="stable")
    rows = by_id[np.searchsorted(ids, held[known_already], sorter=by_id)]
    return rows, values[known_already]


def _numbers(text: str) -> IntArray:
    return np.fromstring(text, dtype=np.int64, sep=",") if text else np.zeros(0, dtype=np.int64)


def _asked(
    inquiry: Inquiry,
    ranked: RankedCandidates,
    rows: IntArray,
    values: IntArray,
    known: AxisValues,
) -> list[tuple[int | None, float]]:
    """The id and the weight of each value that the question is taken to ask for."""
    given = inquiry.request.dimensions
    if given:
        return list(known.look_up(given))
    lexical = np.flatnonzero(ranked.bm25 > 0.0)
    if lexical.size < LEXICAL:
        return []
    top = lexical[np.argsort(-ranked.relevance[lexical], kind="stable")][:TOP]
    counts = np.bincount(values[np.isin(rows, top)], minlength=known.size)
    agreed = np.flatnonzero(counts >= AGREEING)
    return [(int(number), float(known.weights[number])) for number in agreed]


def _overlap(
    size: int,
    rows: IntArray,
    values: IntArray,
    asked: list[tuple[int | None, float]],
    known: AxisValues,
) -> FloatArray:
    total = sum(weight * weight for _, weight in asked)
    if total <= 0.0:
        return np.zeros(size)
    squares = np.zeros(known.size)
    for number, weight in asked:
        if number is not None:
            squares[number] = weight * weight
    shared = np.bincount(rows, weights=squares[values], minlength=size)
    return np.minimum(np.sqrt(shared / total), 1.0)


def _theme(
    size: int, rows: IntArray, values: IntArray, memories: int, known: AxisValues
) -> FloatArray:
    if size < 2 or not values.size:
        return np.zeros(size)
    held = np.maximum(known.memories, 1.0)
    idf = np.log(np.maximum(memories / held, 1.0))
    mass = np.bincount(rows, weights=idf[values], minlength=size)
    members = min(MEMBERS, size)
    shared = _shared(size, members, rows, values, idf)
    union = np.maximum(mass[:, None] + mass[None, :members] - shared, 1e-9)
    similarity = shared / union
    similarity[similarity <= LEAST_SIMILARITY] = 0.0
    own = np.arange(members)
    similarity[own, own] = 0.0
    others = np.full(size, float(members))
    others[:members] -= 1.0
    theme: FloatArray = np.minimum(similarity.sum(axis=1) / others * AMPLIFIED, 1.0)
    return theme


def _shared(
    size: int, members: int, rows: IntArray, values: IntArray, idf: FloatArray
) -> FloatArray:
    """The idf of what each candidate shares with each of the first members, shape (n, members).

    Summed value by value: few pairs share anything, and a product of matrices as small as these
    waits longer for its threads than it works.
    """
    # What every memory has says nothing.
    inside = np.flatnonzero((rows < members) & (idf[values] > 0.0))
    inside = inside[np.argsort(values[inside], kind="stable")]
    sizes = np.bincount(values[inside], minlength=idf.size)
    starts = np.cumsum(sizes) - sizes
    # Each value of each candidate meets every member that has it, too.
    meeting = sizes[values]
    first = np.repeat(starts[values] - (np.cumsum(meeting) - meeting), meeting)
    member = rows[inside[first + np.arange(first.size)]]
    pair = np.repeat(rows, meeting) * members + member
    weights = np.repeat(idf[values], meeting)
    shared = np.bincount(pair, weights=weights, minlength=size * members)
    return shared.astype(np.float64, copy=False).reshape(size, members)
