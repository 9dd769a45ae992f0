"""Learning a batch of memories: checked and analysed first, then written in one transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from biorag.clock import Clock
from biorag.engine import intake
from biorag.engine.index_keeper import IndexKeeper, analyse_texts
from biorag.model import Learned, LearnedStatus, NewMemory
from biorag.storage.changes import latest_change
from biorag.storage.connection import Store
from biorag.storage.documents import documents_of
from biorag.storage.edges import link_nodes
from biorag.storage.nodes import KnownNode, existing_by_keys, insert_many
from biorag.storage.observations import append_observation
from biorag.storage.search_text import NodeText, set_text


@dataclass(slots=True)
class _Outcome:
    """What becomes of one memory of a batch while the batch is written."""

    id: int
    name: str
    status: LearnedStatus
    linked: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)


def learn_batch(
    memories: Sequence[NewMemory],
    first: int,
    *,
    store: Store,
    keeper: IndexKeeper,
    clock: Clock,
) -> list[Learned]:
    """Learns memories in one transaction: all are on disk when this returns, or none is.

    Args:
        memories: The batch.
        first: Position of its first memory among all that the caller gave, for error messages.
        store: Written to.
        keeper: Told what is new.
        clock: Dates what is written.

    Raises:
        InvalidInputError: a memory breaks the input contract.
        StorageError: the store cannot write.
    """
    checked = intake.check_all(memories, clock, first)
    language = keeper.main_language()
    candidates = _first_of_each_key(checked)
    analysed = intake.analyse(candidates, language)
    now = clock.now()
    with store.atomic() as connection:
        before = latest_change(connection)
        known = existing_by_keys(connection, [memory.key for memory in candidates])
        fresh = [memory for memory in candidates if memory.key not in known]
        if known:
            # Rare enough to analyse the rest again rather than to take the batch apart.
            analysed = intake.analyse(fresh, language)
        ids = insert_many(connection, intake.drafts(fresh, analysed), now)
        created = {memory.key: number for memory, number in zip(fresh, ids, strict=True)}
        outcomes = [_store(connection, memory, known, created, now) for memory in checked]
        _refresh_texts(connection, outcomes)
        for memory, outcome in zip(checked, outcomes, strict=True):
            _link(connection, memory, outcome, now)
    keeper.absorb(store, ids, analysed, before)
    return [_learned(memory, outcome) for memory, outcome in zip(checked, outcomes, strict=True)]


def refresh_text(connection: sqlite3.Connection, ids: Sequence[int]) -> None:
    """Analyses memories again after a change of their words; the full-text index follows."""
    documents = documents_of(connection, ids)
    analysed = analyse_texts(documents)
    for document, texts in zip(documents, analysed.texts, strict=True):
        set_text(connection, document.id, NodeText(*texts))


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
    """Writes what is not written yet of a memory: the text of one whose name exists."""
    if memory.key in known:
        held = known[memory.key]
        number, name = held.id, held.name
    elif created.get(memory.key, 0) > 0:
        number, name = created[memory.key], memory.name
        # The next memory of this name in the batch adds to it.
        created[memory.key] = -number
        return _Outcome(number, name, "created")
    else:
        number, name = -created[memory.key], memory.name
    added = append_observation(connection, number, memory.content, now)
    return _Outcome(number, name, "extended" if added else "unchanged")


def _refresh_texts(connection: sqlite3.Connection, outcomes: Sequence[_Outcome]) -> None:
    extended = sorted({outcome.id for outcome in outcomes if outcome.status == "extended"})
    if extended:
        refresh_text(connection, extended)


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
        key_nouns=memory.key_nouns,
        linked=tuple(outcome.linked),
        missing_links=tuple(outcome.missing),
        invalid_dimensions=memory.invalid_dimensions,
    )
