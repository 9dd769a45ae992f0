"""A user's own vector space as a recall sees it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from biorag.signals import FloatArray

Float32Array = npt.NDArray[np.float32]

PAIRS = 2_000  # of memories, drawn with a fixed seed, that say what a chance cosine is
SEED = 20_261_201
CHANCE = 3.0  # standard deviations above a chance cosine that are worth one half


class Embeddings:
    """Unit vectors of n memories, and what a cosine between them means.

    Spaces differ in what two strangers have in common: in one a cosine of .7 is chance, in another
    it is the same text. So a cosine counts by how far it lies above those of random pairs of this
    store: 1 / (1 + exp(-(z - 3))), z in their standard deviations.
    """

    def __init__(
        self,
        ids: npt.NDArray[np.int64],
        matrix: Float32Array,
        embed: Callable[[str], Float32Array | None],
    ) -> None:
        """Takes shapes (n,), rising, and (n, d); `embed` gives a question's unit vector."""
        self._ids = ids
        self._matrix = matrix
        self._embed = embed
        self._lock = threading.Lock()
        self._asked: tuple[str, Float32Array | None] = ("", None)
        self._mean, self._deviation = _chance(matrix)

    def likeness(self, question: str, ids: Sequence[int]) -> FloatArray:
        """How near each memory is to a question, in [0, 1]; 0 where it has no vector."""
        found = np.zeros(len(ids))
        vector = self._vector(question)
        if vector is None or not self._ids.size:
            return found
        wanted = np.asarray(ids, dtype=np.int64)
        places = np.searchsorted(self._ids, wanted)
        places = np.minimum(places, self._ids.size - 1)
        held = self._ids[places] == wanted
        found[held] = self._calibrated(self._matrix[places[held]] @ vector)
        return found

    def nearest(self, question: str, limit: int) -> list[int]:
        """The memories nearest a question that are nearer than chance, ties by the smaller id."""
        vector = self._vector(question)
        if vector is None or not self._ids.size:
            return []
        values = self._calibrated(self._matrix @ vector)
        order = np.lexsort((self._ids, -values))[:limit]
        return [int(self._ids[place]) for place in order if values[place] >= 0.5]

    def _vector(self, question: str) -> Float32Array | None:
        # Asked twice in a recall, by the source and by the evidence.
        with self._lock:
            known, vector = self._asked
            if known != question:
                vector = self._embed(question)
                self._asked = (question, vector)
            return vector

    def _calibrated(self, cosines: npt.NDArray[np.float32]) -> FloatArray:
        z = (cosines.astype(np.float64) - self._mean) / self._deviation
        squashed: FloatArray = 1.0 / (1.0 + np.exp(-np.clip(z - CHANCE, -30.0, 30.0)))
        return squashed


def _chance(matrix: Float32Array) -> tuple[float, float]:
    """Mean and standard deviation of the cosines of random pairs."""
    n = len(matrix)
    if n < 2:
        return 0.0, 1.0
    one, other = np.random.default_rng(SEED).integers(0, n, (2, PAIRS))
    apart = one != other
    cosines = np.einsum("nd,nd->n", matrix[one[apart]], matrix[other[apart]])
    # Of a handful of memories the spread is chance itself.
    return float(cosines.mean()), max(float(cosines.std()), 0.05)
