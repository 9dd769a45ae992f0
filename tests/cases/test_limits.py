"""Limits are kept or refused in plain words: no wrong size returns the whole store or breaks."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Iterator
from typing import Any, Literal

import pytest

from asking import learn_texts
from biorag import Memory, NewMemory
from biorag.errors import InvalidInputError, LimitExceededError

MANY = 70_000

Order = Literal["relevance", "newest", "oldest"]


@pytest.fixture
def fifty(memory: Memory) -> Memory:
    learn_texts(memory, (f"common text number {nth}" for nth in range(50)))
    return memory


@pytest.fixture(scope="module")
def crowd() -> Iterator[Memory]:
    """Seventy thousand short texts with one word in common."""
    with Memory.open(":memory:") as memory:
        memory.learn_many(
            NewMemory(name=f"zq{n}", content=f"common w{n}", author=f"a{n % 7}")
            for n in range(MANY)
        )
        yield memory


class TestSizesOfAPage:
    @pytest.mark.parametrize("limit", [0, -1, -(10**30), True, False, 2.0, "5"])
    @pytest.mark.parametrize("call", ["list", "recall"])
    def test_a_limit_that_is_no_whole_number_from_one_is_refused(
        self, fifty: Memory, call: str, limit: object
    ) -> None:
        """h7-140, h7-141."""
        with pytest.raises(InvalidInputError) as caught:
            _page(fifty, call)(limit=limit)
        assert caught.value.field == "limit"
        assert "1 to 1,000" in caught.value.rule

    @pytest.mark.parametrize("page", [0, -5, True, 1.5])
    @pytest.mark.parametrize("call", ["list", "recall"])
    def test_a_page_that_is_no_whole_number_from_one_is_refused(
        self, fifty: Memory, call: str, page: object
    ) -> None:
        """h7-141."""
        with pytest.raises(InvalidInputError) as caught:
            _page(fifty, call)(page=page)
        assert caught.value.field == "page"

    @pytest.mark.parametrize("call", ["list", "recall"])
    def test_a_huge_limit_or_page_is_refused_and_not_tried(self, fifty: Memory, call: str) -> None:
        for huge in ({"limit": 1_001}, {"limit": 10**5000}, {"page": 10**19}):
            with pytest.raises(LimitExceededError):
                _page(fifty, call)(**huge)

    @pytest.mark.parametrize("call", ["list", "recall"])
    def test_the_last_page_allowed_is_empty(self, fifty: Memory, call: str) -> None:
        page = _page(fifty, call)(limit=1_000, page=1_000_000_000)
        assert len(page) == 0
        assert page.total == 50

    def test_a_page_without_a_limit_has_the_default_size(self, fifty: Memory) -> None:
        assert len(fifty.recall("common")) == fifty.settings.default_limit == 10

    def test_more_results_than_documents_are_all_of_them(self, memory: Memory) -> None:
        """h7-144."""
        learn_texts(memory, ["x marks the spot", "x is a letter"])
        assert len(memory.recall("x", limit=10)) == 2
        assert len(memory.recall("x", limit=1_000)) == 2
        assert len(memory.list(limit=1_000)) == 2


class TestPaging:
    def test_texts_of_one_moment_are_listed_once_each(self, memory: Memory) -> None:
        """h7-142: ninety items of one time, by sevens."""
        moment = "2026-03-04T07:15:00Z"
        memory.learn_many(
            NewMemory(name=f"item {n}", content="same text", created_at=moment) for n in range(90)
        )
        pages = [memory.list(page=page, limit=7) for page in range(1, 14)]
        ids = [item.id for page in pages for item in page]
        assert [len(page) for page in pages] == [7] * 12 + [6]
        assert ids == sorted(set(ids), reverse=True)
        assert len(ids) == 90

    @pytest.mark.parametrize("order_by", ["relevance", "newest", "oldest"])
    def test_equal_texts_are_recalled_once_each(self, memory: Memory, order_by: Order) -> None:
        memory.learn_many(
            NewMemory(name=f"item {n}", content="same text", created_at=0.0) for n in range(90)
        )
        pages = [
            memory.recall("same text", page=page, limit=7, order_by=order_by)
            for page in range(1, 14)
        ]
        ids = [hit.id for page in pages for hit in page]
        assert all(page.pages == 13 for page in pages)
        assert len(ids) == len(set(ids)) == 90

    def test_a_memory_of_many_matching_parts_takes_one_place(self, memory: Memory) -> None:
        """h7-143: one memory with forty matching texts and ten others, by fives."""
        memory.learn_many(NewMemory(name="log", content=f"tide table {n}") for n in range(40))
        learn_texts(memory, (f"the tide of day {n}" for n in range(10)))
        pages = [memory.recall("tide", page=page, limit=5) for page in (1, 2, 3)]
        assert [len(page) for page in pages] == [5, 5, 1]
        assert len({hit.name for page in pages for hit in page}) == 11
        assert len(memory.recall("tide", page=4, limit=5)) == 0

    def test_every_match_is_reached_beyond_the_ranked_pool(self, memory: Memory) -> None:
        learn_texts(memory, (f"common {'filler ' * (n % 5)}w{n}" for n in range(730)))
        seen: list[int] = []
        scores: list[float] = []
        page = memory.recall("common", limit=90)
        for number in range(1, page.pages + 1):
            hits = memory.recall("common", limit=90, page=number).hits
            seen += [hit.id for hit in hits]
            scores += [hit.score for hit in hits]
        assert len(seen) == len(set(seen)) == page.total == 730
        assert scores == sorted(scores, reverse=True)


class TestLongQuestions:
    def test_a_question_of_ten_thousand_words_is_answered(self, fifty: Memory) -> None:
        """h7-146: its rarest known words are searched."""
        question = " ".join(f"w{n}" for n in range(9_999)) + " 37"
        page = fifty.recall(question)
        assert page[0].content == "common text number 37"
        assert len(page.trace.words) < 100

    def test_a_text_longer_than_any_memory_is_refused_as_too_long(self, fifty: Memory) -> None:
        """h7-146."""
        with pytest.raises(LimitExceededError, match="200,000") as caught:
            fifty.recall("a" * 5_000_000)
        assert len(str(caught.value)) < 300
        with pytest.raises(LimitExceededError, match="5,000,000"):
            fifty.learn("long", "a" * 5_000_000)

    @pytest.mark.parametrize("question", ["(" * 10_000, '"' * 10_001, "a" * 200_000, "-" * 99_999])
    def test_a_long_run_of_one_sign_is_answered(self, fifty: Memory, question: str) -> None:
        """h7-146."""
        assert fifty.recall(question).abstained

    def test_the_longest_text_is_stored_whole_and_found_by_its_end(self, kept: Memory) -> None:
        text = ("lorem " * 40_000)[: 200_000 - 7] + " needle"
        kept.learn("long", text)
        kept.learn("short", "a needle")
        assert {hit.name for hit in kept.recall("needle")} == {"long", "short"}
        assert kept.get("long").content == text


class TestLargeStores:
    def test_a_word_that_every_memory_holds_is_answered(self, crowd: Memory) -> None:
        """h7-145: more ids than a statement has room for."""
        page = crowd.recall("common", limit=10)
        assert len(page) == 10
        assert page.total == MANY
        assert crowd.recall(f"common w{MANY - 1}")[0].name == f"zq{MANY - 1}"

    def test_a_filter_that_ten_thousand_memories_meet_is_answered(self, crowd: Memory) -> None:
        """h7-145."""
        page = crowd.recall("common", author="a3")
        assert page.total == crowd.count(author="a3") == MANY // 7
        assert all(hit.author == "a3" for hit in page)

    def test_thousands_of_memories_are_forgotten_in_one_call(self, memory: Memory) -> None:
        """h7-145."""
        learn_texts(memory, (f"common w{n}" for n in range(5_000)))
        assert memory.forget(*(f"zq{n}" for n in range(4_990))) == 4_990
        assert len(memory.recall("common", limit=100)) == memory.count() == 10

    def test_counting_and_listing_load_a_page_and_not_the_store(self, crowd: Memory) -> None:
        """h7-148: seventy thousand memories, a few hundred kilobytes."""
        crowd.list(limit=10)
        tracemalloc.start()
        try:
            assert crowd.count() == MANY
            assert len(crowd.list(limit=10, page=3_500)) == 10
            assert crowd.list(limit=10, author="a1").total == MANY // 7
            assert crowd.state().memories == MANY
            _, peak_bytes = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert peak_bytes < 500_000


def _page(memory: Memory, call: str) -> Callable[..., Any]:
    if call == "list":
        return memory.list
    return lambda **options: memory.recall("common", **options)
