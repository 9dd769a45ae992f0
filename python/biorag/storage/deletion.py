"""Forgetting: a deleted memory is gone from every table at once, and from the disk by a purge."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from biorag.storage.bulk import IDS_PER_QUERY, chunks, placeholders
from biorag.storage.changes import prune_changes
from biorag.storage.codes import mark_neighbours_dirty
from biorag.storage.connection import Store
from biorag.storage.domain import drop_domain_terms, has_domain_terms
from biorag.storage.edges import REWRITTEN
from biorag.storage.embeddings import LANE as EMBEDDING
from biorag.storage.fulltext import rebuild_fulltext
from biorag.storage.predicates import LANE as ROLES
from biorag.storage.predicates import any_told
from biorag.storage.revisions import revise
from biorag.storage.search_text import phrase_matches, words_of
from biorag.storage.spaces import drop_terms, newest_space

# Children before their parent. The foreign keys would do most of it too, but one statement a
# table is faster than one row at a time, and the list says where a memory lies.
_LANES = (
    ("node_text", "node_id"),
    ("term", "node_id"),
    ("observation", "node_id"),
    ("node_axis_value", "node_id"),
    ("predicate", "node_id"),
    ("node_group", "node_id"),
    ("node_vector", "node_id"),
    ("sdm_code", "node_id"),
    ("sdm_dirty", "node_id"),
    ("latent_edge", "src"),
    ("latent_edge", "dst"),
    ("hub", "node_id"),
    ("edge", "src"),
    ("edge", "dst"),
    ("node", "id"),
)


@dataclass(frozen=True, slots=True)
class PurgeReport:
    """What a purge did.

    Attributes:
        bytes_before: Size of the file and its log.
        bytes_after: The same afterwards.
        backups: Copies made before upgrades that lie beside the store. They are the user's and
            may still hold what was deleted from it.
    """

    bytes_before: int
    bytes_after: int
    backups: tuple[Path, ...]


def delete_many(connection: sqlite3.Connection, ids: Sequence[int]) -> int:
    """Delete memories with all that belongs to them.

    Returns:
        How many of them there were.
    """
    deleted = 0
    linked = False
    embedded = False
    learnt = newest_space(connection) or has_domain_terms(connection)
    words = words_of(connection, ids) if learnt else set()
    counted = False  # how many memories hold each dimension is kept in memory
    told = any_told(connection, ids)
    mark_neighbours_dirty(connection, ids)
    for some in chunks(ids, IDS_PER_QUERY):
        for table, column in _LANES:
            removed = connection.execute(
                f"DELETE FROM {table} WHERE {column} IN {placeholders(len(some))}", tuple(some)
            ).rowcount
            linked |= table == "edge" and removed > 0
            counted |= table == "node_axis_value" and removed > 0
            embedded |= table == "node_vector" and removed > 0
        deleted += removed  # of the last lane, the memories themselves
    if linked:
        revise(connection, REWRITTEN)
    if embedded:
        revise(connection, EMBEDDING)
    if counted:
        revise(connection, "dimensions")
    if told:
        revise(connection, ROLES)
    if deleted:
        _drop_unused_values(connection)
        gone = {word for word in words if not phrase_matches(connection, [word], 1)}
        drop_terms(connection, gone)
        drop_domain_terms(connection, gone)
        prune_changes(connection)
    return deleted


def purge(store: Store) -> PurgeReport:
    """Overwrite on disk what was deleted, and give its room back.

    The full-text index is made anew (a deletion only marks its old entries), the file is written
    anew without its free pages, and the log is emptied.

    Raises:
        DatabaseBusyError: someone else kept reading or writing; what was deleted may still be in
            the log.
        ReadOnlyStoreError: the store cannot be written.
    """
    before = _size_on_disk(store.path)
    store.reading().execute("PRAGMA secure_delete=ON").fetchone()
    rebuild_fulltext(store)
    store.rewrite()
    return PurgeReport(before, _size_on_disk(store.path), _backups(store.path))


def _drop_unused_values(connection: sqlite3.Connection) -> None:
    """Forget values that an agent brought and no memory has any more: they are its words."""
    connection.execute(
        "DELETE FROM axis_value WHERE auto_generated = 1 AND NOT EXISTS ("
        "SELECT 1 FROM node_axis_value WHERE axis_value_id = axis_value.id)"
    )


def _size_on_disk(path: Path | None) -> int:
    if path is None:
        return 0
    files = (path, path.with_name(path.name + "-wal"))
    return sum(file.stat().st_size for file in files if file.exists())


def _backups(path: Path | None) -> tuple[Path, ...]:
    if path is None:
        return ()
    prefix = f"{path.name}.backup-v"
    return tuple(sorted(file for file in path.parent.iterdir() if file.name.startswith(prefix)))
