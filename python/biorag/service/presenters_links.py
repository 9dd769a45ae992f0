"""What lies around memories, as an agent reads it."""

from __future__ import annotations

from collections.abc import Iterable

from biorag.model import Association, ContextStep
from biorag.service.replies import ContextReply, NeighbourReply

SUMMARY_CHARS = 120  # of a neighbour's text: enough to tell whether to read it


def present_neighbours(found: Iterable[Association]) -> list[NeighbourReply]:
    """The neighbours of one result, strongest first."""
    return [
        NeighbourReply(
            concepto=neighbour.name,
            fuerza_arista=round(neighbour.strength, 4),
            tipo_sinapsis=neighbour.rel,
            peso_vecino=round(neighbour.weight, 4),
            resumen=_summary(neighbour.content),
        )
        for neighbour in found
    ]


def present_context(steps: Iterable[ContextStep]) -> list[ContextReply]:
    """What lies around a page, nearest first."""
    return [
        ContextReply(
            concepto=step.name,
            desde=step.parent,
            fuerza=round(step.strength, 4),
            saltos=step.hops,
            resumen=_summary(step.content),
        )
        for step in steps
    ]


def _summary(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= SUMMARY_CHARS else line[:SUMMARY_CHARS] + "…"
