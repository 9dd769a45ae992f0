"""Statements: told by agents, read in texts, and found by who does what."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from biorag import Memory, NewMemory, Predicate
from biorag.errors import InvalidInputError
from biorag.settings import Settings


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory.open(tmp_path / "memory.db") as opened:
        opened.learn("bicycle", "Ana bought a red bicycle in Madrid.")
        opened.learn("gift", "The red bicycle was a gift for Ana.")
        opened.learn("huerto", "Los vecinos regaron el huerto por la noche.")
        opened.learn("cat", "Sleeps all day.")
        yield opened


def names(memory: Memory, **roles: str) -> list[str]:
    return [held.name for held in memory.list(roles=roles)]  # type: ignore[arg-type]


class TestReading:
    def test_what_a_text_states_is_read_as_it_is_learnt(self, memory: Memory) -> None:
        (said,) = memory.get("bicycle").predicates
        assert said == Predicate(
            subject="Ana", action="buy", object="red bicycle", context="in Madrid"
        )
        assert memory.get("huerto").predicates[0].action == "regar"

    def test_a_new_text_states_something_else(self, memory: Memory) -> None:
        memory.update("bicycle", content="Ben sold the bicycle.")
        assert [said.action for said in memory.get("bicycle").predicates] == ["sell"]
        assert names(memory, action="bought") == []

    def test_a_bulk_load_is_read_when_asked_and_once(self, tmp_path: Path) -> None:
        with Memory.open(tmp_path / "bulk.db") as memory:
            memory.learn_many(
                NewMemory(name=f"m{nth}", content=f"Ana bought {nth} boats.") for nth in range(60)
            )
            assert memory.get("m7").predicates == ()
            read = memory.read_roles()
            assert (read.memories, read.statements) == (60, 60)
            assert memory.read_roles().memories == 0
            assert memory.get("m7").predicates[0].object == "7 boats"

    def test_it_can_be_switched_off(self) -> None:
        with Memory.open(":memory:", settings=Settings(read_roles=False)) as memory:
            memory.learn("bicycle", "Ana bought a red bicycle.")
            assert memory.get("bicycle").predicates == ()


class TestAsking:
    def test_the_role_of_a_word_decides_and_not_its_presence(self, memory: Memory) -> None:
        assert names(memory, subject="Ana") == ["bicycle"]
        assert names(memory, object="bicycle") == ["bicycle"]
        assert names(memory, subject="bicycle") == ["gift"]

    def test_words_are_compared_by_their_stems_in_either_language(self, memory: Memory) -> None:
        assert names(memory, action="buys") == names(memory, action="bought") == ["bicycle"]
        assert names(memory, action="regando", object="huertos") == ["huerto"]

    def test_a_verb_is_found_in_any_of_its_forms(self, memory: Memory) -> None:
        memory.learn("king", "El rey murió en abril.")
        memory.learn("shop", "The shop does not open on Mondays.")
        for form in ("morir", "muere", "murieron"):
            assert names(memory, action=form) == ["king"], form
        assert names(memory, action="opened") == ["shop"]

    def test_as_many_are_found_as_there_are(self, tmp_path: Path) -> None:
        with Memory.open(tmp_path / "many.db") as memory:
            memory.learn_many(
                NewMemory(name=f"m{nth}", content=f"The server sent {nth} mails.")
                for nth in range(900)
            )
            memory.read_roles()
            assert memory.list(roles={"subject": "server"}).total == 900
            assert memory.list(roles={"action": "send", "object": "mail"}).total == 900

    def test_all_roles_must_be_in_one_statement(self, memory: Memory) -> None:
        memory.learn("both", "Ana sold a boat. Ben bought a kite.")
        assert names(memory, subject="Ana", object="boat") == ["both"]
        assert names(memory, subject="Ana", object="kite") == []

    def test_a_question_is_answered_among_those_alone(self, memory: Memory) -> None:
        page = memory.recall("red bicycle", roles={"action": "buy"})
        assert [hit.name for hit in page] == ["bicycle"]
        assert len(memory.recall("red bicycle")) == 2

    @pytest.mark.parametrize("roles", [{"verb": "buy"}, {"subject": " "}])
    def test_what_is_no_role_is_refused(self, memory: Memory, roles: dict[str, str]) -> None:
        with pytest.raises(InvalidInputError, match="roles"):
            memory.recall("bicycle", roles=roles)  # type: ignore[arg-type]


class TestTold:
    SAID = Predicate(subject="the cat", action="guard", object="granary", context="at night")

    def test_an_agents_statement_is_found_in_words_the_text_has_not(self, memory: Memory) -> None:
        memory.learn("cat", "Sleeps all day.", predicates=[self.SAID])
        assert names(memory, subject="cat", object="granaries") == ["cat"]
        memory.learn("cat", "Sleeps all day.", predicates=[self.SAID])
        assert memory.get("cat").predicates.count(self.SAID) == 1

    def test_it_outlives_a_change_of_the_text_but_not_the_memory(self, memory: Memory) -> None:
        memory.learn("cat", "Sleeps all day.", predicates=[self.SAID])
        memory.update("cat", content="Hunts at dawn.")
        assert self.SAID in memory.get("cat").predicates
        memory.forget("cat")
        assert names(memory, object="granary") == []

    @pytest.mark.parametrize(
        "said", [Predicate(action=" "), Predicate(action="x" * 301), "cat guards granary"]
    )
    def test_a_bad_statement_is_refused_and_nothing_written(
        self, memory: Memory, said: object
    ) -> None:
        with pytest.raises(InvalidInputError, match="predicates"):
            memory.learn("dog", "Barks.", predicates=[said])  # type: ignore[list-item]
        assert memory.count() == 4
