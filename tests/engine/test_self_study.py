"""What a store learns of its own words: the kinds of things they name, and what goes with them."""

from __future__ import annotations

import math
import sqlite3
from pathlib import Path

import pytest

from biorag import Memory, NewMemory
from biorag.errors import KernelInputError
from biorag.kernels.index import TextIndex
from biorag.learning.domain import FEWEST_TOGETHER, PARTNERS, domain_pairs
from biorag.settings import Settings

ON = Settings(domain_dictionary=True)


def rows(path: Path, query: str) -> list[tuple[object, ...]]:
    with sqlite3.connect(path) as connection:
        return connection.execute(query).fetchall()


def group_score(memory: Memory, question: str) -> dict[str, float]:
    return {
        hit.name: hit.signals["group_score"].value for hit in memory.recall(question, explain=True)
    }


class TestWordGroups:
    @pytest.fixture
    def zoo(self, kept: Memory) -> Memory:
        kept.learn("first", "We have an egret and a dog, seen again.")
        kept.learn("second", "The old bridge, seen again.")
        return kept

    def test_a_memory_gets_the_commonest_kind_of_each_content_word(
        self, zoo: Memory, path: Path
    ) -> None:
        assert zoo.learn_word_groups() == 2
        held = rows(
            path,
            "SELECT node.name, lexical_group.name, words FROM node_group"
            " JOIN node ON node.id = node_id JOIN lexical_group ON lexical_group.id = group_id",
        )
        assert ("first", "noun.animal", 2) in held
        assert ("second", "noun.artifact", 1) in held
        assert not any(name == "verb.possession" for _, name, _ in held)  # have

    def test_spanish_words_have_kinds_too(self, kept: Memory, path: Path) -> None:
        kept.learn("garza", "La garza y el perro viven junto al lago.")
        kept.learn_word_groups()
        names = [name for (name,) in rows(path, "SELECT name FROM lexical_group")]
        assert "noun.animal" in names

    def test_the_signal_is_the_cosine_with_all_of_the_memorys_kinds(
        self, zoo: Memory, path: Path
    ) -> None:
        assert set(group_score(zoo, "egret seen").values()) == {0.0}
        zoo.learn_word_groups()
        [(own,)] = rows(
            path,
            "SELECT count(*) FROM node_group JOIN node ON node.id = node_id WHERE name = 'first'",
        )
        scores = group_score(zoo, "egret")
        assert scores["first"] == pytest.approx(1.0 / math.sqrt(int(str(own))), abs=1e-6)

    def test_only_changed_memories_are_read_again(self, zoo: Memory) -> None:
        assert zoo.learn_word_groups() == 2
        assert zoo.learn_word_groups() == 0
        zoo.learn("third", "A cat sleeps.")
        zoo.forget("second")
        assert zoo.learn_word_groups() == 1

    def test_a_memory_not_read_yet_counts_as_middling(self, zoo: Memory) -> None:
        zoo.learn_word_groups()
        zoo.learn("third", "Seen again.")
        scores = group_score(zoo, "seen egret again")
        assert scores["third"] == pytest.approx((scores["first"] + scores["second"]) / 2, abs=1e-5)

    def test_a_long_question_has_no_kinds(self, zoo: Memory) -> None:
        zoo.learn_word_groups()
        assert set(group_score(zoo, "egret " * 20).values()) == {0.0}

    def test_another_process_sees_them(self, zoo: Memory, path: Path) -> None:
        with Memory.open(path) as other:
            assert group_score(other, "egret")["first"] == 0.0
            zoo.learn_word_groups()
            assert group_score(other, "egret")["first"] > 0.0

    def test_forgotten_memories_leave_no_group(self, zoo: Memory, path: Path) -> None:
        zoo.learn_word_groups()
        zoo.forget("first", "second")
        assert rows(path, "SELECT * FROM node_group") == []


def learn_pairs(memory: Memory, together: int = 4) -> None:
    """`gasket` and `valve` always together, `lamp` alone, in a store of eighty."""
    texts = ["The gasket of the valve."] * together + ["A lamp hangs."] * (80 - together)
    memory.learn_many(
        NewMemory(name=f"zq{nth}", content=f"{text} {nth}") for nth, text in enumerate(texts)
    )


class TestDomainWords:
    def test_words_that_always_go_together_have_npmi_one(self, kept: Memory, path: Path) -> None:
        learn_pairs(kept)
        outcome = kept.learn_domain_words()
        assert (outcome.terms, outcome.pairs) == (2, 2)
        held = {
            (str(term), str(related)): weight
            for term, related, weight in rows(path, "SELECT * FROM domain_term")
        }
        assert held == {("gasket", "valv"): 1.0, ("valv", "gasket"): 1.0}

    def test_twice_together_is_chance(self, kept: Memory) -> None:
        learn_pairs(kept, together=FEWEST_TOGETHER - 1)
        kept.learn("zq-gasket", "A gasket.")
        kept.learn("zq-valve", "A valve.")
        assert kept.learn_domain_words().pairs == 0

    def test_npmi_falls_with_what_each_does_alone(self, kept: Memory, path: Path) -> None:
        learn_pairs(kept, together=3)
        kept.learn("zq-alone", "A valve.")
        kept.learn_domain_words()
        [(weight,)] = rows(path, "SELECT weight FROM domain_term WHERE term = 'gasket'")
        together, gasket, valve = 3 / 81, 3 / 81, 4 / 81
        expected = math.log(together / (gasket * valve)) / -math.log(together)
        assert weight == pytest.approx(expected, abs=1e-6)

    def test_a_word_has_five_partners_at_most(self, kept: Memory) -> None:
        companions = "anchor bridge candle dragon engine feather gravel"
        kept.learn_many(
            NewMemory(name=f"zq{nth}", content=text)
            for nth, text in enumerate([f"heron {companions}"] * 3 + ["lamp"] * 40)
        )
        outcome = kept.learn_domain_words()
        assert outcome.pairs == 8 * PARTNERS

    def test_the_pairs_do_not_depend_on_how_the_store_was_filled(self, memory: Memory) -> None:
        learn_pairs(memory)
        with Memory.open(":memory:") as other:
            for nth in range(4):
                other.learn(f"zq{nth}", f"The gasket of the valve. {nth}")
            for nth in range(4, 80):
                other.learn(f"zq{nth}", f"A lamp hangs. {nth}")
            indexes = [held._keeper.current(held._store) for held in (memory, other)]
            assert domain_pairs(indexes[0]) == domain_pairs(indexes[1]) != []

    def test_an_empty_store_has_none(self) -> None:
        assert domain_pairs(TextIndex()) == []

    def test_a_recall_searches_them_only_where_it_is_asked_to(
        self, kept: Memory, path: Path
    ) -> None:
        learn_pairs(kept)
        kept.learn("alone", "A gasket.")
        kept.learn_domain_words()
        assert kept.recall("valve").trace.expansions == ()
        with Memory.open(path, settings=ON) as other:
            page = other.recall("valve", limit=20)
        [found] = page.trace.expansions
        assert (found.alternative, found.origin) == ("gasket", "domain")
        assert 0.0 < found.weight < 1.0
        assert page[-1].name == "alone"
        assert page[-1].origin == "domain"

    def test_they_are_no_evidence_that_anything_answers(self, kept: Memory, path: Path) -> None:
        learn_pairs(kept)
        kept.learn_domain_words()
        plain = kept.recall("valve").certainty_value
        with Memory.open(path, settings=ON) as other:
            assert other.recall("valve").certainty_value == plain

    def test_a_quoted_word_is_searched_as_written(self, kept: Memory, path: Path) -> None:
        learn_pairs(kept)
        kept.learn_domain_words()
        with Memory.open(path, settings=ON) as other:
            assert other.recall('"valve"').trace.expansions == ()

    def test_they_can_be_left_out(self, kept: Memory, path: Path) -> None:
        learn_pairs(kept)
        kept.learn_domain_words()
        settings = Settings(domain_dictionary=True, without=frozenset({"domain"}))
        with Memory.open(path, settings=settings) as other:
            assert other.recall("valve").trace.expansions == ()

    def test_a_forgotten_word_leaves_the_dictionary(self, kept: Memory, path: Path) -> None:
        learn_pairs(kept)
        kept.learn_domain_words()
        kept.forget(*(f"zq{nth}" for nth in range(4)))
        assert rows(path, "SELECT * FROM domain_term") == []

    def test_a_list_a_word_is_needed(self, memory: Memory) -> None:
        learn_pairs(memory)
        index = memory._keeper.current(memory._store)
        prepared = index.prepare("valve", None, protected=[], meanings=False, spellings=False)
        with pytest.raises(KernelInputError):
            index.with_domain_words(prepared, [])
