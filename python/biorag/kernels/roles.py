"""Who does what to what, where and when: the statements of texts, by rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from biorag import _native
from biorag.kernels.lexicon import Lexicon


class Statement(NamedTuple):
    """One clause of a text; a role that it does not fill is empty.

    Attributes:
        subject: At most six words, as they stand.
        action: The verb's base form, after `not` or `no` where it is denied.
        object: At most six words.
        context: When, where, how and with what, at most twelve words.
    """

    subject: str
    action: str
    object: str
    context: str


def statements_of(
    texts: Sequence[str], languages: Sequence[str], lexicon: Lexicon | None
) -> list[list[Statement]]:
    """The statements of each text: of its first six sentences, at most eight.

    Args:
        texts: Spanish or English.
        languages: `es` or `en`, one a text.
        lexicon: Tells verbs from nouns; without it only unmistakable verbs are known.

    Raises:
        ShapeError: not one language a text.
    """
    found = _native.statements_of(list(texts), list(languages), lexicon)
    return [[Statement(*roles) for roles in of_text] for of_text in found]


def verb_bases(words: Sequence[str], lexicon: Lexicon | None) -> list[list[str]]:
    """The base forms that each word has as a verb, in English and in Spanish; empty for none."""
    return _native.verb_bases(list(words), lexicon)
