"""The published schemas: plain enough for every client, and pinned."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from biorag.errors import SettingsError
from biorag.service.mcp_server import SERVER_NAME, listed_tools
from biorag.service.registry import profile, published_tools

CONTRACT = Path(__file__).parents[1] / "contract" / "tools_list.json"
LISTED = [
    tool.model_dump(by_alias=True, mode="json", exclude_none=True)
    for tool in listed_tools(published_tools())
]
SCALARS = {"string", "integer", "number", "boolean"}


def test_the_list_of_tools_is_the_pinned_one() -> None:
    assert json.loads(CONTRACT.read_text(encoding="utf-8")) == LISTED


def test_every_tool_is_listed_once_under_its_main_name() -> None:
    names = [tool["name"] for tool in LISTED]
    expected = ["recordar", "buscar", "aprender", "guardar", "actualizar"]
    expected += ["agregar_sustantivos", "olvidar", "estado", "calibrar", "explicar"]
    expected += ["listar_categorias", "listar_dimensiones", "listar_tipos_dimension"]
    expected += ["listar_dimensiones_por_tipo", "vincular", "desvincular", "similares_a"]
    hubs = ("crear", "agregar_bridges", "listar", "buscar", "eliminar")
    assert sorted(names) == sorted([*expected, *(f"concept_hub_{verb}" for verb in hubs)])


@pytest.mark.parametrize("tool", LISTED, ids=lambda tool: tool["name"])
def test_a_tool_takes_an_object_of_plain_parameters(tool: dict[str, Any]) -> None:
    schema = tool["inputSchema"]
    assert schema["type"] == "object"
    assert isinstance(schema["properties"], dict)
    assert schema["additionalProperties"] is False
    assert isinstance(schema.get("required", []), list)
    assert set(schema.get("required", [])) <= set(schema["properties"])
    for name, parameter in schema["properties"].items():
        assert parameter["type"] in SCALARS | {"array", "object"}, name
        assert parameter["description"], name


@pytest.mark.parametrize("tool", LISTED, ids=lambda tool: tool["name"])
@pytest.mark.parametrize("side", ["inputSchema", "outputSchema"])
def test_no_schema_has_a_union_or_a_reference(tool: dict[str, Any], side: str) -> None:
    parts = list(_walk(tool[side]))
    assert parts
    for part in parts:
        assert not {"anyOf", "oneOf", "allOf", "$ref", "$defs"} & set(part)
        assert isinstance(part.get("type", "object"), str)


@pytest.mark.parametrize("tool", LISTED, ids=lambda tool: tool["name"])
@pytest.mark.parametrize("side", ["inputSchema", "outputSchema"])
def test_every_schema_is_valid_json_schema(tool: dict[str, Any], side: str) -> None:
    Draft202012Validator.check_schema(tool[side])


@pytest.mark.parametrize("tool", LISTED, ids=lambda tool: tool["name"])
def test_server_and_tool_name_fit_in_sixty_characters(tool: dict[str, Any]) -> None:
    assert len(f"{SERVER_NAME}:{tool['name']}") <= 60


@pytest.mark.parametrize("tool", LISTED, ids=lambda tool: tool["name"])
def test_a_description_is_short_and_has_an_example(tool: dict[str, Any]) -> None:
    assert f"Example: {tool['name']}(" in tool["description"]
    assert len(tool["description"]) < 600


def test_only_deleting_is_announced_as_destructive() -> None:
    destructive = {tool["name"] for tool in LISTED if tool["annotations"]["destructiveHint"]}
    reading = {tool["name"] for tool in LISTED if tool["annotations"]["readOnlyHint"]}
    assert destructive == {"olvidar", "concept_hub_eliminar"}
    hubs = {"concept_hub_listar", "concept_hub_buscar"}
    assert reading == {
        *("recordar", "buscar", "estado", "explicar", "listar_categorias", "listar_dimensiones"),
        *("listar_tipos_dimension", "listar_dimensiones_por_tipo", "similares_a", *hubs),
    }


def test_the_whole_list_is_short() -> None:
    # The original system's list had 92 kB, which an agent reads before it does anything.
    assert len(json.dumps(LISTED)) < 60_000
    essential = [tool for tool in LISTED if tool["name"] in profile("esencial")]
    assert len(json.dumps(essential)) < 27_000


def test_a_profile_of_names_holds_those_tools_and_their_aliases_alone() -> None:
    assert set(profile("estado, recordar")) == {"estado", "introspeccion", "recordar"}


def test_the_default_profile_is_the_essential_one() -> None:
    assert set(profile("esencial")) <= set(profile("completo"))
    assert {"recordar", "aprender"} <= set(profile("esencial"))


@pytest.mark.parametrize(
    ("selection", "said"), [("recodar", "did you mean recordar"), (" , ", "expected")]
)
def test_a_profile_that_names_no_tool_is_refused(selection: str, said: str) -> None:
    with pytest.raises(SettingsError, match=said):
        profile(selection)


def _walk(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield schema
    for part in schema.get("properties", {}).values():
        yield from _walk(part)
    for key in ("items", "additionalProperties"):
        if isinstance(schema.get(key), dict):
            yield from _walk(schema[key])
