"""What was learnt or changed lately and speaks of something like what is asked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from biorag.retrieval.knowledge import Inquiry
from biorag.retrieval.sources.registry import source
from biorag.storage.search_text import recent_holders

RECENT_S = 7 * 86_400.0
BEGINNING = 5  # letters by which words of a family begin alike: decided, decision
MOST_WORDS = 16
BUDGET = 5


@source(order=10, name="recent", when="thin", budget=BUDGET)
def lately(inquiry: Inquiry, found: Sequence[int]) -> Iterable[int]:
    """Memories of the last seven days with a word that begins like one of the question's.

    The newest first. What shares a word to the letter is a candidate already, whatever its age.
    """
    having = inquiry.having
    beginnings = dict.fromkeys(
        word[:BEGINNING]
        for word in inquiry.question.prepared.folded_words
        if len(word) >= BEGINNING
    )
    since = having.now - RECENT_S
    words = list(beginnings)[:MOST_WORDS]
    newest = recent_holders(having.connection, words, since, BUDGET + len(found))
    return [number for number in newest if number not in found]
