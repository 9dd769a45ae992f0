"""Files that are not as they should be: missing, foreign, damaged, mixed up, read-only, full."""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
import tempfile
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from biorag.errors import CorruptDataError, DiskFullError, ReadOnlyStoreError, StorageError
from biorag.storage import health, nodes
from biorag.storage.connection import Store
from biorag.storage.deletion import purge
from biorag.storage.search_text import phrase_matches
from storage.drafts import new_draft


def insert(store: Store, *names: str, content: str = "text") -> None:
    with store.atomic() as connection:
        nodes.insert_many(connection, [new_draft(name, content) for name in names], now=1.0)


def count(store: Store) -> int:
    total: int = store.reading().execute("SELECT count(*) FROM node").fetchone()[0]
    return total


def test_the_file_and_the_folders_made_for_it_are_private(tmp_path: Path) -> None:
    """h7-116"""
    path = tmp_path / "data" / "biorag" / "memory.db"
    old_mask = os.umask(0o022)
    try:
        with Store.open(path) as store:
            insert(store, "a")
            for file in path.parent.iterdir():
                assert file.stat().st_mode & 0o777 == 0o600
    finally:
        os.umask(old_mask)
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert path.parent.parent.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("name", ["a b#c?d%25.db", "ñandú 🫠.db", "semi;colon'quote.db"])
def test_any_file_name_will_do(tmp_path: Path, name: str) -> None:
    with Store.open(tmp_path / name) as store:
        insert(store, "a")
    assert [file.name for file in tmp_path.iterdir()] == [name]
    with Store.open(tmp_path / name) as store:
        assert count(store) == 1


def test_a_link_to_the_file_opens_the_same_store(path: Path, tmp_path: Path) -> None:
    link = tmp_path / "elsewhere" / "link.db"
    link.parent.mkdir()
    link.symlink_to(path)
    with Store.open(path) as store, Store.open(link) as same:
        insert(store, "a")
        assert count(same) == 1


def test_a_folder_is_not_a_store(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="not a file"):
        Store.open(tmp_path)


def test_a_file_of_something_else_is_refused_unchanged(path: Path) -> None:
    path.write_bytes(b"not a database, but long enough to have a header" * 100)
    before = path.read_bytes()
    with pytest.raises(CorruptDataError, match="not a SQLite database"):
        Store.open(path)
    assert path.read_bytes() == before


def test_a_cut_off_file_is_told_as_damaged(path: Path) -> None:
    """h7-117"""
    with Store.open(path) as store:
        insert(store, *(f"n{i}" for i in range(200)))
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size // 2)
    with pytest.raises(CorruptDataError):
        Store.open(path)


def test_an_empty_file_becomes_a_store(path: Path) -> None:
    path.touch()
    with Store.open(path) as store:
        assert count(store) == 0


def test_a_log_without_its_file_is_kept_and_told(path: Path) -> None:
    """h7-102: SQLite by itself would throw the log away."""
    with Store.open(path) as store:
        insert(store, "a")
        log = path.with_name(path.name + "-wal")
        kept = log.read_bytes()
    path.unlink()
    log.write_bytes(kept)
    with pytest.raises(CorruptDataError, match="put the file back"):
        Store.open(path)
    assert log.read_bytes() == kept
    assert not path.exists()


@pytest.mark.parametrize("with_shared_memory", [True, False])
def test_an_older_file_beside_a_newer_log_is_told_and_both_are_kept(
    path: Path, tmp_path: Path, with_shared_memory: bool
) -> None:
    """h7-102"""
    old = tmp_path / "old.db"
    with Store.open(path) as store:
        insert(store, *(f"first {i}" for i in range(5)))
    shutil.copy(path, old)
    mixed = tmp_path / "mixed" / path.name
    mixed.parent.mkdir()
    with Store.open(path) as store:
        insert(store, *(f"second {i}" for i in range(3000)), content="much text " * 20)
        store.checkpoint()
        insert(store, *(f"third {i}" for i in range(50)))
        for suffix in ("-wal", "-shm") if with_shared_memory else ("-wal",):
            shutil.copy(f"{path}{suffix}", f"{mixed}{suffix}")
    shutil.copy(old, mixed)
    files = {file.name: _digest(file) for file in mixed.parent.iterdir() if "shm" not in file.name}
    with pytest.raises(CorruptDataError, match="restored or synchronised alone"):
        Store.open(mixed)
    assert files == {name: _digest(mixed.parent / name) for name in files}
    mixed.with_name(mixed.name + "-wal").unlink()
    with Store.open(mixed) as store:
        assert count(store) == 5


def test_the_log_of_a_killed_process_is_used_without_complaint(path: Path, tmp_path: Path) -> None:
    left = tmp_path / "left" / path.name
    left.parent.mkdir()
    with Store.open(path) as store:
        insert(store, "in the file")
        store.checkpoint()
        insert(store, "in the log")
        for suffix in ("", "-wal"):
            shutil.copy(f"{path}{suffix}", f"{left}{suffix}")
    with Store.open(left) as store:
        assert count(store) == 2


def test_a_copy_of_the_main_file_alone_is_an_older_state_and_not_a_broken_one(
    path: Path, tmp_path: Path
) -> None:
    """h7-101"""
    with Store.open(path) as store:
        insert(store, *(f"first {i}" for i in range(100)))
        store.checkpoint()
        insert(store, *(f"second {i}" for i in range(100)))
        shutil.copy(path, tmp_path / "copy.db")
    with Store.open(tmp_path / "copy.db") as copy:
        assert count(copy) == 100
        assert health.check(copy).healthy


needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")


@needs_fork
class TestReadOnly:
    """h7-107, h7-108, h7-109: as an ordinary user, since the superuser may write anywhere."""

    @pytest.fixture
    def folder(self) -> Iterator[Path]:
        folder = Path(tempfile.mkdtemp(prefix="biorag-read-only-"))
        folder.chmod(0o755)
        yield folder
        folder.chmod(0o755)
        shutil.rmtree(folder)

    def test_a_read_only_file_in_a_read_only_folder_is_read_and_not_written(
        self, folder: Path
    ) -> None:
        path = folder / "memory.db"
        with Store.open(path) as store:
            insert(store, "a", "b")
        path.chmod(0o444)
        folder.chmod(0o555)

        def use() -> None:
            with Store.open(path) as store:
                assert store.read_only
                assert count(store) == 2
                assert phrase_matches(store.reading(), ["text"], 9) == [1, 2]
                report = health.check(store)
                assert report.read_only
                assert any("read-only" in problem for problem in report.problems)
                with pytest.raises(ReadOnlyStoreError, match="read-only"):
                    insert(store, "c")
                with pytest.raises(ReadOnlyStoreError):
                    purge(store)
                assert count(store) == 2

        as_ordinary_user(use)
        assert [file.name for file in folder.iterdir()] == ["memory.db"]

    @pytest.mark.skipif(
        hasattr(os, "geteuid") and os.geteuid() != 0,
        reason="only the superuser can write into a folder that the reader may not",
    )
    def test_what_others_write_later_is_seen_in_a_read_only_folder(self, folder: Path) -> None:
        """h7-107"""
        path = folder / "memory.db"
        with Store.open(path) as store:
            insert(store, "a")
        path.chmod(0o644)
        folder.chmod(0o555)
        asked, ask = os.pipe()
        answered, answer = os.pipe()

        def read() -> None:
            with Store.open(path) as store:
                while os.read(asked, 1) == b"?":
                    found = phrase_matches(store.reading(), ["text"], 10_000)
                    assert len(found) == count(store)
                    os.write(answer, b"%04d" % len(found))

        child = start_as_ordinary_user(read)

        def seen() -> int:
            os.write(ask, b"?")
            return int(os.read(answered, 4))

        counts = [seen()]
        for number in range(2):
            with Store.open(path) as store:
                insert(store, *(f"{number} {i}" for i in range(1000)))
                seen()  # while a log exists that the reader may not open
            counts.append(seen())
        os.write(ask, b".")
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert counts == [1, 1001, 2001]

    def test_a_folder_that_becomes_writable_can_be_written_without_opening_anew(
        self, folder: Path
    ) -> None:
        path = folder / "memory.db"
        with Store.open(path) as store:
            insert(store, "a")
        path.chmod(0o666)
        folder.chmod(0o777)
        owner = (65534, 65534) if os.geteuid() == 0 else (-1, -1)
        os.chown(folder, *owner)
        os.chown(path, *owner)

        def use() -> None:
            folder.chmod(0o555)
            with Store.open(path) as store:
                assert store.read_only
                folder.chmod(0o755)
                insert(store, "b")
                assert count(store) == 2

        as_ordinary_user(use)

    @pytest.mark.parametrize("name", ["memory.db", "sub/memory.db"])
    def test_a_store_that_cannot_be_made_says_so(self, folder: Path, name: str) -> None:
        folder.chmod(0o555)

        def use() -> None:
            with pytest.raises(ReadOnlyStoreError, match="cannot be created"):
                Store.open(folder / name)

        as_ordinary_user(use)

    def test_a_file_that_may_not_be_read_says_so(self, folder: Path) -> None:
        path = folder / "memory.db"
        with Store.open(path) as store:
            insert(store, "a")
        path.chmod(0o000)

        def use() -> None:
            with pytest.raises(StorageError, match="cannot be read"):
                Store.open(path)

        as_ordinary_user(use)


def start_as_ordinary_user(action: Callable[[], None]) -> int:
    """Run `action` in a forked child that is not the superuser; the child's process id."""
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        if os.geteuid() == 0:
            os.setgroups([])
            os.setgid(65534)
            os.setuid(65534)
        action()
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


def as_ordinary_user(action: Callable[[], None]) -> None:
    child = start_as_ordinary_user(action)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


class TestDiskFull:
    """h7-110: SQLite's own bound on the file's pages gives the very error of a full disk."""

    def test_a_full_disk_is_told_and_nothing_half_written_stays(self, path: Path) -> None:
        with Store.open(path) as store:
            insert(store, "a")
            connection = store.reading()
            pages = connection.execute("PRAGMA page_count").fetchone()[0]
            connection.execute(f"PRAGMA max_page_count={pages + 2}")
            with pytest.raises(DiskFullError, match="no room left"):
                insert(store, *(f"n{i}" for i in range(200)), content="much text " * 50)
            assert count(store) == 1
            assert not connection.in_transaction
            connection.execute("PRAGMA max_page_count=1000000")
            insert(store, "b")
            assert count(store) == 2
            assert health.check(store).healthy

    def test_an_inner_block_that_fills_the_disk_undoes_the_whole(self, path: Path) -> None:
        def write(store: Store) -> None:
            with store.atomic():
                insert(store, "b")
                insert(store, *(f"n{i}" for i in range(200)), content="much text " * 50)

        with Store.open(path) as store:
            insert(store, "a")
            connection = store.reading()
            pages = connection.execute("PRAGMA page_count").fetchone()[0]
            connection.execute(f"PRAGMA max_page_count={pages + 2}")
            with pytest.raises(DiskFullError):
                write(store)
            connection.execute("PRAGMA max_page_count=1000000")
            assert count(store) == 1
            insert(store, "c")

    def test_a_full_disk_is_unhealthy(self, path: Path) -> None:
        """h7-109"""
        with Store.open(path) as store:
            insert(store, *(f"n{i}" for i in range(200)))
            connection = store.reading()
            connection.execute("DROP TABLE meta")  # so that the probe needs a page of its own
            connection.execute("CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT) STRICT")
            connection.execute("VACUUM")
            pages = connection.execute("PRAGMA page_count").fetchone()[0]
            connection.execute(f"PRAGMA max_page_count={pages}")
            connection.execute(
                "CREATE TRIGGER grow AFTER INSERT ON meta BEGIN"
                " UPDATE meta SET value = hex(zeroblob(40000)); END"
            )
            report = health.check(store)
            assert any("no room left" in problem for problem in report.problems)


def test_errors_of_the_driver_itself_stay_what_they_are(store: Store) -> None:
    with pytest.raises(sqlite3.ProgrammingError):
        store.reading().execute("SELECT ?", ())


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
