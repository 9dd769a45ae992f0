"""`biorag bench`: one public corpus, biorag beside its rivals, in tables and JSON."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from biorag.errors import BioragError, InvalidInputError, MissingExtraError
from biorag.evaluation.collections import collections_of
from biorag.evaluation.corpus import load_corpus
from biorag.evaluation.measure import measure_apart
from biorag.evaluation.systems import BIORAG, RIVALS

if TYPE_CHECKING:
    from biorag.evaluation.abstention import JudgedStore

DEFAULT_RIVALS = ("fts5", "bm25s")
SPLITS = ("train", "test", "all")
PLAIN_WIDTH = 132  # where no terminal says how wide it is


def run_bench(
    corpus_dir: Path,
    *,
    split: str = "all",
    limit: int | None = None,
    rivals: tuple[str, ...] = DEFAULT_RIVALS,
    json_file: Path | None = None,
    title: bool = False,
    small: bool = False,
    show_progress: bool = False,
) -> int:
    """Measure retrieval on a corpus folder and write the tables to stdout.

    Args:
        corpus_dir: A folder with `corpus.jsonl`, `queries.jsonl`, `qrels.tsv` and `split.tsv`.
        split: `train`, `test` or `all`. Weights are chosen on `train`; `test` is only reported.
        limit: At most so many questions, drawn with a fixed seed.
        rivals: Systems to measure beside biorag, of `systems.RIVALS`.
        json_file: Where to write the run as JSON as well.
        title: Store titles with the texts.
        small: Only the documents that the corpus marks small.
        show_progress: Draw a progress bar on stderr.

    Returns:
        0; or 2 when the corpus or an argument cannot be used, with the reason on stderr.
    """
    try:
        _check(split, limit, rivals)
        collections = collections_of(
            load_corpus(corpus_dir, small=small), split=split, limit=limit, with_titles=title
        )
        measurements = tuple(
            measure_apart(system, collections, show_progress=show_progress)
            for system in (BIORAG, *rivals)
        )
    except BioragError as error:
        return _refused(error)

    # These load ir_measures and numpy, which `biorag bench --help` has no use for.
    from biorag.evaluation.quality import quality_of
    from biorag.evaluation.report import Run, as_json, show

    run = Run(
        corpus=corpus_dir.name,
        split=split,
        limit=limit,
        with_titles=title,
        small=small,
        stores=len(collections),
        documents=sum(len(collection.documents) for collection in collections),
        parts=quality_of(collections, measurements),
        measurements=measurements,
    )
    show(run, console())
    _write_json(json_file, as_json(run))
    return 0


def run_ablation(
    corpus_dir: Path,
    *,
    splits: tuple[str, ...] = ("train", "test"),
    limit: int | None = None,
    json_file: Path | None = None,
    small: bool = False,
) -> int:
    """Measure what each part of a recall is worth on a corpus, and write a table a split.

    Args:
        corpus_dir: As for `run_bench`.
        splits: Which questions to ask, a table each.
        limit: At most so many questions of each split.
        json_file: Where to write the figures as JSON as well.
        small: Only the documents that the corpus marks small.

    Returns:
        0; or 2 when the corpus or an argument cannot be used, with the reason on stderr.
    """
    written = {}
    try:
        _check("all", limit, ())
        corpus = load_corpus(corpus_dir, small=small)
        # These load ir_measures and numpy, which `biorag bench --help` has no use for.
        from biorag.evaluation.ablation import ablate, show

        for split in splits:
            whole, effects = ablate(collections_of(corpus, split=split, limit=limit))
            show(f"{corpus_dir.name}, {split}", whole, effects, console())
            written[split] = {"all": whole, "effects": [asdict(effect) for effect in effects]}
    except BioragError as error:
        return _refused(error)
    _write_json(json_file, written)
    return 0


def console() -> Console:
    """Stdout as it is, or wide enough for the tables where it is a file or a pipe."""
    return Console(width=None if sys.stdout.isatty() else PLAIN_WIDTH, highlight=False)


def _check(split: str, limit: int | None, rivals: tuple[str, ...]) -> None:
    if split not in SPLITS:
        raise InvalidInputError("split", split, f"expected one of {', '.join(SPLITS)}")
    if limit is not None and limit < 1:
        raise InvalidInputError("limit", limit, "expected at least one question")
    for rival in rivals:
        if rival not in RIVALS:
            raise InvalidInputError("rivals", rival, f"known are {', '.join(RIVALS)}")
    needed = {"ir_measures"}
    if any(rival.startswith("bm25s") for rival in rivals):
        needed |= {"bm25s", "Stemmer"}
    for library in sorted(needed):
        if find_spec(library) is None:
            raise MissingExtraError(library, "bench")


def run_abstention(
    corpus_dir: Path,
    *,
    split: str = "test",
    limit: int | None = None,
    json_file: Path | None = None,
    title: bool = False,
    small: bool = False,
) -> int:
    """Measure what is answered that nothing answers, and what is refused that something does.

    Args:
        corpus_dir: As of `run_bench`; a folder `negatives` beside it has questions of other
            domains.
        split: `train`, `test` or `all`.
        limit: At most so many questions, drawn with a fixed seed.
        json_file: Where to write the run as JSON as well.
        title: Store titles with the texts.
        small: Only the documents that the corpus marks small.

    Returns:
        0; or 2 when the corpus or an argument cannot be used, with the reason on stderr.
    """
    # These load the engine and numpy, which `biorag bench --help` has no use for.
    from biorag.evaluation.abstention import bm25_thresholds, foreign_questions, judge_store
    from biorag.evaluation.abstention_report import abstention_json, rows_of, show_abstention

    try:
        _check(split, limit, ())
        corpus = load_corpus(corpus_dir, small=small)

        def judged(half: str) -> list[JudgedStore]:
            stores = collections_of(corpus, split=half, limit=limit, with_titles=title)
            foreign = foreign_questions(corpus_dir, half)
            return [judge_store(store, foreign) for store in stores]

        stores = judged(split)
        train = stores if split == "train" or not corpus.splits else judged("train")
    except BioragError as error:
        return _refused(error)
    rows = rows_of(stores, bm25_thresholds(train))
    show_abstention(f"{corpus_dir.name}, split {split}: abstention", rows, console())
    _write_json(json_file, abstention_json(corpus_dir.name, split, rows))
    return 0


def _refused(error: BioragError) -> int:
    """Says on stderr why nothing is measured; the exit code for it."""
    Console(stderr=True, soft_wrap=True, highlight=False).print(str(error), markup=False)
    return 2


def _write_json(json_file: Path | None, figures: object) -> None:
    if json_file is not None:
        text = json.dumps(figures, ensure_ascii=False, indent=1)
        json_file.write_text(f"{text}\n", encoding="utf-8")
