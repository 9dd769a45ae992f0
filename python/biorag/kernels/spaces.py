"""Vector spaces over an index's terms, and the sparse products that train one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from biorag._native import TextIndex, VectorSpace, sparse_times, sparse_transposed

if TYPE_CHECKING:
    # numpy takes longer to import than the rest of the package, and opening a store needs none.
    import numpy as np
    import numpy.typing as npt

    Float32Array = npt.NDArray[np.float32]

__all__ = ["Sparse", "TermMatrix", "VectorSpace", "quantised", "term_matrix"]


@dataclass(frozen=True, slots=True)
class Sparse:
    """A matrix of shape (rows, columns) with few values, row after row.

    Attributes:
        starts: Shape (rows + 1,); where each row begins in the two that follow.
        positions: Shape (k,); the column of each value.
        values: Shape (k,).
    """

    starts: npt.NDArray[np.uint32]
    positions: npt.NDArray[np.uint32]
    values: Float32Array
    columns: int

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return int(self.starts.size) - 1

    def row_sizes(self) -> npt.NDArray[np.int64]:
        """How many values each row has, shape (rows,)."""
        ends: npt.NDArray[np.int64] = self.starts.astype("int64")
        sizes: npt.NDArray[np.int64] = ends[1:] - ends[:-1]
        return sizes

    def times(self, dense: Float32Array) -> Float32Array:
        """The product with a dense matrix of shape (columns, w): shape (rows, w).

        Raises:
            KernelInputError: the parts do not fit together.
        """
        product = sparse_times(self.starts, self.positions, self.values, dense)
        return product.reshape(self.rows, dense.shape[1])

    def transposed(self) -> Sparse:
        """The matrix of shape (columns, rows) with rows and columns changed over.

        Raises:
            KernelInputError: the parts do not fit together.
        """
        parts = sparse_transposed(self.starts, self.positions, self.values, self.columns)
        return Sparse(*parts, columns=self.rows)


def quantised(vectors: Float32Array) -> tuple[Float32Array, npt.NDArray[np.int8]]:
    """A byte a dimension: the vectors in the form that `VectorSpace` takes.

    Args:
        vectors: Shape (n, d).

    Returns:
        Scales of shape (n,) and bytes of shape (n, d); their product is within 1/254 of each
        vector's largest number.
    """
    import numpy as np

    largest = np.abs(vectors).max(axis=1, initial=0.0)
    scales: Float32Array = (largest / 127.0).astype("<f4")
    safe = np.where(scales > 0.0, scales, 1.0)[:, None]
    return scales, np.rint(vectors / safe).astype(np.int8)


@dataclass(frozen=True, slots=True)
class TermMatrix:
    """How often each of t terms occurs in each of d documents, weighted by field.

    Attributes:
        terms: The terms, by spelling.
        counts: Shape (t, d).
    """

    terms: list[str]
    counts: Sparse


def term_matrix(index: TextIndex, *, fewest: int) -> TermMatrix:
    """The counts of the terms that at least `fewest` documents hold, documents in order of storage.

    The same documents give the same matrix, whatever process stored them and in whatever batches.
    """
    terms, starts, columns, counts, documents = index.term_matrix(fewest)
    return TermMatrix(terms, Sparse(starts, columns, counts, columns=documents))
