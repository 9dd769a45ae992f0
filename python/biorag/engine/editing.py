"""Changing and deleting what was learnt."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from biorag import inputs
from biorag.engine import intake
from biorag.engine.index_keeper import IndexKeeper
from biorag.engine.learning import refresh_text
from biorag.engine.names import memory_of, number_of
from biorag.engine.roles import read_statements
from biorag.errors import InvalidInputError
from biorag.model import Bridge, Moment, StoredMemory
from biorag.storage.connection import Store
from biorag.storage.deletion import delete_many
from biorag.storage.deletion import purge as purge_store
from biorag.storage.documents import documents_of
from biorag.storage.fulltext import write_repairing
from biorag.storage.hubs import set_angles
from biorag.storage.nodes import NodeFields, update_fields
from biorag.storage.observations import replace_content
from biorag.storage.predicates import forget_read
from biorag.storage.terms import replace_terms

State = Literal["activo", "dormido", "cuarentena"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What to change of a memory, checked; what is `None` stays."""

    content: str | None
    synonyms: tuple[str, ...] | None
    key_nouns: tuple[str, ...] | None
    bridges: tuple[Bridge, ...]
    fields: NodeFields

    @property
    def touches_words(self) -> bool:
        """Whether the indexes have to follow."""
        given = (self.content, self.synonyms, self.key_nouns, self.bridges or None)
        return any(value is not None for value in given)


def check_changes(
    *,
    content: str | None,
    category: str | None,
    synonyms: Sequence[str] | None,
    key_nouns: Sequence[str] | None,
    weight: float | None,
    state: State | None,
    valence: float | None,
    valid_from: Moment | None,
    valid_to: Moment | None,
    bridges: tuple[Bridge, ...] | None,
) -> Changes:
    """Holds changes to the input contract; `bridges` are checked already.

    Raises:
        InvalidInputError: one breaks it, or there is none.
    """
    fields = NodeFields()
    label = intake.check_label("category", category)
    if label is not None:
        fields["category"] = label
    if weight is not None:
        fields["weight"] = inputs.check_weight(weight)
    if valence is not None:
        fields["valence"] = inputs.check_valence(valence)
    begin, end = intake.check_validity(valid_from, valid_to)
    if begin is not None:
        fields["valid_from"] = begin
    if end is not None:
        fields["valid_to"] = end
    if state is not None:
        if state not in get_args(State):
            raise InvalidInputError("state", state, f"must be one of {', '.join(get_args(State))}")
        fields["state"] = state
    changes = Changes(
        content=None if content is None else inputs.check_content(content),
        synonyms=None
        if synonyms is None
        else intake.check_names("synonyms", synonyms, intake.MOST_SYNONYMS),
        key_nouns=None if key_nouns is None else intake.check_key_nouns(key_nouns),
        bridges=bridges or (),
        fields=fields,
    )
    if not changes.touches_words and not fields:
        raise InvalidInputError("changes", None, "name at least one field to change")
    return changes


def edit(
    name: str,
    changes: Changes,
    *,
    store: Store,
    keeper: IndexKeeper,
    reads_roles: bool = False,
) -> StoredMemory:
    """Changes a memory in one transaction.

    Raises:
        NodeNotFoundError: there is no such memory.
        InvalidInputError: it would cease to hold before it began to; nothing was changed.
        StorageError: the store cannot write; nothing was changed.
    """
    index = keeper.current(store)
    now = store.clock.now()

    def write(connection: sqlite3.Connection) -> StoredMemory:
        number = number_of(connection, index, name)
        if changes.fields:
            held = memory_of(connection, index, name)
            begin, end = changes.fields.get("valid_from"), changes.fields.get("valid_to")
            intake.check_span(begin, end, held)
            update_fields(connection, number, now, **changes.fields)
        if changes.content is not None:
            replace_content(connection, number, changes.content, now)
        if changes.synonyms is not None:
            replace_terms(connection, number, "synonym", changes.synonyms)
        if changes.key_nouns is not None:
            replace_terms(connection, number, "key_noun", changes.key_nouns)
        if changes.bridges:
            set_angles(connection, number, changes.bridges, now)
        if changes.content is not None:
            # What the old text stated; the new one is read with what is not read yet.
            forget_read(connection, [number])
            if reads_roles:
                read_statements(connection, documents_of(connection, [number]), now)
        if changes.touches_words:
            refresh_text(connection, [number])
        return memory_of(connection, index, name)

    return write_repairing(store, write)


def add_key_nouns(
    name: str, nouns: Sequence[str], *, store: Store, keeper: IndexKeeper
) -> StoredMemory:
    """Adds key nouns to a memory in one transaction.

    Raises:
        NodeNotFoundError: there is no such memory.
        KeyNounsError: a noun breaks the rules, or there would be more than ten.
    """
    added = intake.check_key_nouns(nouns, fewest=1)
    index = keeper.current(store)

    def write(connection: sqlite3.Connection) -> StoredMemory:
        held = memory_of(connection, index, name)
        both = intake.check_key_nouns([*held.key_nouns, *added])
        replace_terms(connection, held.id, "key_noun", both)
        refresh_text(connection, [held.id])
        return memory_of(connection, index, name)

    return write_repairing(store, write)


def forget(names: Sequence[str], *, purge: bool, store: Store, keeper: IndexKeeper) -> int:
    """Deletes memories in one transaction, with everything that is known of them.

    Raises:
        NodeNotFoundError: one of them does not exist; nothing was deleted.
    """
    index = keeper.current(store)

    def write(connection: sqlite3.Connection) -> int:
        numbers = sorted({number_of(connection, index, name) for name in names})
        return delete_many(connection, numbers)

    deleted = write_repairing(store, write)
    if purge:
        purge_store(store)
        # The file that other processes open fast from may still hold the words.
        keeper.forget_file()
    return deleted
