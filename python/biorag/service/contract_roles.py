"""Statements and roles as agents write them: Spanish names, many shapes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Final

from biorag.errors import InvalidInputError
from biorag.model_predicates import Predicate, Role
from biorag.service.arguments import Piece

_ROLES: Final[Mapping[str, Role]] = {
    "sujeto": "subject",
    "accion": "action",
    "objeto": "object",
    "contexto": "context",
}
_UNACCENTED = str.maketrans("áéíóú", "aeiou")
_SHAPE = '{"sujeto": "…", "accion": "…", "objeto": "…", "contexto": "…"}'


def predicates(pieces: Sequence[Piece]) -> tuple[Predicate, ...]:
    """Statements out of objects with the roles as keys; a role that is left out is empty.

    Raises:
        InvalidInputError: a text instead of an object, a key that is no role, or no action.
    """
    return tuple(_predicate(position, piece) for position, piece in enumerate(pieces, start=1))


def roles(text: str) -> dict[Role, str]:
    """What is asked by role, out of `sujeto:x,accion:y` or a JSON object.

    A comma that no role follows belongs to the words before it.

    Raises:
        InvalidInputError: a role that there is not, or one without a word.
    """
    if not text.strip():
        return {}
    if text.lstrip().startswith("{"):
        try:
            given = json.loads(text)
        except ValueError:
            raise InvalidInputError("buscar_por_rol", text, f"expected {_SHAPE}") from None
        pairs = [(str(name), str(value)) for name, value in dict(given).items()]
    else:
        pairs = _pairs(text)
    found: dict[Role, str] = {}
    for name, value in pairs:
        role = _ROLES.get(_key(name))
        if role is None or not value.strip():
            rule = f"expected sujeto:x,accion:y,objeto:z,contexto:w; {name!r} is none of them"
            if role is not None:
                rule = f"{name} needs at least one word"
            raise InvalidInputError("buscar_por_rol", text, rule)
        found[role] = value.strip()
    return found


def _pairs(text: str) -> list[tuple[str, str]]:
    pairs: list[tuple[str, str]] = []
    for part in text.split(","):
        name, colon, value = part.partition(":")
        if colon:
            pairs.append((name, value))
        elif pairs:
            pairs[-1] = (pairs[-1][0], f"{pairs[-1][1]}, {part.strip()}")
        else:
            pairs.append((part, ""))
    return pairs


def _predicate(position: int, piece: Piece) -> Predicate:
    if isinstance(piece, str):
        rule = f"statement {position}: expected {_SHAPE}"
        raise InvalidInputError("predicados", piece, rule)
    held: dict[Role, str] = {}
    for name, value in piece.items():
        role = _ROLES.get(_key(name))
        if role is None or not isinstance(value, str | None):
            rule = f"statement {position}: {name!r} is no role with a text; expected {_SHAPE}"
            raise InvalidInputError("predicados", piece, rule)
        held[role] = value or ""
    if not held.get("action", "").strip():
        rule = f"statement {position} needs an accion; expected {_SHAPE}"
        raise InvalidInputError("predicados", piece, rule)
    return Predicate(
        action=held["action"],
        subject=held.get("subject", ""),
        object=held.get("object", ""),
        context=held.get("context", ""),
    )


def _key(name: str) -> str:
    return name.strip().casefold().translate(_UNACCENTED)
