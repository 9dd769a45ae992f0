"""What the store adds to a write: all its tables, beside one row and its full-text entry.

The texts are analysed before the clock starts: this is the store alone. `test_learn.py` has the
whole of learning.
"""

from __future__ import annotations

import itertools
import sqlite3
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from biorag.clock import SystemClock
from biorag.engine import intake
from biorag.model import NewMemory
from biorag.storage.connection import Store
from biorag.storage.nodes import NodeDraft, fetch, insert_many
from biorag.storage.observations import contents
from biorag.storage.search_text import phrase_matches

BULK = 10_000
ROUNDS = 7


def drafts_of(texts: list[str], key_nouns: int) -> list[NodeDraft]:
    """The texts as the engine hands them to the store, with some of their words as key nouns."""
    memories = [
        NewMemory(name=f"t{n}", content=text, key_nouns=_nouns(text, key_nouns))
        for n, text in enumerate(texts)
    ]
    checked = intake.check_all(memories, SystemClock(), 0)
    return intake.drafts(checked, intake.analyse(checked))


@pytest.mark.parametrize("key_nouns", [0, 5])
def test_insert_many(
    benchmark: BenchmarkFixture, texts: list[str], tmp_path: Path, key_nouns: int
) -> None:
    benchmark.group = f"store {BULK:,} texts in one transaction"
    drafts = drafts_of(texts[:BULK], key_nouns)
    turn = itertools.count()

    def setup() -> tuple[tuple[Store], dict[str, object]]:
        return (Store.open(tmp_path / f"memory-{next(turn)}.db"),), {}

    def write(store: Store) -> None:
        with store.atomic() as connection:
            ids = insert_many(connection, drafts, 0.0)
        assert len(ids) == BULK
        store.close()

    benchmark.pedantic(write, setup=setup, rounds=ROUNDS)


def test_raw_executemany(benchmark: BenchmarkFixture, texts: list[str], tmp_path: Path) -> None:
    benchmark.group = f"store {BULK:,} texts in one transaction"
    rows = [(n, f"t{n}", text) for n, text in enumerate(texts[:BULK])]
    turn = itertools.count()

    def setup() -> tuple[tuple[sqlite3.Connection], dict[str, object]]:
        connection = sqlite3.connect(tmp_path / f"raw-{next(turn)}.db", isolation_level=None)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("CREATE TABLE memories (id INTEGER PRIMARY KEY, name TEXT, text TEXT)")
        connection.execute("CREATE VIRTUAL TABLE texts USING fts5 (name, text)")
        return (connection,), {}

    def write(connection: sqlite3.Connection) -> None:
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany("INSERT INTO memories VALUES (?, ?, ?)", rows)
        connection.executemany("INSERT INTO texts (rowid, name, text) VALUES (?, ?, ?)", rows)
        connection.execute("COMMIT")
        assert connection.execute("SELECT count(*) FROM texts").fetchone() == (BULK,)
        connection.close()

    benchmark.pedantic(write, setup=setup, rounds=ROUNDS)


@pytest.fixture(scope="module")
def full(texts: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("full") / "memory.db"
    with Store.open(path) as store, store.atomic() as connection:
        insert_many(connection, drafts_of(texts[:BULK], 5), 0.0)
    return path


def test_open(benchmark: BenchmarkFixture, full: Path) -> None:
    benchmark.group = "open and close a store"

    def open_and_close() -> None:
        with Store.open(full) as store:
            assert not store.read_only

    benchmark(open_and_close)


def test_contents_of_a_page(benchmark: BenchmarkFixture, full: Path, texts: list[str]) -> None:
    benchmark.group = "read a page of ten"
    with Store.open(full) as store:
        ids = range(501, 10_001, 950)
        page = benchmark(lambda: contents(store.reading(), ids))
        assert page[501] == texts[500]


def test_memories_of_a_page(benchmark: BenchmarkFixture, full: Path, texts: list[str]) -> None:
    benchmark.group = "read a page of ten"
    with Store.open(full) as store:
        ids = range(501, 10_001, 950)
        page = benchmark(lambda: fetch(store.reading(), ids))
        assert page[501].content == texts[500]


def test_phrase(benchmark: BenchmarkFixture, full: Path, texts: list[str]) -> None:
    benchmark.group = "find a phrase"
    words = drafts_of(texts[500:501], 0)[0].text.body.split()[3:6]
    with Store.open(full) as store:
        assert 501 in benchmark(lambda: phrase_matches(store.reading(), words, 100))


def _nouns(text: str, count: int) -> tuple[str, ...]:
    words = (word.strip(".,").lower() for word in text.split())
    return tuple(dict.fromkeys(word for word in words if 5 <= len(word) <= 15))[:count]
