from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from biorag.engine.memory import Memory
from biorag.evaluation.demo import TOUR, Asked, run_demo, texts
from biorag.settings import Settings


@pytest.fixture(scope="module")
def memory() -> Iterator[Memory]:
    with Memory.open(":memory:", settings=Settings()) as memory:
        memory.learn_many(texts())
        yield memory


def test_every_answer_that_the_tour_promises_is_among_the_texts() -> None:
    contents = [memory.content for memory in texts()]
    promised = [asked.answer for asked in TOUR if asked.answer]
    assert len(promised) >= 10
    assert [sum(answer in content for content in contents) for answer in promised] == [
        1 for _ in promised
    ]


@pytest.mark.parametrize("asked", [a for a in TOUR if a.answer], ids=lambda asked: asked.text)
def test_the_tour_finds_what_it_promises_among_the_three_it_shows(
    memory: Memory, asked: Asked
) -> None:
    shown = [hit.content for hit in memory.recall(asked.text, limit=3)]
    assert any(asked.answer in content for content in shown), [text[:80] for text in shown]


def test_the_tour_is_told_when_nothing_answers(memory: Memory) -> None:
    unanswerable = [asked for asked in TOUR if not asked.answer]
    assert unanswerable
    assert all(memory.recall(asked.text).abstained for asked in unanswerable)
    refused = [asked.text for asked in TOUR if asked.answer and memory.recall(asked.text).abstained]
    assert len(refused) <= 1


def test_the_demo_prints_each_question_and_leaves_nothing_behind(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run_demo() == 0
    printed = re.sub(r"\s+", " ", capsys.readouterr().out)
    assert all(asked.text in printed for asked in TOUR)
    assert "It does not answer: its certainty is" in printed
    assert "\x1b[" not in printed
