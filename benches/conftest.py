"""What every bench shares: the machine in the report, and the texts."""

from __future__ import annotations

import platform
import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from biorag.engine.memory import Memory
from biorag.evaluation.synthetic import synthetic_texts
from biorag.model import NewMemory
from biorag.settings import Settings

ROOT = Path(__file__).resolve().parents[1]


def pytest_benchmark_update_machine_info(
    config: pytest.Config, machine_info: dict[str, Any]
) -> None:
    del config
    machine_info["sqlite"] = sqlite3.sqlite_version
    machine_info["kernel"] = platform.release()
    machine_info["commit"] = _commit()


@pytest.fixture(scope="session")
def texts() -> list[str]:
    """100,000 synthetic texts; benches of smaller sizes take the first of them."""
    return synthetic_texts(100_000)


@pytest.fixture(scope="module", params=[1_000, 10_000, 100_000])
def size(request: pytest.FixtureRequest) -> int:
    count: int = request.param
    return count


@pytest.fixture(scope="module")
def memory(
    size: int, texts: list[str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Memory]:
    """A store of `size` texts, named by their position."""
    path = tmp_path_factory.mktemp(f"memory-{size}") / "memory.db"
    with Memory.open(path, settings=Settings()) as memory:
        memory.learn_many(
            NewMemory(name=f"t{place}", content=text) for place, text in enumerate(texts[:size])
        )
        yield memory


@pytest.fixture(scope="module")
def fts5(
    size: int, texts: list[str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[sqlite3.Connection]:
    """An FTS5 table of the same texts, rowid = position, merged into one segment."""
    connection = sqlite3.connect(tmp_path_factory.mktemp(f"fts5-{size}") / "fts5.db")
    create_fts5(connection)
    with connection:
        connection.executemany(
            "INSERT INTO texts (rowid, body) VALUES (?, ?)", enumerate(texts[:size])
        )
        connection.execute("INSERT INTO texts (texts) VALUES ('optimize')")
    yield connection
    connection.close()


def create_fts5(connection: sqlite3.Connection) -> None:
    """The table that most local memories have."""
    connection.execute(
        "CREATE VIRTUAL TABLE texts USING fts5(body, tokenize = 'unicode61 remove_diacritics 2')"
    )


def _commit() -> str:
    done = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True
    )
    return done.stdout.strip() or "unknown"
