"""The table of evidence beside the words: the only place that knows which kinds there are.

A kind of evidence reads what the store holds beside the texts of the pool's memories (links, axes,
hubs, roles) in one go, and gives signals numbers to read: `candidates.beside[name]`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from biorag.kernels.index import RankedCandidates
from biorag.retrieval.knowledge import Inquiry
from biorag.signals import FloatArray

EvidenceFunction = Callable[[Inquiry, RankedCandidates], Mapping[str, FloatArray]]
"""From the inquiry and its n candidates to named numbers, each of shape (n,)."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """One kind of evidence.

    Attributes:
        lane: What the store must hold for it to speak; `None` speaks on every store.
    """

    name: str
    lane: str | None
    read: EvidenceFunction


_kinds: dict[str, Evidence] = {}


def evidence(
    *, name: str, lane: str | None = None
) -> Callable[[EvidenceFunction], EvidenceFunction]:
    """Enters the decorated function in the table under a name of its own."""

    def register(read: EvidenceFunction) -> EvidenceFunction:
        if name in _kinds:
            raise ValueError(f"evidence {name} is already registered")
        _kinds[name] = Evidence(name, lane, read)
        return read

    return register


def all_evidence() -> tuple[Evidence, ...]:
    """Every kind, by name."""
    return tuple(_kinds[name] for name in sorted(_kinds))


def collect(inquiry: Inquiry, ranked: RankedCandidates) -> dict[str, FloatArray]:
    """What every kind that can speak for this store says of the candidates."""
    beside: dict[str, FloatArray] = {}
    if not ranked.ids.size:
        return beside
    having = inquiry.having
    for kind in all_evidence():
        if kind.name in having.settings.without:
            continue
        if kind.lane is not None and kind.lane not in having.revisions:
            continue
        for name, values in kind.read(inquiry, ranked).items():
            beside[name] = np.asarray(values, dtype=np.float64)
    return beside
