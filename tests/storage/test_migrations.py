"""Upgrading: in recorded steps, after a checked copy, whole or not at all; never downgrading."""

from __future__ import annotations

import hashlib
import os
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from biorag.errors import CorruptDataError, SchemaVersionError, StorageError
from biorag.storage import health, meta, nodes
from biorag.storage.connection import Store
from biorag.storage.migrations import MIGRATIONS, Migration
from biorag.storage.opening import missing_ability
from biorag.storage.search_text import phrase_matches
from storage.drafts import StillClock, new_draft

NEWEST = MIGRATIONS[-1].version


def add_colour(connection: sqlite3.Connection) -> None:
    connection.execute("ALTER TABLE node ADD COLUMN colour TEXT NOT NULL DEFAULT 'grey'")
    connection.execute("CREATE TABLE paint (colour TEXT PRIMARY KEY) STRICT, WITHOUT ROWID")
    connection.execute("INSERT INTO paint SELECT DISTINCT colour FROM node")
    connection.execute("CREATE INDEX node_by_colour ON node (colour)")


def add_size(connection: sqlite3.Connection) -> None:
    connection.execute("ALTER TABLE node ADD COLUMN size REAL NOT NULL DEFAULT 1.0")


TWO_MORE = (
    *MIGRATIONS,
    Migration(NEWEST + 1, "colours", add_colour),
    Migration(NEWEST + 2, "sizes", add_size),
)


def fill(path: Path, count: int = 10) -> None:
    with Store.open(path) as store, store.atomic() as connection:
        nodes.insert_many(connection, [new_draft(f"n {i}", f"t{i}") for i in range(count)], now=1.0)


def backups(path: Path) -> list[Path]:
    return sorted(path.parent.glob(f"{path.name}.backup-*"))


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_a_new_store_is_at_the_newest_version_and_says_how_it_came_there(store: Store) -> None:
    connection = store.reading()
    assert connection.execute("PRAGMA user_version").fetchone() == (NEWEST,)
    steps = connection.execute("SELECT version, name, applied_at FROM migraciones_ejecutadas")
    assert steps.fetchall() == [(step.version, step.name, store.clock.now()) for step in MIGRATIONS]
    assert len(meta.store_id(connection)) == 32
    assert store.path is not None
    assert backups(store.path) == []


def test_the_steps_count_up_from_one(store: Store) -> None:
    assert [step.version for step in TWO_MORE] == list(range(1, len(TWO_MORE) + 1))


def test_an_older_store_is_upgraded_after_a_copy_that_holds_everything(
    path: Path, clock: StillClock, caplog: pytest.LogCaptureFixture
) -> None:
    """h7-099, h7-100, h7-125, h7-127"""
    fill(path)
    with Store.open(path, clock=clock, migrations=TWO_MORE) as store:
        connection = store.reading()
        assert connection.execute("SELECT DISTINCT colour, size FROM node").fetchall() == [
            ("grey", 1.0)
        ]
        assert len(nodes.fetch(connection, range(1, 11))) == 10
        [backup] = backups(path)
        assert backup.name == f"memory.db.backup-v{NEWEST}-20231114T221320Z"
        assert meta.get(connection, f"backup_before_version_{NEWEST + 1}") == str(backup)
        assert str(backup) in caplog.text
    assert backup.stat().st_mode & 0o777 == 0o600
    with Store.open(backup) as copy:
        assert len(nodes.fetch(copy.reading(), range(1, 11))) == 10
    with Store.open(path, migrations=TWO_MORE):
        assert len(backups(path)) == 1


def test_the_copy_holds_what_was_still_in_the_log(path: Path) -> None:
    """h7-099: the log of a killed process, not only the main file."""
    fill(path, 0)
    with Store.open(path) as store:
        with store.atomic() as connection:
            nodes.insert_many(connection, [new_draft(f"n {i}") for i in range(100)], now=1.0)
        left = path.parent / "left"
        left.mkdir()
        for suffix in ("", "-wal", "-shm"):
            source = path.with_name(path.name + suffix)
            (left / source.name).write_bytes(source.read_bytes())
    with Store.open(left / path.name, migrations=TWO_MORE):
        [backup] = backups(left / path.name)
    plain = sqlite3.connect(backup)
    assert plain.execute("SELECT count(*) FROM node").fetchone() == (100,)
    plain.close()


def test_a_newer_store_is_refused_and_stays_byte_for_byte_what_it_was(path: Path) -> None:
    """h7-128"""
    fill(path)
    with Store.open(path, migrations=TWO_MORE):
        pass
    before = digest(path)
    for _ in range(2):
        with pytest.raises(SchemaVersionError, match="newer biorag"):
            Store.open(path)
        assert digest(path) == before
    with Store.open(path, migrations=TWO_MORE) as store:
        assert len(nodes.fetch(store.reading(), range(1, 11))) == 10


def test_a_newer_version_that_is_only_in_the_log_is_refused_as_well(path: Path) -> None:
    """h7-128, after the newer biorag was killed."""
    fill(path)
    left = path.parent / "left"
    left.mkdir()
    with Store.open(path, migrations=TWO_MORE):
        for suffix in ("", "-wal", "-shm"):
            source = path.with_name(path.name + suffix)
            (left / source.name).write_bytes(source.read_bytes())
    copy, log = left / path.name, left / f"{path.name}-wal"
    before = digest(copy), digest(log)
    with pytest.raises(SchemaVersionError):
        Store.open(copy)
    assert (digest(copy), digest(log)) == before


MIGRATE = """
import os, signal, sqlite3, sys
from pathlib import Path
from biorag.storage.connection import Store
from storage.test_migrations import TWO_MORE

left = int(sys.argv[2])
connect = sqlite3.connect

def counting(*arguments, **options):
    connection = connect(*arguments, **options)
    def count(statement):
        global left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
    connection.set_trace_callback(count)
    return connection

sqlite3.connect = counting
Store.open(Path(sys.argv[1]), migrations=TWO_MORE).close()
"""


@pytest.mark.parametrize("filled", [True, False])
def test_killed_before_any_statement_an_upgrade_finishes_when_opened_again(
    tmp_path: Path, filled: bool
) -> None:
    """h7-126: of a store that exists, and of one that is being made."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    original = tmp_path / "original.db"
    fill(original)
    killed_at = list(range(2, 60, 7)) if filled else list(range(2, 170, 16))
    kills = 0
    for statement in killed_at:
        path = tmp_path / f"{statement}" / "memory.db"
        path.parent.mkdir()
        if filled:
            path.write_bytes(original.read_bytes())
        process = subprocess.run(
            [sys.executable, "-c", MIGRATE, str(path), str(statement)], env=environment, check=False
        )
        kills += process.returncode != 0
        with Store.open(path, migrations=TWO_MORE) as store:
            assert health.check(store).problems == ()
            connection = store.reading()
            versions = connection.execute("SELECT version FROM migraciones_ejecutadas").fetchall()
            assert versions == [(step.version,) for step in TWO_MORE]
            assert len(nodes.fetch(connection, range(1, 11))) == (10 if filled else 0)
            assert phrase_matches(connection, ["t3"], 5) == ([4] if filled else [])
        assert len(backups(path)) >= (1 if filled else 0)
        assert list(path.parent.glob(".*partial*")) == [] or process.returncode
    assert kills > 5


def test_a_step_that_fails_changes_nothing(path: Path) -> None:
    fill(path)

    def fail(connection: sqlite3.Connection) -> None:
        connection.execute("ALTER TABLE node ADD COLUMN half TEXT")
        connection.execute("INSERT INTO no_such_table VALUES (1)")

    with pytest.raises(StorageError):
        Store.open(path, migrations=(*MIGRATIONS, Migration(NEWEST + 1, "fails", fail)))
    with Store.open(path) as store:
        columns = store.reading().execute("SELECT name FROM pragma_table_info('node')").fetchall()
        assert ("half",) not in columns
        assert len(nodes.fetch(store.reading(), range(1, 11))) == 10


def test_opened_by_many_at_once_each_step_is_applied_once(path: Path) -> None:
    fill(path)
    barrier = threading.Barrier(6)
    failures: list[BaseException] = []

    def upgrade() -> None:
        barrier.wait()
        try:
            Store.open(path, migrations=TWO_MORE).close()
        except StorageError as error:
            failures.append(error)

    threads = [threading.Thread(target=upgrade) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert len(backups(path)) == 1


def test_a_store_in_memory_starts_at_the_newest_version() -> None:
    with Store.open(":memory:", migrations=TWO_MORE) as store:
        version = store.reading().execute("PRAGMA user_version").fetchone()
        assert version == (NEWEST + 2,)


def test_another_programs_database_is_left_alone(path: Path) -> None:
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE bills (amount)")
    other.commit()
    other.close()
    before = digest(path)
    with pytest.raises(CorruptDataError, match="not a store of biorag"):
        Store.open(path)
    assert digest(path) == before


def test_a_sqlite_that_cannot_hold_a_store_is_named_at_once() -> None:
    """h7-118"""
    assert missing_ability((3, 40, 1), {"fts5", "rtree"}) is None
    assert "FTS5" in str(missing_ability((3, 40, 1), {"rtree"}))
    assert "3.37.0" in str(missing_ability((3, 36, 9), {"fts5"}))
