"""A whole recall, with every signal, beside bare FTS5 on the same texts."""

from __future__ import annotations

import itertools
import sqlite3
from collections.abc import Callable

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from biorag.engine.memory import Memory
from biorag.evaluation.fts5_rival import any_word
from biorag.evaluation.synthetic import Known, synthetic_questions

QUESTIONS = 100  # each is asked once a bench, the same by all
PAGE = 10
EVERYDAY = frozenset({"what", "did", "the", "have", "to", "do", "with", "or"})


@pytest.fixture(scope="module")
def questions(size: int, texts: list[str]) -> list[Known]:
    return synthetic_questions(texts[:size], QUESTIONS)


def test_recall(
    benchmark: BenchmarkFixture, size: int, memory: Memory, questions: list[Known]
) -> None:
    benchmark.group = f"recall among {size:,}"

    def ask(question: str) -> list[int]:
        return [int(hit.name[1:]) for hit in memory.recall(question, limit=PAGE)]

    _check(ask, questions)
    turn = itertools.cycle(known.question for known in questions)
    benchmark.pedantic(lambda: ask(next(turn)), rounds=QUESTIONS)


@pytest.mark.parametrize("words", ["all words", "content words"])
def test_fts5_order_by_rank(
    benchmark: BenchmarkFixture,
    size: int,
    fts5: sqlite3.Connection,
    questions: list[Known],
    words: str,
) -> None:
    """FTS5 as it is mostly used, and helped by leaving out the question's everyday words."""
    benchmark.group = f"recall among {size:,}"
    left_out = EVERYDAY if words == "content words" else frozenset()

    def ask(question: str) -> list[int]:
        kept = [word for word in question.lower().rstrip("?").split() if word not in left_out]
        rows = fts5.execute(
            "SELECT rowid, body FROM texts WHERE texts MATCH ? ORDER BY rank LIMIT ?",
            (any_word(" ".join(kept)), PAGE),
        )
        return [rowid for rowid, _ in rows]

    _check(ask, questions)
    turn = itertools.cycle(known.question for known in questions)
    benchmark.pedantic(lambda: ask(next(turn)), rounds=QUESTIONS)


def _check(ask: Callable[[str], list[int]], questions: list[Known]) -> None:
    """The text that a question was made of is on its page nearly always, whoever is asked."""
    found = sum(known.source in ask(known.question) for known in questions)
    assert found >= 0.9 * len(questions), f"{found} of {len(questions)} found"
