"""Writing: all or nothing, on disk before success is said, and never a lock left behind."""

from __future__ import annotations

import sqlite3
import threading
import time
from pathlib import Path

import pytest

from biorag.errors import DatabaseBusyError, StorageError
from biorag.storage import meta, nodes
from biorag.storage.connection import Store
from storage.drafts import new_draft


def names(store: Store) -> list[str]:
    rows = store.reading().execute("SELECT name FROM node ORDER BY id").fetchall()
    return [name for (name,) in rows]


def test_what_a_block_wrote_is_seen_by_others_when_it_ends_and_not_before(
    store: Store, path: Path
) -> None:
    """h7-111"""
    with Store.open(path) as other:
        with store.atomic() as connection:
            nodes.insert_many(connection, [new_draft("probe-731")], now=1.0)
            assert names(other) == []
        assert names(other) == ["probe-731"]


@pytest.mark.parametrize("raised", [ValueError, KeyboardInterrupt, SystemExit])
def test_whatever_is_raised_inside_undoes_the_block_and_frees_the_lock(
    store: Store, path: Path, raised: type[BaseException]
) -> None:
    """h7-093"""
    with pytest.raises(raised):
        _insert(store, "lost", raised)
    assert not store.reading().in_transaction
    with Store.open(path, busy_timeout_s=0.0) as other, other.atomic() as connection:
        nodes.insert_many(connection, [new_draft("kept")], now=1.0)
    assert names(store) == ["kept"]


def test_an_error_in_the_second_statement_undoes_the_first(store: Store) -> None:
    with store.atomic() as connection:
        connection.execute("CREATE TABLE full (room INTEGER CHECK (room > 1))")

    def write() -> None:
        with store.atomic() as connection:
            nodes.insert_many(connection, [new_draft("lost")], now=1.0)
            connection.execute("INSERT INTO full VALUES (0)")

    with pytest.raises(StorageError):
        write()
    assert not store.reading().in_transaction
    assert names(store) == []


def test_an_inner_block_is_undone_alone_and_an_outer_one_with_all_inside(store: Store) -> None:
    def nested(inner: type[Exception] | None, outer: type[Exception] | None) -> None:
        with store.atomic() as connection:
            nodes.insert_many(connection, [new_draft(f"outer {len(names(store))}")], now=1.0)
            if inner is not None:
                with pytest.raises(inner):
                    _insert(store, "inner", inner)
            else:
                _insert(store, "inner", None)
            if outer is not None:
                raise outer

    nested(ValueError, None)
    assert names(store) == ["outer 0"]
    with pytest.raises(KeyError):
        nested(None, KeyError)
    assert names(store) == ["outer 0"]
    nested(None, None)
    assert names(store) == ["outer 0", "outer 1", "inner"]


def test_a_write_waits_for_another_process_and_then_succeeds(store: Store, path: Path) -> None:
    """h7-086"""
    holder = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    holder.execute("BEGIN IMMEDIATE")
    release = threading.Timer(0.3, lambda: holder.execute("COMMIT"))
    release.start()
    try:
        with store.atomic() as connection:
            meta.put(connection, "waited", "yes")
    finally:
        release.join()
        holder.close()
    assert meta.get(store.reading(), "waited") == "yes"


def test_a_lock_held_too_long_is_a_busy_error_and_reading_goes_on(store: Store, path: Path) -> None:
    """h7-086, h7-087: a read never waits for a writer, a write says that it could not."""
    with store.atomic() as connection:
        nodes.insert_many(connection, [new_draft("there")], now=1.0)
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    with Store.open(path, busy_timeout_s=0.1) as impatient:
        assert names(impatient) == ["there"]
        with pytest.raises(DatabaseBusyError), impatient.atomic():
            pass
        holder.execute("ROLLBACK")
        with impatient.atomic() as connection:
            nodes.insert_many(connection, [new_draft("later")], now=1.0)
    holder.close()
    assert names(store) == ["there", "later"]


def test_a_thread_that_writes_too_long_makes_another_one_busy(path: Path) -> None:
    with Store.open(path, busy_timeout_s=0.05) as store:
        caught: list[BaseException] = []

        def write() -> None:
            try:
                with store.atomic():
                    pass
            except DatabaseBusyError as error:
                caught.append(error)

        with store.atomic():
            writer = threading.Thread(target=write)
            writer.start()
            writer.join()
        assert len(caught) == 1


def test_a_snapshot_does_not_move_while_others_write(store: Store, path: Path) -> None:
    with Store.open(path) as other, store.snapshot() as connection:
        with other.atomic() as writing:
            nodes.insert_many(writing, [new_draft("new")], now=1.0)
        assert connection.execute("SELECT count(*) FROM node").fetchone() == (0,)
        with store.snapshot() as again:
            assert again is connection
    assert names(store) == ["new"]
    assert not store.reading().in_transaction


def test_the_data_version_moves_when_someone_else_writes(store: Store, path: Path) -> None:
    before = store.data_version()
    assert store.data_version() == before
    with Store.open(path) as other, other.atomic() as connection:
        meta.put(connection, "a", "b")
    assert store.data_version() != before


def test_closing_leaves_one_file_and_no_connection(path: Path) -> None:
    store = Store.open(path)
    with store.atomic() as connection:
        nodes.insert_many(connection, [new_draft("kept")], now=1.0)
    thread = threading.Thread(target=lambda: names(store))
    thread.start()
    thread.join()
    reader = store.reading()
    store.close()
    store.close()
    assert [file.name for file in path.parent.iterdir()] == [path.name]
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        reader.execute("SELECT 1")
    with pytest.raises(StorageError, match="the store is closed"):
        store.reading()
    with pytest.raises(StorageError, match="the store is closed"), store.atomic():
        pass


def test_success_survives_a_power_cut_unless_the_user_chose_otherwise(path: Path) -> None:
    with Store.open(path) as store:
        assert store.reading().execute("PRAGMA synchronous").fetchone() == (2,)
        assert store.reading().execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert store.reading().execute("PRAGMA foreign_keys").fetchone() == (1,)
    with Store.open(path, synchronous="NORMAL") as store:
        assert store.reading().execute("PRAGMA synchronous").fetchone() == (1,)


def test_a_store_in_memory_is_one_store_for_all_threads_and_no_other_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with Store.open(":memory:") as store, Store.open(":memory:") as other:
        threads = [
            threading.Thread(target=_insert, args=(store, f"thread {number}"))
            for number in range(8)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(names(store)) == [f"thread {number}" for number in range(8)]
        assert names(other) == []
    assert list(tmp_path.iterdir()) == []


def test_a_reader_of_a_store_in_memory_never_sees_half_a_write() -> None:
    with Store.open(":memory:") as store:
        counts: list[int] = []
        begun, end = threading.Event(), threading.Event()

        def read() -> None:
            while not end.is_set():
                counts.append(len(names(store)))
                begun.set()

        reader = threading.Thread(target=read)
        reader.start()
        begun.wait()
        for number in range(5):
            with store.atomic() as connection:
                _fill(connection, number)
        end.set()
        reader.join()
        assert {count % 10 for count in counts} == {0}


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs Linux's list of open files")
def test_the_connection_of_a_thread_that_ended_is_closed(path: Path) -> None:
    with Store.open(path) as store:
        for _ in range(20):
            thread = threading.Thread(target=lambda: names(store))
            thread.start()
            thread.join()
        descriptors = [link for link in Path("/proc/self/fd").iterdir() if _leads_to(link, path)]
        # The file, its log and its shared memory; and one that SQLite keeps for the next thread.
        assert 3 <= len(descriptors) <= 4


def test_a_log_that_grew_is_emptied_on_request(store: Store, path: Path) -> None:
    """h7-121"""
    log = path.with_name(path.name + "-wal")
    with store.atomic() as connection:
        nodes.insert_many(connection, [new_draft(f"n{i}", "x" * 500) for i in range(500)], now=1.0)
    assert log.stat().st_size > 100_000
    assert store.checkpoint()
    assert log.stat().st_size == 0


def test_learning_and_forgetting_for_ever_keeps_the_store_small(path: Path) -> None:
    """h7-121, on a smaller scale."""
    with Store.open(path, synchronous="NORMAL") as store:
        largest = 0
        for cycle in range(60):
            with store.atomic() as connection:
                drafts = [new_draft(f"n{cycle}-{i}", "text " * 100) for i in range(50)]
                ids = nodes.insert_many(connection, drafts, now=1.0)
            with store.atomic() as connection:
                connection.execute("DELETE FROM node WHERE id >= ?", (ids[0],))
                connection.execute("DELETE FROM change WHERE seq < (SELECT max(seq) FROM change)")
            if cycle == 20:
                store.checkpoint()
                largest = path.stat().st_size
        store.checkpoint()
        assert path.stat().st_size < 2 * largest


def test_a_busy_error_comes_when_the_time_is_up_and_not_much_later(path: Path) -> None:
    with Store.open(path, busy_timeout_s=0.2) as store:
        holder = sqlite3.connect(path, isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        begun = time.monotonic()
        with pytest.raises(DatabaseBusyError), store.atomic():
            pass
        holder.close()
        # A bound on a hang, not on speed: waiting must not repeat for every layer.
        assert 0.2 <= time.monotonic() - begun < 5.0


def _insert(store: Store, name: str, raised: type[BaseException] | None = None) -> None:
    with store.atomic() as connection:
        nodes.insert_many(connection, [new_draft(name)], now=1.0)
        if raised is not None:
            raise raised


def _fill(connection: sqlite3.Connection, number: int) -> None:
    for position in range(10):
        nodes.insert_many(connection, [new_draft(f"{number} {position}")], now=1.0)


def _leads_to(link: Path, path: Path) -> bool:
    try:
        return str(link.readlink()).startswith(str(path))
    except OSError:
        return False
