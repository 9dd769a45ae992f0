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
        action: The verb's base form.
        object: At most six words.
        context: Where, when or how, at most eight words from the first preposition on.
    """

    subject: str
    action: str
    object: str
    context: str


def statements_of(
    texts: Sequence[str], languages: Sequence[str], lexicon: Lexicon
) -> list[list[Statement]]:
    """The statements of each text: of its first six sentences, at most eight.

    Args:
        texts: Spanish or English.
        languages: `es` or `en`, one a text.
        lexicon: Tells verbs from nouns.

    Raises:
        ShapeError: not one language a text.
    """
    found = _native.statements_of(list(texts), list(languages), lexicon)
    return [[Statement(*roles) for roles in of_text] for of_text in found]
