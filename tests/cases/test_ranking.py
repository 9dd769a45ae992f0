"""The first five memories, and the same answer twice: where scores break and orders shift."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from asking import found, learn_texts
from biorag import Memory, NewMemory, Page

SMALL_STORES = {
    "normal": [
        "the lake is deep",
        "mi hermana vive en Lugo",
        "order 417 shipped",
        "a red door",
        "x",
    ],
    "identical": ["the lake is deep"] * 5,
    "one word each": ["lake", "oak", "ink", "moor", "calm"],
    "only signs": ["!!!", "🦊", "...", "¿?", "***"],
    "unknown words": ["zzzq", "qqqz", "zqzq", "qzqz", "zzqq"],
    "function words": ["the", "of the", "de la", "y", "and"],
}
QUESTIONS = [
    "the lake is deep",
    "lake",
    "zzzq",
    "x",
    "nothing like it",
    "the",
    "!!!",
    "oak and ink",
]


def strict_json(page: Page) -> str:
    """The page as JSON without NaN or infinity, which `allow_nan` would let through."""
    rows = [
        [
            hit.name,
            hit.score,
            hit.confidence,
            {name: [s.value, s.weight, s.contribution] for name, s in hit.signals.items()},
        ]
        for hit in page
    ]
    return json.dumps([page.total, page.abstained, rows], allow_nan=False)


def bounded(page: Page) -> bool:
    return all(0.0 <= hit.score <= 1.0 and 0.0 <= hit.confidence <= 1.0 for hit in page)


class TestSmallStores:
    """h7-192, h7-194, h7-196, h7-198, h7-199."""

    @pytest.mark.parametrize("size", [0, 1, 2, 3, 5])
    @pytest.mark.parametrize("kind", SMALL_STORES)
    def test_every_question_gets_finite_scores_and_no_more_hits_than_memories(
        self, memory: Memory, kind: str, size: int
    ) -> None:
        learn_texts(memory, SMALL_STORES[kind][:size])
        for question in QUESTIONS:
            for limit in (1, 100):
                page = memory.recall(question, limit=limit, explain=True)
                assert len(page) <= min(limit, size)
                assert len({hit.id for hit in page}) == len(page)
                assert bounded(page)
                assert json.loads(strict_json(page))[0] == page.total

    def test_texts_without_a_word_are_no_error(self, memory: Memory) -> None:
        """h7-194: the mean length of the documents is close to zero."""
        for nth, text in enumerate(SMALL_STORES["only signs"]):
            memory.learn(f"{'_' * (nth + 1)}", text)
        assert memory.recall("x").abstained
        assert memory.count() == 1  # a name of underscores alone is one name

    def test_unknown_words_find_nothing(self, memory: Memory) -> None:
        """h7-196."""
        learn_texts(memory, SMALL_STORES["normal"][:3])
        page = memory.recall("zzzz qqqq")
        assert page.abstained
        assert page.trace.words == ("zzzz", "qqqq")


class TestScores:
    def test_words_that_all_memories_hold_count_for_the_better_match(self, memory: Memory) -> None:
        """h7-195: an inverse document frequency may not be negative."""
        learn_texts(memory, ["the lake is deep", "the lake is cold and wide"])
        page = memory.recall("the lake is cold and wide")
        assert page[0].content == "the lake is cold and wide"
        assert bounded(page)

    def test_equal_matches_get_equal_scores(self, memory: Memory) -> None:
        """h7-197."""
        learn_texts(memory, ["ink", "oak", "calm lake", "calm moor"])
        page = memory.recall("calm")
        assert {hit.content for hit in page} == {"calm lake", "calm moor"}
        assert page[0].score == page[1].score > 0.0

    def test_equal_scores_go_to_the_newer_memory_then_the_earlier_one_learnt(
        self, memory: Memory
    ) -> None:
        memory.learn_many(
            NewMemory(name=name, content="calm sea", created_at=at)
            for name, at in [("b2", 5.0), ("c3", 9.0), ("a1", 5.0)]
        )
        assert [hit.name for hit in memory.recall("calm sea")] == ["c3", "b2", "a1"]

    def test_the_same_text_thrice_scores_the_same_and_at_most_one(self, memory: Memory) -> None:
        """h7-200: each is asked by exactly its own text."""
        text = "the lamp in the north hall is broken"
        learn_texts(memory, [text] * 3)
        page = memory.recall(text, explain=True)
        assert len({hit.score for hit in page}) == 1
        assert bounded(page)
        assert all(0.0 <= s.value <= 1.0 for hit in page for s in hit.signals.values())

    def test_a_text_of_words_new_to_the_store_spoils_no_order(self, memory: Memory) -> None:
        """h7-198."""
        learn_texts(memory, SMALL_STORES["normal"])
        before = found(memory, "the deep lake")
        memory.recall("x")
        learn_texts(memory, ["vrkt glmph"])
        assert found(memory, "the deep lake")[: len(before)] == before
        assert found(memory, "vrkt") == ["vrkt glmph"]


ASK = """
import json, sys
from concurrent.futures import ThreadPoolExecutor
from biorag import Memory

path, threads = sys.argv[1], int(sys.argv[2])
questions = json.load(sys.stdin)
with Memory.open(path) as memory, ThreadPoolExecutor(threads) as pool:
    pages = list(pool.map(memory.recall, questions))
rows = [[[hit.id, hit.score, hit.origin, hit.evidence] for hit in page] for page in pages]
print(json.dumps(rows, allow_nan=False))
"""

PLACES = ["harbour", "cellar", "jardín", "estación", "kitchen", "tejado", "attic", "puerto"]
THINGS = ["lamp", "llave", "boiler", "escalera", "clock", "ventana", "rope", "cuadro", "pump"]
QUESTIONS_OF_THE_HOUSE = [
    *(f"where is the {thing} of the {place}" for place in PLACES[:5] for thing in THINGS[:8]),
    *(
        "rope of the attic",
        "boyler in the celar",
        "jardin",
        "clock rope pump",
        "harbor",
        "puerto llave",
    ),
    *('"the lamp of"', "ventana", "estacion", "¿dónde está el reloj de la cocina?"),
]


def test_twenty_processes_give_the_same_ids_order_and_scores(tmp_path: Path) -> None:
    """h7-201: under every hash seed, with one thread or several, and over ties."""
    path = tmp_path / "memory.db"
    with Memory.open(path) as memory:
        memory.learn_many(
            NewMemory(
                name=f"{thing} {nth}",
                content=f"The {thing} of the {place} and its {THINGS[nth % 9]}",
                synonyms=(place,),
            )
            for nth, (place, thing) in enumerate((p, t) for p in PLACES for t in THINGS)
        )

    def answers(seed: int) -> str:
        finished = subprocess.run(
            [sys.executable, "-c", ASK, str(path), str(1 + seed % 4)],
            input=json.dumps(QUESTIONS_OF_THE_HOUSE),
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
            capture_output=True,
            text=True,
            check=True,
        )
        return finished.stdout

    with ThreadPoolExecutor(4) as pool:
        every = list(pool.map(answers, range(20)))
    assert [bool(hits) for hits in json.loads(every[0])] == [True] * 50
    assert set(every) == {every[0]}
