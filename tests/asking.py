"""Putting texts into a memory, and reading answers as texts."""

from __future__ import annotations

from collections.abc import Iterable

from biorag import Memory, NewMemory


def learn_texts(memory: Memory, texts: Iterable[str]) -> None:
    """Learns each text under a name that no question holds: `zq0`, `zq1`, …"""
    start = memory.count()
    memory.learn_many(
        NewMemory(name=f"zq{nth}", content=text) for nth, text in enumerate(texts, start)
    )


def found(memory: Memory, question: str, *, limit: int = 10) -> list[str]:
    """The contents of the first page, best first."""
    return [hit.content for hit in memory.recall(question, limit=limit)]
