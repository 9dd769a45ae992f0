"""What agents stated, in a recall that found next to nothing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from biorag import Memory, NewMemory, Predicate, Settings
from biorag.retrieval.told import Told
from biorag.storage.predicates import LANE
from biorag.storage.revisions import revisions

GUARDS = Predicate(subject="the cat", action="guard", object="granary", context="at night")


def learn(memory: Memory) -> None:
    memory.learn_many(NewMemory(name=f"page {n}", content=f"ledger{n}") for n in range(20))
    memory.learn("tom", "Sleeps all day.", predicates=[GUARDS])
    memory.learn("barn", "Built of oak.", predicates=[Predicate(action="hold", object="granary")])


def brought(memory: Memory, question: str) -> list[str]:
    return [hit.name for hit in memory.recall(question) if hit.origin == "roles"]


@pytest.fixture
def told(memory: Memory) -> Memory:
    learn(memory)
    return memory


def test_a_word_that_only_a_statement_has_finds_its_memory(told: Memory) -> None:
    page = told.recall("granaries")
    assert page.trace.sources == {"roles": 2}
    assert {hit.name for hit in page} == {"tom", "barn"}
    assert page.abstained  # what was said of a memory is not its answer


def test_actions_and_contexts_bring_nothing(told: Memory) -> None:
    assert told.recall("guard night").trace.sources == {}


def test_it_is_silent_where_the_words_answer(told: Memory) -> None:
    told.learn("silo", "A granary of steel.")
    assert "roles" not in told.recall("granary").trace.sources


def test_it_can_be_left_out() -> None:
    left_out = replace(Settings(), without=frozenset({"roles"}))
    with Memory.open(":memory:", settings=left_out) as memory:
        learn(memory)
        assert memory.recall("granary").trace.sources == {}


def test_a_filter_holds_and_uses_no_budget_up(told: Memory) -> None:
    for nth in range(15):
        told.learn(f"m{nth}", f"entry{nth}", category="Other", predicates=[GUARDS])
    told.learn("last", "entry", category="Kept", predicates=[GUARDS])
    assert len(brought(told, "granary")) == 10
    assert [hit.name for hit in told.recall("granary", category="Kept")] == ["last"]


def test_what_is_forgotten_uses_no_budget_up(told: Memory) -> None:
    for nth in range(12):
        told.learn(f"m{nth}", f"entry{nth}", predicates=[GUARDS])
    told.learn("last", "entry", predicates=[Predicate(action="hold", object="granary")])
    assert "last" not in brought(told, "granary")
    for nth in range(12):
        told.forget(f"m{nth}")
    assert "last" in brought(told, "granary")


def test_what_is_told_later_is_found(told: Memory) -> None:
    assert brought(told, "lantern") == []
    told.learn("tom", "Sleeps all day.", predicates=[Predicate(subject="lantern", action="lit")])
    assert brought(told, "lantern") == ["tom"]


def test_the_memory_that_names_most_words_comes_first() -> None:
    holders = {"a": np.array([1, 2]), "b": np.array([2, 3]), "c": np.array([3]), "d": np.array([3])}
    told = Told(holders)
    assert told.naming([["a"], ["b", "c", "d"]]).tolist() == [2, 1, 3]  # three terms, one word
    assert told.naming([["x"], []]).tolist() == told.naming([]).tolist() == []


def test_reading_a_text_is_no_write_of_what_was_told(memory: Memory) -> None:
    memory.learn("bicycle", "Ana bought a red bicycle.")
    assert memory.get("bicycle").predicates
    memory.forget("bicycle")
    assert LANE not in revisions(memory._store.reading())
