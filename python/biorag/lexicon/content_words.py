"""The words of a short text that say something, and their stems, for comparing such texts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from biorag.kernels.index import TextIndex
from biorag.kernels.lexicon import Language, fold_accents_words, fold_case_words, stem_words
from biorag.lexicon.wordnet import load_lexicon

LANGUAGES: tuple[Language, ...] = ("en", "es")

# A text of nothing but function words keeps them, as a question should; with a word that says
# something beside them it does not, and no text holds this one.
_KEEPER = "zqxzqj"

Stems = frozenset[str]
"""The stems of one word: as it is spelt and, since not everyone types accents, without them."""


@dataclass(frozen=True, slots=True)
class ContentWords:
    """The content words of one text, in order, each stem once.

    Attributes:
        language: In which the text was read.
        words: Case folded.
        stems: Of each word, in that language.
    """

    language: Language
    words: tuple[str, ...]
    stems: tuple[Stems, ...]


def content_words(texts: Sequence[str]) -> list[ContentWords]:
    """The content words of each text, by the analysis that questions pass.

    Args:
        texts: At most some five hundred characters each; the analysis reads no more.
    """
    index, lexicon = TextIndex(), load_lexicon()
    read: list[tuple[Language, list[str]]] = []
    for text in texts:
        prepared = index.prepare(
            f"{text} {_KEEPER}", lexicon, protected=[], meanings=False, spellings=False
        )
        words = [word for word in prepared.words if word != _KEEPER]
        language: Language = "es" if prepared.language == "es" else "en"
        read.append((language, words))
    # One call a language for all texts: what a call costs beside its words is more than a word.
    found: dict[Language, dict[str, Stems]] = {}
    for language in LANGUAGES:
        words = list(dict.fromkeys(w for code, held in read if code == language for w in held))
        found[language] = dict(zip(words, stems(words, language), strict=True))
    return [
        _distinct(language, {word: found[language][word] for word in words})
        for language, words in read
    ]


def stems(words: Iterable[str], language: Language) -> list[Stems]:
    """The stems of each word, in its order."""
    folded = fold_case_words(list(words))
    spelt = stem_words(folded, language)
    bare = stem_words(fold_accents_words(folded), language)
    return [frozenset(pair) for pair in zip(spelt, bare, strict=True)]


def _distinct(language: Language, words: Mapping[str, Stems]) -> ContentWords:
    kept: dict[str, Stems] = {}
    seen: set[str] = set()
    for word, held in words.items():
        if not held & seen:
            kept[word] = held
        seen |= held
    return ContentWords(language, tuple(kept), tuple(kept.values()))
