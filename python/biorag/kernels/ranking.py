"""What compares a pool of candidates with the question, one call for the whole pool."""

from __future__ import annotations

from collections.abc import Sequence

import numpy.typing as npt

from biorag import _native
from biorag.errors import ShapeError
from biorag.kernels.arrays import FloatArray, float_array


def bm25_bounds(values: npt.ArrayLike) -> tuple[float, float]:
    """Smallest and largest magnitude of raw BM25 scores; both 0 for an empty pool.

    Args:
        values: Shape (n,), of either sign: FTS5 ranks downwards from 0.

    Raises:
        KernelInputError: a value is NaN or infinite.
    """
    return _native.bm25_bounds(float_array("values", values))


def normalise_bm25(values: npt.ArrayLike) -> FloatArray:
    """Raw BM25 scores put on [0, 1] within the question: (|v| - lo) / (hi - lo) * min(1, hi).

    The factor min(1, hi) keeps a pool whose best match is weak from looking strong. When all
    values agree, each gets min(1, hi).

    Args:
        values: Shape (n,), of either sign.

    Returns:
        Shape (n,).

    Raises:
        KernelInputError: a value is NaN or infinite.
    """
    return _native.normalise_bm25(float_array("values", values))


def normalise_bm25_within(values: npt.ArrayLike, bounds: tuple[float, float]) -> FloatArray:
    """The same scale for candidates that arrive later, under the bounds of the first pool.

    Args:
        values: Shape (n,), of either sign.
        bounds: What `bm25_bounds` gave for the first pool.

    Returns:
        Shape (n,). Not clipped: a value outside the bounds leaves [0, 1], so that late candidates
        keep their order among themselves and against the first pool.

    Raises:
        KernelInputError: a value is not finite, or not 0 <= lo <= hi.
    """
    return _native.normalise_bm25_within(float_array("values", values), *bounds)


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


def compression_similarity(query: str, texts: Sequence[str]) -> FloatArray:
    """How much of the question each text lets one write by copying: 1 - C(q | d) / C(q).

    C is the cost of the cheapest LZ77 parse: a literal byte costs 1, a copy of any length 3, from
    the question's own past or, in C(q | d), from the text. It is the one-sided form of the
    normalised compression distance (Cilibrasi & Vitányi 2005); the symmetric one measures the
    length of the memory when the question is short.

    Args:
        query: At most 2,000 bytes in UTF-8, case folded as the texts are.
        texts: n texts.

    Returns:
        Shape (n,) in [0, 1); 0 when nothing of four bytes or more can be copied.

    Raises:
        KernelInputError: the question is too long.
    """
    return _native.compression_similarity(query, texts)
