"""Learning with every index, beside the least that SQLite must do to keep and find a text."""

from __future__ import annotations

import itertools
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from biorag.engine.memory import Memory
from biorag.model import NewMemory
from biorag.settings import Settings

BULK = 2_000
ROUNDS = 5


@pytest.fixture(params=["FULL", "NORMAL"])
def synchronous(request: pytest.FixtureRequest) -> str:
    level: str = request.param
    return level


@pytest.fixture
def raw(tmp_path: Path, synchronous: str) -> Iterator[sqlite3.Connection]:
    connection = _raw_store(tmp_path / "raw.db", synchronous)
    yield connection
    connection.close()


def test_learn_one(
    benchmark: BenchmarkFixture, texts: list[str], tmp_path: Path, synchronous: str
) -> None:
    benchmark.group = f"learn one, synchronous={synchronous}"
    settings = Settings(synchronous=synchronous)
    with Memory.open(tmp_path / "memory.db", settings=settings) as memory:
        turn = itertools.count()

        def learn() -> None:
            place = next(turn)
            memory.learn(f"t{place}", texts[place % len(texts)])

        benchmark.pedantic(learn, rounds=300, warmup_rounds=20)
        assert memory.count() == 320
        assert memory.recall(texts[319], limit=1)[0].name == "t319"


def test_raw_row_and_fts5(
    benchmark: BenchmarkFixture, texts: list[str], raw: sqlite3.Connection, synchronous: str
) -> None:
    benchmark.group = f"learn one, synchronous={synchronous}"
    turn = itertools.count()

    def store() -> None:
        place = next(turn)
        with raw:
            _insert(raw, [(place, f"t{place}", texts[place % len(texts)])])

    benchmark.pedantic(store, rounds=300, warmup_rounds=20)
    assert raw.execute("SELECT count(*) FROM texts").fetchone() == (320,)


def test_learn_many(
    benchmark: BenchmarkFixture, texts: list[str], tmp_path: Path, synchronous: str
) -> None:
    benchmark.group = f"learn {BULK:,} at once, synchronous={synchronous}"
    turn = itertools.count()
    batch = [NewMemory(name=f"t{n}", content=text) for n, text in enumerate(texts[:BULK])]

    def setup() -> tuple[tuple[Memory], dict[str, object]]:
        path = tmp_path / f"memory-{next(turn)}.db"
        return (Memory.open(path, settings=Settings(synchronous=synchronous)),), {}

    def learn(memory: Memory) -> None:
        memory.learn_many(batch)
        assert memory.count() == BULK
        memory.close()

    benchmark.pedantic(learn, setup=setup, rounds=ROUNDS)


def test_raw_executemany(
    benchmark: BenchmarkFixture, texts: list[str], tmp_path: Path, synchronous: str
) -> None:
    benchmark.group = f"learn {BULK:,} at once, synchronous={synchronous}"
    turn = itertools.count()
    rows = [(n, f"t{n}", text) for n, text in enumerate(texts[:BULK])]

    def setup() -> tuple[tuple[sqlite3.Connection], dict[str, object]]:
        return (_raw_store(tmp_path / f"raw-{next(turn)}.db", synchronous),), {}

    def store(connection: sqlite3.Connection) -> None:
        with connection:
            _insert(connection, rows)
        assert connection.execute("SELECT count(*) FROM texts").fetchone() == (BULK,)
        connection.close()

    benchmark.pedantic(store, setup=setup, rounds=ROUNDS)


def _raw_store(path: Path, synchronous: str) -> sqlite3.Connection:
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute(f"PRAGMA synchronous = {synchronous}")
    connection.execute(
        "CREATE TABLE memories (id INTEGER PRIMARY KEY, name TEXT UNIQUE, text TEXT)"
    )
    connection.execute(
        "CREATE VIRTUAL TABLE texts USING fts5(body, tokenize = 'unicode61 remove_diacritics 2')"
    )
    return connection


def _insert(connection: sqlite3.Connection, rows: list[tuple[int, str, str]]) -> None:
    connection.executemany("INSERT INTO memories VALUES (?, ?, ?)", rows)
    connection.executemany(
        "INSERT INTO texts (rowid, body) VALUES (?, ?)", ((n, text) for n, _, text in rows)
    )
