"""Forgotten is gone from every lane at once, from the disk after a purge, and nothing else is."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from asking import found, learn_texts
from biorag import Memory, NewMemory
from biorag.errors import NodeNotFoundError

SENTINEL = "zqxsentinel"

# What remains of every table must be the same whichever way the memories went. `change` numbers
# the commits and `meta` names the store: both differ between any two stores.
NOT_COMPARED = {"change", "meta", "sqlite_sequence", "migraciones_ejecutadas", "revision"}


def learn_sentinel(memory: Memory) -> None:
    """A memory whose word lies in every lane: name, text, synonym, key noun, value and link."""
    memory.learn("neighbour", "It stays")
    memory.learn(
        f"{SENTINEL} name",
        f"The {SENTINEL} text",
        synonyms=[f"{SENTINEL} synonym"],
        key_nouns=[SENTINEL],
        dimensions={"entidad": (f"{SENTINEL}_value",)},
        author=f"{SENTINEL} author",
        category=f"{SENTINEL} category",
        link_to=["neighbour"],
    )


def rows(path: Path) -> dict[str, list[str]]:
    """Every row of every ordinary table, as text."""
    with closing(sqlite3.connect(path)) as connection:
        tables = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
        names = {name for (name,) in tables if not name.startswith("fts")} - NOT_COMPARED
        return {
            name: sorted(map(repr, connection.execute(f"SELECT * FROM {name}"))) for name in names
        }


class TestForgottenIsGone:
    def test_a_forgotten_memory_is_gone_from_every_lane(self, kept: Memory) -> None:
        """h7-149."""
        learn_sentinel(kept)
        assert found(kept, SENTINEL) != []
        assert kept.forget(f"{SENTINEL} name") == 1
        for question in (SENTINEL, f'"{SENTINEL} text"', f"{SENTINEL} synonym", SENTINEL[:-1]):
            assert kept.recall(question, deep=True, explain=True).abstained
        assert [item.name for item in kept.list()] == ["neighbour"]
        assert kept.get("neighbour").links == ()
        assert kept.state().categories == {"General": 1}
        with pytest.raises(NodeNotFoundError) as caught:
            kept.get(f"{SENTINEL} name")
        assert caught.value.nearest == ()

    def test_it_stays_gone_after_a_restart(self, path: Path) -> None:
        """h7-149."""
        with Memory.open(path) as memory:
            learn_sentinel(memory)
            memory.forget(f"{SENTINEL} name")
        with Memory.open(path) as memory:
            assert memory.recall(SENTINEL).abstained
            assert memory.count() == memory.state().index_documents == 1

    def test_no_file_of_a_purged_store_holds_the_words(self, tmp_path: Path, path: Path) -> None:
        """h7-150: the main file, its log, the saved index, in any case."""
        with Memory.open(path) as memory:
            memory.learn_many(
                NewMemory(name=f"item {nth}", content=f"plain text {nth}") for nth in range(2_500)
            )
            learn_sentinel(memory)
            memory.recall(SENTINEL)
            memory.update(f"{SENTINEL} name", content=f"The newer {SENTINEL} text")
        with Memory.open(path) as memory:
            assert SENTINEL.encode() in path.read_bytes().lower()
            memory.forget(f"{SENTINEL} name", purge=True)
            files = [file for file in tmp_path.rglob("*") if file.is_file()]
            assert path in files
            assert [f for f in files if SENTINEL.encode() in f.read_bytes().lower()] == []
            assert memory.count() == 2_501
            assert memory.recall("plain text 77")[0].name == "item 77"

    def test_an_unknown_name_is_told_and_nothing_is_deleted(self, memory: Memory) -> None:
        """h7-149."""
        memory.learn("boiler", "in the cellar")
        with pytest.raises(NodeNotFoundError) as caught:
            memory.forget("boiler", "boilr")
        assert caught.value.nearest == ("boiler",)
        assert memory.count() == 1

    def test_counts_follow_everywhere(self, memory: Memory) -> None:
        """h7-151."""
        learn_texts(memory, ["tide one", "tide two", "tide three"])
        memory.forget("zq1")
        page = memory.recall("tide")
        state = memory.state()
        assert memory.count() == memory.list().total == page.total == len(page) == 2
        assert state.memories == state.active == state.index_documents == 2

    def test_two_stores_with_equal_texts_do_not_meet(self, tmp_path: Path) -> None:
        """h7-152."""
        texts = [f"item {nth} of the project" for nth in range(5)]
        with Memory.open(tmp_path / "a.db") as one, Memory.open(tmp_path / "b.db") as other:
            for memory in (one, other):
                learn_texts(memory, texts)
                memory.learn("index", "all of them", link_to=[f"zq{nth}" for nth in range(5)])
            one.forget("index", *(f"zq{nth}" for nth in range(5)))
            assert one.count() == 0
            assert one.recall("project").abstained
            assert set(found(other, "project")) == set(texts)
            assert len(other.get("index").links) == 5

    def test_one_call_and_many_leave_the_same_rows(self, tmp_path: Path) -> None:
        """h7-153."""
        names = [f"{SENTINEL} name", "b", "c"]
        paths = [tmp_path / f"{way}.db" for way in ("bulk", "single", "purged")]
        for path in paths:
            with Memory.open(path, clock=_Noon()) as memory:
                learn_sentinel(memory)
                memory.learn("b", "second", link_to=["neighbour", names[0]])
                memory.learn("c", "third", link_to=["b"])
                if path.stem == "single":
                    assert [memory.forget(name) for name in names] == [1, 1, 1]
                else:
                    assert memory.forget(*names, purge=path.stem == "purged") == 3
        bulk, single, purged = map(rows, paths)
        assert bulk == single == purged
        assert len(bulk["node"]) == 1
        assert bulk["edge"] == []

    def test_a_name_may_be_learnt_again(self, memory: Memory) -> None:
        first = memory.learn("tap", "drips")
        memory.forget("tap")
        again = memory.learn("tap", "is mended")
        assert again.status == "created"
        assert again.id != first.id
        assert found(memory, "tap") == ["is mended"]
        assert memory.recall("drips").abstained


class TestEdits:
    def test_an_edited_memory_is_found_by_its_new_words_alone(self, memory: Memory) -> None:
        """h7-154."""
        memory.learn("guest", "prefers oolong")
        memory.learn("host", "drinks water")
        memory.update("guest", content="prefers lemonade")
        assert memory.recall("oolong").abstained
        assert found(memory, "lemonade") == ["prefers lemonade"]
        assert memory.get("guest").content == "prefers lemonade"
        assert memory.recall("prefers").total == 1

    def test_a_new_text_drops_nothing_else(self, memory: Memory) -> None:
        """h7-156."""
        memory.learn("tank", "feeds the pump")
        memory.learn(
            "guest",
            "prefers oolong",
            category="people",
            synonyms=["visitor"],
            key_nouns=["drink", "guest"],
            dimensions={"entidad": ("persona",)},
            created_at="2025-01-31T12:00:00+02:00",
            author="ana",
            valence=0.4,
            link_to=["tank"],
        )
        before = memory.update("guest", weight=0.7)
        after = memory.update("guest", content="prefers cocoa")
        changed = {"content", "updated_at"}
        for field in before.__dataclass_fields__.keys() - changed:
            assert getattr(after, field) == getattr(before, field), field
        assert after.content == "prefers cocoa"
        assert (after.links, after.valence, after.weight) == (("tank",), 0.4, 0.7)

    def test_five_hundred_recalls_change_no_answer_and_no_index(self, kept: Memory) -> None:
        """h7-155: neither asking nor changing a weight touches what is searched."""
        learn_texts(kept, (f"note {nth} about topic {nth % 9}" for nth in range(50)))
        questions = [f"note about topic {nth}" for nth in range(10)]
        first = [kept.recall(question).hits for question in questions]
        changes = _newest_change(kept.path)
        for nth in range(500):
            kept.recall(questions[nth % 10])
        for nth in range(50):
            kept.update(f"zq{nth}", weight=0.3)
        assert [kept.recall(question).hits for question in questions] == first
        assert _newest_change(kept.path) == changes


class TestTimes:
    def test_times_with_an_offset_without_and_with_z_are_comparable(self, memory: Memory) -> None:
        """h7-132, h7-133: kept as UTC, whichever way they were written."""
        for nth, at in enumerate(
            ["2026-03-04T07:15:00+02:00", "2026-03-04T07:15:00", "2026-03-04T07:15:00Z"]
        ):
            memory.learn(f"item {nth}", "a note", created_at=at)
        listed = memory.list()
        assert [item.name for item in listed] == ["item 2", "item 1", "item 0"]
        assert [item.created_at.isoformat() for item in listed][1:] == [
            "2026-03-04T07:15:00+00:00",
            "2026-03-04T05:15:00+00:00",
        ]
        assert len(memory.recall("note", order_by="newest")) == 3
        assert memory.list(since="2026-03-04T06:00:00Z").total == 2
        assert memory.recall("note", until="2026-03-04T08:00:00+02:00").total == 1

    def test_a_day_holds_its_every_hour(self, memory: Memory) -> None:
        """h7-131, h7-137: the days given are UTC days, from their first to their last moment."""
        memory.learn_many(
            NewMemory(
                name=f"item {day} {hour}", content="a note", created_at=f"2026-03-0{day}T{hour}Z"
            )
            for day in (1, 2, 3)
            for hour in ("00:00:00", "00:10:00", "23:50:00", "23:59:59.999")
        )
        whole = {item.name for item in memory.list(since="2026-03-02", until="2026-03-02")}
        assert len(whole) == 4
        assert all(name.startswith("item 2") for name in whole)
        page = memory.recall("note", since="2026-03-02", until="2026-03-02")
        assert {hit.name for hit in page} == whole
        assert memory.recall("note", since="2026-03-02").total == 8

    @pytest.mark.parametrize("days", [10.0, 11.0, 3_650.0, -3_650.0])
    def test_a_time_to_come_is_no_error_and_leaves_scores_in_bounds(
        self, memory: Memory, days: float
    ) -> None:
        """h7-134, h7-135: a skewed clock, or the same one later."""
        noon = _Noon()
        memory.learn("skewed", "a calm note", created_at=noon.now() + days * 86_400.0)
        memory.learn("plain", "a calm note")
        for order_by in ("relevance", "newest", "oldest"):
            page = memory.recall("calm note", order_by=order_by, explain=True)
            assert {hit.name for hit in page} == {"skewed", "plain"}
            assert all(0.0 <= hit.score <= 1.0 for hit in page)
        assert memory.list().total == 2


class _Noon:
    """A clock that stands still, so that two stores hold the same times."""

    def now(self) -> float:
        return 1_767_268_800.0


def _newest_change(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        return int(connection.execute("SELECT max(seq) FROM change").fetchone()[0])
