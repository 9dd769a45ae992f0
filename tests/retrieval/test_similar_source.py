"""Query by example in a recall that found little."""

from __future__ import annotations

from dataclasses import replace

import pytest

from biorag import Memory, NewMemory, Settings


def learn(memory: Memory) -> None:
    memory.learn_many(
        [
            NewMemory(
                name="heron",
                content="A heron nests in the reeds of the lake.",
                category="Birds",
                dimensions={"emocion": ("calma",)},
            ),
            NewMemory(
                name="egret",
                content="An egret sleeps in the reeds of the lake.",
                category="Birds",
                dimensions={"emocion": ("calma",)},
            ),
            *(NewMemory(name=f"page {n}", content=f"ledger{n} entry{n}") for n in range(20)),
        ]
    )


@pytest.fixture
def coded(memory: Memory) -> Memory:
    learn(memory)
    memory.reindex_codes()
    return memory


def test_what_is_like_the_one_memory_found_comes_after_it(coded: Memory) -> None:
    page = coded.recall("nests upstairs")  # which nothing says
    assert [hit.name for hit in page] == ["heron", "egret"]
    assert page.trace.sources["sdm"] == 1
    assert page[1].origin == "sdm"


def test_a_question_that_only_names_a_dimension_finds_what_has_it(coded: Memory) -> None:
    page = coded.recall("calma")
    assert {hit.name for hit in page.related or page.hits} == {"heron", "egret"}
    assert page.trace.sources == {"sdm": 2}


def test_a_named_dimension_finds_a_long_memory_too(coded: Memory) -> None:
    text = " ".join(f"word{n}" for n in range(60))
    coded.learn("long", text, dimensions={"emocion": ("alegria",)})
    coded.reindex_codes()
    assert coded.recall("alegría").trace.sources == {"sdm": 1}


def test_words_that_nothing_holds_bring_nothing(coded: Memory) -> None:
    assert coded.recall("zqxjk vwpqf").trace.sources == {}
    assert list(coded.recall("ledger7").trace.sources) == ["full_text"]


def test_a_store_without_codes_is_not_given_any_by_a_question(memory: Memory) -> None:
    learn(memory)
    assert "sdm" not in memory.recall("nests").trace.sources
    assert memory._store.reading().execute("SELECT count(*) FROM sdm_code").fetchone() == (0,)


def test_it_can_be_left_out(coded: Memory) -> None:
    with Memory.open(":memory:", settings=replace(Settings(), without=frozenset({"sdm"}))) as plain:
        learn(plain)
        plain.reindex_codes()
        assert "sdm" not in plain.recall("nests").trace.sources


def test_codes_are_read_into_memory_by_a_thin_question_alone(coded: Memory) -> None:
    with Memory.open(":memory:") as memory:
        learn(memory)
        memory.reindex_codes()
        memory._codes._table = None
        memory.recall("page ledger1 ledger2 ledger3")
        assert memory._codes._table is None
        memory.recall("nests")  # answered whole
        assert memory._codes._table is None
        memory.recall("nests upstairs")
        assert memory._codes._table is not None
