"""PPMI and its leading directions: dense, obvious, in double precision."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


def ppmi(counts: Array) -> Array:
    """Positive pointwise mutual information of a terms by documents table of counts."""
    frequency = np.log1p(counts)
    joint = frequency / frequency.sum()
    by_term = joint.sum(axis=1) ** 0.75
    by_term /= by_term.sum()
    by_document = joint.sum(axis=0)
    table: Array = np.zeros(counts.shape)
    for term, document in zip(*np.nonzero(counts), strict=True):
        expected = by_term[term] * by_document[document]
        table[term, document] = max(0.0, np.log(joint[term, document] / expected))
    return table


def leading(table: Array, rank: int) -> tuple[Array, Array]:
    """Left singular vectors and values."""
    left, strength, _ = np.linalg.svd(table, full_matrices=False)
    return left[:, :rank], strength[:rank]
