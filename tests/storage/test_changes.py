"""The log of changes: another process's index can follow it, or knows that it cannot."""

from __future__ import annotations

from pathlib import Path

from biorag.storage import meta, nodes
from biorag.storage.changes import changes_since, latest_change, prune_changes
from biorag.storage.connection import Store
from biorag.storage.deletion import delete_many, purge
from biorag.storage.search_text import NodeText, set_text
from storage.drafts import new_draft


def test_a_follower_learns_the_last_thing_that_happened_to_each_memory(store: Store) -> None:
    assert latest_change(store.reading()) == 0
    assert changes_since(store.reading(), 0) == {}
    with store.atomic() as connection:
        nodes.insert_many(connection, [new_draft(f"n{i}") for i in range(4)], now=1.0)
    first = latest_change(store.reading())
    assert changes_since(store.reading(), 0) == {1: "put", 2: "put", 3: "put", 4: "put"}
    with store.atomic() as connection:
        set_text(connection, 2, NodeText("n1", "", "", "", "changed"))
        delete_many(connection, [2, 3])
        set_text(connection, 1, NodeText("n0", "", "", "", "changed"))
    changes = changes_since(store.reading(), first)
    assert changes is not None
    assert list(changes.items()) == [(2, "del"), (3, "del"), (1, "put")]
    assert changes_since(store.reading(), latest_change(store.reading())) == {}


def test_what_was_rolled_back_never_happened(store: Store) -> None:
    with store.atomic() as connection:
        nodes.insert_many(connection, [new_draft("kept")], now=1.0)
    seen = latest_change(store.reading())
    block = store.atomic()
    nodes.insert_many(block.__enter__(), [new_draft("lost")], now=1.0)
    error = KeyError("lost")
    assert not block.__exit__(KeyError, error, None)
    assert changes_since(store.reading(), seen) == {}


def test_a_follower_from_before_the_kept_changes_is_told_to_start_anew(store: Store) -> None:
    with store.atomic() as connection:
        nodes.insert_many(connection, [new_draft(f"n{i}") for i in range(100)], now=1.0)
        prune_changes(connection, kept=10)
    assert changes_since(store.reading(), 89) is None
    assert changes_since(store.reading(), 90) == dict.fromkeys(range(91, 101), "put")


def test_a_follower_of_another_file_is_told_to_start_anew(store: Store) -> None:
    assert changes_since(store.reading(), 1) is None


def test_no_number_comes_twice_even_when_nearly_all_changes_are_dropped(store: Store) -> None:
    with store.atomic() as connection:
        nodes.insert_many(connection, [new_draft(f"n{i}") for i in range(5)], now=1.0)
        prune_changes(connection, kept=0)
    assert latest_change(store.reading()) == 5
    purge(store)
    with store.atomic() as connection:
        delete_many(connection, [1])
    assert latest_change(store.reading()) == 6


def test_a_copy_is_known_as_a_copy_and_another_store_is_not(path: Path, store: Store) -> None:
    identity = meta.store_id(store.reading())
    with Store.open(path.with_name("other.db")) as other:
        assert meta.store_id(other.reading()) != identity
    with Store.open(path) as same:
        assert meta.store_id(same.reading()) == identity
