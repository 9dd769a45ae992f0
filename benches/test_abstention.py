"""What it costs to know when not to answer: a question's certainty, and a whole calibration."""

from __future__ import annotations

import itertools

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from biorag.engine.memory import Memory
from biorag.evaluation.synthetic import synthetic_questions
from biorag.kernels.index import PreparedQuestion, TextIndex, analyse_documents
from biorag.lexicon.wordnet import load_lexicon

QUESTIONS = 100
BATCH = 2_000
UNANSWERABLE = "Which wavelength does the observatory's new telescope prefer at dusk?"


@pytest.fixture(scope="module")
def index(size: int, texts: list[str]) -> TextIndex:
    found = TextIndex()
    for start in range(0, size, BATCH):
        rows = [("", "", "", "", text) for text in texts[start : min(start + BATCH, size)]]
        ids = list(range(start, start + len(rows)))
        found.put(ids, analyse_documents(rows, ["en"] * len(rows), "en", None))
    return found


@pytest.fixture(scope="module")
def questions(index: TextIndex, size: int, texts: list[str]) -> list[PreparedQuestion]:
    lexicon = load_lexicon()
    asked = synthetic_questions(texts[:size], QUESTIONS)
    return [
        index.prepare(known.question, lexicon, protected=[], meanings=True, spellings=True)
        for known in asked
    ]


def test_search_alone(
    benchmark: BenchmarkFixture, size: int, index: TextIndex, questions: list[PreparedQuestion]
) -> None:
    """The best 50, which the certainty is judged on: what would be done without it."""
    benchmark.group = f"certainty among {size:,}"
    turn = itertools.cycle(questions)
    found = benchmark.pedantic(lambda: index.best(next(turn), 50), rounds=QUESTIONS)
    assert found


def test_search_and_certainty(
    benchmark: BenchmarkFixture, size: int, index: TextIndex, questions: list[PreparedQuestion]
) -> None:
    benchmark.group = f"certainty among {size:,}"
    assert all(index.certainty(question, []) > 0.0 for question in questions)
    turn = itertools.cycle(questions)
    benchmark.pedantic(lambda: index.certainty(next(turn), []), rounds=QUESTIONS)


def test_calibrate(benchmark: BenchmarkFixture, size: int, memory: Memory) -> None:
    benchmark.group = f"calibration of {size:,}"
    memory.recall(UNANSWERABLE)  # the index is there
    benchmark.pedantic(lambda: memory.calibrate(force=True), rounds=1)
    assert memory.recall(UNANSWERABLE).abstained
