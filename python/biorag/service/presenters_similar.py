"""Memories that are like another one to a bounded answer."""

from __future__ import annotations

from collections.abc import Sequence

from biorag.model import SimilarMemory
from biorag.service.bounding import SHORTEST_PREVIEW
from biorag.service.json_text import size_of
from biorag.service.replies import SimilarMemoryReply, SimilarReply


def present_similar(
    name: str, found: Sequence[SimilarMemory], *, preview_chars: int, budget_bytes: int
) -> SimilarReply:
    """The memories like the one of a name, most alike first, in at most so many bytes of JSON.

    Previews shrink first, down to a line; then the least alike are left out, and it is said how
    many.
    """
    reply = SimilarReply(concepto=name, resultados=[_item(one, preview_chars) for one in found])
    if not found:
        reply["mensaje"] = "Nothing stored has anything in common with it."
    room = budget_bytes - 200  # for the notice that is added below
    preview = preview_chars or max((len(one.content) for one in found), default=0)
    while size_of(reply) > room and preview > SHORTEST_PREVIEW:
        preview = max(preview // 2, SHORTEST_PREVIEW)
        reply["resultados"] = [_item(one, preview) for one in found]
    results = reply["resultados"]
    while len(results) > 1 and size_of(reply) > room:
        results.pop()
    if len(results) < len(found):
        reply["omitidos"] = len(found) - len(results)
        reply["mensaje"] = f"{reply['omitidos']} of {len(found)} were left out, the least alike."
    return reply


def _item(one: SimilarMemory, preview_chars: int) -> SimilarMemoryReply:
    memory = one.memory
    reply = SimilarMemoryReply(
        concepto=memory.name,
        similitud=round(one.similarity, 4),
        contenido=memory.content,
        longitud=len(memory.content),
        categoria=memory.category,
        sustantivos_clave=list(memory.key_nouns),
    )
    if preview_chars and len(memory.content) > preview_chars:
        reply["contenido"] = memory.content[:preview_chars] + "…"
        reply["recortado"] = True
    return reply
