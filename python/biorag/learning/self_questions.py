"""Questions made from the store itself, and from nothing that the engine answered.

Noisy keyword questions about sampled memories: words of the memory, the rare ones more often, with
up to three in five of them replaced by noise. Verbatim spans would be too easy and salads of any
words too hard; both set thresholds that cost good answers.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from importlib.resources import files

from biorag.kernels.index import TextIndex

LENGTHS = (2, 3, 3, 4, 4, 5, 5, 6, 7, 8)  # words of a question, each as likely
MOST_NOISE = 0.6
FEWEST_HIDDEN = 5  # neighbours hidden beside the memory itself
MOST_HIDDEN = 0.5  # of the store: a tiny one must keep something to be wrong about

_CONSONANTS = "bcdfglmnprstvz"
_VOWELS = "aeiou"


@dataclass(frozen=True, slots=True)
class SelfQuestion:
    """A question about a memory, and the memories that it must be asked without.

    Attributes:
        source: The memory that it was made from.
        hidden: The source and those most like it; empty when the source may answer.
    """

    text: str
    source: int
    hidden: tuple[int, ...]


class QuestionMaker:
    """Makes questions about the memories of one index: the same store and seed, the same ones."""

    def __init__(self, index: TextIndex, *, seed: int) -> None:
        """Draws from `index` with a random source of its own."""
        self._index = index
        self._random = random.Random(seed)
        self._ids = index.ids()

    def questions(self, count: int, *, hidden_share: float | None = None) -> list[SelfQuestion]:
        """`count` questions about memories drawn without repetition while there are enough.

        Args:
            count: How many to make; memories without words are passed over, so that fewer come
                of a store that has hardly any.
            hidden_share: Share of the store, nearest to the memory, that is hidden with it. Hiding
                the memory alone would leave its siblings to answer. None hides nothing.
        """
        sources = self._random.sample(self._ids, min(count, len(self._ids)))
        if self._ids:
            sources += self._random.choices(self._ids, k=count - len(sources))
        made = (self._about(source, hidden_share) for source in sources)
        return [question for question in made if question is not None]

    def _about(self, source: int, hidden_share: float | None) -> SelfQuestion | None:
        words = self._index.document_words(source)
        if not words:
            return None
        length = self._random.choice(LENGTHS)
        noise = min(round(length * self._random.uniform(0.0, MOST_NOISE)), length - 1)
        asked = self._telling(words, length - noise) + [self._noise() for _ in range(noise)]
        self._random.shuffle(asked)
        return SelfQuestion(" ".join(asked), source, self._hidden(source, hidden_share))

    def _telling(self, words: list[tuple[str, int]], count: int) -> list[str]:
        """Words of the memory, drawn by ln(1 + N / df) without repetition."""
        left = list(words)
        chosen: list[str] = []
        while left and len(chosen) < count:
            weights = [math.log1p(len(self._ids) / max(documents, 1)) for _, documents in left]
            place = self._random.choices(range(len(left)), weights)[0]
            chosen.append(left.pop(place)[0])
        return chosen

    def _noise(self) -> str:
        """A word of any memory, or one that no language has, each as likely."""
        if self._random.random() < 0.5:
            words = self._index.document_words(self._random.choice(self._ids))
            if words:
                return self._random.choice(words)[0]
        syllables = self._random.randint(2, 4)
        return "".join(
            self._random.choice(_CONSONANTS) + self._random.choice(_VOWELS)
            for _ in range(syllables)
        )

    def _hidden(self, source: int, share: float | None) -> tuple[int, ...]:
        if share is None:
            return ()
        count = max(FEWEST_HIDDEN, math.ceil(share * len(self._ids)))
        count = min(count, int(MOST_HIDDEN * len(self._ids)))
        return (source, *self._index.nearest(source, count))


def foreign_questions() -> tuple[str, ...]:
    """The questions that ship: about nothing in particular, half English and half Spanish."""
    text = files("biorag.learning").joinpath("data/foreign_questions.tsv").read_text("utf-8")
    return tuple(line.split("\t")[2] for line in text.splitlines())
