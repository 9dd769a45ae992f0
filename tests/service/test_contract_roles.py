"""Statements and roles in the shapes that agents send."""

from __future__ import annotations

import pytest

from biorag import Predicate
from biorag.errors import InvalidInputError
from biorag.service.contract_roles import predicates, roles


@pytest.mark.parametrize(
    "text",
    [
        "sujeto:Ana,accion:comprar",
        " Sujeto : Ana , Acción: comprar ",
        '{"sujeto": "Ana", "acción": "comprar"}',
    ],
)
def test_roles_are_understood_in_either_shape(text: str) -> None:
    assert roles(text) == {"subject": "Ana", "action": "comprar"}


def test_a_comma_within_a_role_belongs_to_it() -> None:
    assert roles("objeto:pan, queso,contexto:lunes") == {
        "object": "pan, queso",
        "context": "lunes",
    }
    assert roles("") == {}


@pytest.mark.parametrize("text", ["verbo:x", "Ana", "sujeto:", '{"sujeto": }'])
def test_what_is_no_role_is_named(text: str) -> None:
    with pytest.raises(InvalidInputError, match="buscar_por_rol"):
        roles(text)


def test_statements_are_objects_with_spanish_roles() -> None:
    said = {"sujeto": "Ana", "acción": "comprar", "objeto": "pan", "contexto": None}
    assert predicates([said]) == (Predicate(subject="Ana", action="comprar", object="pan"),)


@pytest.mark.parametrize(
    "piece", ["Ana compra pan", {"sujeto": "Ana"}, {"accion": "x", "verbo": "y"}, {"accion": 3}]
)
def test_a_bad_statement_says_what_is_expected(piece: object) -> None:
    with pytest.raises(InvalidInputError, match=r"statement 1.*accion"):
        predicates([piece])  # type: ignore[list-item]
