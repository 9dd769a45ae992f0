"""The statistic C as its formula is written, over a question's own words."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from oracles.bm25 import Document, count, length

K1, B, EXPONENT = 0.9, 0.4, 0.6

Word = tuple[str, Mapping[str, float]]
"""A word of the question as it is spelt, and the terms that it is indexed under."""


def certainty(documents: Sequence[Document], question: Sequence[Word]) -> float:
    """Half the best and the third evidence, over what the question could have scored."""
    if not documents or not question:
        return 0.0
    evidence = sorted(
        (strength(documents, place, question) * cosine(documents, place, question))
        for place in range(len(documents))
    )[::-1]
    third = evidence[2] if len(evidence) > 2 else 0.0
    mass = sum(word_idf(documents, terms) for _, terms in question)
    return 0.5 * (evidence[0] + third) / math.pow(mass, EXPONENT)


def word_idf(documents: Sequence[Document], terms: Mapping[str, float]) -> float:
    frequency = sum(sum(count(document, term) > 0 for document in documents) for term in terms)
    held = min(frequency, len(documents))
    return math.log(1 + (len(documents) - held + 0.5) / (held + 0.5))


def strength(documents: Sequence[Document], place: int, question: Sequence[Word]) -> float:
    mean = max(sum(map(length, documents)) / len(documents), 1.0)
    norm = K1 * (1 - B + B * length(documents[place]) / mean)
    total = 0.0
    for _, terms in question:
        tf = sum(count(documents[place], term) for term in terms)
        total += word_idf(documents, terms) * tf / (tf + norm)
    return total


def cosine(documents: Sequence[Document], place: int, question: Sequence[Word]) -> float:
    held = [Counter(grams_of(document)) for document in documents]

    def weights(counts: Mapping[str, int]) -> dict[str, float]:
        found = {}
        for gram, times in counts.items():
            frequency = sum(gram in other for other in held)
            idf = 1 + math.log((len(documents) + 1) / (frequency + 1))
            found[gram] = (1 + math.log(times)) * idf
        return found

    asked = weights(Counter(gram for spelling, _ in question for gram in trigrams(spelling)))
    known = weights(held[place])
    product = sum(weight * known.get(gram, 0.0) for gram, weight in asked.items())
    lengths = math.hypot(*asked.values()) * math.hypot(*known.values())
    return product / lengths if lengths else 0.0


def grams_of(document: Document) -> list[str]:
    """The trigrams of every word; a compound piece is there as its parts."""
    words = [form.word for forms in document.values() for form in forms if not form.whole]
    return [gram for word in words for gram in trigrams(word)]


def trigrams(word: str) -> list[str]:
    padded = f" {word} "
    return [padded[start : start + 3] for start in range(len(padded) - 2)]
