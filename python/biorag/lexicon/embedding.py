"""A user's own embedder: what it must offer, and how what it says is read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    # Opening a store must not import numpy, and most have no embedder.
    import numpy as np
    import numpy.typing as npt

    Float32Array = npt.NDArray[np.float32]


@runtime_checkable
class Embedder(Protocol):
    """Turns texts into vectors; wholly the user's, never required.

    Attributes:
        name: Of the model; vectors of another name are not compared with its own.
        dims: Numbers of a vector.
    """

    name: str
    dims: int

    def embed(self, texts: Sequence[str]) -> Float32Array:
        """Vectors of shape (n, dims), one a text, of any length above 0."""


def unit_vectors(embedder: Embedder, texts: Sequence[str]) -> Float32Array:
    """What an embedder says of texts, each vector of length 1 (zeros stay zeros).

    Raises:
        ValueError: not one finite vector of `dims` numbers a text.
    """
    import numpy as np

    vectors = np.asarray(embedder.embed(texts), dtype=np.float32)
    expected = (len(texts), embedder.dims)
    if vectors.shape != expected:
        raise ValueError(f"{embedder.name}: expected shape {expected}, found {vectors.shape}")
    if not np.isfinite(vectors).all():
        raise ValueError(f"{embedder.name}: a vector is not finite")
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: Float32Array = np.divide(
        vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0.0
    )
    return unit
