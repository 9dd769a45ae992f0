"""Statements of memories: read in their texts, told by agents, and asked for by role."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from typing import get_args

from biorag.errors import InvalidInputError
from biorag.kernels.index import TextIndex, analyse_documents
from biorag.kernels.lexicon import Lexicon
from biorag.kernels.roles import statements_of, verb_bases
from biorag.lexicon.wordnet import load_lexicon
from biorag.model_predicates import Predicate, Role
from biorag.storage import meta
from biorag.storage.documents import Document
from biorag.storage.predicates import (
    add_predicates,
    forget_read,
    ids_with_action,
    ids_with_own,
    predicates_of,
)
from biorag.storage.search_text import holders_of_all

MOST = 20  # statements that one call may make of a memory
LONGEST = 300  # characters of a role

_ANALYSED: tuple[Role, ...] = ("subject", "object", "context")

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

    Words are compared by their stems in either language, actions by the verb that they are a form
    of: `died` and `die`, `murió` and `morir`.

    Args:
        connection: Reads the statements.
        index: Analyses words as it does those of texts.
        wanted: Role to words, not empty.
    """
    lexicon = load_lexicon()
    verbs: list[frozenset[str]] = []
    if "action" in wanted:
        words = wanted["action"].casefold().split()
        bases = verb_bases(words, lexicon)
        verbs = [frozenset({word, *found}) for word, found in zip(words, bases, strict=True)]
    asked = {role: _stems(index, value) for role, value in wanted.items() if role != "action"}
    ids = ids_with_own(connection)
    if asked:
        every = [sorted(stems) for of_role in asked.values() for stems in of_role]
        ids += holders_of_all(connection, every, len(index))
    else:
        ids += ids_with_action(connection, sorted(set().union(*verbs)))
    rows = predicates_of(connection, sorted(set(ids)))
    if verbs:
        does = _those_that_do(sorted({row.action for row in rows}), verbs, lexicon)
        rows = [row for row in rows if row.action in does]
    analysed = analyse_documents(
        [(row.subject, row.object, row.context, "", "") for row in rows],
        [None] * len(rows),
        "en",
        lexicon,
    )
    fits = {
        row.node_id
        for row, texts in zip(rows, analysed.texts, strict=True)
        if all(_has(texts[_ANALYSED.index(role)], stems) for role, stems in asked.items())
    }
    return tuple(sorted(fits))


def read_statements(
    connection: sqlite3.Connection, documents: Sequence[Document], now: float
) -> int:
    """Writes the statements of texts, in the place of those that were read before.

    Returns:
        How many there are.
    """
    if not documents:
        return 0
    found = statements_of(
        [document.body for document in documents],
        [document.language for document in documents],
        load_lexicon(),
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


def _those_that_do(
    actions: Sequence[str], verbs: Sequence[frozenset[str]], lexicon: Lexicon | None
) -> set[str]:
    """The actions, an agent's in any form, that are each of the verbs asked."""
    words = sorted({word for action in actions for word in action.casefold().split()})
    bases = dict(zip(words, verb_bases(words, lexicon), strict=True))
    held = {
        action: {form for word in action.casefold().split() for form in (word, *bases[word])}
        for action in actions
    }
    return {action for action in actions if all(forms & held[action] for forms in verbs)}


def _has(text: str, asked: Sequence[frozenset[str]]) -> bool:
    held = set(text.split())
    return bool(asked) and all(stems & held for stems in asked)
