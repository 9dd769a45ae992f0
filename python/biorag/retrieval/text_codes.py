"""The code of a text that is no memory, to be compared with those of memories."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from biorag.kernels.index import analyse_documents
from biorag.kernels.lexicon import Lexicon, fold_accents_words
from biorag.kernels.sdm import WEIGHTS, sdm_codes
from biorag.storage.codes import dimension_text, used_values, value_idf

# Words of a text that is short enough to be a name itself. A longer one would fill the name's bits.
LONGEST_NAME = 8

Weights = tuple[float, float, float, float, float]


@dataclass(frozen=True, slots=True)
class TextCode:
    """A code, and what its segments count: 0 where the text says nothing."""

    code: bytes
    weights: Weights


def text_code(
    connection: sqlite3.Connection, text: str, lexicon: Lexicon | None
) -> TextCode | None:
    """The code of a text; `None` when there is no word in it.

    Its words stand for a content, and for a name if they are few. It has the values of dimensions
    that it names, word for word but for inflection and accents; it has no category and no
    neighbours, and what it does not have is not compared.
    """
    # One analysis for documents and texts: a token is spelt the same everywhere.
    # Values are stored without accents, and a stem depends on them.
    (folded,) = fold_accents_words([text])
    both = [("", "", "", "", spelt) for spelt in (text, folded)]
    analysed = analyse_documents(both, [None, None], "en", lexicon)
    content, unaccented = (texts[4] for texts in analysed.texts)
    words = set(content.split())
    if not words:
        return None
    name = content if len(words) <= LONGEST_NAME else ""
    values = _named(connection, words | set(unaccented.split()), lexicon)
    code = sdm_codes([(content, name, values, "", ())])
    of_content, of_name, of_values, _, _ = WEIGHTS
    weights = (of_content, of_name if name else 0.0, of_values if values else 0.0, 0.0, 0.0)
    return TextCode(code, weights)


def _named(
    connection: sqlite3.Connection, words: set[str], lexicon: Lexicon | None
) -> list[tuple[str, float]]:
    """The values of dimensions all of whose words are among these, each with its idf."""
    used = used_values(connection)
    if not used:
        return []
    names = [("", "", "", "", name.replace("_", " ")) for _, name in used.values()]
    named: dict[int, None] = {}
    # The catalogue is Spanish; agents bring values in either language.
    for language in ("es", "en"):
        analysed = analyse_documents(names, [language] * len(names), language, lexicon)
        for value, texts in zip(used, analysed.texts, strict=True):
            if texts[4] and words.issuperset(texts[4].split()):
                named[value] = None
    idf = value_idf(connection, sorted(named))
    return [(dimension_text(*used[value]), idf[value]) for value in sorted(named)]
