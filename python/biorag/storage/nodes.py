"""Memories as rows: written in bulk, read in few statements."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from types import MappingProxyType
from typing import Literal, NamedTuple, TypedDict, Unpack

from biorag.model import StoredMemory
from biorag.model_predicates import Predicate
from biorag.storage.bulk import insert_rows, select_in
from biorag.storage.codes import mark_dirty, mark_neighbours_dirty
from biorag.storage.dimensions import dimensions_of, insert_dimensions
from biorag.storage.edges import agent_links
from biorag.storage.observations import contents, insert_bodies
from biorag.storage.predicates import predicates_of
from biorag.storage.revisions import revise
from biorag.storage.search_text import NodeText, insert_texts
from biorag.storage.terms import insert_terms, terms

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeDraft:
    """A new memory, checked and analysed, ready to be written.

    Attributes:
        key: `inputs.name_key` of the name; no node of the store may have it.
        language: Language that its text was analysed in.
        dimensions: As `dimensions.normalised_dimensions` returns them.
        created_at: Epoch seconds.
        text: Its analysed tokens.
        valid_from: Epoch seconds from which on it holds; `None`: always did.
        valid_to: Epoch seconds from which on it holds no more; `None`: still does.
    """

    name: str
    key: str
    content: str
    category: str
    language: str
    created_at: float
    text: NodeText
    synonyms: tuple[str, ...] = ()
    key_nouns: tuple[str, ...] = ()
    dimensions: Mapping[str, Sequence[str]] = field(default_factory=dict)
    author: str | None = None
    valence: float = 0.0
    valid_from: float | None = None
    valid_to: float | None = None


class KnownNode(NamedTuple):
    """What a key stands for."""

    id: int
    name: str
    category: str
    language: str
    author: str | None


class NodeFields(TypedDict, total=False):
    """Columns of a memory that may be changed on their own."""

    key: str
    name: str
    category: str
    author: str | None
    language: str
    created_at: float
    state: Literal["activo", "dormido", "cuarentena"]
    tier: Literal["corto", "largo"]
    weight: float
    valence: float
    priority: int
    successes: int
    failures: int
    last_access: float | None
    expires_at: float | None
    valid_from: float | None
    valid_to: float | None


# Changing what a memory is about is an update of it; counting its use is not.
_DESCRIPTION = frozenset(
    {
        *("key", "name", "category", "author", "language", "created_at"),
        *("valid_from", "valid_to"),
    }
)
_FIELDS = frozenset(NodeFields.__annotations__)


def insert_many(
    connection: sqlite3.Connection, drafts: Sequence[NodeDraft], now: float
) -> list[int]:
    """Write new memories with all that belongs to them.

    Args:
        connection: Inside `Store.atomic`, so that nobody else takes the same ids.
        drafts: Their keys must be new, and different from each other.
        now: The time of writing, epoch seconds.

    Returns:
        Their ids, in the order of the drafts and ascending.
    """
    if not drafts:
        return []
    first = _next_id(connection)
    ids = list(range(first, first + len(drafts)))
    pairs = list(zip(ids, drafts, strict=True))
    insert_rows(
        connection,
        "INSERT INTO node"
        " (id, key, name, category, valence, author, language, created_at, updated_at,"
        " valid_from, valid_to)",
        [
            (
                *(i, d.key, d.name, d.category, d.valence, d.author, d.language, d.created_at),
                *(now, d.valid_from, d.valid_to),
            )
            for i, d in pairs
        ],
    )
    insert_bodies(connection, [(i, d.content, d.created_at) for i, d in pairs])
    insert_terms(connection, ((i, "synonym", d.synonyms) for i, d in pairs))
    insert_terms(connection, ((i, "key_noun", d.key_nouns) for i, d in pairs))
    insert_dimensions(connection, ((i, d.dimensions) for i, d in pairs if d.dimensions), now)
    insert_texts(connection, ids, [d.text for d in drafts])
    return ids


def existing_by_keys(connection: sqlite3.Connection, keys: Sequence[str]) -> dict[str, KnownNode]:
    """The memories that have one of these keys, by key."""
    rows = select_in(
        connection,
        "SELECT key, id, name, category, language, author FROM node WHERE key IN {ids}",
        keys,
    )
    return {key: KnownNode(*rest) for key, *rest in rows}


def update_fields(
    connection: sqlite3.Connection, node_id: int, now: float, **fields: Unpack[NodeFields]
) -> bool:
    """Change columns of a memory; False when there is no such memory.

    Only a change of what describes it (name, category, author, language, time of creation) counts
    as an update of the memory itself.
    """
    unknown = fields.keys() - _FIELDS
    if unknown:
        raise TypeError(f"not columns of a memory that can be changed: {sorted(unknown)}")
    if "category" in fields:
        mark_dirty(connection, [node_id])
    if "key" in fields:
        mark_neighbours_dirty(connection, [node_id])
    columns = dict(fields)
    if fields.keys() & _DESCRIPTION:
        columns["updated_at"] = now
    if not columns:
        return _exists(connection, node_id)
    if "weight" in fields:
        revise(connection, "weights")
    assignments = ", ".join(f"{column} = ?" for column in columns)
    cursor = connection.execute(
        f"UPDATE node SET {assignments} WHERE id = ?", (*columns.values(), node_id)
    )
    return bool(cursor.rowcount)


def fetch(connection: sqlite3.Connection, ids: Sequence[int]) -> dict[int, StoredMemory]:
    """The memories with these ids, in the order of `ids`; absent ones are left out.

    Seven statements for every five hundred ids, however much belongs to each memory.
    """
    rows = {
        row[0]: row
        for row in select_in(
            connection,
            "SELECT id, name, category, state, tier, weight, valence, author, created_at,"
            " updated_at, valid_from, valid_to FROM node WHERE id IN {ids}",
            ids,
        )
    }
    present = [node_id for node_id in dict.fromkeys(ids) if node_id in rows]
    texts = contents(connection, present)
    words = terms(connection, present)
    dimensions = dimensions_of(connection, present)
    links = agent_links(connection, present)
    stated = _predicates(connection, present)
    none: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    memories = {}
    for node_id in present:
        _, name, category, state, tier, weight, valence, author, created_at, *times = rows[node_id]
        updated_at, valid_from, valid_to = times
        memories[node_id] = StoredMemory(
            id=node_id,
            name=name,
            content=texts.get(node_id, ""),
            category=category,
            state=state,
            tier=tier,
            weight=weight,
            valence=valence,
            author=author,
            synonyms=words.get((node_id, "synonym"), ()),
            key_nouns=words.get((node_id, "key_noun"), ()),
            dimensions=dimensions.get(node_id, none),
            links=links.get(node_id, ()),
            created_at=moment(created_at),
            updated_at=moment(updated_at),
            valid_from=None if valid_from is None else moment(valid_from),
            valid_to=None if valid_to is None else moment(valid_to),
            predicates=stated.get(node_id, ()),
        )
    return memories


def _predicates(
    connection: sqlite3.Connection, ids: Sequence[int]
) -> dict[int, tuple[Predicate, ...]]:
    found: dict[int, list[Predicate]] = {}
    for row in predicates_of(connection, ids):
        predicate = Predicate(
            subject=row.subject, action=row.action, object=row.object, context=row.context
        )
        found.setdefault(row.node_id, []).append(predicate)
    return {number: tuple(predicates) for number, predicates in found.items()}


def moment(epoch: float) -> datetime:
    """The UTC time of epoch seconds, also before 1970 where the system's own call refuses."""
    return EPOCH + timedelta(seconds=epoch)


def _next_id(connection: sqlite3.Connection) -> int:
    row = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = 'node'").fetchone()
    return 1 if row is None else int(row[0]) + 1


def _exists(connection: sqlite3.Connection, node_id: int) -> bool:
    row = connection.execute("SELECT 1 FROM node WHERE id = ?", (node_id,)).fetchone()
    return row is not None
