"""The shapes of the catalogue tools' answers; their Spanish keys are the public contract."""

from __future__ import annotations

from typing import NotRequired, TypedDict


class CategoryReply(TypedDict):
    """One category, and how many memories are in it."""

    id: int
    nombre: str
    descripcion: str
    memorias: int


class CategoriesReply(TypedDict):
    """Every category; `omitidos` were left out to keep the answer short."""

    total: int
    categorias: list[CategoryReply]
    omitidos: NotRequired[int]


class AxisReply(TypedDict):
    """One axis, and how many values it has."""

    id: int
    nombre: str
    descripcion: str
    num_dimensiones: int


class AxesReply(TypedDict):
    """Every axis."""

    total: int
    tipos: list[AxisReply]


class DimensionReply(TypedDict):
    """One value of an axis. `auto_generada`: an agent brought it; `memorias` hold it."""

    id: int
    nombre: str
    tipo: NotRequired[str]
    descripcion: str
    auto_generada: bool
    confianza: float
    memorias: int


class DimensionsOfAxisReply(TypedDict):
    """What an axis is about, and its values."""

    descripcion: str
    dimensiones: list[DimensionReply]


class DimensionsReply(TypedDict):
    """Axis to its values; `omitidos` were left out to keep the answer short."""

    total: int
    dimensiones: dict[str, DimensionsOfAxisReply]
    omitidos: NotRequired[int]


class DimensionsByAxisReply(TypedDict):
    """The values of the axes that were meant; `no_encontrados` meant none."""

    tipos_consultados: list[str]
    total: int
    dimensiones: list[DimensionReply]
    no_encontrados: NotRequired[list[str]]
    omitidos: NotRequired[int]
