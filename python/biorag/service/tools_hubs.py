"""Tools of Concept Hubs: other words that lead to a memory."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, TypedDict

from biorag.model_hubs import Hub
from biorag.service.arguments import About, Piped
from biorag.service.contract import bridges as bridges_of
from biorag.service.json_text import size_of
from biorag.service.registry import Context, Effect, tool

MOST_BRIDGES_SHOWN = 12
MOST_DESCRIBED = 300  # characters

HubId = Annotated[str, About("Name of the hub, such as hub_boiler_valve.")]
FreeBridges = Annotated[
    Piped,
    About("Other ways to ask for it, 2 content words or more each, separated by |."),
]


class BridgeReply(TypedDict):
    """One bridge, and where it comes from when that was said."""

    text: str
    angle: NotRequired[str]


class HubReply(TypedDict):
    """One hub: its first bridges, and how many it has."""

    hub_id: str
    canonical_node: str
    description: NotRequired[str]
    total_bridges: int
    bridges: list[BridgeReply]


class HubWrittenReply(TypedDict):
    """A hub after it was written to."""

    status: Literal["ok"]
    mensaje: str
    hub: HubReply


class HubsReply(TypedDict):
    """The first hubs of `total`; `omitidos` were left out to keep the answer short."""

    total: int
    hubs: list[HubReply]
    omitidos: NotRequired[int]


class HubSearchReply(TypedDict):
    """Where a question leads. `hub_confidence`: of the best hub, 0 to 1.

    `expanded_terms`: words of the bridges that match which the question does not have.
    """

    match: bool
    canonical_nodes: list[str]
    expanded_terms: list[str]
    hub_confidence: float
    hub_id: NotRequired[str]
    bridges_matched: list[str]


class HubDeletedReply(TypedDict):
    """What went; the memory stays."""

    status: Literal["ok"]
    hub_id: str
    canonical_node: str
    hubs_eliminados: int
    bridges_eliminados: int


@tool("concept_hub_crear", effect=Effect.WRITES, essential=False)
def create_hub(
    context: Context,
    hub_id: HubId,
    canonical_node: Annotated[str, About("Name of the existing memory that it leads to.")],
    description: Annotated[str, About("What it is about.")] = "",
    bridges: FreeBridges = (),
) -> HubWrittenReply:
    """Make a hub: questions in the words of its bridges find the memory that it leads to.

    Example: concept_hub_crear(hub_id="hub_water", canonical_node="boiler_valve",
    bridges="flooded cellar floor | pipe burst at night")
    """
    made = context.memory.create_hub(
        hub_id, canonical_node, description=description, bridges=bridges_of(bridges)
    )
    return HubWrittenReply(status="ok", mensaje="Made.", hub=_present(made))


@tool("concept_hub_agregar_bridges", effect=Effect.WRITES, essential=False)
def add_bridges(context: Context, hub_id: HubId, bridges: FreeBridges) -> HubWrittenReply:
    """Add bridges to a hub.

    Example: concept_hub_agregar_bridges(hub_id="hub_water", bridges="no hot shower")
    """
    grown = context.memory.add_bridges(hub_id, bridges_of(bridges))
    return HubWrittenReply(status="ok", mensaje="Added.", hub=_present(grown))


@tool("concept_hub_listar", effect=Effect.READS, essential=False)
def list_hubs(
    context: Context,
    concepto: Annotated[str | None, About("Only hubs that lead to this memory.")] = None,
) -> HubsReply:
    """List the hubs with their bridges, in the order in which they were made.

    Example: concept_hub_listar()
    """
    known = context.memory.hubs(concepto or None)
    reply = HubsReply(total=len(known), hubs=[])
    room = context.settings.reply_bytes - size_of(reply) - 100
    for hub in known:
        shown = _present(hub)
        room -= size_of(shown) + 1
        if room < 0 and reply["hubs"]:
            break
        reply["hubs"].append(shown)
    if len(reply["hubs"]) < len(known):
        reply["omitidos"] = len(known) - len(reply["hubs"])
    return reply


@tool("concept_hub_buscar", effect=Effect.READS, essential=False)
def search_hubs(
    context: Context, query: Annotated[str, About("A question, or a few words.")]
) -> HubSearchReply:
    """Tell which hub a question means, and the memories that it leads to.

    Example: concept_hub_buscar(query="the cellar is flooded")
    """
    found = context.memory.match_hubs(query)
    reply = HubSearchReply(
        match=found.match,
        canonical_nodes=list(found.canonical),
        expanded_terms=list(found.expanded_terms),
        hub_confidence=round(found.confidence, 4),
        bridges_matched=list(found.bridges[:MOST_BRIDGES_SHOWN]),
    )
    if found.hub is not None:
        reply["hub_id"] = found.hub
    return reply


@tool("concept_hub_eliminar", effect=Effect.DELETES, essential=False)
def delete_hub(context: Context, hub_id: HubId) -> HubDeletedReply:
    """Delete a hub with its bridges; the memory that it leads to stays.

    Example: concept_hub_eliminar(hub_id="hub_water")
    """
    gone = context.memory.delete_hub(hub_id)
    return HubDeletedReply(
        status="ok",
        hub_id=gone.hub,
        canonical_node=gone.canonical,
        hubs_eliminados=1,
        bridges_eliminados=gone.bridges,
    )


def _present(hub: Hub) -> HubReply:
    reply = HubReply(
        hub_id=hub.name,
        canonical_node=hub.canonical,
        total_bridges=len(hub.bridges),
        bridges=[
            BridgeReply(text=bridge.text)
            if bridge.angle is None
            else BridgeReply(text=bridge.text, angle=bridge.angle)
            for bridge in hub.bridges[:MOST_BRIDGES_SHOWN]
        ],
    )
    if hub.description:
        reply["description"] = hub.description[:MOST_DESCRIBED]
    return reply
