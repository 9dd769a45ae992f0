"""Time in a memory: what was known then, what held then, and the order of storage."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from biorag import Memory, NewMemory
from biorag.errors import InvalidInputError

DAY = 86_400.0
START = datetime(2024, 1, 1, tzinfo=UTC)


class Clock:
    """Moved by hand."""

    def __init__(self) -> None:
        self.time = START.timestamp()

    def now(self) -> float:
        return self.time


def day(number: float) -> datetime:
    return START + timedelta(days=number)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def memory(clock: Clock, tmp_path: Path) -> Memory:
    return Memory.open(tmp_path / "memory.db", clock=clock)


def names(memory: Memory, question: str, **options: object) -> set[str]:
    return {hit.name for hit in memory.recall(question, **options)}  # type: ignore[arg-type]


def test_what_was_learnt_later_was_not_known_then(memory: Memory, clock: Clock) -> None:
    memory.learn("old gate", "The gate is green.")
    clock.time += 10 * DAY
    memory.learn("new gate", "The gate is blue.")
    assert names(memory, "gate") == {"old gate", "new gate"}
    assert names(memory, "gate", as_of=day(5)) == {"old gate"}
    assert names(memory, "gate", as_of=day(11)) == {"old gate", "new gate"}
    assert names(memory, "gate", as_of=day(-1)) == set()


def test_a_text_that_was_replaced_is_told_as_it_was(memory: Memory, clock: Clock) -> None:
    memory.learn("gate", "The gate is green.")
    clock.time += 10 * DAY
    memory.update("gate", content="The gate is blue.")
    clock.time += 10 * DAY
    memory.learn("gate", "It squeaks.")
    assert memory.recall("gate", as_of=day(5))[0].content == "The gate is green."
    assert memory.recall("gate", as_of=day(15))[0].content == "The gate is blue."
    assert memory.recall("gate")[0].content == "The gate is blue.\nIt squeaks."


def test_what_no_longer_holds_is_left_out_of_a_date(memory: Memory) -> None:
    memory.learn("first", "The office is in Oslo.", created_at=day(-9), valid_to=day(10))
    memory.learn("second", "The office is in Bergen.", created_at=day(-9), valid_from=day(10))
    assert names(memory, "office", as_of=day(5)) == {"first"}
    assert names(memory, "office", as_of=day(10)) == {"second"}
    both = memory.recall("office")
    assert {hit.name: (hit.valid_from, hit.valid_to) for hit in both} == {
        "first": (None, day(10)),
        "second": (day(10), None),
    }


def test_an_end_can_be_set_later(memory: Memory) -> None:
    memory.learn("rule", "Deploys are on Friday.")
    changed = memory.update("rule", valid_to=day(3))
    assert changed.valid_to == day(3)
    assert names(memory, "deploys", as_of=day(4)) == set()
    assert memory.recall("deploys on friday")[0].valid_to == day(3)


def test_an_end_before_its_beginning_is_refused_and_nothing_is_written(memory: Memory) -> None:
    with pytest.raises(InvalidInputError, match="valid_to"):
        memory.learn("a", "text", valid_from=day(2), valid_to=day(1))
    assert memory.count() == 0


def test_all_that_match_come_by_time_not_only_the_most_relevant(memory: Memory) -> None:
    memory.learn_many(
        NewMemory(
            name=f"n{n}", content=f"heron {'lake ' * (n % 7)}", created_at=day(-(n * 37 % 600))
        )
        for n in range(600)
    )
    memory.learn("other", "a boat")
    for order, sign in (("newest", -1), ("oldest", 1)):
        seen = []
        for page in range(1, 13):
            found = memory.recall("heron lake", limit=50, page=page, order_by=order)  # type: ignore[arg-type]
            assert found.total == 600
            seen += [(sign * hit.created_at.timestamp(), hit.name) for hit in found]
        assert len({name for _, name in seen}) == 600
        assert all(one <= other for (one, _), (other, _) in pairwise(seen))


def test_the_list_can_begin_with_the_oldest(memory: Memory) -> None:
    for nth in (3, 1, 2):
        memory.learn(f"m{nth}", "text", created_at=day(nth))
    assert [m.name for m in memory.list(oldest_first=True)] == ["m1", "m2", "m3"]
    assert [m.name for m in memory.list()] == ["m3", "m2", "m1"]
    assert [m.name for m in memory.list(as_of=day(2))] == ["m2", "m1"]


class TestValidityOfWhatIsHeld:
    """A memory ends after it begins, also when the two are told one after the other."""

    def test_an_end_before_the_stored_beginning_is_refused(self) -> None:
        with Memory.open(":memory:") as memory:
            memory.learn("rent", "The rent is 700.", valid_from="2026-03-01")
            with pytest.raises(InvalidInputError, match="valid_to"):
                memory.update("rent", content="The rent is 650.", valid_to="2026-02-01")
            assert memory.get("rent").content == "The rent is 700."
            assert memory.update("rent", valid_to="2026-04-01").valid_to is not None

    def test_a_beginning_after_the_stored_end_is_refused(self) -> None:
        with Memory.open(":memory:") as memory:
            memory.learn("rent", "The rent is 700.", valid_to="2026-03-01")
            with pytest.raises(InvalidInputError, match="valid_to"):
                memory.update("rent", valid_from="2026-05-01")
            with pytest.raises(InvalidInputError, match="valid_to"):
                memory.learn("rent", "It is 750 now.", valid_from="2026-05-01")
            assert memory.get("rent").content == "The rent is 700."

    def test_learning_a_name_again_takes_over_its_validity(self) -> None:
        with Memory.open(":memory:") as memory:
            memory.learn("rent", "The rent is 700.", valid_from="2026-01-01")
            memory.learn("rent", "The rent is 700.", valid_to="2026-06-01")
            held = memory.get("rent")
            assert held.valid_from == datetime(2026, 1, 1, tzinfo=UTC)
            assert held.valid_to == datetime(2026, 6, 1, tzinfo=UTC)
