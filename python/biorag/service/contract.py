"""The input contract that binds the Spanish tools and their CLI verbs, and nothing else.

It is checked before the store is opened for the call, so a refused call costs nothing. The Python
API asks for none of it: there, key nouns are derived when none are given.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping

from biorag.errors import InvalidInputError, KeyNounsError, PriorSearchError

MOST_KEY_NOUNS = 10
FEWEST_TO_WRITE = 2
FEWEST_TO_SEARCH = 1
# Letters of any alphabet, digits and the underscore; `\w` is exactly that.
_KEY_NOUN = re.compile(r"\w{2,15}")


def key_nouns_to_search(words: Iterable[str]) -> tuple[str, ...]:
    """The key nouns of a text search: 1 to 10.

    Raises:
        KeyNounsError: there are none, too many, or one is not a word.
    """
    nouns = normalised_key_nouns(words)
    if not nouns:
        raise KeyNounsError(
            "sustantivos_clave",
            "",
            "a search by text needs 1 to 10 key nouns of what is looked for, "
            'such as "sqlite, migracion"',
            code="SUSTANTIVOS_CLAVE_REQUERIDOS",
        )
    return _counted(nouns, FEWEST_TO_SEARCH)


def key_nouns_to_write(words: Iterable[str]) -> tuple[str, ...]:
    """The key nouns of a memory to store: 2 to 10.

    Raises:
        KeyNounsError: there are none, too few, too many, or one is not a word.
    """
    nouns = normalised_key_nouns(words)
    if not nouns:
        raise KeyNounsError(
            "sustantivos_clave",
            "",
            "a memory needs 2 to 10 key nouns under which it will be looked for, "
            'such as "sqlite, migracion, indice"',
            code="SUSTANTIVOS_CLAVE_AUSENTES",
        )
    return _counted(nouns, FEWEST_TO_WRITE)


def normalised_key_nouns(words: Iterable[str]) -> tuple[str, ...]:
    """Composed (NFC), lower-cased, trimmed, without repetitions, in the order given.

    Raises:
        KeyNounsError: one is not 2 to 15 letters, digits or underscores.
    """
    composed = (unicodedata.normalize("NFC", word).strip().lower() for word in words)
    nouns = tuple(dict.fromkeys(noun for noun in composed if noun))
    for noun in nouns:
        if not _KEY_NOUN.fullmatch(noun):
            rule = "each key noun has 2 to 15 letters, digits or underscores, and no spaces"
            raise KeyNounsError("sustantivos_clave", noun, rule)
    return nouns


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


def _counted(nouns: tuple[str, ...], fewest: int) -> tuple[str, ...]:
    if not fewest <= len(nouns) <= MOST_KEY_NOUNS:
        raise KeyNounsError(
            "sustantivos_clave",
            ", ".join(nouns),
            f"expected {fewest} to {MOST_KEY_NOUNS} different key nouns, not {len(nouns)}",
            code="SUSTANTIVOS_CLAVE_CANTIDAD_INVALIDA",
        )
    return nouns


def _values(axis: str, values: object) -> tuple[str, ...]:
    listed = values if isinstance(values, list | tuple) else [values]
    for value in listed:
        if not isinstance(value, str):
            rule = f'axis {axis!r} takes a list of texts, such as {{"{axis}": ["value"]}}'
            raise InvalidInputError("dimensiones", value, rule)
    return tuple(listed)
