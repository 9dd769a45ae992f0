"""The bilingual lexicon, and the spelling of words that its file was built with."""

from __future__ import annotations

from os import PathLike
from typing import Literal

from biorag._native import Lexicon, fold_accents_words, fold_case_words
from biorag._native import stem_words as _stem_words

__all__ = ["Language", "Lexicon", "fold_accents_words", "fold_case_words", "load", "stem_words"]

Language = Literal["en", "es"]
"""ISO 639-1 code of a language that the lexicon holds."""


def load(path: str | PathLike[str]) -> Lexicon:
    """The lexicon in a file, checked and held in memory as it is (about 9 MB).

    Its methods take a language (`en` or `es`) and a word in any case, with or without accents:

    - `knows`: the word, or one with the same stem, is a lemma; `knows_lemma`: the word itself is.
    - `lemmas`: what the word may stand for: the lemmas spelt like it, else those of its stem.
    - `translations`: `(text, weight)` in the other language, best first; weights compare within
      one answer only. `synonyms`: the same within the language, from the word's first senses.
    - `near`: `(lemma, edits)` of the one-word lemmas within a distance, nearest first; the first
      call of a language builds its list of words (about 2 MB).
    - `groups`: semantic groups of the word's first senses, such as `noun.animal`.

    Raises:
        CorruptDataError: When the file is not what this version reads.
        OSError: When it cannot be read.
    """
    return Lexicon.open(path)


def stem_words(words: list[str], language: Language) -> list[str]:
    """The stem of each case-folded NFC word, as the engine's analysis spells it.

    Raises:
        KernelInputError: When the language is neither `en` nor `es`.
    """
    return _stem_words(words, language)
