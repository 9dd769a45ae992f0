"""What a store sorts its memories by: categories, semantic axes and their values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True, kw_only=True)
class Category:
    """One category.

    Attributes:
        id: Its place in the catalogue, from 1; the original's eleven come first.
        description: What it is for; empty for one that an agent brought.
        memories: How many are in it.
    """

    id: int
    name: str
    description: str
    memories: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AxisValue:
    """One value of a semantic axis.

    Attributes:
        auto_generated: An agent brought it; the catalogue's own are not.
        confidence: In [0, 1]; what the value weighs when it is shared.
        memories: How many hold it.
    """

    id: int
    axis: str
    name: str
    auto_generated: bool
    confidence: float
    memories: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """One semantic axis with its values, those that agents brought at the end."""

    id: int
    name: str
    description: str
    values: tuple[AxisValue, ...]


CATEGORIES: Mapping[str, str] = MappingProxyType(
    {
        "System": "how the agent and its tools work",
        "Architecture": "how something is built, and why so",
        "Project": "the state and the plans of a piece of work",
        "Lesson": "what was learnt from a success or a failure",
        "Profile": "who the user is, lastingly",
        "Personal": "the user's life and wishes",
        "Principle": "what always holds",
        "Protocol": "how something is to be done, step by step",
        "Cognition": "how one thinks and decides",
        "Relation": "people and what they are to each other",
        "General": "everything else",
    }
)
"""The original's categories in its order; a store may have any others besides."""

AXIS_DESCRIPTIONS: Mapping[str, str] = MappingProxyType(
    {
        "emocion": "what is felt about it",
        "entidad": "what kind of thing it is about",
        "accion": "what is being done",
        "cualidad": "which quality it tells of",
        "coordenada": "where or when it stands",
        "intencion": "what it was noted for",
        "dominio": "which field of life it belongs to",
        "cualia": "which aspect of a thing it gives: kind, parts, origin or purpose",
        "epistemia": "how it is known",
        "escala_abstraccion": "how general it is",
        "centralidad_identitaria": "how close it is to who the user is",
        "textura_experiencial": "how it was lived through",
        "modalidad": "whether it must, must not, may or can be",
    }
)
"""Axis name to the question that it answers about a memory."""
