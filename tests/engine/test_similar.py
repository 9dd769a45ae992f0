"""Query by example: what is like a memory, or like a text, through writes, restarts and others."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from biorag import Memory, NewMemory
from biorag.engine.codes_keeper import CodesKeeper
from biorag.errors import (
    DiskFullError,
    InvalidInputError,
    LimitExceededError,
    NodeNotFoundError,
    ReadOnlyStoreError,
)
from biorag.settings import Settings
from biorag.storage.connection import Store
from biorag.storage.edges import link_nodes

CORPUS = [
    NewMemory(name="valve", content="The boiler valve is on the north wall.", category="House"),
    NewMemory(name="pump", content="The boiler pump hums on the north wall.", category="House"),
    NewMemory(name="heron", content="A heron nests in the reeds.", category="Birds"),
    NewMemory(name="egret", content="An egret nests in the reeds.", category="Birds"),
    NewMemory(name="tax", content="Declare before June."),
]


UNLINKED = Settings(auto_link=False)  # a link is something that two memories have in common


def names(memory: Memory, name: str, **how: int | bool) -> list[str]:
    limit, deep = int(how.get("limit", 10)), bool(how.get("deep", False))
    return [found.name for found in memory.similar_to(name, limit=limit, deep=deep)]


@pytest.fixture
def memory() -> Iterator[Memory]:
    with Memory.open(":memory:", settings=UNLINKED) as opened:
        yield opened


@pytest.fixture
def stored(memory: Memory) -> Memory:
    memory.learn_many(CORPUS)
    return memory


def codes_of(memory: Memory) -> dict[int, bytes]:
    rows = memory._store.reading().execute("SELECT node_id, code FROM sdm_code").fetchall()
    return dict(rows)


def test_the_most_similar_memory_comes_first_and_not_the_memory_itself(stored: Memory) -> None:
    found = stored.similar_to("heron")
    assert found[0].name == "egret"
    assert found[0].content == "An egret nests in the reeds."
    assert "heron" not in [one.name for one in found]
    assert [one.similarity for one in found] == sorted(
        (one.similarity for one in found), reverse=True
    )
    assert all(0.0 < one.similarity <= 1.0 for one in found)
    assert names(stored, "valve")[0] == "pump"


def test_names_are_read_as_everywhere(stored: Memory) -> None:
    assert names(stored, " HERON ")[0] == "egret"
    with pytest.raises(NodeNotFoundError) as error:
        stored.similar_to("herron")
    assert error.value.nearest == ("heron",)


def test_the_index_is_built_for_an_unknown_name_alone(stored: Memory) -> None:
    stored.similar_to("heron")
    assert stored._keeper._index is None
    with pytest.raises(NodeNotFoundError):
        stored.similar_to("zqxjk")
    assert stored._keeper._index is not None


def test_a_limit_bounds_the_answer(stored: Memory) -> None:
    assert len(stored.similar_to("heron", limit=1)) == 1
    with pytest.raises(InvalidInputError):
        stored.similar_to("heron", limit=0)
    with pytest.raises(LimitExceededError):
        stored.similar_to_text("heron", limit=5_000)


def test_memories_without_a_category_are_not_alike_for_that(memory: Memory) -> None:
    memory.learn("one", "Declare before June.")
    memory.learn("two", "Herons nest.")
    assert memory.similar_to("one") == ()


def test_dimensions_category_and_neighbours_make_memories_alike(memory: Memory) -> None:
    texts = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta"]
    memory.learn_many(NewMemory(name=f"n{text}", content=text) for text in texts)
    with memory._store.atomic() as connection:
        link_nodes(connection, 1, 7, 0.0)
        link_nodes(connection, 2, 7, 0.0)
    assert names(memory, "nalpha") == ["nbeta"]
    memory.update("ngamma", category="Rare")
    memory.update("ndelta", category="Rare")
    assert names(memory, "ngamma") == ["ndelta"]
    for name in ("nepsilon", "nzeta"):
        memory.learn(name, name.removeprefix("n"), dimensions={"emocion": ("calma",)})
    assert names(memory, "nepsilon") == ["nzeta"]


def test_a_changed_memory_is_compared_as_it_is_now(stored: Memory) -> None:
    assert names(stored, "heron")[0] == "egret"
    stored.update("tax", content="A heron nests in the reeds. ", category="Birds")
    assert names(stored, "heron")[0] == "tax"
    stored.forget("tax")
    found = names(stored, "heron")
    assert found[0] == "egret"
    assert "tax" not in found


def test_a_deleted_memory_does_not_take_the_place_of_another(stored: Memory) -> None:
    stored.learn("bittern", "A heron nests in the reeds.", category="Birds")
    assert names(stored, "heron", limit=1) == ["bittern"]
    stored.forget("bittern")
    assert names(stored, "heron", limit=1) == ["egret"]


def test_what_sleeps_is_found_deep_and_what_is_in_quarantine_never(stored: Memory) -> None:
    stored.update("egret", state="dormido")
    assert "egret" not in names(stored, "heron")
    assert "egret" in names(stored, "heron", deep=True)
    stored.update("egret", state="cuarentena")
    assert "egret" not in names(stored, "heron", deep=True)


def test_a_text_is_an_example_too(stored: Memory) -> None:
    found = stored.similar_to_text("A heron nests in the reeds.")
    assert [one.name for one in found[:2]] == ["heron", "egret"]
    assert found[0].similarity > 0.6
    # A short text may be the name of a memory whose content does not hold it.
    assert stored.similar_to_text("valves")[0].name == "valve"
    assert stored.similar_to_text("tax")[0].name == "tax"


def test_a_long_text_is_wholly_like_a_memory_of_the_same_words(memory: Memory) -> None:
    text = " ".join(f"word{n} name{n}" for n in range(20))
    memory.learn("long", text)
    assert memory.similar_to_text(text)[0].similarity == 1.0


def test_a_text_may_name_a_dimension_in_other_accents_and_inflections(memory: Memory) -> None:
    memory.learn("storm", "Waves broke over the pier.", dimensions={"emocion": ("alegria",)})
    memory.learn("calm", "Nothing moved at all.", dimensions={"emocion": ("calma",)})
    assert [one.name for one in memory.similar_to_text("alegría")] == ["storm"]


@pytest.mark.parametrize("text", ["!!!", "zqxjkvw"])
def test_a_text_that_shares_nothing_is_like_nothing(stored: Memory, text: str) -> None:
    assert all(one.similarity < 0.1 for one in stored.similar_to_text(text))


def test_an_empty_text_is_refused(stored: Memory) -> None:
    with pytest.raises(InvalidInputError, match="text"):
        stored.similar_to_text("")


def test_codes_are_stored_once_and_read_by_the_next_opening(path: Path) -> None:
    with Memory.open(path, settings=UNLINKED) as memory:
        memory.learn_many(CORPUS)
        before = names(memory, "heron")
        stored = codes_of(memory)
    assert len(stored) == len(CORPUS)
    with Memory.open(path, settings=UNLINKED) as memory:
        assert names(memory, "heron") == before
        assert codes_of(memory) == stored
        assert memory.reindex_codes().made == 0


def test_another_process_is_followed(path: Path) -> None:
    with Memory.open(path, settings=UNLINKED) as one, Memory.open(path, settings=UNLINKED) as other:
        one.learn_many(CORPUS)
        assert names(one, "heron")[0] == names(other, "heron")[0] == "egret"
        other.update("tax", content="A heron nests in the reeds. ", category="Birds")
        assert names(other, "heron")[0] == "tax"
        assert names(one, "heron")[0] == "tax"
        other.forget("tax")
        other.learn("bittern", "A heron nests in the reeds.", category="Birds")
        assert names(one, "heron")[0] == "bittern"
        assert "tax" not in names(one, "heron")


def test_codes_are_the_same_however_they_came_about(stored: Memory) -> None:
    names(stored, "heron")
    stored.update("heron", content="A grey heron.")
    stored.learn("bittern", "A bittern.", link_to=["heron"])
    names(stored, "heron")
    step_by_step = codes_of(stored)
    report = stored.reindex_codes(whole=True)
    assert (report.made, report.memories, report.whole) == (6, 6, True)
    assert codes_of(stored) == step_by_step


def test_codes_that_were_not_taken_over_are_followed(
    stored: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    names(stored, "heron")
    stored.learn("bittern", "A heron nests in the reeds.", category="Birds")

    def fail(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(CodesKeeper, "_take", fail)
    with pytest.raises(MemoryError):
        stored.similar_to("heron")
    monkeypatch.undo()
    assert len(codes_of(stored)) == 6
    assert names(stored, "heron")[0] == "bittern"


def test_what_was_not_committed_is_not_in_memory(
    stored: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    names(stored, "heron")
    stored.update("tax", content="A heron nests in the reeds. ", category="Birds")
    revision = stored._codes._revision

    def fail(*_: object) -> None:
        raise DiskFullError("no room")

    monkeypatch.setattr("biorag.engine.codes_keeper.store_codes", fail)
    with pytest.raises(DiskFullError):
        stored.similar_to("heron")
    monkeypatch.undo()
    assert stored._codes._revision == revision
    assert names(stored, "heron")[0] == "tax"


def test_a_store_that_cannot_be_written_is_compared_in_memory(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Memory.open(path, settings=UNLINKED) as memory:
        memory.learn_many(CORPUS)

        refused: list[Store] = []

        def refuse(store: Store) -> None:
            refused.append(store)
            raise ReadOnlyStoreError("read-only")

        monkeypatch.setattr(Store, "atomic", refuse)
        assert names(memory, "heron")[0] == "egret"
        assert names(memory, "heron")[0] == "egret"
        # The wait for a busy store is not paid again while nothing has changed.
        assert len(refused) == 1
        with pytest.raises(ReadOnlyStoreError):
            memory.reindex_codes()
        monkeypatch.undo()
        assert codes_of(memory) == {}
        memory.learn("bittern", "A bittern.")
        assert names(memory, "heron")[0] == "egret"
        assert len(codes_of(memory)) == len(CORPUS) + 1


def test_all_codes_are_made_anew_after_a_day(tmp_path: Path) -> None:
    class Clock:
        time = 1_000_000.0

        def now(self) -> float:
            return self.time

    clock = Clock()
    with Memory.open(tmp_path / "memory.db", clock=clock, settings=UNLINKED) as memory:
        memory.learn_many(CORPUS)
        assert memory.reindex_codes().whole
        assert not memory.reindex_codes().whole
        clock.time += 86_399.0
        assert not memory.reindex_codes().whole
        clock.time += 1.0
        assert memory.reindex_codes().whole
        # A clock that goes back hides no code from another opening.
        clock.time -= 500_000.0
        with Memory.open(tmp_path / "memory.db", clock=clock, settings=UNLINKED) as other:
            names(other, "heron")
            memory.update("tax", content="A heron nests in the reeds. ", category="Birds")
            names(memory, "heron")
            assert names(other, "heron")[0] == "tax"


def test_threads_may_ask_while_others_learn(kept: Memory) -> None:
    kept.learn_many(CORPUS)
    failures: list[BaseException] = []

    def ask() -> None:
        try:
            for _ in range(20):
                assert names(kept, "heron")[0] == "egret"
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    for n in range(20):
        kept.learn(f"note {n}", f"Page {n} of the ledger.")
    for thread in threads:
        thread.join()
    assert failures == []
    kept.similar_to("heron")
    assert len(codes_of(kept)) == len(CORPUS) + 20
