"""BM25 as the field's fastest Python library computes it, with stemmed words of both languages.

A document is read in its own language and a question in its own, both told by the corpus: help
that biorag does not get.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from biorag.errors import MissingExtraError
from biorag.evaluation.corpus import Document

try:
    import bm25s
    import Stemmer
    from bm25s.stopwords import STOPWORDS_EN_PLUS, STOPWORDS_SPANISH
except ImportError as error:
    raise MissingExtraError(str(error.name), "bench") from error

_WORD = re.compile(r"\w+")
_STOP_WORDS = {"en": frozenset(STOPWORDS_EN_PLUS), "es": frozenset(STOPWORDS_SPANISH)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Constants:
    """BM25's two constants: term saturation and length normalisation."""

    k1: float
    b: float


# Anserini's defaults, tuned on passages: the better choice for texts as short as memories.
TUNED = Constants(k1=0.9, b=0.4)
LIBRARY_DEFAULT = Constants(k1=1.5, b=0.75)


class Bm25s:
    """BM25 in memory, Lucene's idf, Snowball stems, stop words out."""

    def __init__(self, constants: Constants) -> None:
        self._index = bm25s.BM25(k1=constants.k1, b=constants.b, method="lucene")
        self._ids: list[str] = []

    def build(self, documents: Sequence[Document]) -> None:
        """Index the texts."""
        self._index.index(
            [stems(document.text, document.language) for document in documents],
            show_progress=False,
        )
        self._ids = [document.id for document in documents]

    def search(self, question: str, language: str, k: int) -> list[str]:
        """Documents that share a stem with the question; ties in the order of storage."""
        known = [stem for stem in stems(question, language) if stem in self._index.vocab_dict]
        if not known:
            return []
        scores = self._index.get_scores(known)
        # The library's own top-k leaves ties to chance; a stable sort of what scored does not.
        scored = np.flatnonzero(scores > 0.0)
        best = scored[np.argsort(-scores[scored], kind="stable")[:k]]
        return [self._ids[row] for row in best]

    def disk_bytes(self) -> None:
        """None: the index lives in memory."""

    def close(self) -> None:
        """Let go of the index."""
        self._index = None


def stems(text: str, language: str) -> list[str]:
    """Snowball stems of the text's words in order, stop words out, accents folded."""
    stop_words = _STOP_WORDS.get(language, frozenset())
    words = [word for word in _WORD.findall(text.lower()) if word not in stop_words]
    return [_folded(stem) for stem in _stemmer(language).stemWords(words)]


@cache
def _stemmer(language: str) -> Stemmer.Stemmer:
    return Stemmer.Stemmer(language)


def _folded(word: str) -> str:
    if word.isascii():
        return word
    marked = unicodedata.normalize("NFD", word)
    return "".join(letter for letter in marked if not unicodedata.combining(letter))
