"""Answers as JSON text on one line, and how long that is."""

from __future__ import annotations

import json

# Legal in JSON, but line ends to many readers that split a stream into lines.
LINE_ENDS = {0x85: "\\u0085", 0x2028: "\\u2028", 0x2029: "\\u2029"}


def to_json(value: object, *, indent: int | None = None) -> str:
    """Strict JSON, as readable UTF-8, without raw line or paragraph separators.

    Raises:
        ValueError: a number is not finite, which strict JSON cannot say.
    """
    separators = (",", ":") if indent is None else None
    text = json.dumps(
        value, ensure_ascii=False, allow_nan=False, separators=separators, indent=indent
    )
    return text.translate(LINE_ENDS)


def size_of(value: object) -> int:
    """Bytes of `value` as JSON; a lone surrogate counts as its escape."""
    return len(to_json(value).encode("utf-8", "backslashreplace"))
