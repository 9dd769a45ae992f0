"""Texts that an older biorag analysed are analysed again when the store is opened."""

from __future__ import annotations

import logging
import sqlite3
import time
from itertools import islice

from biorag.engine.index_keeper import BATCH, analyse_texts
from biorag.errors import ReadOnlyStoreError
from biorag.kernels.index import ANALYSIS_VERSION
from biorag.storage import meta
from biorag.storage.connection import Store
from biorag.storage.documents import iterate_documents
from biorag.storage.search_text import NodeText, set_text

logger = logging.getLogger(__name__)

KEY = "analysis"


def reanalyse(store: Store) -> int:
    """Analyses every text again if another make of the analysis made its terms.

    All in one transaction: a reader sees the old terms or the new ones, and full text, phrases and
    the ranked index agree again. A store that cannot be written stays as it is, and its phrases are
    found as far as the two makes agree.

    Returns:
        How many memories were analysed again.

    Raises:
        StorageError: the store cannot be read or written; nothing was changed.
    """
    if _is_current(store.reading()):
        return 0
    started = time.perf_counter()
    try:
        with store.atomic() as connection:
            # Another process may have done it while this one waited.
            count = 0 if _is_current(connection) else _reanalyse_all(connection)
            meta.put(connection, KEY, str(ANALYSIS_VERSION))
    except ReadOnlyStoreError:
        logger.warning("%s is read-only, and its texts are of an older analysis", store.path)
        return 0
    if count:
        elapsed_s = time.perf_counter() - started
        logger.info("analysed %d memories of %s again in %.2f s", count, store.path, elapsed_s)
    return count


def _is_current(connection: sqlite3.Connection) -> bool:
    return meta.get(connection, KEY) == str(ANALYSIS_VERSION)


def _reanalyse_all(connection: sqlite3.Connection) -> int:
    count = 0
    documents = iterate_documents(connection, batch=BATCH)
    while batch := list(islice(documents, BATCH)):
        for document, texts in zip(batch, analyse_texts(batch).texts, strict=True):
            set_text(connection, document.id, NodeText(*texts))
        count += len(batch)
    return count
