"""The ordered steps that lead from an empty file to the present schema, each recorded."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from biorag.clock import Clock
from biorag.storage import (
    schema,
    schema_calibration,
    schema_evidence,
    schema_spaces,
    schema_validity,
)
from biorag.storage.backup import copy_database
from biorag.storage.handles import Access, connect
from biorag.storage.opening import APPLICATION_ID

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Migration:
    """One step of the schema.

    Attributes:
        version: The schema's version after this step; steps count up from 1 without a gap.
        name: What it does, for the record.
        apply: Does it, inside a transaction that it must not end.
    """

    version: int
    name: str
    apply: Callable[[sqlite3.Connection], None]


MIGRATIONS: tuple[Migration, ...] = (
    Migration(1, "memories, their texts, axes and links, and the full-text index", schema.create),
    Migration(2, "vector spaces", schema_spaces.create),
    Migration(3, "from which certainty on the store answers", schema_calibration.create),
    Migration(4, "from when to when a memory holds", schema_validity.create),
    Migration(5, "codes, latent links, hubs, groups and domain words", schema_evidence.create),
)


class Migratable(Protocol):
    """What a migration needs of a store."""

    path: Path | None
    clock: Clock

    def reading(self) -> sqlite3.Connection:
        """A connection to read with."""

    def atomic(self) -> AbstractContextManager[sqlite3.Connection]:
        """A transaction."""


def bring_up_to_date(store: Migratable, migrations: Sequence[Migration]) -> None:
    """Apply every step that the store has not had, each in a transaction of its own.

    Before the first step on a store that has had one, the whole store is copied to
    `<file>.backup-v<version>-<time>`; the copy's path is logged and kept in `meta`. Several
    processes may call this at the same time: each step is applied once.

    Raises:
        StorageError: a step failed; the store stands where the step before left it.
    """
    version_found = _version(store.reading())
    if version_found >= migrations[-1].version:
        return  # without the write lock: opening to read must not wait for a writer
    for step in migrations:
        with store.atomic() as connection:
            version = _version(connection)
            if version >= step.version:
                continue
            # Above the version found, this call or another process has already copied the store.
            backup = _back_up(store, version) if 0 < version == version_found else None
            step.apply(connection)
            now = store.clock.now()
            connection.execute(
                "INSERT INTO migraciones_ejecutadas (version, name, applied_at) VALUES (?, ?, ?)",
                (step.version, step.name, now),
            )
            if backup is not None:
                connection.execute(
                    "INSERT INTO meta (key, value) VALUES (?, ?)"
                    " ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                    (f"backup_before_version_{step.version}", str(backup)),
                )
            connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version={step.version}")
        logger.info("%s: schema %d, %s", store.path, step.version, step.name)


def _version(connection: sqlite3.Connection) -> int:
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return version


def _back_up(store: Migratable, version: int) -> Path | None:
    """Copy the store while its write lock is held, so that the copy is what the step starts from.

    The lock's own connection cannot be copied from; a reader beside it sees the same state.
    """
    if store.path is None:
        return None
    moment = datetime.fromtimestamp(store.clock.now(), UTC).strftime("%Y%m%dT%H%M%SZ")
    name = f"{store.path.name}.backup-v{version}-{moment}"
    destination = store.path.with_name(name)
    count = 1
    while destination.exists():
        count += 1
        destination = store.path.with_name(f"{name}-{count}")
    reader = connect(store.path, Access.READ, synchronous="FULL", busy_timeout_s=1.0)
    try:
        copy_database(reader, destination)
    finally:
        reader.close()
    logger.warning("%s is about to be upgraded; the copy before it: %s", store.path, destination)
    return destination
