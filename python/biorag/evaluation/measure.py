"""One system put through every collection: what it found, and what that took.

Each system runs in a fresh process of its own, so that its peak memory is its own and nothing
that a rival loaded or cached can help it.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from biorag.errors import BioragError, MeasurementError
from biorag.evaluation.collections import Collection
from biorag.evaluation.resources import peak_memory_bytes
from biorag.evaluation.systems import System, open_system

DEPTH = 20  # the deepest figure reported is R@20


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """What came of one system.

    Attributes:
        rankings: Question key to document ids, best first; empty: nothing was offered.
        search_ms: One entry a question, in the order asked.
        ingest_s: Time to store all documents, until they could be searched.
        text_bytes: The documents' texts as UTF-8.
        disk_bytes: All collections' stores after closing; None when they live in memory.
        memory_before_bytes: Peak memory with the corpus loaded, before the first document.
        memory_peak_bytes: Peak memory at the end.
    """

    system: str
    rankings: Mapping[str, tuple[str, ...]]
    search_ms: tuple[float, ...]
    ingest_s: float
    documents: int
    text_bytes: int
    disk_bytes: int | None
    memory_before_bytes: int
    memory_peak_bytes: int


def measure_apart(
    system: str, collections: Sequence[Collection], *, show_progress: bool
) -> Measurement:
    """Measure a system in a fresh process.

    Raises:
        MeasurementError: the system raised an error of biorag, or its process died.
    """
    with ProcessPoolExecutor(max_workers=1, mp_context=get_context("spawn")) as process:
        return process.submit(_measured, system, tuple(collections), show_progress).result()


def measure(
    system: str, collections: Sequence[Collection], *, show_progress: bool = False
) -> Measurement:
    """Measure a system in this process: build, ask and close one collection after the other."""
    rankings: dict[str, tuple[str, ...]] = {}
    search_ms: list[float] = []
    ingest_s = 0.0
    disk_bytes: int | None = 0
    memory_before = peak_memory_bytes()
    with _progress(show_progress) as progress:
        bar = progress.add_task(system, total=sum(len(c.questions) for c in collections))
        for collection in collections:
            with tempfile.TemporaryDirectory(prefix="biorag-bench-") as directory:
                store = open_system(system, Path(directory))
                started = time.perf_counter()
                store.build(collection.documents)
                ingest_s += time.perf_counter() - started
                for asked in collection.questions:
                    found, took_ms = _timed_search(store, asked.text, asked.language)
                    rankings[asked.key] = found
                    search_ms.append(took_ms)
                    progress.advance(bar)
                store.close()
                size = store.disk_bytes()
                disk_bytes = None if size is None or disk_bytes is None else disk_bytes + size
    documents = [document for collection in collections for document in collection.documents]
    return Measurement(
        system=system,
        rankings=rankings,
        search_ms=tuple(search_ms),
        ingest_s=ingest_s,
        documents=len(documents),
        text_bytes=sum(len(document.text.encode()) for document in documents),
        disk_bytes=disk_bytes,
        memory_before_bytes=memory_before,
        memory_peak_bytes=peak_memory_bytes(),
    )


def _measured(system: str, collections: tuple[Collection, ...], show_progress: bool) -> Measurement:
    try:
        return measure(system, collections, show_progress=show_progress)
    except BioragError as error:
        # Errors that carry more than their message do not survive the way back between processes.
        raise MeasurementError(f"{system} failed: {type(error).__name__}: {error}") from None


def _timed_search(store: System, text: str, language: str) -> tuple[tuple[str, ...], float]:
    started = time.perf_counter()
    found = store.search(text, language, DEPTH)
    return tuple(found), (time.perf_counter() - started) * 1000.0


def _progress(shown: bool) -> Progress:
    # To stderr: stdout carries the tables.
    return Progress(
        TextColumn("{task.description:>14}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("questions"),
        TimeElapsedColumn(),
        console=Console(file=sys.stderr),
        disable=not shown,
        transient=True,
    )
