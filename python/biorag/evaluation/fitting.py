"""Fits the weights of the signals on train halves of several corpora at once.

A weight must not win on one corpus by losing another: a change is taken when no corpus loses more
than `TOLERATED` by it, and the least of the gains over plain BM25 rises, or stays while their mean
does. Every question is asked once; what the signals say of its candidates is kept, so that trying
other weights costs a matrix product.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from biorag.engine.memory import Memory
from biorag.evaluation.biorag_system import HeldClock, learn_all, now_of
from biorag.evaluation.bm25s_rival import TUNED, Bm25s
from biorag.evaluation.collections import REPORTED_APART, Asked, collections_of
from biorag.evaluation.corpus import load_corpus
from biorag.retrieval.fusion import weigh
from biorag.signals import FloatArray, Signal, all_signals

FACTORS = (0.0, 0.35, 0.6, 1.6, 2.5)
STARTS = (0.01, 0.03)  # what a weight of 0 is tried at
TOLERATED = 0.0005  # nDCG@10 that a corpus may lose by a change: rounding, not a trade
LEAST_GAIN = 0.0001
DEPTH = 10
ROUNDS = 3


@dataclass(frozen=True, slots=True)
class Observed:
    """What is known of one question's n candidates.

    Attributes:
        values: Shape (n, s); every signal's.
        gains: Shape (n,); 2**grade - 1 of each candidate.
        ideal: The best discounted sum that any ranking of the collection could have.
    """

    values: FloatArray
    ids: npt.NDArray[np.int64]
    holds_phrase: npt.NDArray[np.bool_]
    gains: FloatArray
    ideal: float

    def ndcg(self, weights: FloatArray, signals: tuple[Signal, ...]) -> float:
        """nDCG@10 under these weights."""
        scored = weigh(self.values, weights, signals, ids=self.ids, holds_phrase=self.holds_phrase)
        return _discounted(self.gains[scored.order[:DEPTH]]) / self.ideal


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """The questions of one corpus, and how plain BM25 answers them (nDCG@10)."""

    corpus: str
    questions: tuple[Observed, ...]
    bm25: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A change that was taken: a signal's weight, and the gains over BM25 after it."""

    signal: str
    before: float
    after: float
    gains: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """What a fit came to.

    Attributes:
        start: Gains over BM25 with the weights as they were, by corpus.
        weights: Signal to weight, in the order of the columns.
    """

    start: Mapping[str, float]
    steps: tuple[Step, ...]
    weights: Mapping[str, float]


def observe(folder: Path, *, limit: int, small: bool = False) -> Sample:
    """Asks a sample of a corpus' train questions, drawn with a fixed seed.

    Args:
        folder: The corpus.
        limit: Questions at most.
        small: Only the documents that the corpus marks small.

    Raises:
        CorpusError: the corpus cannot be read, or has no train half.
    """
    observed: list[Observed] = []
    plain: list[float] = []
    corpus = load_corpus(folder, small=small)
    for collection in collections_of(corpus, split="train", limit=limit):
        asked = [q for q in collection.questions if q.grades and q.category not in REPORTED_APART]
        if not asked:
            continue
        rival = Bm25s(TUNED)
        rival.build(collection.documents)
        with tempfile.TemporaryDirectory(prefix="biorag-fit-") as directory:
            clock = HeldClock(now_of(collection.documents))
            with Memory.open(Path(directory) / "memory.db", clock=clock) as memory:
                names = learn_all(memory, collection.documents)
                numbers = {memory.get(name).id: names[name] for name in names}
                for question in asked:
                    observed.append(_observed(memory, question, numbers))
                    found = rival.search(question.text, question.language, DEPTH)
                    gains = np.array([_gain(question, document) for document in found])
                    plain.append(_discounted(gains) / _ideal(question))
    return Sample(corpus=folder.name, questions=tuple(observed), bm25=float(np.mean(plain)))


def fit(samples: Sequence[Sample], *, rounds: int = ROUNDS) -> Fitted:
    """Changes one weight at a time, signals in the order of their columns.

    The scale is held by the relevance of words, whose joint weight stays; bonuses stay, too.

    Args:
        samples: One a corpus.
        rounds: Times around all signals; fewer when a round changes nothing.
    """
    signals = all_signals()
    weights = np.array([signal.weight for signal in signals])
    gains = _gains(samples, weights, signals)
    start = dict(gains)
    steps: list[Step] = []
    for _ in range(rounds):
        changed = False
        for column, signal in enumerate(signals):
            if signal.joint is not None or signal.bonus:
                continue
            for tried in _others(float(weights[column])):
                trial = weights.copy()
                trial[column] = tried
                after = _gains(samples, trial, signals)
                if _is_better(after, gains):
                    step = Step(
                        signal=signal.name, before=float(weights[column]), after=tried, gains=after
                    )
                    steps.append(step)
                    weights, gains, changed = trial, after, True
        if not changed:
            break
    named = {signal.name: float(weight) for signal, weight in zip(signals, weights, strict=True)}
    return Fitted(start=start, steps=tuple(steps), weights=named)


def _observed(memory: Memory, question: Asked, numbers: Mapping[int, str]) -> Observed:
    found = memory.candidates(question.text)
    ids = found.candidates.ranked.ids
    return Observed(
        values=found.scored.values,
        ids=ids,
        holds_phrase=found.candidates.holds_phrase,
        gains=np.array([_gain(question, numbers[int(number)]) for number in ids]),
        ideal=_ideal(question),
    )


def _gain(question: Asked, document: str) -> float:
    return float(2 ** question.grades.get(document, 0) - 1)


def _ideal(question: Asked) -> float:
    best = sorted((2.0**grade - 1.0 for grade in question.grades.values()), reverse=True)
    return _discounted(np.array(best[:DEPTH]))


def _discounted(gains: FloatArray) -> float:
    return float(gains @ (1.0 / np.log2(np.arange(gains.size) + 2.0)))


def _gains(
    samples: Sequence[Sample], weights: FloatArray, signals: tuple[Signal, ...]
) -> dict[str, float]:
    """Each corpus' nDCG@10 over plain BM25's."""
    return {
        sample.corpus: float(np.mean([q.ndcg(weights, signals) for q in sample.questions]))
        - sample.bm25
        for sample in samples
    }


def _is_better(after: Mapping[str, float], before: Mapping[str, float]) -> bool:
    if any(after[corpus] < before[corpus] - TOLERATED for corpus in before):
        return False
    worst = min(after.values()) - min(before.values())
    mean = sum(after.values()) / len(after) - sum(before.values()) / len(before)
    return worst > LEAST_GAIN or (worst >= 0.0 and mean > LEAST_GAIN)


def _others(weight: float) -> Iterator[float]:
    if weight == 0.0:
        yield from STARTS
    for factor in FACTORS:
        if weight:
            yield round(weight * factor, 6)
