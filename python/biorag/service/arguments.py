"""Arguments of the tools: read from a handler's type hints once, then forgiving on each call.

What models really send is understood before it is validated: a list as a JSON string, as
comma-separated text or as one word, a number as text, `null` for a default. A text parameter is
never decoded: `[1]` sent as text is that text, character for character. What cannot be meant is
refused by an error that names the parameter, the value and what would be right.
"""

from __future__ import annotations

import difflib
import inspect
import json
import math
import re
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import (
    Annotated,
    Any,
    Literal,
    Union,
    assert_never,
    get_args,
    get_origin,
    get_type_hints,
)

from biorag.errors import (
    InvalidInputError,
    LimitExceededError,
    MissingParameterError,
    UnknownParameterError,
)


class Kind(Enum):
    """How a parameter is published and what is accepted for it."""

    TEXT = "text"
    WHOLE = "whole number"
    NUMBER = "number"
    FLAG = "flag"
    CHOICE = "one of a list"
    COMMA_WORDS = "words in one text, separated by commas"
    WORDS = "list of words; commas inside one separate them"
    NAMES = "list of names; commas belong to the name"
    OBJECT = "object"
    OBJECTS = "list of objects, or of texts"
    PIPED = "texts in one text, separated by |; or a list of them, or of objects"


CommaWords = Annotated[tuple[str, ...], Kind.COMMA_WORDS]
Words = Annotated[tuple[str, ...], Kind.WORDS]
Names = Annotated[tuple[str, ...], Kind.NAMES]

Piece = str | Mapping[str, object]
Objects = Annotated[tuple[Piece, ...], Kind.OBJECTS]
Piped = Annotated[tuple[Piece, ...], Kind.PIPED]


@dataclass(frozen=True, slots=True)
class About:
    """What a type hint cannot say of a parameter.

    Attributes:
        low: Smallest value of a number.
        high: Largest value of a number.
        demanded: Published as required although the handler takes a call without it, because
            its absence has an error code of its own.
    """

    text: str
    low: float | None = None
    high: float | None = None
    demanded: bool = False


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a tool, as published and as read."""

    name: str
    kind: Kind
    about: About
    needed: bool
    default: Any = None  # whatever the handler declares
    choices: tuple[str, ...] = ()


# Names that other memory tools give to the same parameter; used for suggestions alone.
_MEANT = {
    "author": "autor",
    "categoria": "cat",
    "category": "cat",
    "consulta": "query",
    "content": "contenido",
    "contents": "contenido",
    "dimensions": "dimensiones",
    "entityName": "concepto",
    "ids": "concepto",
    "k": "limite",
    "key_nouns": "sustantivos_clave",
    "keywords": "sustantivos_clave",
    "limit": "limite",
    "links": "vincular_con",
    "name": "concepto",
    "nombre": "concepto",
    "page": "pagina",
    "pregunta": "query",
    "since": "desde",
    "sort": "ordenar_por",
    "synonyms": "syn",
    "tags": "sustantivos_clave",
    "text": "contenido",
    "texto": "query",
    "top_k": "limite",
    "until": "hasta",
}
_WHOLE = re.compile(r"\s*([+-]?\d{1,40})(?:\.0*)?\s*")
_TRUE = frozenset({"true", "1", "yes", "si", "sí"})
_FALSE = frozenset({"false", "0", "no"})
_TYPES = {str: Kind.TEXT, bool: Kind.FLAG, int: Kind.WHOLE, float: Kind.NUMBER}


def parameters_of(handler: Callable[..., Any]) -> tuple[Parameter, ...]:
    """The parameters of `handler` after its first, which receives the context.

    Raises:
        TypeError: a parameter has no `About`, or a type that has no plain JSON counterpart.
    """
    hints = get_type_hints(handler, include_extras=True)
    declared = list(inspect.signature(handler).parameters.values())[1:]
    return tuple(_parameter(p, hints[p.name]) for p in declared)


def bind(parameters: tuple[Parameter, ...], given: Mapping[str, object]) -> dict[str, Any]:
    """Keyword arguments for the handler, out of what a client sent.

    Raises:
        UnknownParameterError: a name is not a parameter; nothing was read.
        MissingParameterError: a needed parameter is absent or null.
        InvalidInputError: a value cannot be meant as what the parameter takes.
        LimitExceededError: a number is above its bound.
    """
    present = {name: value for name, value in given.items() if value is not None}
    missing = tuple(p.name for p in parameters if p.needed and p.name not in present)
    known = tuple(p.name for p in parameters)
    unknown = tuple(name for name in given if name not in known)
    if unknown:
        nearest = tuple(dict.fromkeys(m for name in unknown if (m := _nearest(name, known))))
        raise UnknownParameterError(unknown, missing=missing, known=known, nearest=nearest)
    if missing:
        rule = f"is needed; the parameters are {', '.join(known)}"
        raise MissingParameterError(missing[0], None, rule)
    return {p.name: _read(p, present[p.name]) for p in parameters if p.name in present}


def _nearest(name: str, known: tuple[str, ...]) -> str | None:
    meant = _MEANT.get(name)
    if meant in known:
        return meant
    close = difflib.get_close_matches(name.lower().replace("-", "_"), known, n=1)
    return close[0] if close else None


def _parameter(declared: inspect.Parameter, hint: object) -> Parameter:
    origin, extras = _unwrapped(hint)
    about = next((extra for extra in extras if isinstance(extra, About)), None)
    if about is None:
        raise TypeError(f"parameter {declared.name!r} has no About")
    kind = next((extra for extra in extras if isinstance(extra, Kind)), None)
    choices = get_args(origin) if get_origin(origin) is Literal else ()
    needed = declared.default is inspect.Parameter.empty
    return Parameter(
        name=declared.name,
        kind=kind or _kind_of(declared.name, origin),
        about=about,
        needed=needed,
        default=None if needed else declared.default,
        choices=choices,
    )


def _unwrapped(hint: object) -> tuple[object, tuple[object, ...]]:
    """The bare type and every annotation on it.

    A parameter that may be None is published as optional, never as a union with null: several
    clients refuse a property that has no single type.
    """
    if get_origin(hint) is Annotated:
        origin, *extras = get_args(hint)
        bare, inner = _unwrapped(origin)
        return bare, (*extras, *inner)
    if get_origin(hint) in (Union, types.UnionType):
        (arm,) = (arm for arm in get_args(hint) if arm is not types.NoneType)
        return _unwrapped(arm)
    return hint, ()


def _kind_of(name: str, origin: object) -> Kind:
    if get_origin(origin) is Literal:
        return Kind.CHOICE
    if get_origin(origin) is Mapping:
        return Kind.OBJECT
    if not isinstance(origin, type) or origin not in _TYPES:
        raise TypeError(f"parameter {name!r} has type {origin!r}, which no tool takes")
    return _TYPES[origin]


def _read(parameter: Parameter, value: object) -> object:
    match parameter.kind:
        case Kind.TEXT:
            return _text(parameter, value)
        case Kind.CHOICE:
            return _choice(parameter, value)
        case Kind.COMMA_WORDS | Kind.WORDS:
            return _words(parameter, value)
        case Kind.NAMES:
            return _names(parameter, value)
        case Kind.WHOLE | Kind.NUMBER | Kind.FLAG | Kind.OBJECT | Kind.OBJECTS if _is_null_text(
            value
        ):
            return parameter.default
        case Kind.WHOLE:
            return _whole(parameter, value)
        case Kind.NUMBER:
            return _number(parameter, value)
        case Kind.FLAG:
            return _flag(parameter, value)
        case Kind.OBJECT:
            return _object(parameter, value)
        case Kind.OBJECTS | Kind.PIPED:
            return _pieces(parameter, value)
        case _:
            assert_never(parameter.kind)


def _is_null_text(value: object) -> bool:
    # Some hosts turn every argument into text, null among them.
    return isinstance(value, str) and value.strip() in {"null", "None"}


def _text(parameter: Parameter, value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise InvalidInputError(parameter.name, value, "expected text; send it as one JSON string")


def _choice(parameter: Parameter, value: object) -> object:
    if isinstance(value, str):
        wanted = value.strip().lower()
        if wanted in parameter.choices:
            return wanted
        if not wanted and not parameter.needed:
            return parameter.default
    rule = f"expected one of {', '.join(parameter.choices)}"
    raise InvalidInputError(parameter.name, value, rule)


def _whole(parameter: Parameter, value: object) -> int:
    number: int | None = None
    if isinstance(value, int) and not isinstance(value, bool):
        number = value
    elif isinstance(value, float) and value.is_integer():
        number = int(value)
    elif isinstance(value, str) and (found := _WHOLE.fullmatch(value)):
        number = int(found[1])
    rule = f"expected a whole number{_range(parameter)}"
    if number is None:
        raise InvalidInputError(parameter.name, value, rule)
    _check_range(parameter, number, rule)
    return number


def _number(parameter: Parameter, value: object) -> float:
    rule = f"expected a number{_range(parameter)}"
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise InvalidInputError(parameter.name, value, rule)
    try:
        number = float(value)
    except (ValueError, OverflowError) as error:
        raise InvalidInputError(parameter.name, value, rule) from error
    if not math.isfinite(number):
        raise InvalidInputError(parameter.name, value, rule)
    _check_range(parameter, number, rule)
    return number


def _range(parameter: Parameter) -> str:
    low, high = parameter.about.low, parameter.about.high
    if low is None:
        return ""
    return f" from {low:g} to {high:g}" if high is not None else f" from {low:g} on"


def _check_range(parameter: Parameter, number: float, rule: str) -> None:
    low, high = parameter.about.low, parameter.about.high
    if high is not None and number > high:
        raise LimitExceededError(parameter.name, number, rule)
    if low is not None and number < low:
        raise InvalidInputError(parameter.name, number, rule)


def _flag(parameter: Parameter, value: object) -> bool:
    if isinstance(value, bool):
        return value
    text = str(value).strip().lower() if isinstance(value, int | str) else ""
    if text in _TRUE:
        return True
    if text in _FALSE:
        return False
    raise InvalidInputError(parameter.name, value, "expected true or false")


def _object(parameter: Parameter, value: object) -> Mapping[str, object]:
    decoded = value
    if isinstance(value, str):
        decoded = _decoded(value) if value.strip() else {}
    if isinstance(decoded, dict):
        return decoded
    rule = 'expected an object such as {"axis": ["value"]}, or the same as JSON text'
    raise InvalidInputError(parameter.name, value, rule)


def _pieces(parameter: Parameter, value: object) -> tuple[Piece, ...]:
    """Objects and texts out of a list, a list as JSON text, one object, or texts between bars."""
    decoded = value
    if isinstance(value, str):
        decoded = _decoded(value) if value.strip().startswith(("[", "{")) else value.split("|")
    if isinstance(decoded, dict):
        decoded = [decoded]
    if not isinstance(decoded, list | tuple):
        rule = "expected a list of objects, or the same as JSON text"
        raise InvalidInputError(parameter.name, value, rule)
    pieces: list[Piece] = []
    for item in decoded:
        if not isinstance(item, str | dict):
            raise InvalidInputError(parameter.name, item, "expected an object or a text")
        if not isinstance(item, str) or item.strip():
            pieces.append(item.strip() if isinstance(item, str) else item)
    return tuple(pieces)


def _words(parameter: Parameter, value: object) -> tuple[str, ...]:
    """Words out of a list or a text; no word keeps a bracket or a quote of a list's notation."""
    parts: list[str] = []
    for item in _items(parameter, value):
        text = item.strip()
        if text.startswith("[") and text.endswith("]"):
            # The notation of a list that is not valid JSON, such as "['lake', 'heron']".
            text = text[1:-1]
        parts.extend(part.strip().strip("'\"").strip() for part in text.split(","))
    return tuple(part for part in parts if part)


def _names(parameter: Parameter, value: object) -> tuple[str, ...]:
    return tuple(item for item in _items(parameter, value) if item.strip())


def _items(parameter: Parameter, value: object) -> list[str]:
    """The elements of a list, of a JSON list in a text, or a text alone."""
    decoded = value
    if isinstance(value, str):
        decoded = _decoded(value) if value.strip().startswith("[") else None
        if not isinstance(decoded, list):
            return [value]
    if not isinstance(decoded, list | tuple):
        decoded = [decoded]
    return [_element(parameter, item) for item in decoded]


def _element(parameter: Parameter, item: object) -> str:
    if isinstance(item, str):
        return item
    if isinstance(item, int) and not isinstance(item, bool):
        return str(item)
    raise InvalidInputError(parameter.name, item, "expected a list of texts")


def _decoded(text: str) -> object:
    """What `text` says as JSON, or None when it is not JSON."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
