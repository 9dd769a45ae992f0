"""Of each memory the kinds of things that its words name, as bits of one number."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from biorag.storage.word_groups import group_bits, group_masks


@dataclass(frozen=True, slots=True)
class WordGroups:
    """The groups of m memories: 17 bytes a memory.

    Attributes:
        bits: Name of a group to its bit.
        ids: Shape (m,), rising.
        masks: Shape (m,); the bits of each memory's groups.
        counts: Shape (m,); how many groups each has.
    """

    bits: Mapping[str, int]
    ids: npt.NDArray[np.int64]
    masks: npt.NDArray[np.int64]
    counts: npt.NDArray[np.uint8]

    def of(self, ids: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint8]]:
        """The masks of these memories and how many groups each has.

        Both are 0 for a memory whose words name nothing or are not known yet.
        """
        if not self.ids.size:
            return np.zeros(ids.size, dtype=np.int64), np.zeros(ids.size, dtype=np.uint8)
        place = np.minimum(np.searchsorted(self.ids, ids), self.ids.size - 1)
        known = self.ids[place] == ids
        return self.masks[place] * known, self.counts[place] * known


def read_word_groups(connection: sqlite3.Connection) -> WordGroups:
    """Reads all of them: about a microsecond a memory, once after they were learnt anew."""
    table = np.array(group_masks(connection), dtype=np.int64).reshape(-1, 2)
    masks = np.ascontiguousarray(table[:, 1])
    octets = masks.view(np.uint8).reshape(-1, 8)
    return WordGroups(
        bits=group_bits(connection),
        ids=np.ascontiguousarray(table[:, 0]),
        masks=masks,
        counts=np.unpackbits(octets, axis=1).sum(axis=1, dtype=np.uint8),
    )
