"""What a caller asks, checked and taken apart."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from biorag.kernels.index import PreparedQuestion, TextIndex
from biorag.kernels.lexicon import Lexicon
from biorag.lexicon.wordnet import Thesaurus
from biorag.model import Expansion, ExpansionOrigin
from biorag.settings import Settings

Relations = Callable[[Sequence[str]], Mapping[str, Sequence[tuple[str, float]]]]
"""From terms to what goes with each of them, and how closely, in [0, 1], closest first."""

# Weight that what goes with a word shares at most. From .05 to .4 the training halves of turns,
# Cranfield and CLINC gain and lose within their noise (at .1: -.0008, +.0001, +.0008 nDCG@10).
DOMAIN_WEIGHT = 0.1

_ORIGINS: tuple[ExpansionOrigin, ...] = (
    "translation",
    "synonym",
    "cognate",
    "kin",
    "typo",
    "prefix",
    "domain",
)
_QUOTED = re.compile(r'["“”«»„]([^"“”«»„]+)["“”«»„]')


@dataclass(frozen=True, slots=True)
class Question:
    """A question ready to be searched.

    Attributes:
        text: As asked.
        prepared: Its word groups, in the order of `words`.
        words: Its content words, case folded; key nouns that the text lacks come last.
        alternatives: Of each word what stands for it: spelling, weight and origin.
        phrases: Of each quoted phrase of two words or more, its terms in order.
        key_noun_groups: Of each key noun, the positions of its words.
    """

    text: str
    prepared: PreparedQuestion
    words: tuple[str, ...]
    alternatives: Sequence[Sequence[tuple[str, float, str]]]
    phrases: tuple[tuple[str, ...], ...]
    key_noun_groups: tuple[tuple[int, ...], ...]

    def expansions(self) -> tuple[Expansion, ...]:
        """What is searched beside the question's own words."""
        return tuple(
            Expansion(word=word, alternative=text, weight=weight, origin=_origin(origin))
            for word, alternatives in zip(self.words, self.alternatives, strict=True)
            for text, weight, origin in alternatives
            if origin != "literal"
        )


def parse(
    text: str,
    key_nouns: Sequence[str],
    *,
    index: TextIndex,
    lexicon: Lexicon | None,
    thesaurus: Thesaurus | None,
    settings: Settings,
    relations: Relations | None = None,
) -> Question:
    """Analyses a question against the store's index.

    Words in double quotes are searched as they are written: no correction, no translation. Key
    nouns are asked beside the text, so one that the text has too counts double.
    """
    quoted = [match.group(1) for match in _QUOTED.finditer(text)]
    phrases = tuple(_terms(phrase, index) for phrase in quoted)
    protected = [word for phrase in quoted for word in _words(phrase, index)]
    nouns = [noun.replace("_", " ") for noun in key_nouns]
    prepared = index.prepare(
        " ".join([text, *nouns]),
        lexicon,
        protected=protected,
        meanings=settings.expansion,
        spellings=settings.typos,
    )
    if thesaurus is not None and settings.expansion:
        prepared = index.with_foreign_words(prepared, _foreign_words(prepared, thesaurus))
    if relations is not None:
        beside = _domain_words(prepared, relations, frozenset(protected))
        prepared = index.with_domain_words(prepared, beside)
    left_out = settings.without & {*_ORIGINS}
    if left_out:
        prepared = prepared.without(sorted(left_out))
    words = tuple(prepared.words)
    place = {word: nth for nth, word in enumerate(words)}
    return Question(
        text=text,
        prepared=prepared,
        words=words,
        alternatives=prepared.alternatives,
        phrases=tuple(phrase for phrase in phrases if len(phrase) > 1),
        key_noun_groups=tuple(
            tuple(place[word] for word in noun.casefold().split() if word in place)
            for noun in nouns
        ),
    )


def _foreign_words(
    prepared: PreparedQuestion, thesaurus: Thesaurus
) -> list[list[tuple[str, float]]]:
    """Of each word its translations into further languages, and out of them if it is foreign."""
    own = prepared.language
    found: list[list[tuple[str, float]]] = []
    for word in prepared.words:
        said = []
        for language in sorted(thesaurus.languages - {"en", "es"}):
            said += thesaurus.translations(word, own, language)
            for known in ("en", "es"):
                said += thesaurus.translations(word, language, known)
        found.append(said)
    return found


def _domain_words(
    prepared: PreparedQuestion, relations: Relations, protected: frozenset[str]
) -> list[list[tuple[str, float]]]:
    """Of each word what the store's own texts use with it, sharing `DOMAIN_WEIGHT`."""
    asked = sorted({term for terms in prepared.terms for term in terms})
    found = relations(asked)
    beside: list[list[tuple[str, float]]] = []
    for word, terms in zip(prepared.folded_words, prepared.terms, strict=True):
        close: dict[str, float] = {}
        for term in [] if word in protected else terms:
            for related, weight in found.get(term, ()):
                if related not in asked:
                    close[related] = max(weight, close.get(related, 0.0))
        share = DOMAIN_WEIGHT / max(len(close), 1)
        beside.append([(related, share * weight) for related, weight in close.items()])
    return beside


def _plain(text: str, index: TextIndex) -> PreparedQuestion:
    return index.prepare(text, None, protected=[], meanings=False, spellings=False)


def _terms(phrase: str, index: TextIndex) -> tuple[str, ...]:
    return tuple(terms[0] for terms in _plain(phrase, index).terms if terms)


def _words(phrase: str, index: TextIndex) -> list[str]:
    return _plain(phrase, index).folded_words


def _origin(name: str) -> ExpansionOrigin:
    for origin in _ORIGINS:
        if name == origin:
            return origin
    raise ValueError(f"unknown origin {name!r}")
