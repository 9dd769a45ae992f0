"""Trains the store's vector space, and keeps the one in memory in step with the one on disk."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from biorag.kernels.index import TextIndex
from biorag.kernels.spaces import VectorSpace, quantised
from biorag.model_upkeep import VectorsTrained
from biorag.storage.connection import Store
from biorag.storage.spaces import (
    CHUNK,
    TokenChunk,
    chunks_of,
    delete_space,
    newest_space,
    replace_space,
    space,
)

if TYPE_CHECKING:
    from biorag.learning.ppmi import Training

logger = logging.getLogger(__name__)

NAME = "ppmi"


class SpaceKeeper:
    """Owns the vector space of one store.

    SQLite is the truth: a training replaces the rows of the space in one transaction, and every
    process takes up the new one with its next question. Training happens when the caller asks for
    it, never within a recall or a learn: it takes a second for ten thousand memories.

    Thread-safe.
    """

    def __init__(self) -> None:
        """Starts empty; the space is read with the first question."""
        self._lock = threading.Lock()
        self._shown = 0
        self._space: VectorSpace | None = None

    def current(self, store: Store) -> VectorSpace | None:
        """The space as it was trained last, by whatever process; `None` before the first time."""
        newest = newest_space(store.reading())
        if newest == self._shown:
            return self._space
        with self._lock:
            with store.snapshot() as connection:
                row = space(connection, NAME)
                chunks = [] if row is None else chunks_of(connection, row.id)
            self._space = None if row is None else _loaded(chunks, row.dims)
            self._shown = newest
            return self._space

    def train(self, store: Store, index: TextIndex, now: float) -> VectorsTrained:
        """Trains a space on all memories and puts it in the place of the one before.

        Raises:
            StorageError: the store cannot write; the space before stays.
        """
        # Here, because numpy takes longer to import than opening a store.
        from biorag.learning.ppmi import train

        started = time.perf_counter()
        training = train(index)
        with store.atomic() as connection:
            if training is None:
                delete_space(connection, NAME)
            else:
                replace_space(
                    connection,
                    NAME,
                    dims=training.vectors.shape[1],
                    documents=training.documents,
                    created_at=now,
                    chunks=_chunks(training),
                )
        elapsed_s = time.perf_counter() - started
        trained = VectorsTrained(
            memories=len(index),
            terms=0 if training is None else len(training.terms),
            dims=0 if training is None else training.vectors.shape[1],
            seconds=elapsed_s,
        )
        logger.info("trained %d term vectors in %.2f s", trained.terms, elapsed_s)
        return trained


def _chunks(training: Training) -> Iterator[TokenChunk]:
    scales, vectors = quantised(training.vectors)
    weights = training.weights.astype("<f4")
    for start in range(0, len(training.terms), CHUNK):
        span = slice(start, start + CHUNK)
        yield TokenChunk(
            terms=tuple(training.terms[span]),
            weights=weights[span].tobytes(),
            scales=scales[span].tobytes(),
            vectors=vectors[span].tobytes(),
        )


def _loaded(chunks: list[TokenChunk], dims: int) -> VectorSpace:
    import numpy as np

    terms = [term for chunk in chunks for term in chunk.terms]
    weights = np.frombuffer(b"".join(chunk.weights for chunk in chunks), dtype="<f4")
    scales = np.frombuffer(b"".join(chunk.scales for chunk in chunks), dtype="<f4")
    bytes_of = np.frombuffer(b"".join(chunk.vectors for chunk in chunks), dtype=np.int8)
    return VectorSpace(
        terms,
        weights.astype(np.float32),
        scales.astype(np.float32),
        bytes_of.reshape(len(terms), dims),
    )
