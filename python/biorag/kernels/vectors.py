"""Distances between packed binary codes, and the nearest of a table of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

from biorag import _native
from biorag.errors import KernelInputError, ShapeError

if TYPE_CHECKING:
    # numpy takes longer to import than the rest of the package, and this file needs its types only.
    import numpy as np
    import numpy.typing as npt

    Codes: TypeAlias = npt.NDArray[np.uint8]


def hamming_distances(query: Codes, rows: Codes) -> npt.NDArray[np.uint32]:
    """How many bits of the query differ in each row.

    Args:
        query: Shape (b,), b a positive multiple of 8: one code of 8 b bits.
        rows: Shape (n, b).

    Returns:
        Shape (n,), each in [0, 8 b].

    Raises:
        ShapeError: the arrays do not have these shapes, or are not of bytes.
        KernelInputError: b is no positive multiple of 8.
    """
    query, rows = _checked(query, rows)
    return _native.hamming_distances(query, rows)


def nearest_codes(
    query: Codes,
    rows: Codes,
    k: int,
    segments: Sequence[tuple[int, float]] | None = None,
) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.float32]]:
    """The rows nearest to the query when a differing bit counts with its segment's weight.

    Args:
        query: Shape (b,), one code of 8 b bits.
        rows: Shape (n, b).
        k: How many rows to find; all of them when there are fewer.
        segments: The bits and the weight of each segment of a code, in order: bits are multiples
            of 64, weights multiples of 0.1 up to 3,276.7. None stands for the layout of SDM codes,
            whose b is 256: 512 bits of content tokens and 256 of name tokens weigh 1.0, 1,024 of
            dimensions 2.5, 128 of the category 1.5 and 128 of neighbours 1.2.

    Returns:
        Row numbers and weighted distances, both of shape (min(k, n),), nearest first, ties by row.
        Distances are exact tenths.

    Raises:
        ShapeError: the arrays do not have these shapes, are not of bytes, or b is not what the
            segments add up to.
        KernelInputError: k is negative, or a segment breaks its rule.
    """
    query, rows = _checked(query, rows)
    if k < 0:
        raise KernelInputError(f"k: {k} is negative")
    for bits, _ in segments or ():
        if bits < 0:
            raise KernelInputError(f"bits of a segment: {bits} is negative")
    return _native.nearest_codes(query, rows, segments, k)


def _checked(query: Codes, rows: Codes) -> tuple[Codes, Codes]:
    """Both as C-contiguous arrays of bytes whose codes are equally long."""
    if query.dtype != "uint8" or rows.dtype != "uint8":
        raise ShapeError(f"codes: expected uint8, found {query.dtype} and {rows.dtype}")
    if query.ndim != 1 or rows.ndim != 2 or rows.shape[1] != query.shape[0]:
        raise ShapeError(f"codes: expected (b,) and (n, b), found {query.shape} and {rows.shape}")
    return _contiguous(query), _contiguous(rows)


def _contiguous(array: Codes) -> Codes:
    return array if array.flags.c_contiguous else array.copy(order="C")
