"""The burst: what a caller associates with its question is searched where little is found."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from biorag import Memory, NewMemory, Settings
from biorag.errors import InvalidInputError, LimitExceededError

ASSOCIATED = ["stopcock", "leak", "pipe"]


@pytest.fixture
def house(memory: Memory) -> Memory:
    memory.learn_many(
        [
            NewMemory(name="kitchen", content="A pipe and a leak under the stopcock."),
            NewMemory(name="cellar", content="A pipe runs along the wall."),
            NewMemory(name="plumbing", content="Pipes leak where they freeze."),
            NewMemory(name="garden", content="Roses along the fence."),
            NewMemory(name="roses", content="Roses."),
        ]
    )
    return memory


def put_to(state: str, memory: Memory, name: str) -> None:
    number = memory.recall(name, deep=True)[0].id
    with memory._store.atomic() as connection:
        connection.execute("UPDATE node SET state = ? WHERE id = ?", (state, number))


def brought(memory: Memory, question: str, **asked: object) -> set[str]:
    page = memory.recall(question, **asked)  # type: ignore[arg-type]
    return {hit.name for hit in page if "burst" in hit.origin.split("+")}


def test_it_runs_where_nothing_is_found(house: Memory) -> None:
    assert not house.recall("flooding").hits
    page = house.recall("flooding", burst_words=ASSOCIATED)
    assert page.trace.burst
    assert page.trace.sources == {"burst": 3}
    assert {hit.name for hit in page} == {"kitchen", "plumbing", "cellar"}
    assert page.abstained  # associations are no evidence that anything answers


def test_it_is_left_where_the_question_finds_enough(house: Memory) -> None:
    page = house.recall("roses", burst_words=ASSOCIATED)
    assert page[0].score >= 0.5
    assert not page.trace.burst
    assert page.hits == house.recall("roses").hits


def test_it_runs_in_any_case_when_it_is_forced(house: Memory) -> None:
    page = house.recall("roses", burst_words=ASSOCIATED, force_burst=True)
    assert page.trace.burst
    assert page[0].name == "roses"
    assert brought(house, "roses", burst_words=ASSOCIATED, force_burst=True) == {
        *("kitchen", "cellar", "plumbing"),
    }


def test_the_signal_is_the_share_of_whole_words(house: Memory) -> None:
    page = house.recall("roses", burst_words=ASSOCIATED, force_burst=True, explain=True)
    shares = {hit.name: hit.signals["latent_chain"].value for hit in page}
    assert shares["kitchen"] == pytest.approx(1.0)
    assert shares["plumbing"] == pytest.approx(2 / 3, abs=1e-6)
    assert shares["cellar"] == pytest.approx(1 / 3, abs=1e-6)
    assert shares["roses"] == 0.0
    plain = house.recall("roses", explain=True)
    assert plain[0].signals["latent_chain"].value == 0.0


def test_it_reaches_what_is_asleep_and_does_not_wake_it(house: Memory) -> None:
    put_to("dormido", house, "kitchen")
    put_to("dormido", house, "garden")
    before = house._store.reading().execute("SELECT * FROM node ORDER BY id").fetchall()
    page = house.recall("roses", burst_words=ASSOCIATED, force_burst=True)
    assert {hit.name for hit in page} == {"kitchen", "cellar", "plumbing", "roses"}
    assert house._store.reading().execute("SELECT * FROM node ORDER BY id").fetchall() == before
    assert "kitchen" not in {hit.name for hit in house.recall("pipe leak")}


def test_it_leaves_quarantine_and_filters_alone(house: Memory) -> None:
    put_to("cuarentena", house, "kitchen")
    assert brought(house, "flooding", burst_words=ASSOCIATED) == {"cellar", "plumbing"}
    assert brought(house, "flooding", burst_words=ASSOCIATED, category="Other") == set()


def test_it_can_be_left_out() -> None:
    with Memory.open(":memory:", settings=Settings(without=frozenset({"burst"}))) as memory:
        memory.learn("kitchen", "A pipe and a leak under the stopcock.")
        assert not memory.recall("flooding", burst_words=ASSOCIATED).hits


def test_pages_of_a_burst_do_not_overlap(house: Memory) -> None:
    asked = {"burst_words": ASSOCIATED, "force_burst": True, "limit": 2}
    names = [h.name for p in (1, 2, 3) for h in house.recall("roses", page=p, **asked)]  # type: ignore[arg-type]
    assert len(names) == len(set(names)) == 5


@pytest.mark.parametrize(
    ("words", "field"),
    [
        (["one", "two"], "burst_words"),
        ([f"w{n}" for n in range(16)], "burst_words"),
        (["one", "two", "x" * 65], "burst_words"),
        ("one, two, three", "burst_words"),
        ([1, 2, 3], "burst_words"),
    ],
)
def test_words_that_are_no_burst_are_refused(
    memory: Memory, words: Sequence[str], field: str
) -> None:
    with pytest.raises((InvalidInputError, LimitExceededError), match=field):
        memory.recall("roses", burst_words=words)


def test_a_burst_of_nothing_is_refused(memory: Memory) -> None:
    with pytest.raises(InvalidInputError, match="force_burst"):
        memory.recall("roses", force_burst=True)


def test_words_in_no_memory_bring_nothing(house: Memory) -> None:
    page = house.recall("flooding", burst_words=["zqxv", "wjqp", "?"])
    assert page.trace.burst
    assert not page.hits
