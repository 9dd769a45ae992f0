"""What a system under measurement can do, and the systems there are."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from biorag.errors import InvalidInputError
from biorag.evaluation.corpus import Document

BIORAG = "biorag"
RIVALS = ("fts5", "bm25s", "bm25s-default")


class System(Protocol):
    """One way to store texts and find them again; it lives for one collection."""

    def build(self, documents: Sequence[Document]) -> None:
        """Store the texts, in this order, and be ready to search."""

    def search(self, question: str, language: str, k: int) -> list[str]:
        """Ids of at most `k` documents, best first; empty when it has nothing to offer."""

    def disk_bytes(self) -> int | None:
        """What the store takes on disk; None when it lives in memory only."""

    def close(self) -> None:
        """Let go of files and memory. It cannot be searched afterwards."""


def open_system(name: str, directory: Path) -> System:
    """A new, empty system.

    Args:
        name: `biorag` or one of `RIVALS`.
        directory: An empty folder where it may keep files.

    Raises:
        InvalidInputError: no system has this name.
        MissingExtraError: the system's library is not installed.
    """
    # Imported on demand: a system is measured in a process of its own, and the memory that it
    # takes must not hold the libraries of its rivals.
    match name:
        case "biorag":
            from biorag.evaluation.biorag_system import BioragSystem

            return BioragSystem(directory)
        case "fts5":
            from biorag.evaluation.fts5_rival import Fts5

            return Fts5(directory)
        case "bm25s":
            from biorag.evaluation.bm25s_rival import TUNED, Bm25s

            return Bm25s(TUNED)
        case "bm25s-default":
            from biorag.evaluation.bm25s_rival import LIBRARY_DEFAULT, Bm25s

            return Bm25s(LIBRARY_DEFAULT)
        case _:
            raise InvalidInputError("rivals", name, f"known are {', '.join(RIVALS)}")
