"""The sources of the cascade beside the ranked index: what each brings, and when it is silent."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from biorag import Memory, NewMemory, Settings
from biorag.retrieval.sources import all_sources
from biorag.storage.search_text import (
    holders_inside,
    holders_of_all,
    holders_of_text,
    holders_together,
)

DAY_S = 86_400.0


class Clock:
    def __init__(self, now: float) -> None:
        self.time = now

    def now(self) -> float:
        return self.time


def pages(memory: Memory, count: int = 20) -> None:
    memory.learn_many(
        NewMemory(name=f"page {n}", content=f"ledger{n} entry{n}") for n in range(count)
    )


def origin(memory: Memory, question: str, name: str, *, limit: int = 400) -> str | None:
    """What brought a memory to the pool of a question; `None` where it is not in it."""
    hits = memory.recall(question, limit=limit)
    scored = [hit for hit in hits if hit.signals]
    return next((hit.origin for hit in scored if hit.name == name), None)


def test_the_sources_are_asked_in_the_order_of_the_cascade() -> None:
    names = [source.name for source in all_sources()]
    assert names == [
        *("name", "phrase", "hub", "proximity", "all_words", "trigram", "latent", "substring"),
        *("recent", "chain", "dimensional_fallback", "vectors", "sdm", "roles", "burst"),
        "embedding",
    ]


class TestCrowded:
    """A pool of 200 that memories of one word each fill, and two that hold both further down."""

    FILLER = " ".join(f"filler{n}" for n in range(300))

    def crowd(self, memory: Memory) -> None:
        memory.learn_many(
            NewMemory(name=f"m{n}", content=f"{word} {word} {word} {word} {word} tail{n}")
            for n in range(500)
            for word in [("server", "backup")[n % 2]]
        )
        memory.learn("close", f"The server and its backup. {self.FILLER}")
        memory.learn("apart", f"The server. {self.FILLER} The backup.")

    def test_a_memory_with_all_words_together_is_a_candidate(self, memory: Memory) -> None:
        self.crowd(memory)
        found = origin(memory, "server backup", "close")
        assert found is not None
        assert "proximity" in found.split("+")
        apart = origin(memory, "server backup", "apart")
        assert apart is not None
        assert "all_words" in apart.split("+")
        assert "proximity" not in apart.split("+")

    def test_without_the_sources_it_is_none(self) -> None:
        left_out = replace(Settings(), without=frozenset({"proximity", "all_words"}))
        with Memory.open(":memory:", settings=left_out) as memory:
            self.crowd(memory)
            assert origin(memory, "server backup", "close") is None
            assert origin(memory, "server backup", "apart") is None

    def test_a_filter_holds_for_what_they_bring(self, memory: Memory) -> None:
        self.crowd(memory)
        page = memory.recall("server backup", limit=400, category="Other")
        assert not page.hits
        assert page.trace.sources == {}

    def test_they_are_silent_where_the_pool_has_it_or_holds_all(self, memory: Memory) -> None:
        self.crowd(memory)
        memory.learn("best", "server backup")
        assert "proximity" not in memory.recall("server backup").trace.sources
        assert "all_words" not in memory.recall("tail7 backup").trace.sources

    def test_they_are_silent_in_an_order_of_time(self, memory: Memory) -> None:
        self.crowd(memory)
        page = memory.recall("server backup", order_by="newest")
        assert set(page.trace.sources) == {"full_text"}

    def test_pages_never_overlap(self, memory: Memory) -> None:
        self.crowd(memory)
        names = [
            hit.name
            for page in range(1, 6)
            for hit in memory.recall("server backup", limit=120, page=page)
        ]
        assert len(names) == len(set(names)) == memory.recall("server backup").total == 502


class TestSearches:
    def test_any_spelling_of_each_word_will_do(self, memory: Memory) -> None:
        memory.learn("a", "The boiler hangs near the copper valve.")
        connection = memory._store.reading()
        words = [["boiler", "kettle"], ["valv", "stopcock"]]
        assert holders_together(connection, words, 15, 9) == [1]
        assert holders_together(connection, words, 0, 9) == []
        assert holders_of_all(connection, words, 9) == [1]
        assert holders_of_all(connection, [["boiler"], []], 9) == []
        assert holders_together(connection, [["boiler"], []], 15, 9) == []
        assert holders_of_all(connection, [], 9) == holders_together(connection, [], 15, 9) == []

    def test_more_spellings_than_are_searched_leave_the_first(self, memory: Memory) -> None:
        memory.learn("a", "boiler valve pump lamp")
        connection = memory._store.reading()
        words = [[word, f"{word}s"] for word in ("boiler", "valv", "pump", "lamp")]
        assert holders_together(connection, words, 15, 9) == [1]

    @pytest.mark.parametrize("hostile", ['" OR "x', "NEAR(", "a*", "name:", "-", "(", "^", "\0"])
    def test_nothing_is_syntax(self, memory: Memory, hostile: str) -> None:
        memory.learn("a", "plain words")
        connection = memory._store.reading()
        assert holders_together(connection, [[hostile], ["word"]], 15, 9) == []
        assert holders_of_all(connection, [[hostile], ["word"]], 9) == []
        assert holders_inside(connection, [[f"{hostile}?"]], 1, 9) == []

    def test_a_text_is_searched_literally(self, memory: Memory) -> None:
        memory.learn("a", "It is 100%_sure, C:\\dir.")
        memory.learn("b", "It is 100 percent sure.")
        connection = memory._store.reading()
        assert holders_of_text(connection, "100%_S", 9) == [1]
        assert holders_of_text(connection, "c:\\d", 9) == [1]
        assert holders_of_text(connection, "1%sure", 9) == []
        assert holders_of_text(connection, "is 100", 1) == [1]
        assert holders_of_text(connection, "\0It", 9) == []


class TestTrigram:
    def test_a_word_that_is_inside_a_word_finds_it(self, memory: Memory) -> None:
        pages(memory)
        memory.learn("tool", "A counterclockwise screwdriver.")
        page = memory.recall("clockwise", limit=5)
        assert page.trace.sources == {"trigram": 1}
        assert [hit.name for hit in page] == ["tool"]
        assert page.abstained  # letters of a word are no word of the question

    def test_it_needs_half_of_the_words(self, memory: Memory) -> None:
        pages(memory)
        memory.learn("tool", "A counterclockwise screwdriver.")
        assert memory.recall("clockwise zqvxk").trace.sources == {"trigram": 1}
        assert memory.recall("clockwise zqvxk wjqpf").trace.sources == {}

    def test_the_memory_with_most_pieces_comes_first(self, memory: Memory) -> None:
        memory.learn_many(
            [
                NewMemory(name="one", content="counterclockwise"),
                NewMemory(name="both", content="counterclockwise unpremeditated"),
            ]
        )
        ids = holders_inside(memory._store.reading(), [["clockwis"], ["medit", "xx"]], 1, 9)
        assert ids == [2, 1]

    def test_it_does_not_look_too_often(
        self, memory: Memory, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        pages(memory)
        memory.learn("tool", "A counterclockwise screwdriver.")
        monkeypatch.setattr("biorag.retrieval.sources.fragments.MOST_LOOKS", 21)
        assert memory.recall("clockwise").trace.sources == {"trigram": 1}
        assert memory.recall("clockwise zqvxk").trace.sources == {}

    def test_three_letters_are_too_few(self, memory: Memory) -> None:
        memory.learn("tool", "A counterclockwise screwdriver.")
        assert "trigram" not in memory.recall("ewd").trace.sources

    def test_a_word_that_stands_for_another_is_left_to_the_index(self, memory: Memory) -> None:
        memory.learn("a", "A heron. Interlacing.")
        assert "trigram" not in memory.recall("heorn").trace.sources


class TestSubstring:
    def test_a_piece_of_text_that_is_no_word_is_found(self, memory: Memory) -> None:
        pages(memory)
        memory.learn("rate", "Growth of 50%_=>done was seen.")
        page = memory.recall("%_=>")
        assert page.trace.sources == {"substring": 1}
        assert page[0].origin == "substring"

    def test_a_text_that_was_replaced_is_not(self, memory: Memory) -> None:
        pages(memory)
        memory.learn("rate", "Growth of 50%_=>done was seen.")
        memory.update("rate", content="Nothing of the kind.")
        assert memory.recall("%_=>").trace.sources == {}

    def test_three_characters_and_large_stores_are_not_searched(
        self, memory: Memory, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        pages(memory)
        memory.learn("rate", "Growth of 50%_=>done was counterclockwise.")
        assert memory.recall("%_=").trace.sources == {}
        monkeypatch.setattr("biorag.retrieval.sources.fragments.LARGEST_STORE", 20)
        assert memory.recall("%_=>").trace.sources == {}
        assert memory.recall("clockwise").trace.sources == {}

    def test_what_the_words_found_is_not_brought_again(self, memory: Memory) -> None:
        memory.learn("zq", "the zorblattian engine")
        assert memory.recall("zorblat engine").trace.sources == {"full_text": 1, "prefix": 1}


class TestRecent:
    @pytest.fixture
    def dated(self) -> tuple[Memory, Clock]:
        clock = Clock(1_800_000_000.0)
        return Memory.open(":memory:", clock=clock), clock

    def test_what_was_learnt_lately_comes_for_the_beginning_of_a_word(
        self, dated: tuple[Memory, Clock]
    ) -> None:
        memory, clock = dated
        with memory:
            pages(memory)
            memory.learn("old", "We migrated the schema in spring.")
            clock.time += 8 * DAY_S
            memory.learn("new", "We migrated the mailboxes.")
            page = memory.recall("migrazzoo plan")
            assert page.trace.sources == {"recent": 1}
            assert [hit.name for hit in page] == ["new"]
            memory.update("old", content="We migrated the schema in autumn.")
            assert memory.recall("migrazzoo plan").trace.sources == {"recent": 2}
            clock.time += 8 * DAY_S
            assert memory.recall("migrazzoo plan").trace.sources == {}

    def test_the_newest_come_first_and_not_all(self, dated: tuple[Memory, Clock]) -> None:
        memory, clock = dated
        with memory:
            for nth in range(8):
                clock.time += 60.0
                memory.learn(f"m{nth}", f"We migrated number{nth}.")
            page = memory.recall("migrazzoo plan")
            assert {hit.name for hit in page} == {"m3", "m4", "m5", "m6", "m7"}

    def test_four_letters_alike_are_chance(self, dated: tuple[Memory, Clock]) -> None:
        memory, _ = dated
        with memory:
            memory.learn("new", "We migrated the mailboxes.")
            assert memory.recall("migrqx plan").trace.sources == {}


class TestVectors:
    @pytest.fixture
    def trained(self) -> Iterator[Memory]:
        """Two memories of storks and marabous; after the training, one of marabous alone."""
        with Memory.open(
            ":memory:", settings=Settings(neighbours=False, auto_link=False)
        ) as memory:
            memory.learn_many(
                NewMemory(name=f"page {n}", content=f"ledger{n % 12} audit{n % 12}")
                for n in range(60)
            )
            memory.learn("single", "stork marabou")
            memory.learn("twin", "stork marabou")
            memory.retrain_vectors()
            memory.learn("alone", "The marabou sleeps.")
            yield memory

    def test_what_is_near_comes_where_few_share_a_word(self, trained: Memory) -> None:
        page = trained.recall("stork zqxvb")
        assert page.trace.sources == {"full_text": 2, "vectors": 1}
        assert {hit.name: hit.origin for hit in page}["alone"] == "vectors"

    def test_it_is_silent_for_words_unknown_to_the_space(self, trained: Memory) -> None:
        assert trained.recall("zqxvb wjqpf").trace.sources == {}
        assert trained.recall("sleeps zqxvb").trace.sources == {"full_text": 1}

    def test_it_is_silent_without_a_space(self, memory: Memory) -> None:
        memory.learn("single", "stork marabou")
        memory.learn("alone", "The marabou sleeps.")
        assert "vectors" not in memory.recall("stork zqxvb").trace.sources

    def test_what_is_less_near_than_the_floor_is_left(
        self, trained: Memory, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("biorag.retrieval.sources.vectors.NEAR", 1.1)
        assert trained.recall("stork zqxvb").trace.sources == {"full_text": 2}
