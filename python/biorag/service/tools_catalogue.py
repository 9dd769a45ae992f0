"""Tools that list the catalogue: listar_categorias = categories, listar_dimensiones = dimensions.

And listar_tipos_dimension = axes, listar_dimensiones_por_tipo = the dimensions of some axes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, TypeVar

from biorag.catalogue import Axis, AxisValue
from biorag.errors import DimensionsError, InvalidInputError
from biorag.service.arguments import About, CommaWords
from biorag.service.json_text import size_of
from biorag.service.presenters import MOST_ECHOED
from biorag.service.registry import Context, Effect, tool
from biorag.service.replies_catalogue import (
    AxesReply,
    AxisReply,
    CategoriesReply,
    CategoryReply,
    DimensionReply,
    DimensionsByAxisReply,
    DimensionsOfAxisReply,
    DimensionsReply,
)

Axes = Annotated[
    CommaWords, About("Axes, comma-separated: names, parts of names, or ids, such as dominio, 3.")
]

ItemT = TypeVar("ItemT")
ReplyT = TypeVar("ReplyT", bound=CategoriesReply | DimensionsReply | DimensionsByAxisReply)


@tool("listar_categorias", effect=Effect.READS, essential=False)
def list_categories(context: Context) -> CategoriesReply:
    """List the categories with how many memories are in each.

    Example: listar_categorias()
    """
    found = context.memory.categories()

    def reply(kept: int) -> CategoriesReply:
        listed = [
            CategoryReply(
                id=held.id,
                nombre=held.name,
                descripcion=held.description,
                memorias=held.memories,
            )
            for held in found[:kept]
        ]
        return CategoriesReply(total=len(found), categorias=listed)

    return _fitting(reply, len(found), context.settings.reply_bytes)


@tool("listar_dimensiones", effect=Effect.READS, essential=False)
def list_dimensions(context: Context) -> DimensionsReply:
    """List the semantic axes with their values, to place a memory or to search by.

    Any other value may be used as well: it joins its axis when a memory is learnt with it.
    Example: listar_dimensiones()
    """
    axes = context.memory.axes()
    order = _telling_first(axes)

    def reply(kept: int) -> DimensionsReply:
        shown = {value.id for value in order[:kept]}
        return DimensionsReply(
            total=len(order),
            dimensiones={
                axis.name: DimensionsOfAxisReply(
                    descripcion=axis.description,
                    dimensiones=[_dimension(value) for value in axis.values if value.id in shown],
                )
                for axis in axes
            },
        )

    return _fitting(reply, len(order), context.settings.reply_bytes)


@tool("listar_tipos_dimension", effect=Effect.READS, essential=False)
def list_axes(context: Context) -> AxesReply:
    """List the semantic axes, each with what it tells of a memory and how many values it has.

    Example: listar_tipos_dimension()
    """
    axes = context.memory.axes()
    return AxesReply(
        total=len(axes),
        tipos=[
            AxisReply(
                id=axis.id,
                nombre=axis.name,
                descripcion=axis.description,
                num_dimensiones=len(axis.values),
            )
            for axis in axes
        ],
    )


@tool("listar_dimensiones_por_tipo", effect=Effect.READS, essential=False)
def list_dimensions_of_axes(context: Context, tipo: Axes) -> DimensionsByAxisReply:
    """List the values of some semantic axes.

    Example: listar_dimensiones_por_tipo(tipo="dominio, emocion")
    """
    if not tipo:
        raise InvalidInputError("tipo", "", "expected at least one axis")
    axes = context.memory.axes()
    meant = {asked: _meant(asked, axes) for asked in tipo}
    chosen = [axis for axis in axes if any(axis.id in ids for ids in meant.values())]
    if not chosen:
        rule = f"no axis is meant; known are {', '.join(axis.name for axis in axes)}"
        raise DimensionsError("tipo", tipo, rule)
    order = _telling_first(chosen)
    unknown = [asked for asked, ids in meant.items() if not ids]

    def reply(kept: int) -> DimensionsByAxisReply:
        shown = {value.id for value in order[:kept]}
        listed = DimensionsByAxisReply(
            tipos_consultados=[axis.name for axis in chosen],
            total=len(order),
            dimensiones=[
                _dimension(value, axis=axis.name)
                for axis in chosen
                for value in axis.values
                if value.id in shown
            ],
        )
        if unknown:
            listed["no_encontrados"] = [asked[:80] for asked in unknown[:MOST_ECHOED]]
        return listed

    return _fitting(reply, len(order), context.settings.reply_bytes)


def _meant(asked: str, axes: Sequence[Axis]) -> set[int]:
    """The axes that a name, a part of a name or a number means; a whole name means that alone."""
    wanted = asked.strip().casefold().replace(" ", "_")
    exact = {axis.id for axis in axes if wanted in (axis.name, str(axis.id))}
    return exact or {axis.id for axis in axes if wanted and wanted in axis.name}


def _telling_first(axes: Sequence[Axis]) -> list[AxisValue]:
    """The catalogue's own values, then what agents brought, that of most memories first."""
    values = [value for axis in axes for value in axis.values]
    return sorted(
        values,
        key=lambda value: (value.auto_generated, -value.memories * value.auto_generated, value.id),
    )


def _dimension(value: AxisValue, *, axis: str | None = None) -> DimensionReply:
    reply = DimensionReply(
        id=value.id,
        nombre=value.name,
        descripcion=value.name.removeprefix(f"{value.axis}_").replace("_", " "),
        auto_generada=value.auto_generated,
        confianza=value.confidence,
        memorias=value.memories,
    )
    if axis is not None:
        reply["tipo"] = axis
    return reply


def _fitting(reply: Callable[[int], ReplyT], count: int, budget_bytes: int) -> ReplyT:
    """The reply with as many of its `count` items, from the first on, as fit."""
    whole = reply(count)
    if size_of(whole) <= budget_bytes:
        return whole
    fits, too_many = 0, count
    while too_many - fits > 1:
        middle = (fits + too_many) // 2
        if size_of(reply(middle)) <= budget_bytes - len('"omitidos":9999999999,'):
            fits = middle
        else:
            too_many = middle
    cut = reply(fits)
    cut["omitidos"] = count - fits
    return cut
