"""A user's own embedder: compared, calibrated, never in the way."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from biorag import Memory, NewMemory
from biorag.settings import Settings

# Words that this embedder takes for one.
SAME = {"zorblat": "doctor", "quimper": "car"}


class Hashing:
    """A tiny embedder: a direction a word, synonyms sharing one; texts are the sum of theirs."""

    def __init__(self, name: str = "hashing", dims: int = 64) -> None:
        self.name = name
        self.dims = dims
        self.asked: list[str] = []
        self.fails = False

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        if self.fails:
            raise OSError("the model is not there")
        self.asked += texts
        return np.array([self._of(text) for text in texts], dtype=np.float32)

    def _of(self, text: str) -> npt.NDArray[np.float64]:
        vector = np.zeros(self.dims)
        for word in text.casefold().replace("?", " ").replace(".", " ").split():
            seed = hashlib.sha256(SAME.get(word, word).encode()).digest()[:4]
            vector += np.random.default_rng(int.from_bytes(seed)).standard_normal(self.dims)
        return vector


FILLERS = [NewMemory(name=f"n{n}", content=f"page{n} ledger{n} shelf{n}") for n in range(40)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


def filled(path: Path, embedder: Hashing | None) -> Memory:
    memory = Memory.open(path, embedder=embedder, settings=Settings(auto_link=False))
    memory.learn_many(FILLERS)
    memory.embed_pending()
    memory.learn("visit", "doctor monday morning")
    memory.learn("drive", "car garage evening")
    return memory


def test_a_memory_is_found_by_a_meaning_that_only_the_embedder_knows(path: Path) -> None:
    with filled(path, Hashing()) as memory:
        page = memory.recall("zorblat monday", explain=True)
        assert page[0].name == "visit"
        assert page[0].signals["ppmi_score"].value > 0.3
        alone = memory.recall("quimper")
        assert [hit.name for hit in alone][:1] == ["drive"]
        assert alone[0].origin == "embedding"
    with Memory.open(path) as memory:
        assert "drive" not in [hit.name for hit in memory.recall("quimper")]


def test_single_memories_are_embedded_as_they_are_learnt_and_a_bulk_when_asked(path: Path) -> None:
    embedder = Hashing()
    with Memory.open(path, embedder=embedder) as memory:
        memory.learn("one", "a text")
        assert len(embedder.asked) == 1
        memory.learn_many(FILLERS)
        assert len(embedder.asked) == 1
        assert memory.embed_pending() == len(FILLERS)
        assert memory.embed_pending() == 0
        memory.update("one", content="another text")
        assert memory.embed_pending() == 1
        assert embedder.asked[-1] == "one\nanother text"


def test_what_fails_in_it_fails_nothing_and_is_told(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    embedder = Hashing()
    with filled(path, embedder) as memory:
        embedder.fails = True
        with caplog.at_level(logging.WARNING):
            memory.learn("late", "doctor friday")
            assert memory.recall("doctor")[0].name in {"late", "visit"}
        assert "the model is not there" in caplog.text
        embedder.fails = False
        assert memory.embed_pending() == 1


def test_vectors_that_do_not_fit_are_refused(path: Path) -> None:
    embedder = Hashing()
    with Memory.open(path, embedder=embedder) as memory:
        memory.learn_many(FILLERS)
        embedder.dims = 63
        embedder._of = lambda text: np.zeros(64)  # type: ignore[method-assign]
        with pytest.raises(ValueError, match="shape"):
            memory.embed_pending()


def test_a_forgotten_memory_has_no_vector_left(path: Path) -> None:
    with filled(path, Hashing()) as memory:
        memory.forget("visit")
        assert "visit" not in [hit.name for hit in memory.recall("zorblat")]
        held = memory._store.reading().execute("SELECT count(*) FROM node_vector").fetchone()[0]
        assert held == len(FILLERS) + 1


def test_another_model_does_not_read_these_vectors(path: Path) -> None:
    filled(path, Hashing()).close()
    with Memory.open(path, embedder=Hashing("other")) as memory:
        assert "drive" not in [hit.name for hit in memory.recall("quimper")]
        assert memory.embed_pending() == len(FILLERS) + 2
        assert memory.recall("quimper")[0].name == "drive"
