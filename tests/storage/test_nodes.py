"""Memories go in whole and come back as they were given."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime
from typing import Any

import pytest

from biorag.errors import StorageError
from biorag.storage import dimensions, edges, nodes, observations, terms
from biorag.storage.axes import AXES
from biorag.storage.connection import Store
from biorag.storage.documents import iterate_documents
from biorag.storage.search_text import NodeText, phrase_matches, set_text
from storage.drafts import new_draft


def test_a_memory_comes_back_as_it_was_given(store: Store) -> None:
    draft = new_draft(
        "Señal roja",
        "first line\nsecond line",
        category="Lesson",
        synonyms=("alarma", "aviso"),
        key_nouns=("señal", "color"),
        dimensions={"emocion": ("miedo", "alivio"), "modalidad": ("permiso",)},
        author="ana",
        valence=0.25,
        created_at=-86_400.0,
    )
    with store.atomic() as connection:
        [node_id] = nodes.insert_many(connection, [draft], now=5.0)
    memory = nodes.fetch(store.reading(), [node_id])[node_id]
    assert (memory.name, memory.content) == ("Señal roja", "first line\nsecond line")
    assert (memory.category, memory.author, memory.valence) == ("Lesson", "ana", 0.25)
    assert (memory.state, memory.tier, memory.weight) == ("activo", "corto", 1.0)
    assert (memory.synonyms, memory.key_nouns) == (("alarma", "aviso"), ("señal", "color"))
    assert dict(memory.dimensions) == {"emocion": ("miedo", "alivio"), "modalidad": ("permiso",)}
    assert memory.links == ()
    assert memory.created_at == datetime(1969, 12, 31, tzinfo=UTC)
    assert memory.updated_at == datetime(1970, 1, 1, 0, 0, 5, tzinfo=UTC)


def test_ids_ascend_with_the_drafts_and_are_never_given_twice(store: Store) -> None:
    with store.atomic() as connection:
        ids = nodes.insert_many(connection, [new_draft(f"n{i}") for i in range(2500)], now=0.0)
        connection.execute("DELETE FROM node WHERE id = ?", (ids[-1],))
        [later] = nodes.insert_many(connection, [new_draft("later")], now=0.0)
        assert nodes.insert_many(connection, [], now=0.0) == []
    assert ids == list(range(1, 2501))
    assert later == 2501


def test_fetch_keeps_the_order_asked_for_and_leaves_out_what_is_not_there(store: Store) -> None:
    with store.atomic() as connection:
        nodes.insert_many(connection, [new_draft(f"n{i}") for i in range(1200)], now=0.0)
    wanted = [1200, 7, 9999, 3, 7]
    found = nodes.fetch(store.reading(), wanted)
    assert list(found) == [1200, 7, 3]
    assert [memory.name for memory in found.values()] == ["n1199", "n6", "n2"]
    assert len(nodes.fetch(store.reading(), range(1, 1201))) == 1200
    assert nodes.fetch(store.reading(), []) == {}


def test_fetching_many_takes_no_more_statements_than_fetching_few(store: Store) -> None:
    drafts = [new_draft(f"n{i}", key_nouns=("aa", "bb")) for i in range(400)]
    with store.atomic() as connection:
        nodes.insert_many(connection, drafts, now=0.0)
    statements: list[str] = []
    store.reading().set_trace_callback(statements.append)
    nodes.fetch(store.reading(), [1])
    few = len(statements)
    nodes.fetch(store.reading(), range(1, 401))
    store.reading().set_trace_callback(None)
    assert 0 < len(statements) - few == few


def test_keys_lead_to_their_memories(store: Store) -> None:
    drafts = [new_draft(f"Name {i}", author="ana") for i in range(700)]
    with store.atomic() as connection:
        nodes.insert_many(connection, drafts, now=0.0)
    known = nodes.existing_by_keys(store.reading(), ["absent", *(d.key for d in drafts)])
    assert len(known) == 700
    assert known["name 3"] == nodes.KnownNode(4, "Name 3", "General", "en", "ana")


def test_two_memories_cannot_have_one_key(store: Store) -> None:
    with (
        pytest.raises(StorageError) as caught,
        store.atomic() as connection,
    ):
        nodes.insert_many(connection, [new_draft("water pump"), new_draft("Water_Pump")], now=0.0)
    assert isinstance(caught.value.__cause__, sqlite3.IntegrityError)
    assert nodes.existing_by_keys(store.reading(), ["water pump"]) == {}


class TestTexts:
    @pytest.fixture
    def node_id(self, store: Store) -> int:
        with store.atomic() as connection:
            return nodes.insert_many(connection, [new_draft("tea", "prefers tea")], now=1.0)[0]

    def test_a_text_is_added_once(self, store: Store, node_id: int) -> None:
        """h7-157: a retry after a time-out stores nothing twice."""
        with store.atomic() as connection:
            assert observations.append_observation(connection, node_id, "with milk", now=2.0)
            assert not observations.append_observation(connection, node_id, "with milk", now=3.0)
            assert not observations.append_observation(connection, node_id, "prefers tea", now=3.0)
        assert observations.contents(store.reading(), [node_id]) == {
            node_id: "prefers tea\nwith milk"
        }
        assert nodes.fetch(store.reading(), [node_id])[node_id].updated_at.timestamp() == 2.0

    def test_replacing_the_text_keeps_everything_else(self, store: Store, node_id: int) -> None:
        """h7-154, h7-156"""
        with store.atomic() as connection:
            observations.append_observation(connection, node_id, "with milk", now=2.0)
            terms.replace_terms(connection, node_id, "synonym", ("chai",))
            before = nodes.fetch(connection, [node_id])[node_id]
            assert observations.replace_content(connection, node_id, "prefers cocoa", now=9.0)
            set_text(connection, node_id, NodeText("tea", "chai", "", "", "prefers cocoa"))
        after = nodes.fetch(store.reading(), [node_id])[node_id]
        assert after.content == "prefers cocoa"
        assert (after.synonyms, after.created_at) == (before.synonyms, before.created_at)
        assert phrase_matches(store.reading(), ["prefers", "tea"], 9) == []
        assert phrase_matches(store.reading(), ["prefers", "cocoa"], 9) == [node_id]

    def test_a_replaced_text_is_history_and_can_return(self, store: Store, node_id: int) -> None:
        with store.atomic() as connection:
            assert observations.replace_content(connection, node_id, "prefers cocoa", now=2.0)
            assert not observations.replace_content(connection, node_id, "prefers cocoa", now=3.0)
            assert observations.replace_content(connection, node_id, "prefers tea", now=4.0)
            assert observations.replace_content(connection, node_id, "prefers cocoa", now=5.0)
        history = store.reading().execute(
            "SELECT content, superseded_at FROM observation ORDER BY id"
        )
        assert history.fetchall() == [
            ("prefers tea", 2.0),
            ("prefers cocoa", 4.0),
            ("prefers tea", 5.0),
            ("prefers cocoa", None),
        ]

    def test_one_text_can_be_removed_by_its_words(self, store: Store, node_id: int) -> None:
        with store.atomic() as connection:
            observations.append_observation(connection, node_id, "with milk", now=2.0)
            assert observations.remove_observation(connection, node_id, "prefers tea", now=3.0)
            assert not observations.remove_observation(connection, node_id, "absent", now=4.0)
        assert observations.observations(store.reading(), [node_id, 99]) == {
            node_id: ("with milk",),
            99: (),
        }

    @pytest.mark.parametrize("text", ["\ufeffñ\u2028🫠\u200d", "' OR 1=1; --", "a\tb\r\n ", '%_*"'])
    def test_text_comes_back_character_for_character(
        self, store: Store, node_id: int, text: str
    ) -> None:
        with store.atomic() as connection:
            observations.replace_content(connection, node_id, text, now=2.0)
        assert observations.contents(store.reading(), [node_id])[node_id] == text


class TestFields:
    @pytest.fixture
    def node_id(self, store: Store) -> int:
        with store.atomic() as connection:
            return nodes.insert_many(connection, [new_draft("tea")], now=1.0)[0]

    def test_use_is_not_an_update_and_a_new_category_is(self, store: Store, node_id: int) -> None:
        with store.atomic() as connection:
            assert nodes.update_fields(connection, node_id, 5.0, weight=0.5, successes=3)
            used = nodes.fetch(connection, [node_id])[node_id]
            assert nodes.update_fields(connection, node_id, 6.0, category="Lesson", state="dormido")
        changed = nodes.fetch(store.reading(), [node_id])[node_id]
        assert (used.weight, used.updated_at.timestamp()) == (0.5, 1.0)
        assert (changed.category, changed.state) == ("Lesson", "dormido")
        assert changed.updated_at.timestamp() == 6.0

    def test_what_is_not_there_cannot_be_changed(self, store: Store, node_id: int) -> None:
        with store.atomic() as connection:
            assert not nodes.update_fields(connection, 99, 5.0, weight=0.5)
            assert not nodes.update_fields(connection, 99, 5.0)
            assert nodes.update_fields(connection, node_id, 5.0)

    def test_a_name_of_a_column_is_never_taken_on_trust(self, store: Store, node_id: int) -> None:
        hostile: Any = {"id = 1; --": 2}
        with pytest.raises(TypeError, match="id = 1"), store.atomic() as connection:
            nodes.update_fields(connection, node_id, 5.0, **hostile)

    def test_a_weight_outside_its_range_is_refused(self, store: Store, node_id: int) -> None:
        with pytest.raises(StorageError), store.atomic() as connection:
            nodes.update_fields(connection, node_id, 5.0, weight=1.5)


class TestDimensions:
    @pytest.fixture
    def node_id(self, store: Store) -> int:
        with store.atomic() as connection:
            return nodes.insert_many(connection, [new_draft("tea")], now=1.0)[0]

    def test_the_catalogue_has_thirteen_axes_and_a_hundred_and_two_values(
        self, store: Store
    ) -> None:
        catalogue = dimensions.catalogue(store.reading())
        assert (len(catalogue), sum(map(len, catalogue.values()))) == (13, 102)
        assert catalogue == dict(AXES)

    def test_a_new_value_joins_its_axis_and_what_has_no_form_is_told(
        self, store: Store, node_id: int
    ) -> None:
        with store.atomic() as connection:
            invalid = dimensions.set_dimensions(
                connection,
                node_id,
                {"emocion": ["Nostalgia azul", "Alegría", "1x"], "emocoin": ["miedo"]},
                now=2.0,
            )
        assert invalid == ("emocion:1x", "emocoin:miedo")
        memory = nodes.fetch(store.reading(), [node_id])[node_id]
        assert dict(memory.dimensions) == {"emocion": ("alegria", "nostalgia_azul")}
        [row] = store.reading().execute(
            "SELECT confidence, auto_generated FROM axis_value WHERE name = 'nostalgia_azul'"
        )
        assert row == (0.7, 1)

    def test_setting_an_axis_replaces_it_and_leaves_the_others(
        self, store: Store, node_id: int
    ) -> None:
        with store.atomic() as connection:
            dimensions.set_dimensions(
                connection, node_id, {"emocion": ["miedo"], "dominio": ["mar"]}, now=2.0
            )
            dimensions.set_dimensions(connection, node_id, {"emocion": ["alivio"]}, now=3.0)
            dimensions.add_dimensions(connection, node_id, {"emocion": ["culpa"]}, now=3.0)
        memory = nodes.fetch(store.reading(), [node_id])[node_id]
        assert dict(memory.dimensions) == {"emocion": ("alivio", "culpa"), "dominio": ("mar",)}

    def test_the_same_word_on_two_axes_is_two_values(self, store: Store, node_id: int) -> None:
        with store.atomic() as connection:
            dimensions.add_dimensions(
                connection, node_id, {"emocion": ["calma"], "dominio": ["calma"]}, now=2.0
            )
        memory = nodes.fetch(store.reading(), [node_id])[node_id]
        assert dict(memory.dimensions) == {"emocion": ("calma",), "dominio": ("calma",)}


class TestLinks:
    @pytest.fixture
    def ids(self, store: Store) -> list[int]:
        with store.atomic() as connection:
            return nodes.insert_many(connection, [new_draft(f"n{i}") for i in range(4)], now=1.0)

    def test_a_link_is_seen_from_both_ends_and_made_once(
        self, store: Store, ids: list[int]
    ) -> None:
        with store.atomic() as connection:
            assert edges.link_nodes(connection, ids[2], ids[0], 2.0)
            assert not edges.link_nodes(connection, ids[0], ids[2], 3.0)
            assert not edges.link_nodes(connection, ids[0], ids[0], 3.0)
        found = nodes.fetch(store.reading(), ids)
        assert [found[i].links for i in ids] == [("n2",), (), ("n0",), ()]

    def test_a_typed_relation_keeps_its_direction(self, store: Store, ids: list[int]) -> None:
        with store.atomic() as connection:
            assert edges.link_nodes(connection, ids[2], ids[0], 2.0, rel="feeds", directed=True)
            assert edges.link_nodes(connection, ids[0], ids[2], 2.0, rel="feeds", directed=True)
        rows = store.reading().execute("SELECT src, dst FROM edge ORDER BY id").fetchall()
        assert rows == [(ids[2], ids[0]), (ids[0], ids[2])]

    def test_an_ended_link_is_history_and_can_be_made_again(
        self, store: Store, ids: list[int]
    ) -> None:
        with store.atomic() as connection:
            edges.link_nodes(connection, ids[0], ids[1], 2.0)
            assert edges.end_links(connection, ids[1], ids[0], 3.0, rel="other") == 0
            assert edges.end_links(connection, ids[1], ids[0], 3.0, origin="system") == 0
            assert edges.end_links(connection, ids[1], ids[0], 3.0) == 1
            assert nodes.fetch(connection, ids[:1])[ids[0]].links == ()
            assert edges.link_nodes(connection, ids[0], ids[1], 4.0)
        rows = store.reading().execute("SELECT active, ended_at FROM edge ORDER BY id").fetchall()
        assert rows == [(0, 3.0), (1, None)]

    def test_only_what_the_agent_linked_is_listed_as_its_links(
        self, store: Store, ids: list[int]
    ) -> None:
        pairs = [(ids[0], ids[1]), (ids[1], ids[0]), (ids[2], ids[2])]
        with store.atomic() as connection:
            assert edges.link_pairs(connection, pairs, 2.0, rel="co_nombre", origin="system") == 1
            assert edges.link_pairs(connection, [(ids[3], ids[0])], 2.0) == 1
            assert edges.link_pairs(connection, [], 2.0) == 0
        assert nodes.fetch(store.reading(), ids[:1])[ids[0]].links == ("n3",)

    def test_a_link_to_a_memory_that_is_not_there_is_refused(
        self, store: Store, ids: list[int]
    ) -> None:
        with pytest.raises(StorageError), store.atomic() as connection:
            edges.link_nodes(connection, ids[0], 99, 2.0)


def test_documents_come_in_order_of_id_with_all_their_words(store: Store) -> None:
    with store.atomic() as connection:
        ids = nodes.insert_many(
            connection,
            [
                new_draft("a", "one", synonyms=("s1", "s2"), key_nouns=("k1", "k2")),
                new_draft("b", "two", language="es", created_at=7.0),
                new_draft("c", "three"),
            ],
            now=1.0,
        )
        observations.append_observation(connection, ids[0], "more", now=2.0)
        observations.replace_content(connection, ids[2], "four", now=2.0)
    documents = list(iterate_documents(store.reading(), batch=2))
    assert [document.id for document in documents] == ids
    assert documents[0][4:] == ("a", "s1\ns2", "k1\nk2", "", "one\nmore")
    assert documents[1][1:5] == ("es", 7.0, None, "b")
    assert documents[2].body == "four"
    assert list(iterate_documents(store.reading(), after_id=ids[1], batch=1)) == documents[2:]
