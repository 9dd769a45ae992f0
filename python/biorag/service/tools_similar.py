"""The tool that finds by example: similares_a = similar to."""

from __future__ import annotations

from typing import Annotated

from biorag.service.arguments import About
from biorag.service.presenters_similar import present_similar
from biorag.service.registry import Context, Effect, tool
from biorag.service.replies import SimilarReply
from biorag.service.tools_recall import MOST_RESULTS

PREVIEW_CHARS = 500  # enough to see why it is alike; recordar shows a text whole

Example = Annotated[str, About("Name of the memory to start from.")]
Limit = Annotated[int, About("How many at most.", 1, MOST_RESULTS)]


# It stores codes that it makes, which hold nothing that the memories do not: it reads.
@tool("similares_a", effect=Effect.READS, essential=False)
def similar_to(context: Context, concepto: Example, limite: Limit = 10) -> SimilarReply:
    """Find memories like a given one: by its words, dimensions, category and links, best first.

    similitud is the share of all this that both have, from 0 to 1.
    Example: similares_a(concepto="backup_policy", limite=5)
    """
    found = context.memory.similar_to(concepto, limit=limite)
    return present_similar(
        concepto,
        found,
        preview_chars=PREVIEW_CHARS,
        budget_bytes=context.settings.reply_bytes,
    )
