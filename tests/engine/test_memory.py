"""The facade as a caller meets it: what each call returns, refuses, and leaves as it was."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from asking import found, learn_texts
from biorag import Memory, NewMemory, Settings, StoredMemory
from biorag.errors import (
    CorruptDataError,
    InvalidInputError,
    KeyNounsError,
    LimitExceededError,
    NodeNotFoundError,
    StorageError,
)


def learn_guest(memory: Memory) -> None:
    memory.learn("tank", "feeds the pump")
    memory.learn(
        "guest",
        "prefers oolong",
        category="people",
        synonyms=["visitor", "caller"],
        key_nouns=["drink", "guest"],
        dimensions={"entidad": ("persona",)},
        created_at="2025-01-31T12:00:00Z",
        author="ana",
        valence=0.4,
        link_to=["tank"],
    )


class TestLearning:
    def test_a_new_name_is_created(self, memory: Memory) -> None:
        learned = memory.learn("boiler valve", "on the north wall", key_nouns=["valve"])
        assert (learned.status, learned.name) == ("created", "boiler valve")
        assert learned.key_nouns == ("valve",)
        assert memory.get("boiler valve").id == learned.id

    @pytest.mark.parametrize("again", ["boiler valve", "Boiler_Valve", " BOILER  valve "])
    def test_a_known_name_is_extended_whatever_its_case_and_blanks(
        self, memory: Memory, again: str
    ) -> None:
        first = memory.learn("boiler valve", "on the north wall")
        learned = memory.learn(again, "closes to the left")
        assert (learned.id, learned.name) == (first.id, "boiler valve")
        assert learned.status == "extended"
        assert memory.count() == 1
        assert memory.get("boiler valve").content == "on the north wall\ncloses to the left"
        assert len(memory.recall("north left")) == 1

    def test_the_same_text_changes_nothing(self, memory: Memory) -> None:
        """h7-157: a client that timed out sends it again."""
        first = memory.learn("boiler", "on the wall")
        before = memory.get("boiler")
        learned = memory.learn("boiler", "on the wall")
        assert (learned.id, learned.status) == (first.id, "unchanged")
        assert memory.get("boiler") == before

    def test_an_accent_makes_another_name(self, memory: Memory) -> None:
        memory.learn("año", "twelve months")
        assert memory.learn("ano", "something else").status == "created"
        assert memory.count() == 2

    def test_links_to_unknown_names_are_reported(self, memory: Memory) -> None:
        """h7-160: known ones are linked, and no dangling link is kept."""
        memory.learn("pump", "red")
        learned = memory.learn("tank", "blue", link_to=["PUMP", "pier", "tank"])
        assert learned.linked == ("pump",)
        assert learned.missing_links == ("pier",)
        assert memory.get("tank").links == ("pump",)
        assert memory.get("pump").links == ("tank",)

    def test_a_link_within_a_batch_is_made(self, memory: Memory) -> None:
        one, other = memory.learn_many(
            [
                NewMemory(name="pump", content="red", link_to=("tank",)),
                NewMemory(name="tank", content="blue"),
            ]
        )
        assert (one.linked, one.missing_links) == (("tank",), ())
        assert other.linked == ()

    def test_values_that_cannot_be_normalised_are_reported_and_the_rest_kept(
        self, memory: Memory
    ) -> None:
        learned = memory.learn("ana", "a friend", dimensions={"entidad": ("Persona", "日本")})
        assert learned.invalid_dimensions == ("entidad:日本",)
        assert memory.get("ana").dimensions == {"entidad": ("persona",)}

    @pytest.mark.parametrize(
        ("field", "value"),
        [
            ("name", ""),
            ("name", "\u200b"),
            ("name", "n" * 201),
            ("content", ""),
            ("content", "c" * 200_001),
            ("category", " "),
            ("author", "a\0b"),
            ("synonyms", ("",)),
            ("synonyms", tuple(f"s{n}" for n in range(101))),
            ("key_nouns", ("two words",)),
            ("key_nouns", tuple(f"noun{n}" for n in range(11))),
            ("created_at", "yesterday"),
            ("created_at", float("nan")),
            ("valence", 1.1),
            ("link_to", "pump"),
        ],
    )
    def test_a_value_that_breaks_its_rule_is_named_and_nothing_is_stored(
        self, memory: Memory, field: str, value: object
    ) -> None:
        given: dict[str, object] = {"name": "n", "content": "c", field: value}
        with pytest.raises(InvalidInputError) as caught:
            memory.learn_many([NewMemory(**given)])  # type: ignore[arg-type]
        assert caught.value.field == field
        assert memory.count() == 0


class TestAKnownName:
    def test_what_is_new_joins_what_is_held(self, memory: Memory) -> None:
        memory.learn("pump", "leaks", key_nouns=["pump", "leak"], synonyms=["hand pump"])
        again = memory.learn(
            "pump",
            "leaks",
            key_nouns=["leak", "valve"],
            synonyms=["Hand_Pump", "well pump"],
            dimensions={"dominio": ["hogar"]},
            valence=0.4,
        )
        held = memory.get("pump")
        assert (again.status, again.key_nouns) == ("unchanged", ("pump", "leak", "valve"))
        assert held.key_nouns == ("pump", "leak", "valve")
        assert held.synonyms == ("hand pump", "well pump")
        assert held.dimensions == {"dominio": ("hogar",)}
        assert (held.valence, held.content) == (0.4, "leaks")
        assert memory.recall("well pump")[0].name == "pump"

    def test_of_more_than_ten_key_nouns_the_newer_stay_out(self, memory: Memory) -> None:
        first = [f"noun{n}" for n in range(8)]
        memory.learn("pump", "leaks", key_nouns=first)
        again = memory.learn("pump", "is old", key_nouns=["one", "two", "three"])
        assert again.key_nouns == (*first, "one", "two") == memory.get("pump").key_nouns

    def test_category_author_and_valence_are_not_lowered(self, memory: Memory) -> None:
        memory.learn("pump", "leaks", category="Garden", author="ana", valence=0.9)
        memory.learn("pump", "is old", category="House", author="luis", valence=0.1)
        held = memory.get("pump")
        assert (held.category, held.author, held.valence) == ("Garden", "ana", 0.9)


class TestUndecidedTexts:
    def test_what_was_asked_before_does_not_decide_how_a_text_is_read(self) -> None:
        """A text that shows no language is read alike in a fresh process and in a busy one."""
        languages = []
        for asks_first in (False, True):
            with Memory.open(":memory:") as memory:
                memory.learn("riego", "El riego del huerto va los martes y los viernes.")
                if asks_first:
                    memory.recall("riego")
                memory.learn("code", "zzyx 417")
                languages.append(dict(memory.state().languages))
        assert languages[0] == languages[1] == {"es": 1, "en": 1}


class TestBatches:
    def test_a_name_twice_in_a_batch_is_one_memory_with_both_texts(self, memory: Memory) -> None:
        learned = memory.learn_many(
            [
                NewMemory(name="tap", content="drips"),
                NewMemory(name="TAP", content="is old"),
                NewMemory(name="tap", content="drips"),
            ]
        )
        assert [item.status for item in learned] == ["created", "extended", "unchanged"]
        assert len({item.id for item in learned}) == memory.count() == 1
        assert memory.get("tap").content == "drips\nis old"
        assert found(memory, "old") == ["drips\nis old"]

    def test_a_bad_memory_stops_its_batch_and_says_which_it_was(self, memory: Memory) -> None:
        """h7-034: the batches before it are stored, and the caller knows where to go on."""
        stored: list[int] = []
        texts = ["a", "b", "c", "d", "", "f"]
        with pytest.raises(InvalidInputError) as caught:
            memory.learn_many(
                (NewMemory(name=f"m{n}", content=text) for n, text in enumerate(texts)),
                batch_size=2,
                on_progress=stored.append,
            )
        assert caught.value.__notes__ == [
            "in memory 4 of the batch; nothing of its batch was stored"
        ]
        assert stored == [2, 4]
        assert memory.count() == 4

    def test_progress_is_told_after_each_batch_is_on_disk(self, kept: Memory) -> None:
        counts: list[tuple[int, int]] = []
        kept.learn_many(
            (NewMemory(name=f"m{n}", content="text") for n in range(25)),
            batch_size=10,
            on_progress=lambda done: counts.append((done, kept.count())),
        )
        assert counts == [(10, 10), (20, 20), (25, 25)]

    def test_no_memories_are_learnt_from_nothing(self, memory: Memory) -> None:
        assert memory.learn_many([]) == []

    def test_a_bulk_is_found_like_one_by_one(self, memory: Memory) -> None:
        texts = [f"note {n} of {'spring' if n % 2 else 'autumn'}" for n in range(60)]
        learn_texts(memory, texts)
        # Single memories are linked as they come, a bulk when it is consolidated.
        with Memory.open(":memory:", settings=Settings(auto_link=False)) as other:
            for nth, text in enumerate(texts):
                other.learn(f"zq{nth}", text)
            one, two = (m.recall("note of spring 31").hits for m in (memory, other))
        assert [(hit.name, hit.score) for hit in one] == [(hit.name, hit.score) for hit in two]


class TestEditing:
    @pytest.mark.parametrize(
        ("change", "value"),
        [
            ("content", "prefers cocoa"),
            ("category", "friends"),
            ("synonyms", ("tourist",)),
            ("synonyms", ()),
            ("key_nouns", ("cocoa", "cup")),
            ("weight", 0.25),
            ("state", "dormido"),
            ("valence", 0.0),
        ],
    )
    def test_an_update_changes_what_is_given_and_nothing_else(
        self, memory: Memory, change: str, value: object
    ) -> None:
        learn_guest(memory)
        before = memory.get("guest")
        after = memory.update("GUEST", **{change: value})  # type: ignore[arg-type]
        fields = StoredMemory.__dataclass_fields__.keys() - {change, "updated_at"}
        assert getattr(after, change) == value
        assert {f for f in fields if getattr(after, f) != getattr(before, f)} == set()
        assert memory.get("guest") == after

    def test_the_search_follows_each_edit(self, memory: Memory) -> None:
        learn_guest(memory)
        memory.update("guest", content="prefers cocoa", synonyms=["tourist"], key_nouns=["cup"])
        assert memory.recall("oolong").abstained
        assert memory.recall("visitor").abstained
        for word in ("cocoa", "tourist", "cup"):
            assert [hit.name for hit in memory.recall(word)] == ["guest"]

    @pytest.mark.parametrize(
        "changes",
        [{}, {"weight": 2.0}, {"state": "asleep"}, {"content": ""}, {"synonyms": "visitor"}],
    )
    def test_a_bad_update_changes_nothing(self, memory: Memory, changes: dict[str, object]) -> None:
        learn_guest(memory)
        before = memory.get("guest")
        with pytest.raises(InvalidInputError):
            memory.update("guest", **changes)  # type: ignore[arg-type]
        assert memory.get("guest") == before

    def test_key_nouns_are_added_to_those_there_are(self, memory: Memory) -> None:
        learn_guest(memory)
        assert memory.add_key_nouns("guest", ["Cup", "drink"]).key_nouns == (
            "drink",
            "guest",
            "cup",
        )
        assert [hit.name for hit in memory.recall("cup")] == ["guest"]

    def test_too_many_or_no_key_nouns_are_refused(self, memory: Memory) -> None:
        learn_guest(memory)
        with pytest.raises(KeyNounsError):
            memory.add_key_nouns("guest", [f"noun{n}" for n in range(9)])
        with pytest.raises(KeyNounsError):
            memory.add_key_nouns("guest", [])
        assert memory.get("guest").key_nouns == ("drink", "guest")

    def test_what_does_not_exist_cannot_be_changed(self, memory: Memory) -> None:
        learn_guest(memory)
        with pytest.raises(NodeNotFoundError):
            memory.update("nobody", weight=0.5)
        with pytest.raises(NodeNotFoundError):
            memory.add_key_nouns("nobody", ["word"])


class TestForgetting:
    def test_an_unknown_name_offers_the_nearest_and_nothing_is_deleted(
        self, memory: Memory
    ) -> None:
        for name in ("boiler valve", "boiler pump", "garden gate"):
            memory.learn(name, "text")
        with pytest.raises(NodeNotFoundError) as caught:
            memory.forget("garden gate", "boiler valbe")
        assert caught.value.name == "boiler valbe"
        assert caught.value.nearest[0] == "boiler valve"
        assert "garden gate" not in caught.value.nearest
        assert memory.count() == 3

    def test_a_name_given_twice_is_one_memory(self, memory: Memory) -> None:
        memory.learn("gate", "green")
        assert memory.forget("gate", "GATE") == 1
        assert memory.forget() == 0


class TestReading:
    def test_get_gives_back_what_was_learnt(self, memory: Memory) -> None:
        learn_guest(memory)
        guest = memory.get("guest")
        assert (guest.content, guest.category, guest.author) == ("prefers oolong", "people", "ana")
        assert guest.synonyms == ("visitor", "caller")
        assert guest.key_nouns == ("drink", "guest")
        assert guest.dimensions == {"entidad": ("persona",)}
        assert guest.links == ("tank",)
        assert (guest.state, guest.tier, guest.valence) == ("activo", "corto", 0.4)
        assert 0.0 <= guest.weight <= 1.0
        assert guest.created_at.isoformat() == "2025-01-31T12:00:00+00:00"

    def test_a_listing_is_newest_first_and_filtered(self, memory: Memory) -> None:
        for day, (author, category) in enumerate([("ana", "a"), ("leo", "a"), ("ana", "b")], 1):
            memory.learn(
                f"d{day}", "x", created_at=f"2026-01-0{day}", author=author, category=category
            )
        assert [item.name for item in memory.list()] == ["d3", "d2", "d1"]
        assert [item.name for item in memory.list(author="ana")] == ["d3", "d1"]
        assert [item.name for item in memory.list(category="a", limit=1, page=2)] == ["d1"]
        assert memory.count(author="ana", category="a") == 1
        assert memory.list(since="2026-01-02", until="2026-01-02").total == 1

    def test_the_state_counts_what_is_there(self, kept: Memory) -> None:
        learn_guest(kept)
        kept.learn("calle", "La calle está cerrada por obras", category="people")
        kept.update("tank", state="dormido")
        state = kept.state()
        assert state.path == kept.path
        assert (state.memories, state.active, state.dormant) == (3, 2, 1)
        assert (state.short_term, state.long_term, state.index_documents) == (3, 0, 3)
        assert state.categories == {"General": 1, "people": 2}
        assert sum(state.languages.values()) == 3
        assert state.key_noun_coverage == pytest.approx(1 / 3)
        assert state.bytes_on_disk >= kept.path.stat().st_size
        assert state.journal_mode == "wal"

    def test_a_closed_memory_says_so(self, path: Path) -> None:
        memory = Memory.open(path)
        memory.close()
        memory.close()
        with pytest.raises(StorageError, match="closed"):
            memory.recall("anything")
        with pytest.raises(StorageError, match="closed"):
            memory.learn("a", "b")


class TestHealth:
    def test_a_well_store_passes_every_check(self, kept: Memory) -> None:
        learn_guest(kept)
        checks = {check.name: check for check in kept.check()}
        assert {"store", "index", "versions", "permissions", "round trip"} <= checks.keys()
        assert [name for name, check in checks.items() if not check.ok] == []
        assert kept.count() == 2

    def test_an_empty_store_in_memory_is_well(self, memory: Memory) -> None:
        assert all(check.ok for check in memory.check())

    def test_damaged_pages_are_found(self, path: Path) -> None:
        """h7-113: zeros in the middle of the file."""
        with Memory.open(path) as memory:
            learn_texts(memory, (f"note {nth} about topic {nth % 9}" for nth in range(900)))
        with path.open("r+b") as file:
            for page in range(8, 40):
                file.seek(page * 4096)
                file.write(bytes(4096))
        with pytest.raises(CorruptDataError, match="damaged"), Memory.open(path) as memory:
            memory.recall("note")

    def test_an_index_that_lost_texts_is_found(self, kept: Memory) -> None:
        """h7-105, h7-113: the base tables are whole, so SQLite's own check is content."""
        learn_texts(kept, (f"note {nth}" for nth in range(20)))
        with closing(sqlite3.connect(kept.path)) as connection, connection:
            connection.execute("DELETE FROM fts_docsize WHERE id > 10")
        failed = [check for check in kept.check() if not check.ok]
        assert [check.name for check in failed] == ["store"]
        assert "10" in failed[0].detail
        assert failed[0].remedy

    def test_a_lost_row_of_a_memory_is_found(self, kept: Memory) -> None:
        learn_texts(kept, (f"note {nth}" for nth in range(20)))
        with closing(sqlite3.connect(kept.path)) as connection, connection:
            connection.execute("DELETE FROM node WHERE id = 7")
        assert [check.ok for check in kept.check() if check.name == "store"] == [False]

    def test_a_backup_opens_and_holds_everything(self, kept: Memory, tmp_path: Path) -> None:
        """h7-099: taken while the newest writes are in the log."""
        learn_texts(kept, (f"note {nth}" for nth in range(100)))
        copy = kept.backup(tmp_path / "copy.db")
        with Memory.open(copy) as restored:
            assert restored.count() == 100
            assert found(restored, "note 42", limit=1) == ["note 42"]
            assert [item.content for item in restored.list(limit=100)] == [
                item.content for item in kept.list(limit=100)
            ]


class TestSettings:
    def test_the_default_page_size_is_a_setting(self) -> None:
        with Memory.open(":memory:", settings=Settings(default_limit=3)) as memory:
            learn_texts(memory, (f"note {nth}" for nth in range(9)))
            assert len(memory.recall("note")) == 3

    def test_a_limit_beyond_the_largest_is_refused(self, memory: Memory) -> None:
        with pytest.raises(LimitExceededError):
            memory.learn_many([], batch_size=1_001)
