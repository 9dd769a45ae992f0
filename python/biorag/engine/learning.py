"""Learning a batch of memories: checked and analysed first, then written in one transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from biorag.clock import Clock
from biorag.engine import intake, roles, weaving
from biorag.engine.index_keeper import IndexKeeper, analyse_texts
from biorag.engine.weaving import AT_WRITE
from biorag.model import Learned, LearnedStatus, NewMemory
from biorag.storage.changes import latest_change
from biorag.storage.connection import Store
from biorag.storage.dimensions import add_dimensions
from biorag.storage.documents import documents_of
from biorag.storage.edges import link_nodes
from biorag.storage.hubs import set_angles
from biorag.storage.nodes import (
    KnownNode,
    NodeFields,
    existing_by_keys,
    fetch,
    insert_many,
    update_fields,
)
from biorag.storage.observations import append_observation
from biorag.storage.predicates import add_predicates, forget_read
from biorag.storage.search_text import NodeText, set_text
from biorag.storage.terms import replace_terms


@dataclass(slots=True)
class _Outcome:
    """What becomes of one memory of a batch while the batch is written."""

    id: int
    name: str
    status: LearnedStatus
    key_nouns: tuple[str, ...]
    words_changed: bool
    hub: str | None = None
    linked: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)


def learn_batch(
    memories: Sequence[NewMemory],
    first: int,
    *,
    store: Store,
    keeper: IndexKeeper,
    clock: Clock,
    links_by_itself: bool = False,
    reads_roles: bool = False,
) -> list[Learned]:
    """Learns memories in one transaction: all are on disk when this returns, or none is.

    Args:
        memories: The batch.
        first: Position of its first memory among all that the caller gave, for error messages.
        store: Written to.
        keeper: Told what is new.
        clock: Dates what is written.
        links_by_itself: Link what is new to what is like it, unless it is a bulk load.
        reads_roles: Read what the texts state, unless it is a bulk load.

    Raises:
        InvalidInputError: a memory breaks the input contract.
        StorageError: the store cannot write.
    """
    checked = intake.check_all(memories, clock, first)
    candidates = _first_of_each_key(checked)
    analysed = intake.analyse(candidates)
    now = clock.now()
    # Outside the transaction, because it may have to be built, and other writers wait.
    index = keeper.current(store) if links_by_itself and len(checked) <= weaving.AT_WRITE else None
    with store.atomic() as connection:
        before = latest_change(connection)
        known = existing_by_keys(connection, [memory.key for memory in candidates])
        fresh = [memory for memory in candidates if memory.key not in known]
        if known:
            # Rare enough to analyse the rest again rather than to take the batch apart.
            analysed = intake.analyse(fresh)
        ids = insert_many(connection, intake.drafts(fresh, analysed), now)
        if index is not None:
            weaving.weave_new(connection, index, ids, analysed, now)
        created = {memory.key: number for memory, number in zip(fresh, ids, strict=True)}
        outcomes = [_store(connection, memory, known, created, now) for memory in checked]
        _state(connection, checked, outcomes, now, read=reads_roles and len(ids) <= AT_WRITE)
        _refresh_texts(connection, outcomes)
        for memory, outcome in zip(checked, outcomes, strict=True):
            _link(connection, memory, outcome, now)
    keeper.absorb(
        ids,
        analysed,
        before,
        created_at=[memory.created_at for memory in fresh],
        authors=[memory.author for memory in fresh],
    )
    return [_learned(memory, outcome) for memory, outcome in zip(checked, outcomes, strict=True)]


def refresh_text(connection: sqlite3.Connection, ids: Sequence[int]) -> None:
    """Analyses memories again after a change of their words; the full-text index follows."""
    documents = documents_of(connection, ids)
    analysed = analyse_texts(documents)
    for document, texts in zip(documents, analysed.texts, strict=True):
        set_text(connection, document.id, NodeText(*texts))


def _state(
    connection: sqlite3.Connection,
    checked: Sequence[intake.Checked],
    outcomes: Sequence[_Outcome],
    now: float,
    *,
    read: bool,
) -> None:
    """Writes what the memories state: what the agent says, and what is read in new texts."""
    pairs = list(zip(checked, outcomes, strict=True))
    told = [(outcome.id, said) for memory, outcome in pairs for said in memory.predicates]
    add_predicates(connection, told, now, origin="agent")
    changed = sorted({outcome.id for _, outcome in pairs if outcome.status != "unchanged"})
    if read and changed:
        roles.read_statements(connection, documents_of(connection, changed), now)
        new = sorted({outcome.id for _, outcome in pairs if outcome.status == "created"})
        roles.mark_read(connection, new)
    elif any(outcome.status == "extended" for _, outcome in pairs):
        forget_read(connection, changed)


def _first_of_each_key(checked: Sequence[intake.Checked]) -> list[intake.Checked]:
    first: dict[str, intake.Checked] = {}
    for memory in checked:
        first.setdefault(memory.key, memory)
    return list(first.values())


def _store(
    connection: sqlite3.Connection,
    memory: intake.Checked,
    known: Mapping[str, KnownNode],
    created: dict[str, int],
    now: float,
) -> _Outcome:
    """Writes what is not written yet of a memory: what one whose name exists gains."""
    if memory.key in known:
        return _extend(connection, known[memory.key].id, known[memory.key].name, memory, now)
    number = created[memory.key]
    if number < 0:
        return _extend(connection, -number, memory.name, memory, now)
    # The next memory of this name in the batch adds to it.
    created[memory.key] = -number
    outcome = _Outcome(number, memory.name, "created", memory.key_nouns, words_changed=False)
    if memory.bridges:
        outcome.hub, _ = set_angles(connection, number, memory.bridges, now)
    return outcome


def _extend(
    connection: sqlite3.Connection, number: int, name: str, memory: intake.Checked, now: float
) -> _Outcome:
    """Adds to a memory that exists: its text, terms and dimensions join what is held.

    Nothing that is held is given up: of more key nouns than a memory may have the newer ones stay
    out. Category and author stay, the larger valence counts, a validity that is given is the newer
    knowledge. Only new bridges take the places of those of the same angles: five are chosen
    together, so that they have no word in common.

    Raises:
        InvalidInputError: it would cease to hold before it began to.
    """
    added = append_observation(connection, number, memory.content, now)
    held = fetch(connection, [number])[number]
    synonyms = intake.check_names("synonyms", [*held.synonyms, *memory.synonyms], None)
    nouns = tuple(dict.fromkeys((*held.key_nouns, *memory.key_nouns)))[: intake.MOST_KEY_NOUNS]
    if synonyms != held.synonyms:
        replace_terms(connection, number, "synonym", synonyms)
    if nouns != held.key_nouns:
        replace_terms(connection, number, "key_noun", nouns)
    if memory.dimensions:
        add_dimensions(connection, number, memory.dimensions, now)
    fields = NodeFields()
    if memory.valence > held.valence:
        fields["valence"] = memory.valence
    if memory.valid_from is not None:
        fields["valid_from"] = memory.valid_from
    if memory.valid_to is not None:
        fields["valid_to"] = memory.valid_to
    if fields:
        intake.check_span(memory.valid_from, memory.valid_to, held)
        update_fields(connection, number, now, **fields)
    changed = added or synonyms != held.synonyms or nouns != held.key_nouns
    status: LearnedStatus = "extended" if added else "unchanged"
    outcome = _Outcome(number, name, status, nouns, words_changed=changed)
    if memory.bridges:
        outcome.hub, rebuilt = set_angles(connection, number, memory.bridges, now)
        outcome.words_changed |= rebuilt
    return outcome


def _refresh_texts(connection: sqlite3.Connection, outcomes: Sequence[_Outcome]) -> None:
    changed = sorted({outcome.id for outcome in outcomes if outcome.words_changed})
    if changed:
        refresh_text(connection, changed)


def _link(
    connection: sqlite3.Connection, memory: intake.Checked, outcome: _Outcome, now: float
) -> None:
    if not memory.link_keys:
        return
    known = existing_by_keys(connection, [key for _, key in memory.link_keys])
    for name, key in memory.link_keys:
        if key not in known:
            outcome.missing.append(name)
        elif known[key].id != outcome.id:
            link_nodes(connection, outcome.id, known[key].id, now)
            outcome.linked.append(known[key].name)


def _learned(memory: intake.Checked, outcome: _Outcome) -> Learned:
    return Learned(
        id=outcome.id,
        name=outcome.name,
        status=outcome.status,
        key_nouns=outcome.key_nouns,
        linked=tuple(outcome.linked),
        missing_links=tuple(outcome.missing),
        invalid_dimensions=memory.invalid_dimensions,
        hub=outcome.hub,
    )
