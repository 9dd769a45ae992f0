"""Statements of memories: read in their texts, told by agents, and asked for by role."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from typing import get_args

from biorag.errors import InvalidInputError
from biorag.kernels.index import TextIndex, analyse_documents
from biorag.kernels.roles import statements_of
from biorag.lexicon.wordnet import load_lexicon
from biorag.model_predicates import Predicate, Role
from biorag.storage import meta
from biorag.storage.documents import Document
from biorag.storage.predicates import (
    add_predicates,
    forget_read,
    ids_with_own,
    predicates_of,
)

MOST = 20  # statements that one call may make of a memory
LONGEST = 300  # characters of a role

LOOKED_AT = 500  # memories, by the words of all roles, whose statements are compared
OWN_LOOKED_AT = 5_000  # memories with an agent's statements, whose words no index has

READ_THROUGH = "roles_through"  # the last memory whose text was read

ROLES: tuple[Role, ...] = get_args(Role)


def check_predicates(given: Sequence[Predicate]) -> tuple[Predicate, ...]:
    """Holds an agent's statements to the contract.

    Raises:
        InvalidInputError: too many, an action is missing, or a role is too long.
    """
    if len(given) > MOST:
        raise InvalidInputError("predicates", len(given), f"holds at most {MOST} statements")
    checked = []
    for predicate in given:
        if not isinstance(predicate, Predicate):
            raise InvalidInputError("predicates", predicate, "must be Predicate objects")
        roles = {role: _role(role, getattr(predicate, role)) for role in ROLES}
        if not roles["action"]:
            raise InvalidInputError("predicates", predicate, "each statement needs an action")
        checked.append(Predicate(**roles))
    return tuple(dict.fromkeys(checked))


def check_roles(given: Mapping[Role, str] | None) -> dict[Role, str]:
    """Holds what is asked by role to the contract.

    Raises:
        InvalidInputError: a role that there is not, or one without a word.
    """
    wanted: dict[Role, str] = {}
    for role, value in (given or {}).items():
        if role not in ROLES:
            raise InvalidInputError("roles", role, f"the roles are {', '.join(ROLES)}")
        if not isinstance(value, str) or not value.strip():
            raise InvalidInputError("roles", value, f"{role} needs at least one word")
        wanted[role] = _role(role, value)
    return wanted


def ids_in_roles(
    connection: sqlite3.Connection, index: TextIndex, wanted: Mapping[Role, str]
) -> tuple[int, ...]:
    """Memories with one statement that has, in each role asked, every word asked; rising.

    Words are compared by their stems in either language.

    Args:
        connection: Reads the statements.
        index: Finds the memories that hold the words.
        wanted: Role to words, not empty.
    """
    words = index.prepare(
        " ".join(wanted.values()), None, protected=[], meanings=False, spellings=False
    )
    ids = sorted({*index.best(words, LOOKED_AT), *ids_with_own(connection, OWN_LOOKED_AT)})
    rows = predicates_of(connection, ids)
    asked = {role: _stems(index, value) for role, value in wanted.items()}
    analysed = analyse_documents(
        [(row.subject, row.action, row.object, row.context, "") for row in rows],
        [None] * len(rows),
        "en",
        load_lexicon(),
    )
    fits = {
        row.node_id
        for row, texts in zip(rows, analysed.texts, strict=True)
        if all(_has(texts[ROLES.index(role)], stems) for role, stems in asked.items())
    }
    return tuple(sorted(fits))


def read_statements(
    connection: sqlite3.Connection, documents: Sequence[Document], now: float
) -> int:
    """Writes the statements of texts, in the place of those that were read before.

    Returns:
        How many there are.
    """
    lexicon = load_lexicon()
    if lexicon is None or not documents:
        return 0
    found = statements_of(
        [document.body for document in documents],
        [document.language for document in documents],
        lexicon,
    )
    forget_read(connection, [document.id for document in documents])
    given = [
        (
            document.id,
            Predicate(
                subject=said.subject, action=said.action, object=said.object, context=said.context
            ),
        )
        for document, statements in zip(documents, found, strict=True)
        for said in statements
    ]
    return add_predicates(connection, given, now, origin="system")


def mark_read(connection: sqlite3.Connection, ids: Sequence[int]) -> None:
    """Notes that new memories were read as they were learnt, if none before them waits."""
    if ids and int(meta.get(connection, READ_THROUGH) or 0) == ids[0] - 1:
        meta.put(connection, READ_THROUGH, str(ids[-1]))


def _role(role: str, value: object) -> str:
    if not isinstance(value, str):
        raise InvalidInputError("predicates", value, f"{role} must be a text")
    clean = " ".join(value.split())
    if len(clean) > LONGEST:
        raise InvalidInputError("predicates", clean, f"{role} has at most {LONGEST} characters")
    return clean


def _stems(index: TextIndex, value: str) -> list[frozenset[str]]:
    prepared = index.prepare(value, None, protected=[], meanings=False, spellings=False)
    return [frozenset(terms) for terms in prepared.terms]


def _has(text: str, asked: Sequence[frozenset[str]]) -> bool:
    held = set(text.split())
    return bool(asked) and all(stems & held for stems in asked)
