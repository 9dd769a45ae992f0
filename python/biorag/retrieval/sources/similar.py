"""Query by example: memories whose code is like those of the few that were found."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from biorag.kernels.sdm import CodeTable, most_alike
from biorag.retrieval.knowledge import Inquiry
from biorag.retrieval.sources.registry import source
from biorag.retrieval.text_codes import text_code
from biorag.storage.codes import LANE

BUDGET = 10
LIKE_EXAMPLE = 0.25
LIKE_TEXT = 0.25


@source(order=14, name="sdm", when="thin", budget=BUDGET, lane=LANE)
def alike(inquiry: Inquiry, found: Sequence[int]) -> Iterable[int]:
    """Memories like one of those found so far; like the question itself when none was found."""
    codes = inquiry.having.codes()
    if codes is None:
        return ()
    if found:
        return _like_examples(codes, found)
    asked = text_code(inquiry.having.connection, inquiry.question.text, inquiry.having.lexicon)
    if asked is None:
        return ()
    pairs = most_alike(codes, asked.code, BUDGET, floor=LIKE_TEXT, weights=asked.weights)
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
