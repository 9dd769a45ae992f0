"""Keeps a user's own vectors in step with the store; whatever fails there, the store goes on."""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING

from biorag.lexicon.embedding import Embedder, unit_vectors
from biorag.storage.connection import Store
from biorag.storage.embeddings import LANE, embedded_space, pending, put_vectors, vectors
from biorag.storage.observations import contents
from biorag.storage.revisions import revisions

if TYPE_CHECKING:
    from biorag.lexicon.embedding import Float32Array
    from biorag.retrieval.embedded import Embeddings

logger = logging.getLogger(__name__)

BATCH = 128  # texts that the embedder is given at once


class EmbeddingKeeper:
    """Owns the vectors of one store in the space of one embedder. Thread-safe."""

    def __init__(self, embedder: Embedder | None) -> None:
        """Asks the embedder nothing yet."""
        self._embedder = embedder
        self._lock = threading.Lock()
        self._held: tuple[int, Embeddings] | None = None

    @property
    def is_used(self) -> bool:
        """Whether there is an embedder."""
        return self._embedder is not None

    def current(self, store: Store, seen: Mapping[str, int]) -> Embeddings | None:
        """The vectors as of the last write; `None` without an embedder or without any."""
        if self._embedder is None or LANE not in seen:
            return None
        held = self._held
        if held is not None and held[0] == seen[LANE]:
            return held[1]
        with self._lock, store.snapshot() as connection:
            number = revisions(connection).get(LANE, 0)
            if self._held is None or self._held[0] != number:
                self._held = (number, self._read(vectors(connection, self._embedder.name)))
            return self._held[1]

    def embed_pending(self, store: Store) -> int:
        """Embeds the memories whose vector is missing or old, a batch a transaction.

        Returns:
            How many were embedded.

        Raises:
            Exception: whatever the embedder raises; batches that were written stay.
            StorageError: the store cannot be written.
        """
        embedder = self._embedder
        if embedder is None:
            return 0
        made = 0
        while batch := pending(store.reading(), embedder.name, BATCH):
            texts = contents(store.reading(), [row.id for row in batch])
            given = [f"{row.name}\n{texts.get(row.id, '')}" for row in batch]
            found = unit_vectors(embedder, given)
            with store.atomic() as connection:
                space = embedded_space(connection, embedder.name, embedder.dims, store.clock.now())
                put_vectors(
                    connection,
                    space,
                    [
                        (row.id, row.content_rev, vector.astype("<f4").tobytes())
                        for row, vector in zip(batch, found, strict=True)
                    ],
                )
            made += len(batch)
        return made

    def try_to_embed(self, store: Store) -> None:
        """Embeds what is pending; what fails is logged, and tried again next time."""
        try:
            self.embed_pending(store)
        except Exception as error:  # an embedder is foreign code, and learning has succeeded
            logger.warning("the embedder failed, recall goes on without it: %s", error)

    def _read(self, rows: list[tuple[int, bytes]]) -> Embeddings:
        import numpy as np

        from biorag.retrieval.embedded import Embeddings

        dims = self._embedder.dims if self._embedder is not None else 0
        ids = np.array([number for number, _ in rows], dtype=np.int64)
        matrix = np.frombuffer(b"".join(vector for _, vector in rows), dtype="<f4")
        return Embeddings(ids, matrix.reshape(len(rows), dims).astype(np.float32), self._question)

    def _question(self, text: str) -> Float32Array | None:
        if self._embedder is None:
            return None
        try:
            vector: Float32Array = unit_vectors(self._embedder, [text])[0]
        except Exception as error:  # foreign code: a recall is answered without it
            logger.warning("the embedder failed, recall goes on without it: %s", error)
            return None
        return vector
