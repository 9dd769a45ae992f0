"""Signals that compare words."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from biorag.kernels.index import FIELDS
from biorag.kernels.ranking import (
    jensen_shannon_similarity,
)
from biorag.signals.registry import Candidates, FloatArray, signal

EXACT_NAME_BONUS = 2.94  # lifts a score of .50 to .95: who asks by name means that memory
NEAR_SYNONYM_BONUS = 0.85  # logit(.70), the original's least bonus
NEAR_SYNONYM = 0.95  # closeness from which a synonym is as good as the name

ACCENTS = 0.3  # what letters lose that differ from the question's by their accents alone
LETTERS = 0.6  # share of the letters in the literal likeness; the rest is the order of words


@signal(
    order=2,
    name="concept_ratio",
    weight=0.08,
    seed_weight=0.08,
    source="share of the question found in the name; idf mass instead of a word count",
)
def concept_ratio(candidates: Candidates) -> FloatArray:
    """How much of the question's information its own words bring into the memory's name.

    Returns:
        Shape (n,) in [0, 1].
    """
    return _field_share(candidates, "name")


@signal(
    order=3,
    name="synonym_ratio",
    weight=0.08,
    seed_weight=0.08,
    source="share of the question found in the synonyms; idf mass instead of a word count",
)
def synonym_ratio(candidates: Candidates) -> FloatArray:
    """How much of the question's information its own words bring into the memory's synonyms.

    Returns:
        Shape (n,) in [0, 1].
    """
    return _field_share(candidates, "synonyms")


@signal(
    order=11,
    name="ncd_score",
    weight=0.06,
    source="cosine of character trigrams; pairs of words, Metzler & Croft 2005",
)
def literal_likeness(candidates: Candidates) -> FloatArray:
    """How literally a candidate says what is asked: in the same letters, in the same order.

    It stands in the place of the original's compression distance, which it beats on every corpus
    and which costs the texts themselves.

    Returns:
        Shape (n,) in [0, 1].
    """
    ranked = candidates.ranked
    letters = _over_best(ranked.gram_cosine) * (1.0 - ACCENTS * (1.0 - ranked.spelt))
    return LETTERS * letters + (1.0 - LETTERS) * _over_best(ranked.pairs)


@signal(
    order=13,
    name="field_score",
    weight=0.015,
    source="pseudo-relevance feedback over the pool, Lavrenko & Croft 2001, gated by agreement",
)
def semantic_field(candidates: Candidates) -> FloatArray:
    """How much a candidate speaks of what the best ones have in common.

    Returns:
        Shape (n,) in [0, 1].
    """
    return candidates.ranked.feedback.astype(np.float64)


@signal(
    order=14,
    name="jsd",
    weight=0.006,
    seed_weight=0.04,
    source="1 - sqrt(Jensen-Shannon divergence), Lin 1991; Endres & Schindelin 2003",
)
def jensen_shannon(candidates: Candidates) -> FloatArray:
    """Similarity of the question's and the memory's distributions of terms.

    Returns:
        Shape (n,) in [0, 1].
    """
    ranked = candidates.ranked
    if ranked.idf.size == 0 or ranked.ids.size == 0:
        return np.zeros(ranked.ids.size)
    counts = ranked.counts.astype(np.float64)
    # A word that stands for two words of the question is counted twice: never more than all.
    lengths = np.maximum(ranked.lengths.astype(np.float64), counts.sum(axis=1))
    lengths = np.maximum(lengths, 1.0)
    return jensen_shannon_similarity(np.ones(ranked.idf.size), counts, lengths)


@signal(
    order=15,
    name="exact_match",
    bonus=EXACT_NAME_BONUS,
    source="the question is the memory's name, or the same set of words",
)
def exact_match(candidates: Candidates) -> FloatArray:
    """Whether the question names the memory.

    Returns:
        Shape (n,), 0 or 1.
    """
    return (candidates.named_exactly | candidates.ranked.named).astype(np.float64)


@signal(
    order=16,
    name="near_synonym",
    bonus=NEAR_SYNONYM_BONUS,
    source="a synonym is at least .95 the question, as sets of words",
)
def near_synonym(candidates: Candidates) -> FloatArray:
    """Whether the question is, all but in name, one of the memory's synonyms.

    Returns:
        Shape (n,), 0 or 1; 0 where the name itself matches, which counts more.
    """
    near = candidates.ranked.synonym >= NEAR_SYNONYM
    named = candidates.named_exactly | candidates.ranked.named
    return (near & ~named).astype(np.float64)


@signal(
    order=20,
    name="ev_key_nouns",
    weight=0.05,
    source="share of the caller's key nouns that the memory holds",
)
def key_noun_evidence(candidates: Candidates) -> FloatArray:
    """How many of the key nouns that the caller named the memory holds, in any field.

    Returns:
        Shape (n,) in [0, 1]; all 0 when the caller named none.
    """
    return candidates.key_noun_share


def _over_best(values: npt.NDArray[np.float32]) -> FloatArray:
    scaled = values.astype(np.float64)
    best = float(scaled.max(initial=0.0))
    return scaled / best if best > 0.0 else scaled


def _field_share(candidates: Candidates, field: str) -> FloatArray:
    return candidates.ranked.field_share[:, FIELDS.index(field)].astype(np.float64)
