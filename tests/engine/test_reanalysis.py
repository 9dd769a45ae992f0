"""A store whose texts an older make of the analysis prepared is made whole when it is opened."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from biorag import Memory
from biorag.engine import reanalysis


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A store in which `sang` is no form of `sing`, as the first make of the analysis had it."""
    path = tmp_path / "memory.db"
    with Memory.open(path) as memory:
        memory.learn("evening", "The women sang two old songs.")
        memory.learn("morning", "Nobody sings before eight.")
    with sqlite3.connect(path) as connection:
        connection.execute(
            "UPDATE node_text SET body = replace(body, 'sing two', 'sang two') WHERE node_id = 1"
        )
        connection.execute("DELETE FROM meta WHERE key = 'analysis'")
    connection.close()
    return path


def words(path: Path) -> list[str]:
    with sqlite3.connect(path) as connection:
        rows = connection.execute("SELECT body FROM node_text ORDER BY node_id").fetchall()
    connection.close()
    return [body for (body,) in rows]


def test_old_texts_are_analysed_again_and_phrases_found(path: Path) -> None:
    assert "sang" in words(path)[0]
    with Memory.open(path) as memory:
        assert "sing two" in words(path)[0]
        page = memory.recall('"singing two"')
        assert [hit.name for hit in page if "phrase" in hit.origin] == ["evening"]
        assert all(check.ok for check in memory.check())


def test_it_is_done_once(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Memory.open(path):
        pass
    changed = words(path)
    monkeypatch.setattr(reanalysis, "_reanalyse_all", lambda _: pytest.fail("done again"))
    with Memory.open(path):
        assert words(path) == changed


def test_a_new_store_has_nothing_to_analyse_again(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "new.db") as memory:
        memory.learn("a", "some text")
        assert reanalysis.reanalyse(memory._store) == 0
