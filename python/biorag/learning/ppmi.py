"""Word vectors from the store's own texts: PPMI weights, a truncated SVD, retrofitting to links.

Levy & Goldberg 2014 and Levy, Goldberg & Dagan 2015 (PPMI, context smoothing, U sqrt(S)); Halko,
Martinsson & Tropp 2011 (randomised SVD); nothing is pretrained.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from biorag.kernels.index import TextIndex
from biorag.kernels.spaces import Sparse, TermMatrix, term_matrix

Float32Array = npt.NDArray[np.float32]

DIMS = 100
SMALL_STORE = 1_000  # documents, below which half the dimensions generalise better (facts +.008)
FEWEST_DOCUMENTS = 2  # of a term: one that occurs once says nothing of any other
SMALLEST_RANK = 8  # fewer directions than this are noise
SMOOTHING = 0.75  # of the terms' frequencies, so that rare ones do not take all
OVERSAMPLING = 10
POWER_ITERATIONS = 4
SEED = 20_240_611
RIDGE = 1e-6  # of the trace: keeps a Gram matrix of few directions positive, in single precision


@dataclass(frozen=True, slots=True)
class Training:
    """A space of t terms in k dimensions.

    Attributes:
        terms: By spelling.
        weights: Shape (t,); inverse document frequency at the time of training.
        vectors: Shape (t, k); rows of length 1.
        documents: How many documents it was trained on.
    """

    terms: list[str]
    weights: Float32Array
    vectors: Float32Array
    documents: int


def train(index: TextIndex) -> Training | None:
    """Trains a space on all documents of an index; `None` when they are too few for one.

    The same documents give the same space but for rounding, in any process: terms stand by their
    spelling, the random start is fixed, and each direction's sign is settled.
    """
    matrix = term_matrix(index, fewest=FEWEST_DOCUMENTS)
    documents = matrix.counts.columns
    dims = DIMS if documents >= SMALL_STORE else DIMS // 2
    rank = min(dims, len(matrix.terms) - 1, documents - 1)
    if rank < SMALLEST_RANK:
        return None
    left, strength = truncated_svd(ppmi(matrix), rank)
    kept = strength > strength[0] * 1e-6
    if int(kept.sum()) < SMALLEST_RANK:
        return None
    vectors = left[:, kept] * np.sqrt(strength[kept])
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    vectors = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0.0)
    return Training(matrix.terms, _weights(matrix), np.ascontiguousarray(vectors), documents)


def ppmi(matrix: TermMatrix) -> Sparse:
    """Positive pointwise mutual information of terms and documents.

    max(0, ln p(t, d) / (p'(t) p(d))) over ln(1 + count), p'(t) proportional to p(t) ** .75.

    Returns:
        Shape (t, d), on the cells of the counts; cells that fall to 0 are kept as 0.
    """
    counts = matrix.counts
    frequency = np.log1p(counts.values.astype(np.float64))
    row_of = np.repeat(np.arange(counts.rows), counts.row_sizes())
    by_term = np.bincount(row_of, weights=frequency, minlength=counts.rows)
    by_document = np.bincount(counts.positions, weights=frequency, minlength=counts.columns)
    smoothed = by_term**SMOOTHING
    smoothed /= smoothed.sum()
    expected = smoothed[row_of] * by_document[counts.positions]
    # p(t, d) / p(d) is the frequency over the document's: the total cancels out.
    values = np.maximum(np.log(frequency / expected), 0.0).astype(np.float32)
    return Sparse(counts.starts, counts.positions, values, counts.columns)


def truncated_svd(matrix: Sparse, rank: int) -> tuple[Float32Array, Float32Array]:
    """The leading left singular vectors and values of a sparse matrix (randomised, fixed seed).

    Returns:
        Shapes (rows, rank) and (rank,), strongest first; the largest part of each vector is
        positive.
    """
    turned = matrix.transposed()
    width = min(rank + OVERSAMPLING, matrix.rows, matrix.columns)
    start = np.random.default_rng(SEED).standard_normal((matrix.columns, width), dtype=np.float32)
    basis = matrix.times(start)
    for _ in range(POWER_ITERATIONS):
        basis = matrix.times(_orthonormal(turned.times(basis)))
    # Once more, because a first pass over columns that are nearly alike leaves them nearly upright.
    basis = _orthonormal(_orthonormal(basis))
    small = turned.times(basis)
    squared, rotation = np.linalg.eigh((small.T @ small).astype(np.float64))
    strongest = squared.argsort(kind="stable")[::-1][:rank]
    strength = np.sqrt(np.maximum(squared[strongest], 0.0))
    left = basis @ rotation[:, strongest].astype(np.float32)
    largest = left[np.abs(left).argmax(axis=0), np.arange(left.shape[1])]
    left *= np.where(largest < 0.0, -1.0, 1.0).astype(np.float32)
    return left, strength.astype(np.float32)


def _orthonormal(matrix: Float32Array) -> Float32Array:
    """The columns made upright by Cholesky QR, twenty times faster than Householder's.

    The columns span what they did. Where the matrix has fewer directions than columns, rounding can
    leave its Gram matrix without a root; then Householder's way is gone after all.
    """
    scaled = matrix / max(float(np.abs(matrix).max(initial=0.0)), 1e-30)
    gram = (scaled.T @ scaled).astype(np.float64)
    gram[np.diag_indices_from(gram)] += RIDGE * max(float(np.trace(gram)), 1e-30)
    try:
        inverse = np.linalg.inv(np.linalg.cholesky(gram)).T
    except np.linalg.LinAlgError:
        return np.ascontiguousarray(np.linalg.qr(scaled)[0], dtype=np.float32)
    return np.ascontiguousarray(scaled @ inverse.astype(np.float32))


def _weights(matrix: TermMatrix) -> Float32Array:
    documents = matrix.counts.columns
    held = matrix.counts.row_sizes().astype(np.float32)
    return np.log1p((documents - held + 0.5) / (held + 0.5))
