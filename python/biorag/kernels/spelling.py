"""Edit distances, and the words of a list that are near a word."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import TYPE_CHECKING

from biorag import _native
from biorag.errors import KernelInputError

if TYPE_CHECKING:
    # numpy takes longer to import than the rest of the package, and this file needs its types only.
    import numpy as np
    import numpy.typing as npt

MAX_DISTANCE = 255
"""The furthest that a word list can be asked for: distances in it are bytes."""


class Metric(Enum):
    """Which edits count as one. Characters are Unicode code points."""

    LEVENSHTEIN = "levenshtein"
    """Insertion, deletion, substitution."""

    OSA = "osa"
    """Those, and the swap of two adjacent characters, no stretch edited twice (the restricted
    Damerau-Levenshtein distance, optimal string alignment)."""


def edit_distances(
    query: str, words: Sequence[str], metric: Metric = Metric.OSA
) -> npt.NDArray[np.uint32]:
    """The number of edits from the query to each word.

    Returns:
        Shape (n,).

    Raises:
        UnicodeEncodeError: a text holds half of a surrogate pair.
    """
    return _native.edit_distances(query, words, metric is Metric.OSA)


class WordList:
    """Words in order of arrival, to be asked for those near a given one.

    Nothing is built beyond the words, so a list can grow between any two questions. Threads may
    share it.
    """

    def __init__(self, words: Sequence[str] = ()) -> None:
        self._native = _native.WordList()
        self.extend(words)

    def __len__(self) -> int:
        return len(self._native)

    @property
    def heap_bytes(self) -> int:
        """Memory that the words take."""
        return self._native.heap_bytes

    def extend(self, words: Sequence[str]) -> None:
        """Adds words; each one's index is the number of words that came before it.

        Raises:
            UnicodeEncodeError: a word holds half of a surrogate pair; none was added.
        """
        self._native.extend(words)

    def near(
        self, word: str, max_distance: int, metric: Metric = Metric.OSA
    ) -> list[tuple[int, int]]:
        """The words at most so many edits away, as pairs of index and distance.

        Returns:
            Nearest first, then by index. A word equal to the one asked about is among them, at 0.

        Raises:
            KernelInputError: `max_distance` is not in [0, 255].
            UnicodeEncodeError: the word holds half of a surrogate pair.
        """
        if not 0 <= max_distance <= MAX_DISTANCE:
            raise KernelInputError(f"max_distance: {max_distance} is not in [0, {MAX_DISTANCE}]")
        return self._native.near(word, max_distance, metric is Metric.OSA)
