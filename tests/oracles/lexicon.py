"""The lexicon without its file: plain dictionaries, and a plain reading of the file."""

from __future__ import annotations

import struct
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Meaning:
    """One synset: words in order, and of each English word its sense rank."""

    english: tuple[tuple[str, int], ...]
    spanish: tuple[str, ...]

    def words(self, language: str) -> list[str]:
        return [word for word, _ in self.english] if language == "en" else list(self.spanish)

    def rank(self, language: str, word: str) -> int:
        return dict(self.english)[word] if language == "en" else self.spanish.index(word)


def folded(word: str) -> str:
    """Marks off, the tilde of the ñ on, letter by letter."""
    kept = ""
    for letter in unicodedata.normalize("NFC", word):
        base = unicodedata.normalize("NFD", letter)[0]
        kept += letter if letter == "ñ" else base
    return kept


def lemmas_of(
    meanings: Sequence[Meaning], language: str, word: str, stem: Callable[[str], str]
) -> list[str]:
    """What the word may stand for: itself, else those spelt like it, else those of its stem."""
    known = {lemma for meaning in meanings for lemma in meaning.words(language)}
    ordered = sorted(known, key=lambda lemma: (folded(lemma).encode(), lemma.encode()))
    if not word.isascii() and word in known:
        return [word]
    spelt = [lemma for lemma in ordered if folded(lemma) == folded(word)]
    same_stem = [lemma for lemma in ordered if " " not in lemma and stem(lemma) == stem(word)]
    return (spelt or same_stem)[:6]


def translations(
    meanings: Sequence[Meaning], source: str, lemmas: Sequence[str]
) -> list[tuple[str, float]]:
    """Sum over the synsets of (1 + r)^-½ (1 + j)^-½, times (1 + r₂)^-½ into English."""
    target = "es" if source == "en" else "en"
    weights: defaultdict[str, float] = defaultdict(float)
    for lemma in lemmas:
        for meaning in meanings:
            if lemma not in meaning.words(source):
                continue
            r = meaning.rank(source, lemma)
            for j, word in enumerate(meaning.words(target)):
                weight = (1 + r) ** -0.5 * (1 + j) ** -0.5
                if target == "en":
                    weight *= (1 + meaning.rank("en", word)) ** -0.5
                weights[word] += weight
    return _best_first(weights)


def synonyms(
    meanings: Sequence[Meaning], language: str, lemma: str, senses: int
) -> list[tuple[str, float]]:
    """Sum over the first synsets of (1 + i)^-½ (1 + j)^-½, the lemma itself left out."""
    weights: defaultdict[str, float] = defaultdict(float)
    held = [meaning for meaning in meanings if lemma in meaning.words(language)]
    for i, meaning in enumerate(held[:senses]):
        for j, word in enumerate(meaning.words(language)):
            if word != lemma:
                weights[word] += (1 + i) ** -0.5 * (1 + j) ** -0.5
    return _best_first(weights)


def osa_distance(a: str, b: str) -> int:
    """Optimal string alignment by its recurrence."""
    rows = [[i + j if 0 in (i, j) else 0 for j in range(len(b) + 1)] for i in range(len(a) + 1)]
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            rows[i][j] = min(
                rows[i - 1][j] + 1,
                rows[i][j - 1] + 1,
                rows[i - 1][j - 1] + (a[i - 1] != b[j - 1]),
            )
            if i > 1 and j > 1 and a[i - 1] == b[j - 2] and a[i - 2] == b[j - 1]:
                rows[i][j] = min(rows[i][j], rows[i - 2][j - 2] + 1)
    return rows[-1][-1]


def members_in_file(content: bytes) -> dict[str, list[list[str]]]:
    """Of each language in a lexicon's file, the words of every synset."""
    count = struct.unpack_from("<I", content, 28)[0]
    entries = [struct.unpack_from("<III", content, 32 + 12 * index) for index in range(count)]
    sections = {tag: content[start : start + length] for tag, start, length in entries}
    return {
        "en": _members(sections, base=0),
        "es": _members(sections, base=16),
    }


def _members(sections: Mapping[int, bytes], base: int) -> list[list[str]]:
    text, text_ends = sections[base + 1], _numbers(sections[base + 2])
    lemmas = [
        text[start:end].decode() for start, end in zip([0, *text_ends], text_ends, strict=False)
    ]
    ends, ids = _numbers(sections[base + 9]), _numbers(sections[base + 10])
    return [
        [lemmas[index] for index in ids[start:end]]
        for start, end in zip([0, *ends], ends, strict=False)
    ]


def _numbers(section: bytes) -> list[int]:
    return [
        int.from_bytes(section[index : index + 3], "little") for index in range(0, len(section), 3)
    ]


def _best_first(weights: Mapping[str, float]) -> list[tuple[str, float]]:
    return sorted(weights.items(), key=lambda item: (-item[1], item[0]))
