"""The input contract that binds the Spanish tools and their CLI verbs, and nothing else.

It is checked before the store is asked anything, so a refused call costs nothing. The Python API
asks for none of it: there, key nouns are derived when none are given.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import get_args

from biorag.errors import BridgesError, DimensionsError, InvalidInputError, PriorSearchError
from biorag.inputs import check_burst_words, parse_key_nouns
from biorag.model import Angle, Bridge
from biorag.service.arguments import Piece
from biorag.storage.dimensions import check_dimensions

MOST_KEY_NOUNS = 10
FEWEST_TO_WRITE = 2
FEWEST_TO_SEARCH = 1

_ANGLES: tuple[Angle, ...] = get_args(Angle)
_UNACCENTED = str.maketrans("áéíóú", "aeiou")  # `sinónimo` is how Spanish spells it


def key_nouns_to_search(words: tuple[str, ...] | str) -> tuple[str, ...]:
    """The key nouns of a text search: 1 to 10, normalised.

    Raises:
        KeyNounsError: there are none, too many, or one is not a word.
    """
    return parse_key_nouns(
        words,
        minimum=FEWEST_TO_SEARCH,
        maximum=MOST_KEY_NOUNS,
        missing_code="SUSTANTIVOS_CLAVE_REQUERIDOS",
    )


def burst_to_search(words: tuple[str, ...], *, forced: bool) -> tuple[str, ...]:
    """The words of a burst, 3 to 15 or none.

    Raises:
        InvalidInputError: too few of them, or a burst is forced without any.
        LimitExceededError: too many, or one is too long.
    """
    checked = check_burst_words(words, "rafaga_palabras")
    if forced and not checked:
        rule = "give rafaga_palabras, 3 to 15 associated words, to search"
        raise InvalidInputError("forzar_rafaga", forced, rule)
    return checked


def key_nouns_to_write(words: tuple[str, ...] | str) -> tuple[str, ...]:
    """The key nouns of a memory to store: 2 to 10, normalised.

    Raises:
        KeyNounsError: there are none, too few, too many, or one is not a word.
    """
    return parse_key_nouns(
        words,
        minimum=FEWEST_TO_WRITE,
        maximum=MOST_KEY_NOUNS,
        missing_code="SUSTANTIVOS_CLAVE_AUSENTES",
    )


def key_nouns_to_add(words: tuple[str, ...] | str) -> tuple[str, ...]:
    """Key nouns to add to those that a memory has: 1 to 10, normalised.

    Raises:
        KeyNounsError: there are none, too many, or one is not a word.
    """
    return parse_key_nouns(
        words,
        minimum=1,
        maximum=MOST_KEY_NOUNS,
        missing_code="SUSTANTIVOS_CLAVE_AUSENTES",
        field="sustantivos",
    )


def require_prior_search(searched: bool) -> None:
    """Refuse to learn before a search, which is how duplicates are avoided.

    Raises:
        PriorSearchError: the caller does not say that it searched.
    """
    if not searched:
        rule = "search with recordar first; if nothing says this already, send true"
        raise PriorSearchError("busqueda_previa", searched, rule)


def dimension_values(dimensions: Mapping[str, object]) -> dict[str, tuple[str, ...]]:
    """Dimensions as axis to values; one text stands for a list of one.

    Raises:
        InvalidInputError: an axis holds something that is neither a text nor a list of texts.
    """
    return {axis: _values(axis, values) for axis, values in dimensions.items()}


def dimensions_to_search(
    dimensions: Mapping[str, object], *, strict: bool
) -> tuple[dict[str, tuple[str, ...]], tuple[str, ...]]:
    """The dimensions of a search, and `axis:value` of each that means nothing here.

    A comma separates values within one text. A slip in one of several is passed over and told;
    a strict search would answer another question without it, so there it is an error.

    Raises:
        DimensionsError: none of them means anything, or one of a strict search does not.
        InvalidInputError: an axis holds something that is neither a text nor a list of texts.
    """
    listed = {
        axis: tuple(part.strip() for value in values for part in value.split(",") if part.strip())
        for axis, values in dimension_values(dimensions).items()
    }
    try:
        return check_dimensions(listed, "dimensiones"), ()
    except DimensionsError as error:
        kept = {
            axis: tuple(value for value in values if f"{axis}:{value}" not in error.invalid)
            for axis, values in listed.items()
        }
        kept = {axis: values for axis, values in kept.items() if values}
        if strict or not kept:
            raise
        return check_dimensions(kept, "dimensiones"), error.invalid


def _values(axis: str, values: object) -> tuple[str, ...]:
    listed = values if isinstance(values, list | tuple) else [values]
    for value in listed:
        if not isinstance(value, str):
            rule = f'axis {axis!r} takes a list of texts, such as {{"{axis}": ["value"]}}'
            raise InvalidInputError("dimensiones", value, rule)
    return tuple(listed)


def bridges(pieces: Sequence[Piece]) -> tuple[Bridge, ...]:
    """Bridges out of texts, and of objects with a `text` and perhaps an `angle`.

    Raises:
        BridgesError: an object has no text, a key that a bridge lacks, or an angle that is none.
    """
    return tuple(
        Bridge(piece) if isinstance(piece, str) else _bridge(position, piece)
        for position, piece in enumerate(pieces, start=1)
    )


def _bridge(position: int, piece: Mapping[str, object]) -> Bridge:
    shape = 'expected {"text": "…", "angle": "…"}'
    further = sorted(piece.keys() - {"text", "angle"})
    text, angle = piece.get("text"), piece.get("angle")
    if further or not isinstance(text, str):
        said = f"does not take {', '.join(further)}" if further else "has no text"
        raise BridgesError("bridges", piece, f"bridge {position} {said}; {shape}")
    if angle is None or angle == "":
        return Bridge(text)
    wanted = str(angle).strip().casefold().translate(_UNACCENTED)
    for known in _ANGLES:
        if wanted == known:
            return Bridge(text, known)
    rule = f"bridge {position} ({text!r}): the angle is one of {', '.join(_ANGLES)}"
    raise BridgesError("bridges", angle, rule)
