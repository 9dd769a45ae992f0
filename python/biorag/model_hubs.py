"""The values of Concept Hubs that cross the public API."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from biorag.model import Bridge


@dataclass(frozen=True, slots=True, kw_only=True)
class Hub:
    """One Concept Hub: bridges that lead to a memory.

    Attributes:
        canonical: Name of the memory that it leads to.
    """

    name: str
    canonical: str
    description: str
    bridges: tuple[Bridge, ...]
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class HubFinding:
    """Where a question's words lead over bridges.

    Attributes:
        match: Whether any hub is meant.
        hub: The name of the best one.
        confidence: Of the best one, in [0, 1].
        canonical: Names of the memories that matching hubs lead to, best first.
        bridges: Texts of the best hub's bridges that match, best first.
        expanded_terms: Words of these bridges that the question does not have.
    """

    match: bool
    hub: str | None = None
    confidence: float = 0.0
    canonical: tuple[str, ...] = ()
    bridges: tuple[str, ...] = ()
    expanded_terms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class HubDeleted:
    """What went with a hub; the memory that it led to stays."""

    hub: str
    canonical: str
    bridges: int
