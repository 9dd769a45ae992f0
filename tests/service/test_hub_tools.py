"""The tools of Concept Hubs, and bridges as clients send them."""

from __future__ import annotations

import json

import pytest

from biorag.engine.memory import Memory
from biorag.errors import BridgesError, HubNotFoundError, InvalidInputError, NodeNotFoundError
from biorag.service.json_text import size_of
from biorag.service.presenters import present_error
from biorag.service.registry import Context, profile, published_tools
from biorag.settings import Settings
from service.conftest import Call

BRIDGES = [
    {"text": "shutoff tap", "angle": "sinónimo"},
    {"text": "flooded cellar floor", "angle": "problema"},
    {"text": "cutting the water supply", "angle": "solucion"},
    {"text": "plumber called at night", "angle": "situación"},
    {"text": "that red wheel thing", "angle": "ingenuo"},
]
STORED = {
    "concepto": "boiler valve",
    "contenido": "Behind a panel.",
    "sustantivos_clave": "boiler, valve",
    "busqueda_previa": True,
}


@pytest.mark.parametrize("sent", [BRIDGES, json.dumps(BRIDGES)], ids=["list", "json"])
@pytest.mark.parametrize("tool", ["aprender", "guardar"])
def test_bridges_are_learnt_with_a_memory(call: Call, tool: str, sent: object) -> None:
    further = {"dimensiones": {"dominio": ["hogar"]}} if tool == "aprender" else {}
    assert call(tool, **STORED, **further, bridges=sent)["hub"] == "hub_boiler_valve"
    (hub,) = call("concept_hub_listar")["hubs"]
    assert [bridge["angle"] for bridge in hub["bridges"]] == [
        *("sinonimo", "problema", "solucion", "situacion", "ingenuo")
    ]


@pytest.mark.parametrize("sent", [None, [], "", "null"])
def test_bridges_may_be_left_out(call: Call, sent: object) -> None:
    assert "hub" not in call("guardar", **STORED, bridges=sent)


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        (["a text alone"], "has no angle"),
        ([{"text": "two words", "angle": "lado"}], "bridge 1 .*the angle is one of sinonimo"),
        ([{"angle": "problema"}], "bridge 1 has no text"),
        ([{"text": "two words", "angulo": "problema"}], "does not take angulo"),
        (BRIDGES[:4], "none of angle ingenuo"),
    ],
)
def test_what_is_wrong_with_a_bridge_is_said(
    call: Call, memory: Memory, sent: object, said: str
) -> None:
    with pytest.raises(BridgesError, match=said) as caught:
        call("guardar", **STORED, bridges=sent)
    assert present_error(caught.value)["codigo"] == "PUENTES_INVALIDOS"
    assert memory.count() == 0


@pytest.mark.parametrize("sent", [3, [3], "[1", '["a" "b"]'])
def test_what_is_no_list_is_refused(call: Call, sent: object) -> None:
    with pytest.raises(InvalidInputError, match="bridges="):
        call("guardar", **STORED, bridges=sent)


def test_a_hub_from_making_to_deleting(call: Call) -> None:
    call("guardar", **STORED)
    made = call(
        "concept_hub_crear",
        hub_id="hub_water",
        canonical_node="boiler_valve",
        description="water",
        bridges="flooded cellar floor | pipe burst at night |",
    )
    assert made["hub"]["total_bridges"] == 2
    grown = call(
        "concept_hub_agregar_bridges",
        hub_id="hub_water",
        bridges=["no hot shower", {"text": "cold radiators everywhere", "angle": "problema"}],
    )
    assert grown["hub"]["bridges"][-1] == {"text": "cold radiators everywhere", "angle": "problema"}
    listed = call("concept_hub_listar", concepto="boiler valve")
    assert (listed["total"], listed["hubs"][0]["description"]) == (1, "water")
    found = call("concept_hub_buscar", query="why is my cellar flooded?")
    assert found == {
        "match": True,
        "canonical_nodes": ["boiler valve"],
        "expanded_terms": ["floor"],
        "hub_confidence": pytest.approx(0.6667, abs=0.001),
        "hub_id": "hub_water",
        "bridges_matched": ["flooded cellar floor"],
    }
    gone = call("concept_hub_eliminar", hub_id="hub_water")
    assert (gone["hubs_eliminados"], gone["bridges_eliminados"]) == (1, 4)
    assert call("concept_hub_listar")["total"] == 0
    assert call("concept_hub_buscar", query="why is my cellar flooded?") == {
        "match": False,
        "canonical_nodes": [],
        "expanded_terms": [],
        "hub_confidence": 0.0,
        "bridges_matched": [],
    }


def test_what_is_not_there_is_told_by_the_name_of_its_parameter(call: Call) -> None:
    call("guardar", **STORED)
    call("concept_hub_crear", hub_id="hub_water", canonical_node="boiler valve")
    with pytest.raises(HubNotFoundError) as no_hub:
        call("concept_hub_eliminar", hub_id="hub_waters")
    assert present_error(no_hub.value, ["hub_id"]) == {
        "codigo": "HUB_NO_ENCONTRADO",
        "mensaje": str(no_hub.value),
        "campo": "hub_id",
        "valor": "hub_waters",
        "sugerencias": ["hub_water"],
    }
    with pytest.raises(NodeNotFoundError) as no_memory:
        call("concept_hub_crear", hub_id="other", canonical_node="boiler valves")
    parameters = [p.name for p in published_tools()["concept_hub_crear"].parameters]
    assert present_error(no_memory.value, parameters)["campo"] == "canonical_node"
    assert present_error(no_memory.value)["campo"] == "concepto"


def test_a_long_list_of_hubs_is_cut_and_says_so(context: Context) -> None:
    for n in range(30):
        context.memory.learn(f"m{n}", f"text {n}")
        context.memory.create_hub(f"hub {n}", f"m{n}", description="d" * 400)
    bounded = Context(context.memory, Settings(reply_bytes=3_000), context.clock)
    reply = dict(published_tools()["concept_hub_listar"].handler(bounded))
    assert size_of(reply) <= 3_000
    assert reply["omitidos"] == 30 - len(reply["hubs"]) > 0


def test_hubs_are_for_those_who_ask_for_all_tools() -> None:
    hubs = {name for name in published_tools() if name.startswith("concept_hub_")}
    assert len(hubs) == 5
    assert not hubs & set(profile("esencial"))
