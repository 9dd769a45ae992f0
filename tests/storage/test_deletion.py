"""Forgetting: gone from every table at once, and from the disk after a purge."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from biorag.errors import DatabaseBusyError
from biorag.model import Bridge
from biorag.storage import dimensions, edges, health, hubs, nodes, observations, spaces
from biorag.storage.changes import changes_since, latest_change
from biorag.storage.connection import Store
from biorag.storage.deletion import delete_many, purge
from biorag.storage.listing import Filters, count, ids_matching
from biorag.storage.search_text import phrase_matches
from storage.drafts import new_draft
from storage.test_migrations import TWO_MORE

SENTINEL = "zqxsentinel"

# Two words of a vector space: one that the other memories hold, one that they do not.
VECTORS = spaces.TokenChunk(
    terms=("other", SENTINEL), weights=b"wwwwWWWW", scales=b"ssssSSSS", vectors=b"vvVV"
)


def insert_sentinel(store: Store) -> int:
    """A memory with the sentinel in every place where words can be."""
    draft = new_draft(
        f"{SENTINEL} name",
        f"the {SENTINEL} text",
        synonyms=(f"{SENTINEL} synonym",),
        key_nouns=(SENTINEL,),
        author=SENTINEL,
        category=SENTINEL,
    )
    with store.atomic() as connection:
        [other, node_id, third] = nodes.insert_many(
            connection, [new_draft("other"), draft, new_draft("third")], now=1.0
        )
        dimensions.add_dimensions(connection, node_id, {"dominio": [f"{SENTINEL}_value"]}, 1.0)
        observations.append_observation(connection, node_id, f"more {SENTINEL}", now=1.0)
        observations.replace_content(connection, node_id, f"now {SENTINEL}", now=2.0)
        edges.link_nodes(connection, node_id, other, 1.0, context=SENTINEL)
        edges.link_nodes(connection, third, node_id, 1.0, rel=SENTINEL, directed=True)
        connection.execute(
            "INSERT INTO predicate (node_id, action, created_at) VALUES (?, ?, 1.0)",
            (node_id, SENTINEL),
        )
        hub_id = hubs.insert_hub(connection, f"{SENTINEL} hub", node_id, SENTINEL, 1.0)
        hubs.insert_bridges(connection, hub_id, [Bridge(f"{SENTINEL} bridge")])
        spaces.replace_space(
            connection, "ppmi", dims=2, documents=3, created_at=1.0, chunks=iter([VECTORS])
        )
    return node_id


def dump(store: Store) -> str:
    return "\n".join(store.reading().iterdump())


def words_with_vectors(store: Store) -> list[str]:
    """The words of the space, after a look whether each still has the numbers that were its own."""
    row = spaces.space(store.reading(), "ppmi")
    assert row is not None
    chunks = spaces.chunks_of(store.reading(), row.id)
    assert all(chunk.vectors == b"vv" * len(chunk.terms) for chunk in chunks)
    return [term for chunk in chunks for term in chunk.terms]


def test_a_word_that_another_memory_holds_keeps_its_vector(store: Store) -> None:
    insert_sentinel(store)
    before = spaces.newest_space(store.reading())
    with store.atomic() as connection:
        [again] = nodes.insert_many(connection, [new_draft("another other")], now=1.0)
        delete_many(connection, [again])
    assert spaces.newest_space(store.reading()) == before
    assert SENTINEL in dump(store)


def test_a_deleted_memory_is_gone_from_every_table(store: Store) -> None:
    """h7-149, h7-151, h7-153"""
    node_id = insert_sentinel(store)
    seen = latest_change(store.reading())
    assert SENTINEL in dump(store)
    with store.atomic() as connection:
        assert delete_many(connection, [node_id, 999]) == 1
    assert SENTINEL not in dump(store).replace(f"''{SENTINEL}''", "")
    assert words_with_vectors(store) == ["other"]
    assert phrase_matches(store.reading(), [SENTINEL], 9) == []
    assert nodes.fetch(store.reading(), [node_id]) == {}
    assert count(store.reading()) == 2
    assert ids_matching(store.reading(), Filters(category=SENTINEL)) == []
    assert [memory.links for memory in nodes.fetch(store.reading(), [1, 3]).values()] == [(), ()]
    assert changes_since(store.reading(), seen) == {node_id: "del"}
    assert health.check(store).healthy


def test_deleting_more_than_one_statement_can_name_takes_them_all(store: Store) -> None:
    """h7-145"""
    with store.atomic() as connection:
        ids = nodes.insert_many(connection, [new_draft(f"n{i}") for i in range(3000)], now=1.0)
        assert delete_many(connection, ids[:2999]) == 2999
        assert delete_many(connection, []) == 0
    assert count(store.reading()) == 1
    assert health.check(store).healthy


def test_a_value_that_other_memories_have_stays_in_the_catalogue(store: Store) -> None:
    node_id = insert_sentinel(store)
    with store.atomic() as connection:
        dimensions.add_dimensions(connection, 1, {"dominio": [f"{SENTINEL}_value"]}, 1.0)
        delete_many(connection, [node_id])
    memory = nodes.fetch(store.reading(), [1])[1]
    assert dict(memory.dimensions) == {"dominio": (f"{SENTINEL}_value",)}


@pytest.mark.parametrize("store_size", [0, 2000])
def test_after_a_purge_the_words_are_in_no_file_of_the_folder(path: Path, store_size: int) -> None:
    """h7-150"""
    with Store.open(path) as store:
        node_id = insert_sentinel(store)
        with store.atomic() as connection:
            drafts = [new_draft(f"n{i}", "much text " * 20) for i in range(store_size)]
            ids = nodes.insert_many(connection, drafts, now=1.0)
        store.checkpoint()
        assert in_any_file(path.parent)
        with store.atomic() as connection:
            delete_many(connection, [node_id, *ids[::2]])
        report = purge(store)
        assert not in_any_file(path.parent)
        assert report.backups == ()
        assert report.bytes_after <= report.bytes_before
        assert count(store.reading()) == 2 + store_size // 2
        assert health.check(store).healthy
    assert not in_any_file(path.parent)


def test_a_purge_names_the_copies_that_it_does_not_touch(path: Path) -> None:
    with Store.open(path) as store:
        insert_sentinel(store)
    with Store.open(path, migrations=TWO_MORE) as store:
        with store.atomic() as connection:
            delete_many(connection, [2])
        [backup] = purge(store).backups
    assert SENTINEL.encode() in backup.read_bytes()
    assert SENTINEL.encode() not in path.read_bytes()


def test_a_purge_that_a_reader_keeps_from_finishing_says_so(path: Path) -> None:
    with Store.open(path, busy_timeout_s=0.1) as store, Store.open(path) as other:
        node_id = insert_sentinel(store)
        with other.snapshot() as reading:
            reading.execute("SELECT count(*) FROM node").fetchone()
            with store.atomic() as connection:
                delete_many(connection, [node_id])
            with pytest.raises(DatabaseBusyError):
                purge(store)
        purge(store)
        assert not in_any_file(path.parent)


def test_two_stores_with_the_same_texts_do_not_touch_each_other(tmp_path: Path) -> None:
    """h7-152, h7-158"""
    with Store.open(tmp_path / "a.db") as one, Store.open(tmp_path / "b.db") as other:
        for store in (one, other):
            with store.atomic() as connection:
                nodes.insert_many(connection, [new_draft(f"n{i}") for i in range(5)], now=1.0)
        with one.atomic() as connection:
            delete_many(connection, range(1, 6))
        purge(one)
        assert (count(one.reading()), count(other.reading())) == (0, 5)
        assert len(phrase_matches(other.reading(), ["some", "text"], 9)) == 5


def test_deleting_while_others_write_leaves_no_orphan(path: Path) -> None:
    """h7-097"""
    with Store.open(path, synchronous="NORMAL", busy_timeout_s=30.0) as store:

        def write(label: str) -> None:
            for number in range(40):
                with store.atomic() as connection:
                    ids = nodes.insert_many(connection, [new_draft(f"{label} {number}")], now=1.0)
                if number % 2:
                    with store.atomic() as connection:
                        delete_many(connection, ids)

        threads = [threading.Thread(target=write, args=(label,)) for label in "abcd"]
        for thread in threads:
            thread.start()
        for _ in range(5):
            purge(store)
        for thread in threads:
            thread.join()
        assert count(store.reading()) == 80
        assert health.check(store).healthy


def in_any_file(folder: Path) -> bool:
    contents = [file.read_bytes() for file in folder.iterdir()]
    assert contents
    return any(SENTINEL.encode() in content for content in contents)
