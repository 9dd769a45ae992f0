"""The limbic formula as it is written down, over dictionaries of pairs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple


class Node(NamedTuple):
    id: int
    base: float
    accesses: int
    degree: int
    hours: float


class Pair(NamedTuple):
    times_seen: int
    hours: float


class Score(NamedTuple):
    score: float
    importance: float
    temporal: float
    cooccurrence: float


def limbic(
    nodes: Sequence[Node],
    adjacency: Mapping[int, Mapping[int, Pair]],
    max_accesses: int,
    *,
    beta_salience: float = 0.5,
    gamma: float = 0.01,
) -> list[Score]:
    """The score and factors of each node, with its company looked up pair by pair."""
    scores = []
    for node in nodes:
        importance = 0.0
        if max_accesses > 0:
            share = math.log2(1 + node.accesses) / math.log2(1 + max_accesses)
            importance = share * (1 + 0.15 * min(node.degree, 15) / 15)
        temporal = decay(node.hours)
        cooccurrence = 0.0
        row = adjacency.get(node.id, {})
        for other in nodes:
            pair = row.get(other.id)
            if pair is not None and other.id != node.id:
                cooccurrence += math.log2(1 + pair.times_seen) * decay(pair.hours)
        salience = 1 + beta_salience * importance
        score = node.base * salience * temporal * (1 + gamma * cooccurrence)
        scores.append(Score(score, importance, temporal, cooccurrence))
    return scores


def decay(hours: float) -> float:
    """What is left of 1 after some hours, at least 0.1; the future counts as now."""
    return max(0.1, math.exp(-0.0001 * max(0.0, hours)))
