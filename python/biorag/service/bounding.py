"""Answers cut to a bound, marked where they were cut, with the call that gets the rest."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from biorag.service.json_text import size_of
from biorag.service.replies import MemoryReply, RecallReply

# A preview below this says nothing; results are left out before texts get any shorter.
SHORTEST_PREVIEW = 120

# What one result can do without when it alone is too long, dearest last.
DETAILS: Final = (
    "contexto_expandido",
    "asociaciones_enriquecidas",
    "calibracion",
    "trazabilidad",
    "sinonimos",
    "dimensiones_semanticas",
    "evidencia",
    "senales",
)


def cut_content(reply: MemoryReply, preview_chars: int) -> None:
    """Shorten the text of one result to `preview_chars` and mark it; 0 leaves it whole."""
    if preview_chars and len(reply["contenido"]) > preview_chars:
        reply["contenido"] = reply["contenido"][:preview_chars] + "…"
        reply["recortado"] = True


def bounded(reply: RecallReply, budget_bytes: int) -> RecallReply:
    """The same answer in at most `budget_bytes` of JSON, saying what was left out.

    Previews shrink first, then the last results are dropped: names and scores of more memories
    help an agent more than whole texts of fewer.
    """
    results = _shown(reply)
    room = budget_bytes - 500  # for the notices that are added below
    # A character takes a byte or more, so this much is certain without measuring.
    preview = _even_share([len(r["contenido"]) for r in results], room)
    _cut_all(results, preview)
    while (size := size_of(reply)) > room and preview > SHORTEST_PREVIEW:
        preview = max(min(preview * room // size, preview - 1), SHORTEST_PREVIEW)
        _cut_all(results, preview)
    asked = len(results)
    while len(results) > 1 and size_of(reply) > room:
        del results[-max(len(results) // 8, 1) :]
    for detail in DETAILS:
        if size_of(reply) > room:
            _leave_out(reply, detail)
    if len(results) < asked:
        reply["omitidos"] = asked - len(results)
    _say_what_was_cut(reply, asked)
    return reply


def _shown(reply: RecallReply) -> list[MemoryReply]:
    """The memories that a reply shows: answers, or what is related."""
    return reply["relacionados"] if reply.get("relacionados") else reply["resultados"]


def _even_share(lengths: list[int], room: int) -> int:
    """The largest share for which the lengths, each cut to it, fit the room together."""
    for position, length in enumerate(sorted(lengths)):
        share = room // (len(lengths) - position)
        if length > share:
            return max(share, SHORTEST_PREVIEW)
        room -= length
    return max(lengths, default=SHORTEST_PREVIEW)


def _leave_out(reply: RecallReply, detail: str) -> None:
    dropped: Any = reply  # a key that may be absent, by name, of typed dictionaries
    dropped.pop(detail, None)
    for result in _shown(reply):
        dropped_result: Any = result
        dropped_result.pop(detail, None)


def _cut_all(results: Iterable[MemoryReply], preview_chars: int) -> None:
    for result in results:
        cut_content(result, preview_chars)


def _say_what_was_cut(reply: RecallReply, asked: int) -> None:
    notices = [reply["mensaje"]] if "mensaje" in reply else []
    if any(result.get("recortado") for result in _shown(reply)):
        notices.append(
            "Texts marked recortado are cut (longitud is the true length); "
            "recordar(query=<concepto>, completo=true) reads one whole."
        )
    if "omitidos" in reply:
        notices.append(
            f"{reply['omitidos']} of {asked} results were left out to keep the answer short; "
            f"ask with limite={len(_shown(reply))} and go on with pagina."
        )
    if notices:
        reply["mensaje"] = " ".join(notices)
