"""Whom and what agents' statements name: words that the texts of memories may lack."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from biorag.kernels.index import analyse_documents
from biorag.lexicon.wordnet import load_lexicon
from biorag.storage.predicates import told_subjects_and_objects

_Ids = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Told:
    """Memories by the terms of the subjects and objects that agents stated.

    Attributes:
        holders: Of each term the memories, rising and each once.
    """

    holders: Mapping[str, _Ids]

    def naming(self, words: Sequence[Sequence[str]]) -> _Ids:
        """Memories that name any of these words, most of them first, then in order of storage.

        Args:
            words: Of each word the terms that stand for it; which of them is named is all one.

        Returns:
            Shape (n,), each memory once.
        """
        named = [
            np.unique(np.concatenate(held))
            for terms in words
            if (held := [self.holders[term] for term in terms if term in self.holders])
        ]
        if not named:
            return np.zeros(0, dtype=np.int64)
        ids, counts = np.unique(np.concatenate(named), return_counts=True)
        return np.asarray(ids[np.argsort(-counts, kind="stable")], dtype=np.int64)


def read_told(connection: sqlite3.Connection) -> Told:
    """Reads all of them: a few microseconds a statement, once after one was told."""
    rows = told_subjects_and_objects(connection)
    analysed = analyse_documents(
        [(subject, done_to, "", "", "") for _, subject, done_to in rows],
        [None] * len(rows),
        "en",
        load_lexicon(),
    )
    found: defaultdict[str, dict[int, None]] = defaultdict(dict)
    for (node_id, _, _), texts in zip(rows, analysed.texts, strict=True):
        for term in f"{texts[0]} {texts[1]}".split():
            found[term][node_id] = None
    return Told({term: np.array(sorted(ids), dtype=np.int64) for term, ids in found.items()})
