"""Sources that a question points at outright: a memory's name, and quoted phrases."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from biorag.inputs import name_key
from biorag.retrieval.knowledge import Inquiry
from biorag.retrieval.sources.registry import source
from biorag.storage.nodes import existing_by_keys
from biorag.storage.search_text import phrase_matches

PHRASES = 50  # memories fetched for a quoted phrase


@source(order=1, name="name", when="always", budget=1)
def named(inquiry: Inquiry, found: Sequence[int]) -> Iterable[int]:
    """The memory whose name is the whole question."""
    del found
    known = existing_by_keys(inquiry.having.connection, [name_key(inquiry.question.text)])
    return [node.id for node in known.values()]


@source(order=2, name="phrase", when="always", budget=PHRASES)
def quoted(inquiry: Inquiry, found: Sequence[int]) -> Iterable[int]:
    """Memories that hold every quoted phrase of the question word by word."""
    del found
    phrases = inquiry.question.phrases
    if not phrases:
        return ()
    connection = inquiry.having.connection
    holders = [frozenset(phrase_matches(connection, phrase, PHRASES)) for phrase in phrases]
    return sorted(frozenset.intersection(*holders))
