"""The source that a caller's dimensions are: memories that share most of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from biorag.retrieval.knowledge import Inquiry
from biorag.retrieval.sources.registry import source
from biorag.storage.listing import ids_sharing

SHARING = 50  # memories fetched for the dimensions asked for


@source(
    order=12,
    name="dimensional_fallback",
    when="always",
    budget=SHARING,
    lane="dimensions",
)
def sharing_dimensions(inquiry: Inquiry, found: Sequence[int]) -> Iterable[int]:
    """Memories that share most of the dimensions asked for, the heavier first among equals.

    Only dimensions that the caller gave bring candidates; those taken from the best candidates
    only say more of what is there.
    """
    del found
    request = inquiry.request
    if not request.dimensions:
        return ()
    # What the page leaves out must not use the budget up.
    filters = replace(
        request.filters, states=("activo", "dormido") if request.deep else ("activo",)
    )
    return ids_sharing(inquiry.having.connection, filters, request.dimensions, SHARING)
