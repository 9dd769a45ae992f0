"""Which of WordNet's lexicographer files the words of a text belong to."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from biorag.kernels.index import TextIndex
from biorag.kernels.lexicon import Language, Lexicon, fold_case_words

_WORD = re.compile(r"[^\W\d_]{3,}")

WORDS = 64  # distinct words of a text that are looked up: beyond, it names nearly every kind
COMMONEST = 1  # sense that is believed of a word
ASKED_AT_ONCE = 32  # words whose being a function word is asked together: a question has at most 48


class GroupFinder:
    """Finds the groups of texts, each distinct word looked up once.

    A word's group is the lexicographer file of its most frequent meaning, such as `noun.animal`.
    Function words have none: `be` is a verb of state in WordNet, and in every text.
    """

    def __init__(self, lexicon: Lexicon) -> None:
        """Starts with no word known."""
        self._lexicon = lexicon
        self._groups: dict[tuple[Language, str], str] = {}
        self._asking = TextIndex()

    def groups_of(self, texts: Iterable[tuple[Language, str]]) -> list[dict[str, int]]:
        """Of each text its groups, with how many of its first `WORDS` distinct words are in each.

        Args:
            texts: The language and the text of each.
        """
        read = [(language, _words(text)) for language, text in texts]
        self._look_up(sorted({(language, word) for language, words in read for word in words}))
        return [
            dict(Counter(group for word in words if (group := self._groups[language, word])))
            for language, words in read
        ]

    def _look_up(self, asked: list[tuple[Language, str]]) -> None:
        new = [pair for pair in asked if pair not in self._groups]
        functions = self._function_words([word for _, word in new])
        for language, word in new:
            found = [] if word in functions else self._lexicon.groups(language, word, COMMONEST)
            self._groups[language, word] = found[0] if found else ""

    def _function_words(self, words: list[str]) -> set[str]:
        """Those of these words that a question would leave out."""
        left_out: set[str] = set()
        for start in range(0, len(words), ASKED_AT_ONCE):
            # A question of function words alone keeps them, so one content word goes along.
            asked = " ".join(["sqlite", *words[start : start + ASKED_AT_ONCE]])
            prepared = self._asking.prepare(
                asked, None, protected=[], meanings=False, spellings=False
            )
            left_out.update(prepared.ignored)
        return left_out


def _words(text: str) -> tuple[str, ...]:
    """The first distinct words of a text, case folded."""
    found: dict[str, None] = {}
    for match in _WORD.finditer(text):
        found[match.group()] = None
        if len(found) >= WORDS:
            break
    return tuple(dict.fromkeys(fold_case_words(list(found))))
