"""Signals of what is known beside the words: dimensions, themes, kinds of things."""

from __future__ import annotations

import numpy as np

from biorag.signals.registry import Candidates, FloatArray, beside, signal


@signal(
    order=1,
    name="dim_score",
    weight=0.056,
    seed_weight=0.14,
    source="sqrt of the shared part of the question's squared dimension weights",
)
def dimension_overlap(candidates: Candidates) -> FloatArray:
    """How many of the question's dimensions the memory has.

    Returns:
        Shape (n,) in [0, 1]; all 0 where none were given and the best candidates agree in none.
    """
    return beside(candidates, "dimensions")


@signal(
    order=5,
    name="group_score",
    weight=0.04,
    seed_weight=0.10,
    source="cosine of sets of WordNet lexicographer files, Fellbaum 1998",
)
def lexical_groups(candidates: Candidates) -> FloatArray:
    """How far the memory names the same kinds of things as the question.

    Where memories are turns of a conversation, a turn is too short to tell kinds by (-.002 nDCG@10,
    against +.002 on questions stored one by one): there the signal fades to nothing.

    Returns:
        Shape (n,) in [0, 1].
    """
    return beside(candidates, "groups") * (1.0 - candidates.trust_in_order)


@signal(
    order=6,
    name="thematic",
    weight=0.032,
    seed_weight=0.08,
    source="mean idf-weighted Jaccard of dimensions with the head of the pool",
)
def thematic(candidates: Candidates) -> FloatArray:
    """How far the memory shares the dimensions of what else was found.

    Returns:
        Shape (n,) in [0, 1]; 0 for a memory that holds no word of the question, which would be
        lifted for being like the others alone.
    """
    return np.where(candidates.ranked.bm25 > 0.0, beside(candidates, "thematic"), 0.0)
