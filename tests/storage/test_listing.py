"""Pages of the store: total order, honest totals, nothing twice and nothing missing."""

from __future__ import annotations

import pytest

from biorag.storage import nodes
from biorag.storage.connection import Store
from biorag.storage.listing import Filters, count, ids_matching, listing
from storage.drafts import new_draft


def test_paging_through_equal_times_shows_each_memory_exactly_once(store: Store) -> None:
    """h7-142"""
    with store.atomic() as connection:
        ids = nodes.insert_many(connection, [new_draft(f"n{i}") for i in range(90)], now=1.0)
    pages = [listing(store.reading(), Filters(), page, 7) for page in range(1, 15)]
    seen = [memory.id for page in pages for memory in page]
    assert seen == sorted(ids, reverse=True)
    assert [len(page) for page in pages] == [7] * 12 + [6, 0]
    assert count(store.reading()) == 90


def test_the_newest_memory_is_first_and_ties_go_to_the_later_one(store: Store) -> None:
    times = [5.0, 9.0, 5.0, 1.0]
    with store.atomic() as connection:
        nodes.insert_many(
            connection, [new_draft(f"n{i}", created_at=t) for i, t in enumerate(times)], now=1.0
        )
    assert [memory.id for memory in listing(store.reading(), Filters(), 1, 10)] == [2, 3, 1, 4]


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (Filters(), [1, 2, 3, 4]),
        (Filters(category="Lesson"), [2, 4]),
        (Filters(author="ana"), [1, 2]),
        (Filters(since=2.0), [2, 3, 4]),
        (Filters(until=2.0), [1, 2]),
        (Filters(since=2.0, until=3.0, category="Lesson"), [2]),
        (Filters(states=("dormido", "cuarentena")), [3]),
        (Filters(category="' OR 1=1 --"), []),
        (Filters(category="lesson%"), []),
    ],
)
def test_filters_mean_exactly_what_they_say(
    store: Store, filters: Filters, expected: list[int]
) -> None:
    with store.atomic() as connection:
        nodes.insert_many(
            connection,
            [
                new_draft("a", created_at=1.0, author="ana"),
                new_draft("b", created_at=2.0, author="ana", category="Lesson"),
                new_draft("c", created_at=3.0),
                new_draft("d", created_at=4.0, category="Lesson"),
            ],
            now=1.0,
        )
        nodes.update_fields(connection, 3, 1.0, state="dormido")
    assert ids_matching(store.reading(), filters) == expected
    assert count(store.reading(), filters) == len(expected)
    listed = listing(store.reading(), filters, 1, 10)
    assert [memory.id for memory in listed] == expected[::-1]


def test_listing_reads_an_index_and_never_sorts_the_store(store: Store) -> None:
    """h7-148"""
    for where in ("", "WHERE category = 'x'", "WHERE author = 'x'"):
        plan = store.reading().execute(
            f"EXPLAIN QUERY PLAN SELECT id FROM node {where} ORDER BY created_at DESC, id DESC"
        )
        steps = " ".join(row[3] for row in plan.fetchall())
        assert "INDEX node_by_" in steps
        assert "TEMP B-TREE" not in steps


def test_more_ids_than_one_statement_may_hold_are_no_limit(store: Store) -> None:
    """h7-145"""
    with store.atomic() as connection:
        ids = nodes.insert_many(connection, [new_draft(f"n{i}") for i in range(40_000)], now=1.0)
    assert ids_matching(store.reading(), Filters(category="General")) == ids
    assert len(nodes.fetch(store.reading(), ids)) == 40_000
