"""Names to memories, and the nearest names to one that does not exist."""

from __future__ import annotations

import difflib
import sqlite3

from biorag import inputs
from biorag.errors import NodeNotFoundError
from biorag.kernels.index import TextIndex
from biorag.model import StoredMemory
from biorag.storage.lookups import names_of
from biorag.storage.nodes import existing_by_keys, fetch

OFFERED = 3
LIKE_ENOUGH = 0.5  # difflib's ratio; below it an offer is a guess
COMPARED = 30  # memories whose names are compared letter by letter


def number_of(connection: sqlite3.Connection, index: TextIndex, name: str) -> int:
    """The id of the memory of a name.

    Raises:
        InvalidInputError: it cannot be a name.
        NodeNotFoundError: there is none; the error offers the nearest names.
    """
    key = inputs.name_key(inputs.normalise_name(name))
    known = existing_by_keys(connection, [key])
    if key not in known:
        raise NodeNotFoundError(name, nearest(connection, index, name))
    return known[key].id


def memory_of(connection: sqlite3.Connection, index: TextIndex, name: str) -> StoredMemory:
    """The memory of a name, whole.

    Raises:
        InvalidInputError: it cannot be a name.
        NodeNotFoundError: there is none; the error offers the nearest names.
    """
    number = number_of(connection, index, name)
    return fetch(connection, [number])[number]


def nearest(connection: sqlite3.Connection, index: TextIndex, name: str) -> tuple[str, ...]:
    """Names like this one, most alike first: those whose words, or near spellings, it shares."""
    question = index.prepare(
        name.replace("_", " "), None, protected=[], meanings=False, spellings=True
    )
    ids = index.best(question, COMPARED)
    names = names_of(connection, ids)
    key = inputs.name_key(name)
    scored = [
        (difflib.SequenceMatcher(None, key, inputs.name_key(candidate)).ratio(), candidate)
        for candidate in names.values()
    ]
    scored.sort(key=lambda pair: (-pair[0], pair[1]))
    return tuple(candidate for ratio, candidate in scored[:OFFERED] if ratio >= LIKE_ENOUGH)
