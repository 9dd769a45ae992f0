"""Which Concept Hubs a question means: its words against those of every hub's bridges.

A bridge of weight w whose words have the idf i_1 … i_m among all bridges is met to

    c = w * sum(i_k * a_k) / sum(i_k),

where a_k is the weight of the question's word that has the stem of the k-th (1 for the user's own
word, less for a correction, a synonym or a translation), and 0 where none has. A bridge counts when
two words of the question meet it, or half of what it says is met; by one word of several alone, it
counts half. A hub's confidence is that of its best bridge, and .05 more for each further bridge
that counts, up to .2 and to 1 in all.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from biorag.kernels.lexicon import Language
from biorag.lexicon.content_words import LANGUAGES, content_words, stems
from biorag.retrieval.query import Question
from biorag.signals import FloatArray
from biorag.storage.hubs import BridgeRow, bridges_after, hubs_after
from biorag.storage.revisions import revisions

HALF = 0.5  # of what a bridge says
ALONE = 0.5  # what one word of several counts: it may be there by chance
FURTHER = 0.05  # for each further bridge that is met, from another side as a rule
MOST_FURTHER = 4  # the other angles
MOST_HUBS = 50  # that one question can mean

IntArray = npt.NDArray[np.int64]
Key = tuple[Language, str]


@dataclass(frozen=True, slots=True)
class HubMatch:
    """One hub that a question means.

    Attributes:
        confidence: In (0, 1].
        bridges: Ids of the bridges that count, best first.
    """

    hub: int
    node: int
    confidence: float
    bridges: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Read:
    """How far the store was read, so that what is only added is read alone."""

    revision: int
    last_bridge: int
    last_hub: int


@dataclass(frozen=True)
class Hubs:
    """The words of all bridges, each at a place of its own, those of one bridge side by side.

    Attributes:
        ids: Shape (b,); of the bridges, in order.
        hubs: Shape (b,); the hub of each.
        nodes: Shape (b,); the memory that it leads to.
        weights: Shape (b,) in [0, 1].
        starts: Shape (b + 1,); the first place of each bridge, then the number of places.
        terms: Shape (p,); the number of the term at each place.
        postings: Of each stem of a language, the places that have it.
        numbers: The term of each stem of a language.
        idf: Shape (t,); of each term, ln(1 + b / places that have it).
        read: How far the store was read.
    """

    ids: IntArray
    hubs: IntArray
    nodes: IntArray
    weights: FloatArray
    starts: IntArray
    terms: IntArray
    postings: Mapping[Key, Sequence[int]]
    numbers: Mapping[Key, int]
    idf: FloatArray
    read: _Read
    _last: list[tuple[Question, tuple[HubMatch, ...]]] = field(
        default_factory=list, repr=False, compare=False
    )

    def matches(self, question: Question) -> tuple[HubMatch, ...]:
        """The hubs that a question means, the surest first, ties by age; at most fifty.

        A source and the evidence ask this of the same question, so the last answer is kept.
        """
        for asked, answer in self._last:
            if asked is question:
                return answer
        answer = self._matches(question)
        self._last[:] = [(question, answer)]
        return answer

    def _matches(self, question: Question) -> tuple[HubMatch, ...]:
        places, groups, weights = self._met(question)
        if not places.size:
            return ()
        owners = np.searchsorted(self.starts, places, side="right") - 1
        bridges, of = np.unique(owners, return_inverse=True)
        counted = self._confidence(bridges, of, places, groups, weights)
        kept = np.flatnonzero(counted > 0.0)
        return self._by_hub(bridges[kept], counted[kept])

    def _met(self, question: Question) -> tuple[IntArray, IntArray, FloatArray]:
        """Places that a word of the question meets, by which word, and how well; each once."""
        best: dict[int, tuple[float, int]] = {}
        asked = [
            (text, float(weight), group)
            for group, alternatives in enumerate(question.alternatives)
            for text, weight, _ in alternatives
            if " " not in text
        ]
        texts = [text for text, _, _ in asked]
        for language in LANGUAGES:
            for (_, weight, group), held in zip(asked, stems(texts, language), strict=True):
                meeting = (min(weight, 1.0), group)
                for stem in sorted(held):
                    for place in self.postings.get((language, stem), ()):
                        before = best.get(place)
                        if before is None or before[0] < meeting[0]:
                            best[place] = meeting
        places = sorted(best)
        return (
            np.array(places, dtype=np.int64),
            np.array([best[place][1] for place in places], dtype=np.int64),
            np.array([best[place][0] for place in places], dtype=np.float64),
        )

    def _confidence(
        self,
        bridges: IntArray,
        of: npt.NDArray[np.intp],
        places: IntArray,
        groups: IntArray,
        weights: FloatArray,
    ) -> FloatArray:
        """How far each of m bridges is met, shape (m,); 0 for one that does not count."""
        idf = self.idf[self.terms[places]]
        met = np.bincount(of, weights=idf * weights, minlength=bridges.size)
        share = met / self._whole(bridges)
        # A word with several meanings may meet several words of one bridge, and is still one word.
        pairs = np.unique(of * (int(groups.max()) + 1) + groups) // (int(groups.max()) + 1)
        words = np.bincount(pairs, minlength=bridges.size)
        lengths = self.starts[bridges + 1] - self.starts[bridges]
        counts = (words >= 2) | (share >= HALF)
        alone = np.where((words < 2) & (lengths > 1), ALONE, 1.0)
        return np.asarray(counts * alone * share * self.weights[bridges], dtype=np.float64)

    def _whole(self, bridges: IntArray) -> FloatArray:
        """What all words of each bridge count, shape (m,)."""
        lengths = self.starts[bridges + 1] - self.starts[bridges]
        ends = np.cumsum(lengths)
        offsets = np.arange(int(ends[-1])) - np.repeat(ends - lengths, lengths)
        held = self.idf[self.terms[np.repeat(self.starts[bridges], lengths) + offsets]]
        return np.add.reduceat(held, ends - lengths)

    def _by_hub(self, bridges: IntArray, counted: FloatArray) -> tuple[HubMatch, ...]:
        found: dict[int, list[tuple[float, int]]] = {}
        for bridge, confidence in zip(bridges.tolist(), counted.tolist(), strict=True):
            found.setdefault(int(self.hubs[bridge]), []).append((confidence, bridge))
        matches = []
        for hub, held in found.items():
            held.sort(key=lambda pair: (-pair[0], pair[1]))
            further = FURTHER * min(len(held) - 1, MOST_FURTHER)
            matches.append(
                HubMatch(
                    hub=hub,
                    node=int(self.nodes[held[0][1]]),
                    confidence=min(1.0, held[0][0] + further),
                    bridges=tuple(int(self.ids[bridge]) for _, bridge in held),
                )
            )
        matches.sort(key=lambda match: (-match.confidence, match.hub))
        return tuple(matches[:MOST_HUBS])


_NOTHING = Hubs(
    ids=np.zeros(0, dtype=np.int64),
    hubs=np.zeros(0, dtype=np.int64),
    nodes=np.zeros(0, dtype=np.int64),
    weights=np.zeros(0),
    starts=np.zeros(1, dtype=np.int64),
    terms=np.zeros(0, dtype=np.int64),
    postings={},
    numbers={},
    idf=np.zeros(0),
    read=_Read(0, 0, 0),
)


def read_hubs(connection: sqlite3.Connection, before: Hubs | None) -> Hubs:
    """All bridges of a store; where some were only added since `before`, these alone are read."""
    revision = revisions(connection).get("hubs", 0)
    if before is not None:
        known = before.read
        added = bridges_after(connection, known.last_bridge)
        new_hubs, last_hub = hubs_after(connection, known.last_hub)
        # Every row that is written, changed or deleted counts one revision: when the new rows make
        # up all of them, nothing else happened.
        if revision - known.revision == len(added) + new_hubs:
            return _with(before, added, revision, last_hub)
    _, last_hub = hubs_after(connection, 0)
    return _with(_NOTHING, bridges_after(connection, 0), revision, last_hub)


def _with(held: Hubs, added: Sequence[BridgeRow], revision: int, last_hub: int) -> Hubs:
    """The hubs with further bridges; what was there before is shared, and not changed."""
    postings = {**held.postings}
    numbers = {**held.numbers}
    extended: dict[Key, list[int]] = {}
    terms: list[int] = []
    starts: list[int] = []
    place = int(held.starts[-1])
    for words in content_words([row.text for row in added]):
        for spellings in words.stems:
            keys = [(words.language, stem) for stem in sorted(spellings)]
            for key in keys:
                extended.setdefault(key, []).append(place)
            known = next((numbers[key] for key in keys if key in numbers), len(numbers))
            for key in keys:
                numbers.setdefault(key, known)
            terms.append(known)
            place += 1
        starts.append(place)
    for key, places in extended.items():
        postings[key] = (*postings.get(key, ()), *places)
    all_terms = np.concatenate([held.terms, np.array(terms, dtype=np.int64)])
    ids = np.concatenate([held.ids, _column([row.id for row in added])])
    frequencies = np.maximum(
        np.bincount(all_terms, minlength=int(all_terms.max(initial=-1)) + 1), 1
    )
    last = added[-1].id if added else held.read.last_bridge
    return Hubs(
        ids=ids,
        hubs=np.concatenate([held.hubs, _column([row.hub_id for row in added])]),
        nodes=np.concatenate([held.nodes, _column([row.node_id for row in added])]),
        weights=np.concatenate([held.weights, np.array([row.weight for row in added], float)]),
        starts=np.concatenate([held.starts, _column(starts)]),
        terms=all_terms,
        postings=postings,
        numbers=numbers,
        idf=np.log1p(ids.size / frequencies),
        read=_Read(revision, last, last_hub),
    )


def _column(values: Sequence[int]) -> IntArray:
    return np.array(values, dtype=np.int64)
