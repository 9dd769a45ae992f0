"""As many texts as a bench needs, with words as frequent as they are in real ones.

The head of the vocabulary is real: the words of the English paragraphs that ship, in the order of
their counts. The tail is made of syllables, because half of the vocabulary of a large store are
names and terms that no dictionary holds. A word's chance follows Zipf and Mandelbrot's law, so
that a few words are in nearly every text and most words in one or two.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files

import numpy as np
import numpy.typing as npt

VOCABULARY = 60_000
MANDELBROT_SHIFT = 2.7
ZIPF_EXPONENT = 1.05

# Lengths in words: log-normal with this median, between a short note and a long paragraph.
MEDIAN_LENGTH = 32
LENGTH_SPREAD = 0.5
SHORTEST, LONGEST = 6, 160

# The words that make up half of any text: too frequent to be what a question is about.
FUNCTION_WORDS = 100

_ONSETS = ("b", "br", "c", "ch", "d", "dr", "f", "g", "gl", "h", "l", "m", "n", "p", "pl", "r", "t")
_NUCLEI = ("a", "e", "i", "o", "u", "ai", "ea", "io")
_CODAS = ("", "", "n", "r", "s", "l", "nd", "st", "x")
_WORD = re.compile(r"[a-z]{2,}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """A question and the position of the text that its words were taken from."""

    question: str
    source: int


def synthetic_texts(count: int, *, seed: int = 1) -> list[str]:
    """`count` texts; the first of a longer list are those of a shorter one with the same seed."""
    words = _vocabulary()
    random = np.random.default_rng(seed)
    chances = _chances(len(words))
    return [_text(words, chances, random) for _ in range(count)]


def synthetic_questions(texts: Sequence[str], count: int, *, seed: int = 2) -> list[Known]:
    """`count` questions: four telling words of one text each, among everyday ones."""
    everyday = frozenset(_vocabulary()[:FUNCTION_WORDS])
    random = np.random.default_rng(seed)
    questions: list[Known] = []
    while len(questions) < count:
        source = int(random.integers(len(texts)))
        telling = sorted(set(texts[source].rstrip(".").lower().split()) - everyday)
        if len(telling) >= 4:
            a, b, c, d = (telling[place] for place in random.choice(len(telling), 4, replace=False))
            questions.append(
                Known(question=f"What did the {a} {b} have to do with {c} or {d}?", source=source)
            )
    return questions


def _text(
    words: Sequence[str], chances: npt.NDArray[np.float64], random: np.random.Generator
) -> str:
    length = int(np.clip(random.lognormal(np.log(MEDIAN_LENGTH), LENGTH_SPREAD), SHORTEST, LONGEST))
    places = np.searchsorted(chances, random.random(length))
    return f"{' '.join(words[place] for place in places)}.".capitalize()


def _chances(size: int) -> npt.NDArray[np.float64]:
    """Cumulative probability of each rank, ending in 1."""
    weights = 1.0 / (np.arange(size) + 1.0 + MANDELBROT_SHIFT) ** ZIPF_EXPONENT
    cumulative = np.cumsum(weights)
    cumulative /= cumulative[-1]
    # Sums in floating point may fall short of one by the last bit, where a draw would fall off.
    cumulative[-1] = 1.0
    return cumulative


def _vocabulary() -> list[str]:
    """`VOCABULARY` distinct words, most frequent first."""
    lines = files("biorag.evaluation").joinpath("data/handbook.jsonl").read_text(encoding="utf-8")
    rows = [json.loads(line) for line in lines.splitlines()]
    english = [row["text"].lower() for row in rows if row["language"] == "en"]
    counts = Counter(word for text in english for word in _WORD.findall(text))
    words = dict.fromkeys(sorted(counts, key=lambda word: (-counts[word], word)))
    for made in _made_words():
        if len(words) == VOCABULARY:
            break
        words[made] = None
    return list(words)


def _made_words() -> Iterator[str]:
    random = np.random.default_rng(0)
    while True:
        syllables = random.integers(2, 4)
        yield "".join(
            _ONSETS[random.integers(len(_ONSETS))]
            + _NUCLEI[random.integers(len(_NUCLEI))]
            + _CODAS[random.integers(len(_CODAS))]
            for _ in range(syllables)
        )
