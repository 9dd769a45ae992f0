"""Memories that hold pieces of a question as letters: inside a word, or all of it inside a text.

Both read texts from end to end, in the database, so they run on small stores alone. A slip, and
the beginning of a word, are the ranked index's: it searches what they stand for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from biorag.retrieval.knowledge import Inquiry
from biorag.retrieval.sources.registry import source
from biorag.storage.search_text import holders_inside, holders_of_text

LARGEST_STORE = 20_000  # memories; looking into the texts of so many for one takes some 8 ms
MOST_LOOKS = 40_000  # pieces times memories; so many take some 20 ms
SHORTEST = 4  # letters; fewer are inside too many words
LONGEST_PIECE = 40  # letters; longer runs are no piece of a word
LONGEST = 500  # characters of a question that are read for words

INSIDE = 10
LITERAL = 50


@source(order=7, name="trigram", when="thin", budget=INSIDE)
def inside_words(inquiry: Inquiry, found: Sequence[int]) -> Iterable[int]:
    """Memories with words that contain those of the question, most of them first.

    Only words count that no memory holds and that stand for no other, not even as its beginning;
    at least half of the question's words must be inside words of one memory.
    """
    del found
    having, prepared = inquiry.having, inquiry.question.prepared
    if len(having.index) > LARGEST_STORE:
        return ()
    pieces: list[list[str]] = []
    for terms, alternatives in zip(prepared.terms, prepared.alternatives, strict=True):
        if any(origin != "literal" for _, _, origin in alternatives):
            continue
        if any(having.index.document_frequency(term) for term in terms):
            continue
        long = [term for term in terms if SHORTEST <= len(term) <= LONGEST_PIECE]
        if long:
            pieces.append(long)
    least = -(-len(prepared.words) // 2)
    if not 0 < least <= len(pieces) or len(pieces) * len(having.index) > MOST_LOOKS:
        return ()
    return holders_inside(having.connection, pieces, least, INSIDE)


@source(order=9, name="substring", when="thin", budget=LITERAL)
def literally(inquiry: Inquiry, found: Sequence[int]) -> Iterable[int]:
    """Memories with a text that holds the whole question, letter by letter, in order of storage."""
    del found
    having, text = inquiry.having, inquiry.question.text.strip()
    if not SHORTEST <= len(text) <= LONGEST or len(having.index) > LARGEST_STORE:
        return ()
    return holders_of_text(having.connection, text, LITERAL)
