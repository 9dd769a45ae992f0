"""What a store holds, and whether it is well."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from biorag.engine.index_keeper import IndexKeeper
from biorag.errors import BioragError
from biorag.model_upkeep import Check, StoreState
from biorag.storage import health, statistics
from biorag.storage.connection import Store

if TYPE_CHECKING:
    from biorag.engine.memory import Memory

MENDING = "restore a backup, or run `biorag doctor` on a copy to see whether the damage is in it"
PROBE = ("doctor probe", "The heron fishes at the weir before dawn.", "when does the heron fish?")

OpenMemory = Callable[[Path], "Memory"]


def state(store: Store, keeper: IndexKeeper) -> StoreState:
    """What the store holds, counted in the database."""
    index = keeper.current(store)
    with store.snapshot() as connection:
        counted = statistics.count_all(connection)
    path = store.path
    beside = [] if path is None else [path, path.with_name(path.name + "-wal")]
    return StoreState(
        path=path or Path(":memory:"),
        memories=counted.memories,
        active=counted.active,
        dormant=counted.dormant,
        short_term=counted.short_term,
        long_term=counted.memories - counted.short_term,
        energy=counted.mean_weight,
        categories=counted.categories,
        languages=counted.languages,
        key_noun_coverage=counted.with_key_nouns / max(counted.memories, 1),
        bytes_on_disk=sum(file.stat().st_size for file in beside if file.exists()),
        schema_version=counted.schema_version,
        journal_mode=counted.journal_mode,
        index_documents=len(index),
    )


def check(store: Store, keeper: IndexKeeper, open_memory: OpenMemory) -> tuple[Check, ...]:
    """Looks for damage, and proves that learning, recall and forgetting work here.

    Args:
        store: Read whole, and written to once.
        keeper: Its index is compared with the store.
        open_memory: Opens a scratch memory for the round trip.
    """
    report = health.check(store)
    damage = "; ".join(report.problems)
    return (
        Check(
            name="store",
            ok=report.healthy,
            detail=damage or f"{report.memories} memories, whole and writable",
            remedy="" if report.healthy else MENDING,
        ),
        _index_check(store, keeper),
        Check(
            name="versions",
            ok=True,
            detail=f"schema {report.schema_version}, journal {report.journal_mode}",
        ),
        _permissions(store.path),
        _round_trip(open_memory),
        *(Check(name="note", ok=True, detail=note) for note in report.notes),
    )


def _index_check(store: Store, keeper: IndexKeeper) -> Check:
    try:
        documents = len(keeper.current(store))
        memories = health.counts(store.reading())[0]
    except BioragError as error:
        return Check(name="index", ok=False, detail=str(error), remedy=MENDING)
    ok = documents == memories
    return Check(
        name="index",
        ok=ok,
        detail=f"{documents} of {memories} memories in the ranked index",
        remedy="" if ok else "delete the file whose name ends in -index; it is built again",
    )


def _permissions(path: Path | None) -> Check:
    if path is None:
        return Check(name="permissions", ok=True, detail="in memory")
    others = path.stat().st_mode & 0o077
    return Check(
        name="permissions",
        ok=not others,
        detail=f"mode {path.stat().st_mode & 0o777:o}",
        remedy=f"chmod 600 {path}: other users can read it" if others else "",
    )


def _round_trip(open_memory: OpenMemory) -> Check:
    """Learns, recalls and forgets a memory in a scratch store, through the same code as ever."""
    name, content, question = PROBE
    failures = []
    with TemporaryDirectory(prefix="biorag-") as folder:
        try:
            with open_memory(Path(folder) / "scratch.db") as memory:
                memory.learn(name, content)
                if [hit.name for hit in memory.recall(question)] != [name]:
                    failures.append("what was learnt was not recalled")
                memory.forget(name)
                if not memory.recall(question).abstained:
                    failures.append("what was forgotten was recalled")
        except BioragError as error:
            failures.append(str(error))
    return Check(
        name="round trip",
        ok=not failures,
        detail="; ".join(failures) or "learnt, recalled and forgot in a scratch store",
        remedy="reinstall biorag" if failures else "",
    )
