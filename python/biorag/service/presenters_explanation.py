"""An explanation as the reply of a tool."""

from __future__ import annotations

from typing import Final, Literal

from biorag.model import Explanation
from biorag.service.presenters import present_hit, present_trace
from biorag.service.replies import ExplanationReply

_EXCLUDED: Final[dict[str, Literal["estado", "filtro"]]] = {"state": "estado", "filter": "filtro"}
PREVIEW_CHARS = 300


def present_explanation(name: str, found: Explanation, *, now: float) -> ExplanationReply:
    """Why a memory is where it is, for people and for agents.

    Args:
        name: As it was asked for.
        found: What the engine says.
        now: Seconds since 1970, to tell ages.
    """
    reply = ExplanationReply(
        concepto=name if found.hit is None else found.hit.name,
        candidatos=found.candidates,
        abstencion=found.abstained,
        nivel_certeza=found.certainty,
        faltan=list(found.missing),
        trazabilidad=present_trace(found.trace, explain=True),
        mensaje=_message(found),
    )
    if found.place is not None:
        reply["lugar"] = found.place
    if found.excluded is not None:
        reply["excluida"] = _EXCLUDED[found.excluded]
    if found.hit is not None:
        reply["memoria"] = present_hit(found.hit, now, PREVIEW_CHARS, explain=True)
        if found.hit.moves:
            reply["movimientos"] = dict(found.hit.moves)
    if found.best is not None and (found.hit is None or found.best.id != found.hit.id):
        reply["primera"] = present_hit(found.best, now, PREVIEW_CHARS, explain=True)
    return reply


def _message(found: Explanation) -> str:
    if found.excluded == "state":
        return "It is asleep or in quarantine: only a deep search can find what is asleep."
    if found.hit is None:
        return "The filters leave it out."
    place = f"Place {found.place} of {found.candidates} that were scored."
    if not found.missing:
        return f"{place} It holds every word of the question in some form."
    if not found.hit.evidence:
        return f"{place} It holds no word of the question in any form."
    return f"{place} It lacks: {', '.join(found.missing)}."
