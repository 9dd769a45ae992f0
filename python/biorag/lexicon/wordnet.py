"""WordNet: the lexicon that ships, and on request the languages of the user's own nltk_data."""

from __future__ import annotations

import logging
import threading
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from biorag.kernels.lexicon import Language, Lexicon, load

if TYPE_CHECKING:
    from nltk.corpus.reader.wordnet import Synset, WordNetCorpusReader

logger = logging.getLogger(__name__)

# A path beside this file rather than importlib.resources, whose import takes longer than reading
# the lexicon; a package with a native module never runs from inside an archive.
LEXICON_PATH = Path(__file__).with_name("data") / "wordnet_es_en.bin"

_LOADING = threading.Lock()

WeightedWord = tuple[str, float]
"""A word or phrase, and evidence above 0 that compares within one answer only."""


class Thesaurus(Protocol):
    """Words of several languages, joined by their meanings; languages are ISO 639-1 codes.

    A language or word that it does not hold has no relations: that is an answer, not an error.
    """

    @property
    def languages(self) -> frozenset[str]:
        """The languages that it can answer for."""
        ...

    def knows(self, word: str, language: str) -> bool:
        """Whether the word, or a form of it, is in the language's dictionary."""
        ...

    def translations(self, word: str, source: str, target: str) -> list[WeightedWord]:
        """Words of `target` with a meaning of the word, best first, ties by text."""
        ...

    def synonyms(self, word: str, language: str, senses: int) -> list[WeightedWord]:
        """Words that share one of the word's first `senses` meanings, best first, itself out."""
        ...


FURTHER_LANGUAGES = ("ca", "eu", "fr", "gl", "it", "pt")
"""What `nltk` alone asks nltk_data for: the neighbours of Spanish."""


def further_languages(setting: str) -> Thesaurus | None:
    """The dictionary of further languages that a setting names; `None` for what ships alone.

    Args:
        setting: `propio`, `nltk`, or `nltk:` and language codes with commas between them.
    """
    source, _, codes = setting.partition(":")
    if source != "nltk":
        return None
    asked = codes.split(",") if codes else FURTHER_LANGUAGES
    # Words are looked up from and into the languages that ship, so nltk_data must have those too.
    return NltkWordNet(("en", "es", *asked))


def load_lexicon() -> Lexicon:
    """The lexicon that ships: read on the first call, shared by the whole process from then on.

    Raises:
        CorruptDataError: When the installed file is damaged.
        OSError: When it is missing or cannot be read.
    """
    # `cache` alone lets two threads that come at once both read the file.
    with _LOADING:
        return _read_lexicon()


@cache
def _read_lexicon() -> Lexicon:
    return load(LEXICON_PATH)


class ShippedWordNet:
    """The Spanish and English that ship, as a `Thesaurus`; read when first asked."""

    @property
    def languages(self) -> frozenset[str]:
        """English and Spanish."""
        return frozenset(("en", "es"))

    def knows(self, word: str, language: str) -> bool:
        """See `Thesaurus`."""
        code = _shipped(language)
        return code is not None and load_lexicon().knows(code, word)

    def translations(self, word: str, source: str, target: str) -> list[WeightedWord]:
        """See `Thesaurus`."""
        code = _shipped(source)
        if code is None or _shipped(target) is None or source == target:
            return []
        return load_lexicon().translations(code, word)

    def synonyms(self, word: str, language: str, senses: int) -> list[WeightedWord]:
        """See `Thesaurus`."""
        code = _shipped(language)
        return [] if code is None else load_lexicon().synonyms(code, word, senses)


def _shipped(language: str) -> Language | None:
    match language:
        case "en" | "es":
            return language
        case _:
            return None


# The Open Multilingual Wordnet's languages with a two-letter code; others are named by their own.
_THREE_LETTERS = {
    "ar": "arb",
    "bg": "bul",
    "ca": "cat",
    "da": "dan",
    "el": "ell",
    "en": "eng",
    "es": "spa",
    "eu": "eus",
    "fi": "fin",
    "fr": "fra",
    "gl": "glg",
    "he": "heb",
    "hr": "hrv",
    "id": "ind",
    "is": "isl",
    "it": "ita",
    "ja": "jpn",
    "lt": "lit",
    "nb": "nob",
    "nl": "nld",
    "nn": "nno",
    "pl": "pol",
    "pt": "por",
    "ro": "ron",
    "sk": "slk",
    "sl": "slv",
    "sv": "swe",
    "th": "tha",
    "zh": "cmn",
}


class NltkWordNet:
    """The WordNet and Open Multilingual Wordnet in the user's nltk_data, as a `Thesaurus`.

    Nothing is imported or read before the first question, and nothing is ever downloaded. What
    turns out to be missing is logged once, told by `reduced`, and has no relations.
    """

    def __init__(self, languages: Sequence[str]) -> None:
        self._languages = frozenset(languages)
        self._lock = threading.Lock()
        self._reader: WordNetCorpusReader | None = None
        self._missing: dict[str, str] = {}

    @property
    def languages(self) -> frozenset[str]:
        """The languages that were asked for, less those found missing."""
        return self._languages - self._missing.keys()

    @property
    def reduced(self) -> tuple[str, ...]:
        """One sentence a language that was asked for and cannot be had, in their order."""
        return tuple(self._missing[language] for language in sorted(self._missing))

    def knows(self, word: str, language: str) -> bool:
        """See `Thesaurus`."""
        with self._lock:
            return any(True for _ in self._synsets(word, language))

    def translations(self, word: str, source: str, target: str) -> list[WeightedWord]:
        """See `Thesaurus`; the weight of a word sums (1 + i)^-½ (1 + j)^-½ over the meanings.

        i counts the meanings from 0, j is the position of the translation in its meaning.
        """
        if source == target:
            return []
        with self._lock:
            return _weighted(self._members(self._synsets(word, source), target))

    def synonyms(self, word: str, language: str, senses: int) -> list[WeightedWord]:
        """See `Thesaurus`; weights as in `translations`."""
        with self._lock:
            synsets = list(self._synsets(word, language))[:senses]
            found = _weighted(self._members(iter(synsets), language))
        itself = word.casefold()
        return [(text, weight) for text, weight in found if text != itself]

    def _synsets(self, word: str, language: str) -> Iterator[Synset]:
        reader = self._ready(language)
        if reader is not None:
            name = word.casefold().replace(" ", "_")
            yield from reader.synsets(name, lang=_THREE_LETTERS.get(language, language))

    def _members(self, synsets: Iterator[Synset], language: str) -> Iterator[list[str]]:
        if self._ready(language) is not None:
            code = _THREE_LETTERS.get(language, language)
            for synset in synsets:
                names: list[str] = synset.lemma_names(code)
                yield [name.replace("_", " ").casefold() for name in names]

    def _ready(self, language: str) -> WordNetCorpusReader | None:
        """The reader with the language loaded, `None` when the language cannot be had."""
        if language not in self.languages:
            return None
        try:
            if self._reader is None:
                self._reader = _open_reader()
            if not self._has(self._reader, _THREE_LETTERS.get(language, language)):
                self._miss(language, "not in nltk_data")
                return None
        except ImportError:
            self._miss(language, "out of reach without nltk, which is not installed")
            return None
        except LookupError:
            self._miss(language, "not in nltk_data")
            return None
        return self._reader

    @staticmethod
    def _has(reader: WordNetCorpusReader, code: str) -> bool:
        if code != "eng" and not reader.omw_langs:
            reader.add_omw()  # the list of languages holds English alone before
        return code in reader.langs()

    def _miss(self, language: str, reason: str) -> None:
        self._missing[language] = (
            f"WordNet for {language!r} is {reason}: words in that language are searched as they "
            "are, without translations and synonyms"
        )
        logger.warning("%s", self._missing[language])


def _open_reader() -> WordNetCorpusReader:
    # Importing nltk takes over half a second, which only those pay who asked for its languages.
    from nltk.corpus import wordnet

    wordnet.ensure_loaded()
    return wordnet


def _weighted(meanings: Iterator[list[str]]) -> list[WeightedWord]:
    weights: defaultdict[str, float] = defaultdict(float)
    for nth, words in enumerate(meanings):
        for position, word in enumerate(words):
            weights[word] += ((1 + nth) * (1 + position)) ** -0.5
    return sorted(weights.items(), key=lambda item: (-item[1], item[0]))
