"""Memories that hold every word of a question, where the pool is too full to show them.

The ranked index weighs a memory that says one rare word often against one that says every word
once. Where more memories match than the pool takes, and none in it holds the whole question, one
that does may be further down; where fewer match, the pool has it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from biorag.retrieval.knowledge import Inquiry
from biorag.retrieval.sources.registry import source
from biorag.storage.search_text import holders_of_all, holders_together

FEWEST_WORDS = 2  # one word is always together with itself
MOST_WORDS = 16  # nobody's text holds more of a question's words side by side
NEAR_WORDS = 15
BUDGET = 20
FETCHED = 200  # of which filters may leave few


@source(order=4, name="proximity", when="crowded", budget=BUDGET)
def proximity(inquiry: Inquiry, found: Sequence[int]) -> Iterable[int]:
    """Memories with a field that holds all words of the question within fifteen, the newest first.

    Words are counted as they are stored: function words of a memory's language are not.
    """
    del found
    words = _words(inquiry)
    return holders_together(inquiry.having.connection, words, NEAR_WORDS, FETCHED)


@source(order=5, name="all_words", when="crowded", budget=BUDGET)
def all_words(inquiry: Inquiry, found: Sequence[int]) -> Iterable[int]:
    """Memories that hold all words of the question, whatever the field, the newest first."""
    del found
    return holders_of_all(inquiry.having.connection, _words(inquiry), FETCHED)


def _words(inquiry: Inquiry) -> list[list[str]]:
    """Of each word of the question its spellings in the index; none where one is in no memory.

    The caller's key nouns are no part of it: they say what to look for, not what stands there.
    """
    index = inquiry.having.index
    words = index.prepare(
        inquiry.question.text, None, protected=[], meanings=False, spellings=False
    ).terms
    if not FEWEST_WORDS <= len(words) <= MOST_WORDS:
        return []
    known = [[term for term in terms if index.document_frequency(term)] for terms in words]
    return known if all(known) else []
