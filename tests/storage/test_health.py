"""The health check fails when something is wrong, and a backup is whole or is not there."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from biorag.errors import CorruptDataError, DatabaseBusyError, StorageError
from biorag.storage import backup, health, meta, nodes
from biorag.storage.connection import Store
from biorag.storage.migrations import MIGRATIONS
from storage.drafts import new_draft


def fill(store: Store, count: int = 50) -> None:
    drafts = [new_draft(f"n{i}", f"text {i}") for i in range(count)]
    with store.atomic() as connection:
        nodes.insert_many(connection, drafts, now=1.0)


def test_a_store_that_is_well_is_said_to_be_well(store: Store) -> None:
    """h7-098: with the journal mode that it uses."""
    fill(store)
    report = health.check(store)
    assert report.healthy
    assert (report.memories, report.texts, report.indexed) == (50, 50, 50)
    assert (report.journal_mode, report.read_only) == ("wal", False)
    assert report.schema_version == MIGRATIONS[-1].version
    assert report.notes == ()
    assert report.file_bytes > 0


def test_an_empty_store_is_said_to_be_empty_and_where(store: Store) -> None:
    """h7-112"""
    report = health.check(store)
    assert report.healthy
    assert report.notes == (f"the store in {store.path} is empty",)


def test_the_check_writes_to_the_store(store: Store) -> None:
    """h7-109"""
    assert meta.get(store.reading(), "write_probe") is None
    health.check(store)
    assert meta.get(store.reading(), "write_probe") == repr(store.clock.now())


def test_a_store_that_someone_has_locked_is_not_healthy(path: Path) -> None:
    with Store.open(path, busy_timeout_s=0.05) as store:
        holder = sqlite3.connect(path, isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        report = health.check(store)
        assert any("being written by someone else" in problem for problem in report.problems)
        with pytest.raises(DatabaseBusyError):
            health.write_probe(store)
        holder.close()
        assert health.check(store).healthy


def test_zeros_in_the_middle_of_the_file_are_found(path: Path) -> None:
    """h7-113"""
    with Store.open(path) as store:
        fill(store, 2000)
    with path.open("r+b") as file:
        file.seek(8192)
        file.write(bytes(8192))
    try:
        with Store.open(path) as store:
            healthy = health.check(store).healthy
    except StorageError:
        healthy = False
    assert not healthy


def test_a_memory_without_its_index_entry_is_found(path: Path) -> None:
    """h7-129: an empty index does not count as consistent."""
    with Store.open(path) as store:
        fill(store)
        with store.atomic() as connection:
            connection.execute("DELETE FROM node_text WHERE node_id > 40")
        report = health.check(store)
    assert any("50 memories, 40 analysed texts" in problem for problem in report.problems)


def test_rows_that_belong_to_no_memory_are_found(path: Path) -> None:
    with Store.open(path) as store:
        fill(store)
    plain = sqlite3.connect(path)
    plain.execute("INSERT INTO term VALUES (999, 'synonym', 0, 'orphan')")
    plain.commit()
    plain.close()
    with Store.open(path) as store:
        assert health.check(store).problems == ("1 rows of term belong to no memory",)


class TestBackup:
    def test_a_backup_holds_everything_and_opens_as_a_store(self, store: Store) -> None:
        """h7-099, h7-100: also what is not yet in the main file."""
        fill(store, 100)
        assert store.path is not None
        copy = health.backup(store, store.path.with_name("copy.db"))
        assert copy.stat().st_mode & 0o777 == 0o600
        names = sorted(file.name for file in copy.parent.iterdir())
        assert names == ["copy.db", "memory.db", "memory.db-shm", "memory.db-wal"]
        everything = nodes.fetch(store.reading(), range(1, 101))
        with Store.open(copy) as restored:
            assert nodes.fetch(restored.reading(), range(1, 101)) == everything
            assert health.check(restored).healthy
            assert meta.store_id(restored.reading()) == meta.store_id(store.reading())

    def test_a_store_in_memory_can_be_kept(self, path: Path) -> None:
        with Store.open(":memory:") as store:
            fill(store)
            health.backup(store, path)
        with Store.open(path) as kept:
            assert health.counts(kept.reading()) == (50, 50, 50)

    def test_a_backup_while_others_write_is_of_one_moment(self, store: Store, path: Path) -> None:
        fill(store)
        with Store.open(path) as other, store.snapshot():
            with other.atomic() as connection:
                nodes.insert_many(connection, [new_draft("later")], now=1.0)
            copy = health.backup(store, path.with_name("copy.db"))
        with Store.open(copy) as restored:
            assert health.counts(restored.reading()) == (50, 50, 50)

    def test_a_copy_that_lost_something_is_not_taken_for_a_backup(
        self, store: Store, path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """h7-100: the copying made to lose one memory."""
        fill(store)
        whole_copy = backup._write_copy

        def losing_copy(source: sqlite3.Connection, file: Path) -> None:
            whole_copy(source, file)
            copy = sqlite3.connect(file)
            copy.execute("DELETE FROM observation WHERE node_id = 50")
            copy.commit()
            copy.close()

        monkeypatch.setattr(backup, "_write_copy", losing_copy)
        with pytest.raises(CorruptDataError, match="does not hold"):
            health.backup(store, path.with_name("copy.db"))
        names = sorted(file.name for file in path.parent.iterdir())
        assert names == ["memory.db", "memory.db-shm", "memory.db-wal"]

    def test_a_backup_never_replaces_a_file(self, store: Store, path: Path) -> None:
        taken = path.with_name("taken.db")
        taken.write_text("precious", encoding="utf-8")
        with pytest.raises(StorageError, match="exists"):
            health.backup(store, taken)
        assert taken.read_text(encoding="utf-8") == "precious"

    def test_a_backup_that_cannot_be_written_leaves_nothing(self, store: Store, path: Path) -> None:
        """h7-120"""
        with pytest.raises(StorageError):
            health.backup(store, path.parent / "no such folder" / "copy.db")
        names = sorted(file.name for file in path.parent.iterdir())
        assert names == ["memory.db", "memory.db-shm", "memory.db-wal"]
        assert not store.reading().in_transaction

    def test_no_descriptor_stays_open_after_a_backup(self, store: Store, path: Path) -> None:
        """h7-120: an open file could not be moved on Windows."""
        descriptors = Path("/proc/self/fd")
        if not descriptors.exists():
            pytest.skip("needs Linux's list of open files")
        before = len(list(descriptors.iterdir()))
        health.backup(store, path.with_name("copy.db"))
        assert len(list(descriptors.iterdir())) == before


class TestNetworkFileSystems:
    """h7-103"""

    MOUNTS = (
        "/dev/sda1 / ext4 rw 0 0\n"
        "server:/home /home nfs4 rw 0 0\n"
        "//server/x /mnt/my\\040share cifs rw 0 0\n"
        "tmpfs /home/ana/local tmpfs rw 0 0\n"
    )

    @pytest.mark.parametrize(
        ("path", "expected"),
        [
            ("/home/ana/memory.db", "nfs4"),
            ("/home/ana/local/memory.db", None),
            ("/mnt/my share/memory.db", "cifs"),
            ("/homeless/memory.db", None),
            ("/var/memory.db", None),
        ],
    )
    def test_the_mount_that_holds_the_file_decides(
        self, tmp_path: Path, path: str, expected: str | None
    ) -> None:
        mounts = tmp_path / "mounts"
        mounts.write_text(self.MOUNTS, encoding="utf-8")
        assert health.network_file_system(Path(path), mounts) == expected

    def test_a_system_without_the_table_is_not_judged(self, tmp_path: Path) -> None:
        assert health.network_file_system(Path("/x"), tmp_path / "absent") is None

    def test_a_store_on_one_is_well_but_noted(
        self, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        fill(store)
        mounts = tmp_path / "mounts"
        mounts.write_text(f"server:/x {tmp_path} nfs rw 0 0\n", encoding="utf-8")
        monkeypatch.setattr(health.network_file_system, "__defaults__", (mounts,))
        report = health.check(store)
        assert report.healthy
        assert "network file system (nfs)" in report.notes[0]
