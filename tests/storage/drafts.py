"""What the tests of the store put in, and the clock they read."""

from __future__ import annotations

from biorag.inputs import name_key
from biorag.storage.nodes import NodeDraft
from biorag.storage.search_text import NodeText


class StillClock:
    """A clock that a test moves by hand."""

    def __init__(self, now: float = 1_700_000_000.0) -> None:
        self.time = now

    def now(self) -> float:
        return self.time


def new_draft(
    name: str,
    content: str = "some text",
    *,
    category: str = "General",
    language: str = "en",
    created_at: float = 1_600_000_000.0,
    synonyms: tuple[str, ...] = (),
    key_nouns: tuple[str, ...] = (),
    dimensions: dict[str, tuple[str, ...]] | None = None,
    author: str | None = None,
    valence: float = 0.0,
) -> NodeDraft:
    """A memory to write, analysed by lower-casing it."""
    return NodeDraft(
        name=name,
        key=name_key(name),
        content=content,
        category=category,
        language=language,
        created_at=created_at,
        synonyms=synonyms,
        key_nouns=key_nouns,
        dimensions=dimensions or {},
        author=author,
        valence=valence,
        text=NodeText(
            name=name.lower(),
            synonyms=" ".join(synonyms).lower(),
            key_nouns=" ".join(key_nouns),
            bridges="",
            body=content.lower(),
        ),
    )
