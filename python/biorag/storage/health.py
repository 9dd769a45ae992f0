"""Whether a store is well: what it holds, whether its parts agree, whether it can be written."""

from __future__ import annotations

import os
import sqlite3
from dataclasses import dataclass, field
from pathlib import Path

from biorag.errors import CorruptDataError, StorageError
from biorag.storage import meta
from biorag.storage.backup import copy_database
from biorag.storage.connection import Store
from biorag.storage.fulltext import fulltext_problem

# File systems that are reached over a network: the locks and the shared memory of SQLite's
# write-ahead log do not work reliably there.
NETWORK_FILE_SYSTEMS = frozenset(
    {
        "9p",
        "afs",
        "beegfs",
        "ceph",
        "cifs",
        "coda",
        "fuse.glusterfs",
        "fuse.rclone",
        "fuse.s3fs",
        "fuse.sshfs",
        "glusterfs",
        "gpfs",
        "lustre",
        "ncpfs",
        "nfs",
        "nfs4",
        "smb2",
        "smb3",
        "smbfs",
        "virtiofs",
    }
)
MOUNTS = Path("/proc/mounts")

MOST_PROBLEMS = 20  # of one kind are listed; a damaged file has thousands


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthReport:
    """What a check of the store found.

    Attributes:
        problems: What is wrong, in plain words with the next step; empty when the store is well.
        notes: What is not wrong but worth knowing.
        memories: How many memories there are.
        texts: How many of them have analysed text; the same number in a store that is well.
        indexed: How many texts the full-text index holds; the same number again.
        schema_version: The schema's version.
        journal_mode: SQLite's way of keeping commits: `wal` where the file system allows it.
        file_bytes: Size of the file, without its log.
        read_only: Whether this user cannot write it.
    """

    problems: tuple[str, ...]
    notes: tuple[str, ...] = field(default=())
    memories: int = 0
    texts: int = 0
    indexed: int = 0
    schema_version: int = 0
    journal_mode: str = ""
    file_bytes: int = 0
    read_only: bool = False

    @property
    def healthy(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems


def check(store: Store) -> HealthReport:
    """Read the whole store, compare its parts, and write to it once.

    Takes time in proportion to the store's size.

    Raises:
        StorageError: it cannot be read at all.
    """
    connection = store.reading()
    problems = integrity_problems(connection) + foreign_key_problems(connection)
    memories = texts = indexed = 0
    try:
        memories, texts, indexed = counts(connection)
    except CorruptDataError as error:
        problems.append(str(error))
    if not memories == texts == indexed:
        problems.append(
            f"{memories} memories, {texts} analysed texts and {indexed} texts in the full-text"
            " index should be the same number: rebuild the index"
        )
    problems += _write_problems(store)
    return HealthReport(
        problems=tuple(problems),
        notes=tuple(_notes(store, memories)),
        memories=memories,
        texts=texts,
        indexed=indexed,
        schema_version=connection.execute("PRAGMA user_version").fetchone()[0],
        journal_mode=connection.execute("PRAGMA journal_mode").fetchone()[0],
        file_bytes=store.path.stat().st_size if store.path is not None else 0,
        read_only=store.read_only,
    )


def integrity_problems(connection: sqlite3.Connection) -> list[str]:
    """What SQLite finds wrong with the file's pages and indexes."""
    try:
        rows = connection.execute(f"PRAGMA integrity_check({MOST_PROBLEMS})").fetchall()
    except CorruptDataError as error:
        return [str(error)]
    return [f"damaged file: {text}" for (text,) in rows if text != "ok"]


def foreign_key_problems(connection: sqlite3.Connection) -> list[str]:
    """Rows that belong to a memory that is not there, by table."""
    rows = connection.execute(
        'SELECT "table", count(*) FROM pragma_foreign_key_check GROUP BY "table"'
    ).fetchall()
    return [f"{number} rows of {table} belong to no memory" for table, number in rows]


def counts(connection: sqlite3.Connection) -> tuple[int, int, int]:
    """How many memories there are, how many analysed texts, how many indexed texts."""
    memories, texts, indexed = connection.execute(
        "SELECT (SELECT count(*) FROM node), (SELECT count(*) FROM node_text),"
        " (SELECT count(*) FROM fts_docsize)"
    ).fetchone()
    return memories, texts, indexed


def write_probe(store: Store) -> None:
    """Write something small and commit it, as a memory would be.

    Raises:
        StorageError: the store cannot be written now; its class says why.
    """
    with store.atomic() as connection:
        meta.put(connection, "write_probe", repr(store.clock.now()))


def backup(store: Store, destination: Path) -> Path:
    """Copy the whole store to a new file while it is in use; returns the file's full path.

    Raises:
        StorageError: the destination exists or cannot be written, or the copy is not whole.
    """
    destination = destination.expanduser().absolute()
    copy_database(store.reading(), destination)
    return destination


def network_file_system(path: Path, mounts: Path = MOUNTS) -> str | None:
    """The kind of network file system that `path` lies on; None when it is local, or unknown.

    Known on Linux only, from the table of mounts.
    """
    try:
        lines = mounts.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:
        return None
    kind, longest = None, -1
    for line in lines:
        _, mounted_at, file_system, *_ = line.split(" ")
        place = Path(_unescaped(mounted_at))
        # Of two mounts in the same place the later one is seen.
        if path.is_relative_to(place) and len(place.parts) >= longest:
            kind, longest = file_system, len(place.parts)
    return kind if kind in NETWORK_FILE_SYSTEMS else None


def _write_problems(store: Store) -> list[str]:
    """What keeps the store from being written, and what only a writer can find out."""
    problems = []
    try:
        with store.atomic() as connection:
            problem = fulltext_problem(connection)
        if problem is not None:
            problems.append(problem)
        write_probe(store)
    except StorageError as error:
        problems.append(str(error))
    return problems


def _notes(store: Store, memories: int) -> list[str]:
    notes = []
    if store.path is not None:
        network = network_file_system(store.path)
        if network is not None:
            notes.append(
                f"{store.path} lies on a network file system ({network}): use it from one"
                " computer at a time, or keep it on a local disk"
            )
    if memories == 0:
        where = "memory" if store.path is None else str(store.path)
        notes.append(f"the store in {where} is empty")
    return notes


def _unescaped(text: str) -> str:
    """A path of the mount table, in which blanks and backslashes are written in octal."""
    return os.fsdecode(
        text.encode("utf-8", "surrogateescape").decode("unicode_escape").encode("latin-1")
    )
