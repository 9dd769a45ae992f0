"""Query by example: memories whose code is like those of the few that were found."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from biorag.kernels.sdm import DIMENSIONS, CodeTable, most_alike
from biorag.retrieval.knowledge import Inquiry
from biorag.retrieval.sources.registry import source
from biorag.retrieval.text_codes import text_code
from biorag.storage.codes import LANE

BUDGET = 10

# Of 800 short texts (Banking77, CLINC150) each among 4,000 of other fields, 19 in 20 had none of
# those this much alike, and no long one (Cranfield in a manual) had. Of the short ones' own kind,
# 2 in 3 and 9 in 10 of what was alike had the same intent of 77 and 150.
LIKE_EXAMPLE = 0.35

# A memory of five values of a dimension, one of them named, all equally rare. Where runs of bits
# touch by chance, they have less in common.
LIKE_NAMED = 0.2


@source(order=14, name="sdm", when="thin", budget=BUDGET, lane=LANE)
def alike(inquiry: Inquiry, found: Sequence[int]) -> Iterable[int]:
    """Memories like one of those found so far; when none was, those that the question describes."""
    codes = inquiry.having.codes()
    if codes is None:
        return ()
    if found:
        return _like_examples(codes, found)
    return _like_text(codes, inquiry)


def _like_text(codes: CodeTable, inquiry: Inquiry) -> list[int]:
    """Memories by the dimensions that the question names.

    No memory holds any of its words, or one would have been found: bits in common with words of
    memories are chance, and do not count.
    """
    having = inquiry.having
    asked = text_code(having.connection, inquiry.question.text, having.lexicon)
    if asked is None or not asked.weights[DIMENSIONS]:
        return []
    weights = (0.0, 0.0, asked.weights[DIMENSIONS], 0.0, 0.0)
    pairs = most_alike(codes, asked.code, BUDGET, floor=LIKE_NAMED, weights=weights)
    return [number for number, _ in pairs]


def _like_examples(codes: CodeTable, examples: Sequence[int]) -> list[int]:
    best: dict[int, float] = {}
    for example in examples:
        code = codes.code(example)
        if code is None:
            continue
        for number, likeness in most_alike(
            codes, code, BUDGET, floor=LIKE_EXAMPLE, excluded=examples
        ):
            best[number] = max(likeness, best.get(number, 0.0))
    return sorted(best, key=lambda number: (-best[number], number))
