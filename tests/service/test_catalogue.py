"""Listing categories, axes and values, and searching by them, as a client does."""

from __future__ import annotations

from dataclasses import replace

import pytest

from biorag.catalogue import AXIS_DESCRIPTIONS
from biorag.engine.memory import Memory
from biorag.errors import DimensionsError, InvalidInputError
from biorag.service.json_text import size_of
from biorag.service.presenters import present_error
from biorag.service.registry import Context, published_tools
from biorag.storage.axes import AXES
from service.conftest import Call


@pytest.fixture
def house(memory: Memory) -> Memory:
    memory.learn("boiler", "The boiler.", category="Lesson", dimensions={"emocion": ["miedo"]})
    memory.learn("lamp", "The lamp.", category="Attic", dimensions={"emocion": ["miedo", "zeal"]})
    return memory


def test_every_axis_has_a_description() -> None:
    assert tuple(AXIS_DESCRIPTIONS) == tuple(AXES)


def test_the_originals_categories_come_first(call: Call, house: Memory) -> None:
    reply = call("listar_categorias")
    assert reply["total"] == 12
    assert reply["categorias"][0]["nombre"] == "System"
    assert reply["categorias"][3] == {
        "id": 4,
        "nombre": "Lesson",
        "descripcion": "what was learnt from a success or a failure",
        "memorias": 1,
    }
    assert reply["categorias"][-1] == {
        "id": 12,
        "nombre": "Attic",
        "descripcion": "",
        "memorias": 1,
    }


def test_dimensions_stand_by_axis(call: Call, house: Memory) -> None:
    reply = call("listar_dimensiones")
    assert reply["total"] == 103
    assert list(reply["dimensiones"]) == list(AXES)
    *_, brought = reply["dimensiones"]["emocion"]["dimensiones"]
    assert brought == {
        "id": 103,
        "nombre": "zeal",
        "descripcion": "zeal",
        "auto_generada": True,
        "confianza": 0.7,
        "memorias": 1,
    }
    held = {d["nombre"]: d["memorias"] for d in reply["dimensiones"]["emocion"]["dimensiones"]}
    assert held["miedo"] == 2


def test_axes_are_listed_with_their_size(call: Call, house: Memory) -> None:
    reply = call("listar_tipos_dimension")
    assert reply["total"] == 13
    assert reply["tipos"][0]["nombre"] == "emocion"
    assert reply["tipos"][0]["num_dimensiones"] == 13


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        ("emocion", ["emocion"]),
        ("Emocion, modalidad", ["emocion", "modalidad"]),
        ("1", ["emocion"]),
        ("identitaria", ["centralidad_identitaria"]),
        ("al", ["cualidad", "cualia", "escala_abstraccion", "centralidad_identitaria"]),
    ],
)
def test_an_axis_is_meant_by_name_part_or_number(call: Call, asked: str, meant: list[str]) -> None:
    reply = call("listar_dimensiones_por_tipo", tipo=asked)
    found = reply["tipos_consultados"]
    assert [axis for axis in found if axis in meant] == meant
    assert {held["tipo"] for held in reply["dimensiones"]} == set(found)
    assert reply["total"] == len(reply["dimensiones"])


def test_what_means_no_axis_is_told(call: Call) -> None:
    reply = call("listar_dimensiones_por_tipo", tipo="emocion, domino")
    assert reply["no_encontrados"] == ["domino"]
    with pytest.raises(DimensionsError, match="known are emocion"):
        call("listar_dimensiones_por_tipo", tipo="domino")
    with pytest.raises(InvalidInputError):
        call("listar_dimensiones_por_tipo", tipo=" ")


@pytest.mark.parametrize("name", ["listar_dimensiones", "listar_categorias"])
def test_a_long_list_is_cut_to_the_bound_and_says_so(
    context: Context, memory: Memory, name: str
) -> None:
    values = [f"value_{nth}" for nth in range(400)]
    memory.learn("many", "text", dimensions={"entidad": values})
    for nth in range(200):
        memory.learn(f"m{nth}", "text", category=f"category {nth}")
    small = replace(context, settings=replace(context.settings, reply_bytes=9_000))
    reply = dict(published_tools()[name].handler(small))
    assert 7_500 < size_of(reply) <= 9_000
    assert reply["omitidos"] > 0


class TestSearchingByDimensions:
    def test_a_mapping_and_its_json_text_are_the_same(self, call: Call, house: Memory) -> None:
        for sent in ({"emocion": ["zeal"]}, '{"emocion": "zeal"}', {"emocion": "zeal, alegria"}):
            reply = call("recordar", query="the", sustantivos_clave="lamp", dimensiones=sent)
            assert reply["resultados"][0]["concepto"] == "lamp"

    def test_without_a_query_they_list_what_shares_most(self, call: Call, house: Memory) -> None:
        for tool in ("recordar", "buscar"):
            reply = call(tool, query="", dimensiones={"emocion": ["zeal", "miedo"]})
            assert [held["concepto"] for held in reply["resultados"]] == ["lamp", "boiler"]
            assert reply["modo"] == "dimensiones"
            assert reply["total"] == 2

    def test_strict_lets_through_what_has_a_value_of_each_axis(
        self, call: Call, house: Memory
    ) -> None:
        house.learn("both", "Both.", dimensions={"emocion": ["miedo"], "dominio": ["casa"]})
        sent = {"emocion": ["miedo"], "dominio": ["casa"]}
        reply = call("recordar", dimensiones=sent, modo_estricto=True)
        assert [held["concepto"] for held in reply["resultados"]] == ["both"]

    def test_a_slip_is_told_and_the_rest_is_used(self, call: Call, house: Memory) -> None:
        sent = {"emocion": ["zeal", "7"], "domino": ["casa"]}
        reply = call("recordar", dimensiones=sent)
        assert [held["concepto"] for held in reply["resultados"]] == ["lamp"]
        assert reply["dimensiones_invalidas"] == ["emocion:7", "domino:casa"]

    def test_a_slip_in_a_strict_search_is_an_error(self, call: Call, house: Memory) -> None:
        sent = {"emocion": ["zeal"], "domino": ["casa"]}
        with pytest.raises(DimensionsError):
            call("recordar", dimensiones=sent, modo_estricto=True)

    def test_when_nothing_is_meant_the_error_names_the_known_axes(self, call: Call) -> None:
        with pytest.raises(DimensionsError) as caught:
            call("recordar", dimensiones={"domino": ["casa"]})
        reply = present_error(caught.value)
        assert reply["codigo"] == "DIMENSIONES_INVALIDAS"
        assert reply["campo"] == "dimensiones"
        assert reply["dimensiones_invalidas"] == ["domino:casa"]
        assert "dominio" in reply["regla"]

    def test_key_nouns_are_needed_beside_a_query_alone(self, call: Call, house: Memory) -> None:
        with pytest.raises(InvalidInputError):
            call("recordar", query="lamp", dimensiones={"emocion": ["zeal"]})
