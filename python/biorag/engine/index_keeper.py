"""Keeps the in-memory index in step with the store, whoever writes to it."""

from __future__ import annotations

import logging
import os
import sqlite3
import threading
import time
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path

from biorag.errors import CorruptDataError, KernelInputError
from biorag.kernels.index import (
    ANALYSIS_VERSION,
    AnalysedDocuments,
    TextIndex,
    analyse_documents,
)
from biorag.lexicon.wordnet import load_lexicon
from biorag.storage.changes import Kind, changes_since, latest_change
from biorag.storage.connection import Store
from biorag.storage.documents import Document, documents_of, iterate_documents
from biorag.storage.meta import store_id

logger = logging.getLogger(__name__)

BATCH = 2_000  # documents analysed and stored in one go while an index is built
SAVED_FROM = 2_000  # documents; a smaller index is built faster than a file is read and checked


class IndexKeeper:
    """Owns the index of one store.

    SQLite is the truth. Every commit that touches a memory's words leaves a numbered change; the
    keeper knows the last change that its index shows and catches up with later ones, its own
    process's and others', before a question is asked.

    Thread-safe: one lock guards catching up; searching needs none.
    """

    def __init__(self, *, file: Path | None) -> None:
        """Starts empty; `file` is where the index is saved between processes, if anywhere."""
        self._file = file
        self._lock = threading.Lock()
        self._index: TextIndex | None = None
        self._shown = 0  # the last change that the index shows
        self._saved = 0  # the last change that the file shows
        self._edits = 0  # changed and deleted documents, which can change what order means
        self._trust: tuple[tuple[int, int], float] = ((-1, -1), 0.0)

    def current(self, store: Store) -> TextIndex:
        """The index, showing every change that has been committed."""
        index = self._index
        if index is not None and latest_change(store.reading()) == self._shown:
            return index
        with self._lock:
            return self._caught_up(store)

    def trust_in_order(self, index: TextIndex) -> float:
        """How far the order of storage means something, in [0, 1]; judged when it may change."""
        state = (index.order_milestone(), self._edits)
        known, trust = self._trust
        if known != state:
            trust = index.trust_in_order()
            self._trust = (state, trust)
        return trust

    def absorb(
        self,
        ids: Sequence[int],
        documents: AnalysedDocuments,
        before: int,
        *,
        created_at: Sequence[float],
        authors: Sequence[str | None],
    ) -> None:
        """Takes in what this process has just committed, without reading it again.

        Args:
            ids: The new documents, rising.
            documents: The same, analysed.
            before: The last change before the commit, read in its transaction.
            created_at: Of each document, in seconds since 1970.
            authors: Of each document, if it has one.
        """
        with self._lock:
            # Only what follows on what the index shows is taken in; anything else, another
            # process's write that slipped in too, is caught up with by the next question.
            if self._index is not None and self._shown == before:
                self._index.put(list(ids), documents, list(created_at), list(authors))
                self._shown = before + len(ids)

    def forget_file(self) -> None:
        """Removes the saved index: it may hold words that were deleted."""
        if self._file is not None:
            self._file.unlink(missing_ok=True)
            self._saved = 0

    def save(self, store: Store) -> None:
        """Saves the index beside the store, if it is large and the file shows an older state."""
        with self._lock:
            index = self._index
            if index is None or self._file is None or self._shown == self._saved:
                return
            if len(index) < SAVED_FROM:
                self._file.unlink(missing_ok=True)
                return
            content = index.to_bytes(f"{_identity(store.reading())}:{self._shown}")
            if _write(self._file, content):
                self._saved = self._shown

    def _caught_up(self, store: Store) -> TextIndex:
        # One state of the store for all that is read of it here.
        with store.snapshot() as connection:
            latest = latest_change(connection)
            index = self._index
            if index is None:
                index = self._opened(connection)
            if self._shown != latest:
                changes = changes_since(connection, self._shown)
                if changes is None or not self._follow(connection, index, changes):
                    index = _built(connection)
                    self._edits += 1
                self._shown = latest
            self._index = index
            return index

    def _opened(self, connection: sqlite3.Connection) -> TextIndex:
        """The saved index when it belongs to this store, else one built from the texts."""
        started = time.perf_counter()
        index = self._read(connection)
        if index is None:
            index = _built(connection)
            self._shown = latest_change(connection)
        elapsed_s = time.perf_counter() - started
        logger.info("opened the index of %d memories in %.2f s", len(index), elapsed_s)
        return index

    def _read(self, connection: sqlite3.Connection) -> TextIndex | None:
        if self._file is None or not self._file.exists():
            return None
        try:
            index, stamp = TextIndex.from_bytes(self._file.read_bytes())
        except (CorruptDataError, OSError) as error:
            logger.warning("the saved index is not usable and is built again: %s", error)
            return None
        identity, _, shown = stamp.rpartition(":")
        if identity != _identity(connection) or int(shown) > latest_change(connection):
            return None
        self._shown = self._saved = int(shown)
        return index

    def _follow(
        self, connection: sqlite3.Connection, index: TextIndex, changes: Mapping[int, Kind]
    ) -> bool:
        """Applies changes by document; `False` when the order of storage forbids it."""
        gone = [number for number, kind in changes.items() if kind == "del"]
        stored = sorted(number for number, kind in changes.items() if kind == "put")
        self._edits += index.delete(gone) + sum(number in index for number in stored)
        try:
            for start in range(0, len(stored), BATCH):
                _put(index, documents_of(connection, stored[start : start + BATCH]))
        except KernelInputError:
            return False
        return True


def analyse_texts(documents: Sequence[Document]) -> AnalysedDocuments:
    """Analyses stored texts, each in the language that it was learnt in."""
    return analyse_documents(
        [
            (document.name, document.synonyms, document.key_nouns, document.bridges, document.body)
            for document in documents
        ],
        [document.language for document in documents],
        "en",
        load_lexicon(),
    )


def _built(connection: sqlite3.Connection) -> TextIndex:
    index = TextIndex()
    documents = iterate_documents(connection, batch=BATCH)
    while batch := list(islice(documents, BATCH)):
        _put(index, batch)
    index.shrink()
    return index


def _put(index: TextIndex, documents: Sequence[Document]) -> None:
    index.put(
        [document.id for document in documents],
        analyse_texts(documents),
        [document.created_at for document in documents],
        [document.author for document in documents],
    )


def _identity(connection: sqlite3.Connection) -> str:
    """What a saved index must be of: this store's texts, in this make of the analysis."""
    return f"{store_id(connection)}:{ANALYSIS_VERSION}"


def _write(file: Path, content: bytes) -> bool:
    """Writes through a temporary name, so that a reader sees all of it or none."""
    temporary = file.with_name(f"{file.name}.{os.getpid()}")
    try:
        with open(temporary, "wb", opener=lambda path, flags: os.open(path, flags, 0o600)) as out:
            out.write(content)
        temporary.replace(file)
    except OSError as error:
        logger.warning("the index could not be saved: %s", error)
        temporary.unlink(missing_ok=True)
        return False
    return True
