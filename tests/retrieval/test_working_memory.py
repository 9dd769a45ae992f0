"""Working memory: what a client was shown lately comes up a little, for this client alone."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from biorag import Memory, NewMemory, Settings
from biorag.retrieval.working import CAPACITY, WorkingMemory

ON = Settings(working_memory=True)
TEXTS = {
    "boiler valve": "It is on the north wall of the cellar.",
    "boiler pump": "It is on the south wall of the cellar.",
    "garden tap": "It is on the west wall of the cellar.",
    "attic lamp": "It is on the east wall of the cellar.",
}


@pytest.fixture
def on() -> Iterator[Memory]:
    with Memory.open(":memory:", settings=ON) as memory:
        memory.learn_many(NewMemory(name=name, content=text) for name, text in TEXTS.items())
        yield memory


def scores(memory: Memory, session: WorkingMemory | None) -> dict[str, float]:
    return {hit.name: hit.score for hit in memory.recall("cellar wall", session=session)}


def test_what_was_shown_gains_and_its_kin_by_name_less(on: Memory) -> None:
    session = WorkingMemory()
    plain = scores(on, None)
    number = on.recall("boiler valve")[0].id
    session.show([number])
    gained = {name: score - plain[name] for name, score in scores(on, session).items()}
    assert gained["boiler valve"] == pytest.approx(0.05, abs=1e-6)
    assert gained["boiler pump"] == pytest.approx(0.03, abs=1e-6)
    assert gained["garden tap"] == gained["attic lamp"] == 0.0


def test_a_page_is_remembered_and_changes_the_next(on: Memory) -> None:
    session = WorkingMemory()
    first = on.recall("west garden tap", limit=1, session=session)
    assert session.shown() == (first[0].id,)
    assert next(iter(scores(on, session))) == "garden tap"


def test_another_client_is_not_touched(on: Memory) -> None:
    mine, yours = WorkingMemory(), WorkingMemory()
    before = on.recall("cellar wall").hits
    on.recall("west garden tap", session=mine)
    assert yours.shown() == ()
    assert on.recall("cellar wall", session=yours).hits == before
    assert on.recall("cellar wall").hits == before


def test_an_abstaining_page_is_not_remembered(on: Memory) -> None:
    session = WorkingMemory()
    assert on.recall("zqxvk", session=session).abstained
    assert session.shown() == ()


def test_switched_off_it_changes_nothing_and_keeps_nothing(memory: Memory) -> None:
    memory.learn_many(NewMemory(name=name, content=text) for name, text in TEXTS.items())
    session = WorkingMemory()
    session.show([1])
    assert memory.recall("cellar wall", session=session).hits == memory.recall("cellar wall").hits
    assert session.shown() == (1,)


@pytest.mark.parametrize("part", ["working", "memoria_trabajo"])
def test_left_out_by_name_it_changes_nothing(part: str) -> None:
    with Memory.open(
        ":memory:", settings=Settings(working_memory=True, without=frozenset({part}))
    ) as memory:
        memory.learn_many(NewMemory(name=name, content=text) for name, text in TEXTS.items())
        session = WorkingMemory()
        session.show([1])
        plain = memory.recall("cellar wall").hits
        assert memory.recall("cellar wall", session=session).hits == plain


def test_no_score_passes_one(on: Memory) -> None:
    session = WorkingMemory()
    for _ in range(3):
        page = on.recall("boiler valve", session=session)
    assert page[0].score <= 1.0


def test_what_was_forgotten_lifts_nothing(on: Memory) -> None:
    session = WorkingMemory()
    session.show([on.recall("boiler valve")[0].id])
    on.forget("boiler valve")
    assert on.recall("cellar wall", session=session).hits == on.recall("cellar wall").hits


def test_the_ring_holds_the_last_ten_each_once() -> None:
    session = WorkingMemory()
    session.show(list(range(8)))
    assert session.shown() == tuple(range(8))
    session.show([3, 20, 21, 22])
    assert session.shown()[:5] == (3, 20, 21, 22, 0)
    assert len(session.shown()) == CAPACITY
    assert 7 not in session.shown()  # the least of the page before


def test_threads_may_share_it() -> None:
    session = WorkingMemory()

    def work(first: int) -> None:
        for n in range(300):
            session.show([first + n, first + n + 1])
            assert len(set(session.shown())) == len(session.shown())

    threads = [threading.Thread(target=work, args=(k * 1000,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(session.shown()) == CAPACITY
