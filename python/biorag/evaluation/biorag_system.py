"""The engine as an application uses it, under measurement."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from biorag.engine.memory import Memory
from biorag.evaluation.corpus import Document
from biorag.evaluation.resources import folder_bytes
from biorag.model import NewMemory
from biorag.settings import Settings

DAY_S = 86_400.0

# When a corpus dates nothing, everything is learnt and asked at this moment.
UNDATED_NOW = datetime(2026, 1, 1, tzinfo=UTC).timestamp()


class HeldClock:
    """A clock that stands still, so that age cannot make two runs differ."""

    def __init__(self, now: float) -> None:
        self._now = now

    def now(self) -> float:
        """Seconds since 1970-01-01T00:00:00Z."""
        return self._now


class BioragSystem:
    """One store on disk, asked in process.

    A memory's name is an ordinal that says nothing of its text, and no language is told: what the
    engine finds, it finds in the content.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._ids: dict[str, str] = {}
        self._memory: Memory | None = None

    def build(self, documents: Sequence[Document]) -> None:
        """Learn the texts, in this order, and study them."""
        memory = Memory.open(
            self._directory / "memory.db", settings=Settings(), clock=HeldClock(now_of(documents))
        )
        self._memory = memory
        self._ids = learn_all(memory, documents)

    def search(self, question: str, language: str, k: int) -> list[str]:
        """The ids on the first page; none when the engine abstains."""
        del language  # the engine reads it from the question
        assert self._memory is not None, "build() comes before search()"
        return [self._ids[hit.name] for hit in self._memory.recall(question, limit=k)]

    def disk_bytes(self) -> int:
        """Everything in the store's folder: database, log and saved indexes."""
        return folder_bytes(self._directory)

    def close(self) -> None:
        """Close the store."""
        if self._memory is not None:
            self._memory.close()
            self._memory = None


def learn_all(memory: Memory, documents: Sequence[Document]) -> dict[str, str]:
    """Learns the texts in this order, and studies them as a consolidation does.

    Word vectors are trained, memories linked, and the kinds of things that they name noted.

    Returns:
        Document ids by the names that the memories got.
    """
    ids = {f"d{place:06}": document.id for place, document in enumerate(documents)}
    memory.learn_many(
        NewMemory(name=name, content=document.text, created_at=document.created_at)
        for name, document in zip(ids, documents, strict=True)
    )
    memory.retrain_vectors()
    memory.weave()
    memory.learn_word_groups()
    return ids


def now_of(documents: Sequence[Document]) -> float:
    """A day after the newest text, or a fixed moment when nothing is dated."""
    dates = [datetime.fromisoformat(d.created_at) for d in documents if d.created_at is not None]
    stamps = [(date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp() for date in dates]
    return max(stamps) + DAY_S if stamps else UNDATED_NOW
