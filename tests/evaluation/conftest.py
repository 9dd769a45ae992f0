"""Small corpora, written by hand for these tests."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

WriteCorpus = Callable[..., Path]

GARDEN: tuple[Mapping[str, Any], ...] = (
    {"id": "tomato", "text": "The tomato plants on the balcony need water each evening."},
    {"id": "bees", "text": "Two hives of bees arrived; the keeper lives beyond the river."},
    {"id": "gate", "text": "The key of the garden gate hangs behind the kitchen door."},
    {"id": "frost", "text": "Frost in April killed the blossom of the apricot tree."},
)


@pytest.fixture
def write_corpus(tmp_path: Path) -> WriteCorpus:
    """A function that writes a corpus folder and returns its path; `lang` is `en` unless told."""

    def write(
        documents: Sequence[Mapping[str, Any]],
        questions: Sequence[Mapping[str, Any]],
        grades: Sequence[tuple[str, str, int]] = (),
        splits: Mapping[str, str] | None = None,
        name: str = "garden",
    ) -> Path:
        folder = tmp_path / name
        folder.mkdir()
        _write_lines(folder / "corpus.jsonl", [{"lang": "en", **d} for d in documents])
        _write_lines(
            folder / "queries.jsonl",
            [{"lang": "en", "category": "plain", **q} for q in questions],
        )
        rows = "".join(f"{q}\t{d}\t{grade}\n" for q, d, grade in grades)
        (folder / "qrels.tsv").write_text(rows, encoding="utf-8")
        if splits is not None:
            text = "".join(f"{q}\t{split}\n" for q, split in splits.items())
            (folder / "split.tsv").write_text(text, encoding="utf-8")
        return folder

    return write


@pytest.fixture
def garden(write_corpus: WriteCorpus) -> Path:
    """Four notes, three questions that one of them answers, and one that none does."""
    return write_corpus(
        GARDEN,
        [
            {"id": "q1", "text": "Where is the key of the gate?"},
            {"id": "q2", "text": "What killed the apricot blossom?"},
            {"id": "q3", "text": "When do the tomato plants need water?", "category": "time"},
            {"id": "q4", "text": "Which wavelength does the telescope observe?"},
        ],
        [("q1", "gate", 1), ("q2", "frost", 1), ("q3", "tomato", 1)],
        {"q1": "train", "q2": "test", "q3": "test", "q4": "test"},
    )


@pytest.fixture
def corpora() -> Path:
    """The public corpora: `BIORAG_CORPORA`, or the folder beside the checkout."""
    beside = Path(__file__).resolve().parents[3] / "shared" / "corpora"
    folder = Path(os.environ.get("BIORAG_CORPORA", beside))
    if not folder.is_dir():
        pytest.skip(f"the public corpora are not at {folder}; set BIORAG_CORPORA to their folder")
    return folder


def _write_lines(path: Path, lines: Sequence[Mapping[str, Any]]) -> None:
    text = "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines)
    path.write_text(text, encoding="utf-8")
