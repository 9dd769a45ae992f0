"""Links: what an agent makes stays, what the store makes is bounded, and both are followed."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from biorag import Memory, NewMemory
from biorag.engine.weaving import AT_WRITE, MOST
from biorag.errors import InvalidInputError, NodeNotFoundError
from biorag.settings import Settings


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


@pytest.fixture
def memory(path: Path) -> Iterator[Memory]:
    with Memory.open(path, settings=Settings(auto_link=False)) as opened:
        opened.learn("boiler", "It heats the water of the house.")
        opened.learn("valve", "Turn it clockwise to shut it.")
        opened.learn("plumber", "Comes on Mondays.")
        opened.learn("invoice", "Paid in March.")
        yield opened


def links(path: Path) -> list[tuple[str, str, str, str]]:
    with sqlite3.connect(path) as connection:
        rows = connection.execute(
            "SELECT a.name, b.name, rel, origin FROM edge JOIN node a ON a.id = src"
            " JOIN node b ON b.id = dst WHERE active = 1 ORDER BY src, dst, rel"
        ).fetchall()
    connection.close()
    return rows


class TestAgentLinks:
    def test_a_link_needs_both_memories(self, memory: Memory, path: Path) -> None:
        assert memory.link("boiler", "valve")
        assert not memory.link("valve", "boiler")  # the same link from its other end
        with pytest.raises(NodeNotFoundError):
            memory.link("boiler", "nothing of the kind")
        with pytest.raises(InvalidInputError, match="other"):
            memory.link("boiler", "Boiler")
        assert links(path) == [("boiler", "valve", "manual", "agent")]

    def test_unlinking_ends_the_link_from_either_end(self, memory: Memory, path: Path) -> None:
        memory.link("boiler", "valve")
        assert memory.recall("heats water", associations=5)[0].associations
        assert memory.unlink("valve", "boiler") == 1
        assert memory.unlink("valve", "boiler") == 0
        assert links(path) == []
        assert memory.recall("heats water", associations=5)[0].associations == ()


class TestWhatLinksShow:
    def test_neighbours_stand_beside_a_hit_and_change_no_score(self, memory: Memory) -> None:
        before = memory.recall("heats water")
        memory.link("boiler", "valve")
        page = memory.recall("heats water", associations=5)
        (neighbour,) = page[0].associations
        assert (neighbour.name, neighbour.rel, neighbour.strength) == ("valve", "manual", 1.0)
        assert neighbour.content == "Turn it clockwise to shut it."
        assert memory.recall("heats water")[0].associations == ()
        assert [hit.name for hit in page][: len(before)] == [hit.name for hit in before]

    def test_context_follows_links_as_deep_as_asked(self, memory: Memory) -> None:
        memory.link("boiler", "valve")
        memory.link("valve", "plumber")
        memory.link("plumber", "invoice")

        def around(depth: int) -> list[tuple[str, str, int]]:
            page = memory.recall("heats water", limit=1, context_depth=depth)
            return [(step.name, step.parent, step.hops) for step in page.context]

        assert around(0) == []
        assert around(1) == [("valve", "boiler", 1)]
        assert around(2) == [("valve", "boiler", 1), ("plumber", "valve", 2)]
        with pytest.raises(InvalidInputError, match="context_depth"):
            memory.recall("heats water", context_depth=6)

    def test_a_linked_memory_is_found_where_few_words_answer(self, memory: Memory) -> None:
        question = "cheap water heats"  # nothing says cheap
        assert "valve" not in [hit.name for hit in memory.recall(question)]
        memory.link("boiler", "valve")
        assert len(memory.recall("heats water")) == 1  # the words answer it whole
        page = memory.recall(question, explain=True)
        linked = next(hit for hit in page if hit.name == "valve")
        assert linked.origin == "chain"
        assert linked.signals["latent_chain"].value == 1.0  # the only link of the best hit
        assert page[0].name == "boiler"

    def test_another_process_link_is_followed(self, memory: Memory, path: Path) -> None:
        with Memory.open(path) as other:
            assert other.recall("heats water", associations=5)[0].associations == ()
            memory.link("boiler", "valve")
            assert len(other.recall("heats water", limit=1, context_depth=1).context) == 1
            memory.forget("valve")
            assert other.recall("heats water", context_depth=1).context == ()


class TestOwnLinks:
    TEXTS = ("boiler valve north wall", "boiler valve south wall", "lamp oil")

    def test_what_is_learnt_is_linked_to_what_is_like_it(self, path: Path) -> None:
        with Memory.open(path) as memory:
            for nth, text in enumerate(self.TEXTS):
                memory.learn(f"m{nth}", text)
        assert links(path) == [("m0", "m1", "co_ocurrencia", "system")]

    def test_it_can_be_switched_off(self, path: Path) -> None:
        with Memory.open(path, settings=Settings(auto_link=False)) as memory:
            for nth, text in enumerate(self.TEXTS):
                memory.learn(f"m{nth}", text)
        assert links(path) == []

    def test_a_bulk_load_is_linked_when_asked_and_once(self, path: Path) -> None:
        with Memory.open(path) as memory:
            memory.learn_many(
                NewMemory(name=f"m{nth}", content=f"{text} {nth // 3}")
                for nth in range(3 * AT_WRITE)
                for text in [self.TEXTS[nth % 3]]
            )
            assert links(path) == []
            woven = memory.weave()
            assert woven.memories == 3 * AT_WRITE
            assert woven.links == len(links(path)) > 0
            again = memory.weave()
            assert (again.memories, again.links) == (0, 0)

    def test_links_of_a_memory_are_bounded(self, path: Path) -> None:
        with Memory.open(path) as memory:
            for nth in range(60):
                memory.learn(f"m{nth}", f"boiler valve north wall {nth}x")
            memory.weave()
        ends = [name for one, other, _, _ in links(path) for name in (one, other)]
        assert max(ends.count(name) for name in ends) <= MOST

    def test_single_learning_and_weaving_make_the_same_links(self, tmp_path: Path) -> None:
        with Memory.open(tmp_path / "one.db") as memory:
            for nth, text in enumerate(self.TEXTS):
                memory.learn(f"m{nth}", text)
        with Memory.open(tmp_path / "two.db", settings=Settings(auto_link=False)) as memory:
            for nth, text in enumerate(self.TEXTS):
                memory.learn(f"m{nth}", text)
            memory.weave()
        assert links(tmp_path / "one.db") == links(tmp_path / "two.db")


def test_latent_links_join_the_ends_of_a_strong_path(path: Path) -> None:
    with Memory.open(path, settings=Settings(auto_link=False)) as memory:
        shared = {"dominio": ["tecnico"]}
        memory.learn("boiler", "It heats the water of the house.", dimensions=shared)
        memory.learn("valve", "Turn it clockwise.")
        memory.learn("plumber", "Comes on Mondays.", dimensions=shared)
        memory.learn("invoice", "Paid in March.")
        for one, other in (("boiler", "valve"), ("valve", "plumber"), ("valve", "invoice")):
            memory.link(one, other)
        assert memory.weave().latent == 1  # only the two that share a value

        def value(*, inference: bool) -> float:
            page = memory.recall("cheap water heats", explain=True, inference=inference)
            found = [hit for hit in page if hit.name == "plumber"]
            return found[0].signals["latent_chain"].value if found else 0.0

        assert value(inference=True) == pytest.approx(0.7 * 1.3)
        assert value(inference=False) < 0.2


def test_at_most_two_neighbours_are_other_names_of_one_thing(path: Path) -> None:
    with Memory.open(path, settings=Settings(auto_link=False)) as memory:
        memory.learn("boiler", "It heats the water.")
        for nth in range(4):
            memory.learn(f"pump {nth}", f"Number {nth}.", synonyms=["boiler"])
        memory.weave()
        memory.learn("plumber", "Comes on Mondays.")
        memory.link("boiler", "plumber")
        found = memory.recall("heats water", associations=10)[0].associations
        explicit = [link.name for link in found if link.rel == "sinonimo_explicito"]
        assert explicit == ["pump 0", "pump 1"]  # equal weights: the older ones
        assert found[0].name == "plumber"  # the strongest


def test_a_heavier_memory_goes_before_one_that_says_the_same(path: Path) -> None:
    with Memory.open(path, settings=Settings(auto_link=False)) as memory:
        memory.learn("old", "The boiler leaks.")
        memory.learn("new", "The boiler leaks.")
        memory.learn("other", "The boiler is red.")
        assert [hit.name for hit in memory.recall("boiler leaks")][:2] == ["new", "old"]
        memory.update("new", weight=0.4)
        page = memory.recall("boiler leaks")
        assert [hit.name for hit in page][:2] == ["old", "new"]
        assert page[0].signals["weight"].value == pytest.approx(0.6)
        assert "weight" not in page[1].signals


def test_vectors_are_drawn_towards_those_of_linked_memories(path: Path) -> None:
    words = ["heron", "egret", "bittern", "boiler", "valve", "pump", "ledger", "invoice", "tax"]
    with Memory.open(path, settings=Settings(auto_link=False)) as memory:
        memory.learn_many(
            NewMemory(
                name=f"m{nth}",
                content=" ".join(words[(nth // 3 * 3 + step) % 9] for step in range(1 + nth % 3)),
            )
            for nth in range(90)
        )
        memory.learn("rented", "heron tax")
        memory.learn("paid", "heron invoice")
        memory.retrain_vectors()
        memory.link("paid", "m1")  # of herons and egrets

    def value(*, retrofit: bool) -> float:
        settings = Settings(retrofit=retrofit, neighbours=False)
        with Memory.open(path, settings=settings) as memory:
            page = memory.recall("heron egret", limit=100, explain=True)
            return next(h for h in page if h.name == "paid").signals["ppmi_score"].value

    assert value(retrofit=True) > value(retrofit=False) + 0.05
