"""Which memories' codes are missing or old, whatever changes them."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Callable

import pytest

from biorag import Memory, NewMemory
from biorag.storage.codes import code_sources, dirty_ids, has_dirty
from biorag.storage.connection import Store
from biorag.storage.dimensions import add_dimensions, set_dimensions
from biorag.storage.edges import end_links, link_nodes, link_pairs
from biorag.storage.nodes import update_fields


def store_of(memory: Memory) -> Store:
    return memory._store


@pytest.fixture
def coded(memory: Memory) -> Memory:
    """Three memories with codes: 1, and 2 and 3 that are linked."""
    memory.learn_many(
        [
            NewMemory(name="heron", content="A heron.", dimensions={"emocion": ("calma",)}),
            NewMemory(name="boat", content="A boat."),
            NewMemory(name="pier", content="A pier.", link_to=("boat",)),
        ]
    )
    memory.reindex_codes()
    return memory


def dirty(memory: Memory) -> list[int]:
    found = dirty_ids(store_of(memory).reading())
    assert has_dirty(store_of(memory).reading()) == bool(found)
    return found


def test_learning_writes_no_code_and_marks_nothing(memory: Memory) -> None:
    memory.learn("heron", "A heron.", dimensions={"emocion": ("calma",)})
    memory.learn("boat", "A boat.", link_to=("heron",))
    connection = store_of(memory).reading()
    assert connection.execute("SELECT count(*) FROM sdm_code").fetchone() == (0,)
    assert connection.execute("SELECT count(*) FROM sdm_dirty").fetchone() == (0,)
    assert dirty(memory) == [1, 2]


def test_codes_that_were_made_are_not_dirty(coded: Memory) -> None:
    assert dirty(coded) == []
    coded.learn("egret", "An egret.")
    assert dirty(coded) == [4]


Write = Callable[[sqlite3.Connection], object]


@pytest.mark.parametrize(
    ("write", "changed"),
    [
        (lambda c: set_dimensions(c, 2, {"emocion": ("alegria",)}, 0.0), [2]),
        (lambda c: add_dimensions(c, 1, {"emocion": ("alegria",)}, 0.0), [1]),
        (lambda c: link_nodes(c, 1, 2, 0.0), [1, 2]),
        (lambda c: link_nodes(c, 2, 3, 0.0), []),
        (lambda c: link_pairs(c, [(3, 1)], 0.0), [1, 3]),
        (lambda c: end_links(c, 3, 2, 0.0), [2, 3]),
        (lambda c: update_fields(c, 1, 0.0, category="Birds"), [1]),
        (lambda c: update_fields(c, 1, 0.0, weight=0.5), []),
        (lambda c: update_fields(c, 2, 0.0, key="ship", name="ship"), [3]),
    ],
)
def test_a_write_marks_the_memories_whose_code_it_makes_old(
    coded: Memory, write: Write, changed: list[int]
) -> None:
    with store_of(coded).atomic() as connection:
        write(connection)
    assert dirty(coded) == changed


def test_a_new_text_marks_the_memory(coded: Memory) -> None:
    coded.update("heron", content="A grey heron.")
    assert dirty(coded) == [1]


def test_deleting_marks_the_neighbours_and_leaves_nothing_behind(coded: Memory) -> None:
    coded.forget("boat")
    assert dirty(coded) == [3]
    connection = store_of(coded).reading()
    assert connection.execute("SELECT node_id FROM sdm_code").fetchall() == [(1,), (3,)]


def test_deleting_the_newest_does_not_hide_what_comes_next(coded: Memory) -> None:
    coded.forget("pier")
    coded.reindex_codes()
    coded.learn("egret", "An egret.")
    assert dirty(coded) == [4]


def test_a_code_is_made_of_words_dimensions_category_and_neighbours(coded: Memory) -> None:
    heron, _, pier = code_sources(store_of(coded).reading(), [1, 2, 3, 99])
    assert (heron.name, heron.body, heron.category) == ("heron", "heron", "General")
    assert heron.dimensions == (("emocion:calma", math.log(3)),)
    assert (heron.neighbours, pier.neighbours) == ((), ("boat",))


def test_the_neighbours_of_a_hub_are_its_strongest(memory: Memory) -> None:
    memory.learn_many(NewMemory(name=f"m{n}", content=f"text {n}") for n in range(20))
    with store_of(memory).atomic() as connection:
        for other in range(2, 21):
            link_nodes(connection, 1, other, 0.0, weight=other / 20)
    (hub,) = code_sources(store_of(memory).reading(), [1])
    assert hub.neighbours == tuple(f"m{n}" for n in range(19, 7, -1))
