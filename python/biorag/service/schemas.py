"""JSON schemas of the tools, plain enough for every client: one type a property, no unions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import (
    Any,
    Literal,
    NotRequired,
    assert_never,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from biorag.service.arguments import Kind, Parameter

_SCALARS = {str: "string", int: "integer", float: "number", bool: "boolean"}


def input_schema(parameters: tuple[Parameter, ...]) -> dict[str, Any]:
    """What a tool takes. `required` is absent when nothing is."""
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {p.name: _property(p) for p in parameters},
        "additionalProperties": False,
    }
    required = [p.name for p in parameters if p.needed or p.about.demanded]
    if required:
        schema["required"] = required
    return schema


def output_schema(reply: type) -> dict[str, Any]:
    """What a tool answers, out of the `TypedDict` that its handler returns.

    Further keys stay allowed, so that an answer may grow without breaking a client.

    Raises:
        TypeError: a field has a type without a plain JSON counterpart.
    """
    hints = get_type_hints(reply, include_extras=True)
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {name: _value_schema(hint) for name, hint in hints.items()},
    }
    # Not `__required_keys__`: it misses `NotRequired` where annotations are kept as text.
    required = [name for name, hint in hints.items() if get_origin(hint) is not NotRequired]
    if required:
        schema["required"] = required
    return schema


def _property(parameter: Parameter) -> dict[str, Any]:
    about = parameter.about
    schema = _shape(parameter)
    schema["description"] = about.text
    if parameter.kind in (Kind.WHOLE, Kind.NUMBER):
        bounds = {"minimum": about.low, "maximum": about.high}
        schema.update({key: bound for key, bound in bounds.items() if bound is not None})
    has_default = isinstance(parameter.default, str | int | float) and parameter.default != ""
    if has_default and not about.demanded:
        schema["default"] = parameter.default
    return schema


def _shape(parameter: Parameter) -> dict[str, Any]:
    match parameter.kind:
        case Kind.TEXT | Kind.COMMA_WORDS | Kind.PIPED:
            return {"type": "string"}
        case Kind.CHOICE:
            return {"type": "string", "enum": list(parameter.choices)}
        case Kind.WHOLE:
            return {"type": "integer"}
        case Kind.NUMBER:
            return {"type": "number"}
        case Kind.FLAG:
            return {"type": "boolean"}
        case Kind.WORDS | Kind.NAMES:
            return {"type": "array", "items": {"type": "string"}}
        case Kind.OBJECT:
            return {"type": "object"}
        case Kind.OBJECTS:
            return {"type": "array", "items": {"type": "object"}}
        case _:
            assert_never(parameter.kind)


def _value_schema(hint: object) -> dict[str, Any]:
    origin = get_origin(hint)
    if origin is NotRequired:
        return _value_schema(get_args(hint)[0])
    if isinstance(hint, type) and is_typeddict(hint):
        return output_schema(hint)
    if isinstance(hint, type) and hint in _SCALARS:
        return {"type": _SCALARS[hint]}
    if origin is Literal:
        return {"type": "string", "enum": list(get_args(hint))}
    if origin is list:
        return {"type": "array", "items": _value_schema(get_args(hint)[0])}
    if origin in (dict, Mapping):
        return {"type": "object", "additionalProperties": _value_schema(get_args(hint)[1])}
    raise TypeError(f"a reply holds {hint!r}, which has no plain JSON schema")
