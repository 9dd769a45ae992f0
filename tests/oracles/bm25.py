"""BM25 with Lucene's idf over pooled word groups, as the formula is written."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from oracles.text import Form

FIELD_WEIGHTS = {"name": 2.0, "synonyms": 1.5, "key_nouns": 1.0, "bridges": 1.0, "body": 1.0}
"""What one occurrence of a word in each field counts."""

Document = Mapping[str, Sequence[Form]]
"""The forms of each field of a document."""

Group = Mapping[str, float]
"""The terms that stand for one word of the question, each with its weight."""


def bm25(
    documents: Sequence[Document],
    groups: Sequence[Group],
    *,
    k1: float,
    b: float,
    boosts: Sequence[float] | None = None,
) -> list[list[float]]:
    """The part of each group in each document's score; a score is the sum of its row."""
    lengths = [length(document) for document in documents]
    mean = max(sum(lengths) / len(lengths), 1.0)
    columns = []
    for group, boost in zip(groups, boosts or [1.0] * len(groups), strict=True):
        counts = [{term: count(document, term) for term in group} for document in documents]
        frequency = sum(
            weight * sum(held[term] > 0 for held in counts) for term, weight in group.items()
        )
        factor = boost * idf(len(documents), frequency)
        column = []
        for held, words in zip(counts, lengths, strict=True):
            tf = sum(weight * held[term] for term, weight in group.items())
            column.append(factor * tf / (tf + k1 * (1 - b + b * words / mean)) if tf else 0.0)
        columns.append(column)
    return [list(row) for row in zip(*columns, strict=True)] if columns else []


def idf(documents: int, frequency: float) -> float:
    held = min(max(frequency, 0.5), documents)
    return math.log(1 + (documents - held + 0.5) / (held + 0.5))


def count(document: Document, term: str) -> float:
    """Occurrences of a term, each by the weight of its field."""
    return sum(
        FIELD_WEIGHTS[field]
        for field, forms in document.items()
        for form in forms
        if form.term == term
    )


def length(document: Document) -> int:
    """Words of the document; its name labels it, and a whole piece is counted by its parts."""
    return sum(
        not form.whole for field, forms in document.items() if field != "name" for form in forms
    )
