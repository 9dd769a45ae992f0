"""The burst (ráfaga): what the caller associates with the question, searched beside it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from biorag.retrieval.knowledge import Inquiry
from biorag.retrieval.sources.registry import source

BUDGET = 50
FETCHED = 2 * BUDGET  # of which filters and quarantine may leave fewer


@source(order=17, name="burst", when="burst", budget=BUDGET)
def associated(inquiry: Inquiry, found: Sequence[int]) -> Iterable[int]:
    """Memories, dormant ones too, that hold any of the burst's words, the best first."""
    del found
    if inquiry.burst is None:
        return ()
    return inquiry.having.index.best(inquiry.burst, FETCHED)
