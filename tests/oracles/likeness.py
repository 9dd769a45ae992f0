"""What the index says of its candidates beside their words: the formulas, plain and slow.

Texts are lists of content words; `None` of the arguments is stemmed or folded here.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

Texts = Sequence[Sequence[str]]


def idf(documents: int, frequency: float) -> float:
    held = min(max(frequency, 0.5), max(documents, 0.5))
    return math.log(1.0 + (documents - held + 0.5) / (held + 0.5))


def norms(texts: Texts, k1: float, b: float) -> list[float]:
    mean = max(1.0, sum(map(len, texts)) / len(texts))
    return [k1 * (1.0 - b + b * len(text) / mean) for text in texts]


def pairs(texts: Texts, question: Sequence[str], *, k1: float, b: float) -> list[float]:
    """BM25 over pairs of consecutive words of the question that stand together in a text."""
    scores = [0.0] * len(texts)
    for first, second in pairwise(question):
        counts = [_together(text, first, second) for text in texts]
        weight = idf(len(texts), sum(count > 0.0 for count in counts))
        for at, (count, norm) in enumerate(zip(counts, norms(texts, k1, b), strict=True)):
            if count > 0.0:
                scores[at] += weight * count / (count + norm)
    return scores


def _together(text: Sequence[str], first: str, second: str) -> float:
    count = 0.0
    for at, word in enumerate(text):
        for gap in (1, 2):
            other = text[at + gap] if at + gap < len(text) else None
            if (word, other) == (first, second):
                count += 1.0 if gap == 1 else 0.5
            elif (word, other) == (second, first):
                count += 0.5 if gap == 1 else 0.7
    return count


def function_words(
    texts: Texts, small: Texts, asked: Sequence[str], *, k1: float, b: float
) -> list[float]:
    """BM25 over the question's function words; `small` are those of each text."""
    scores = [0.0] * len(texts)
    for word in sorted(set(asked)):
        weight = idf(len(texts), sum(word in held for held in small))
        for at, (held, norm) in enumerate(zip(small, norms(texts, k1, b), strict=True)):
            count = list(held).count(word)
            if count:
                scores[at] += weight * count / (count + norm)
    return scores


def feedback(
    texts: Texts,
    question: Sequence[str],
    ranking: Sequence[tuple[int, float]],
    *,
    k1: float,
    b: float,
) -> list[float]:
    """How much each candidate speaks of what the best ten have in common.

    Args:
        ranking: Text and relevance of each candidate, best first.
    """
    best = [(at, relevance) for at, relevance in ranking[:10] if relevance > 0.0]
    found = [0.0] * len(ranking)
    if not best:
        return found
    frequency = Counter(word for text in texts for word in set(text))
    weights: Counter[str] = Counter()
    holders: Counter[str] = Counter()
    for at, relevance in best:
        voice = relevance / best[0][1] / (1.0 + len(texts[at]) / 20.0)
        for word in set(texts[at]) - set(question):
            if 2 <= frequency[word] <= len(texts) // 10:
                weights[word] += voice * idf(len(texts), frequency[word])  # type: ignore[assignment]
                holders[word] += 1
    chosen = sorted(weights, key=lambda word: (-weights[word], word))[:15]
    if not chosen:
        return found
    belief = min(1.0, sum(holders[w] for w in chosen) / (len(chosen) * len(best)) / 0.3)
    norm = norms(texts, k1, b)
    for place, (at, _) in enumerate(ranking):
        for word in chosen:
            count = list(texts[at]).count(word)
            share = weights[word] / weights[chosen[0]] * idf(len(texts), frequency[word])
            found[place] += share * count / (count + norm[at])
    largest = max(found)
    return [value * belief / largest for value in found] if largest > 0.0 else found
