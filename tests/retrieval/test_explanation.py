"""Why a memory is where it is: numbers that add up, and memories that are on no page."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pytest

from biorag import Memory, NewMemory
from biorag.errors import NodeNotFoundError
from biorag.signals import all_signals


@pytest.fixture
def memory() -> Iterator[Memory]:
    with Memory.open(":memory:") as memory:
        memory.learn("valve", "The boiler valve is on the north wall.", synonyms=["stopcock"])
        memory.learn("lamp", "The lamp hangs in the hall.")
        memory.learn_many(
            NewMemory(name=f"note {n}", content=f"The boiler was serviced in year {n}.")
            for n in range(230)
        )
        yield memory


def test_contributions_and_bonuses_add_up_to_the_score(memory: Memory) -> None:
    bonuses = {signal.name: signal.bonus for signal in all_signals()}
    for question in ("where is the boiler valve?", "stopcock", "valve", "lamp in the hall"):
        for hit in memory.recall(question, explain=True):
            mean = sum(signal.contribution for signal in hit.signals.values())
            bonus = sum(bonuses[name] * signal.value for name, signal in hit.signals.items())
            if bonus:
                mean = min(max(mean, 1e-6), 1.0 - 1e-6)
                mean = 1.0 / (1.0 + math.exp(-(math.log(mean / (1.0 - mean)) + bonus)))
            assert hit.score == pytest.approx(mean, abs=2e-5)


def test_the_first_of_a_page_is_explained_as_it_was_served(memory: Memory) -> None:
    question = "where is the boiler valve?"
    served = memory.recall(question, explain=True)[0]
    found = memory.explain(question, "valve")
    assert (found.place, found.excluded, found.missing) == (1, None, ())
    assert found.hit is not None
    assert (found.hit.score, dict(found.hit.signals)) == (served.score, dict(served.signals))
    assert found.hit == found.best


def test_a_memory_that_the_question_would_not_bring_is_explained_too(memory: Memory) -> None:
    question = "where is the boiler valve?"
    assert "lamp" not in [hit.name for hit in memory.recall(question, limit=1000)]
    found = memory.explain(question, "lamp")
    assert found.missing == ("boiler", "valve")
    assert found.hit is not None
    assert found.hit.evidence == {}
    assert found.place is not None
    assert found.place > 1
    assert found.best is not None
    assert found.best.name == "valve"


def test_a_sleeping_memory_is_said_to_sleep(memory: Memory) -> None:
    memory.update("valve", state="dormido")
    asleep = memory.explain("where is the boiler valve?", "valve")
    assert (asleep.excluded, asleep.place, asleep.hit) == ("state", None, None)
    assert memory.explain("where is the boiler valve?", "valve", deep=True).place == 1


def test_a_name_that_does_not_exist_offers_the_nearest(memory: Memory) -> None:
    with pytest.raises(NodeNotFoundError, match="valve"):
        memory.explain("boiler", "valv")
