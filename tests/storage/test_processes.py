"""Several threads, processes and forked children on one store, and what a kill leaves behind."""

from __future__ import annotations

import itertools
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from biorag.errors import StorageError
from biorag.storage import health, nodes
from biorag.storage.connection import Store
from biorag.storage.fulltext import fulltext_problem
from storage.drafts import new_draft

# Writes memories 0, 1, 2, … and says each number once it is on disk.
WRITER = """
import sys
from pathlib import Path
from storage.drafts import new_draft
from biorag.storage import nodes
from biorag.storage.connection import Store

label, count = sys.argv[2], int(sys.argv[3])
with Store.open(Path(sys.argv[1]), busy_timeout_s=30.0) as store:
    number = len([1 for (name,) in store.reading().execute("SELECT name FROM node")
                  if name.startswith(label)])
    for number in range(number, number + count):
        with store.atomic() as connection:
            nodes.insert_many(connection, [new_draft(f"{label} {number}", f"text {number}")], 1.0)
        print(number, flush=True)
"""


def start_writer(path: Path, label: str, count: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path), label, str(count)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )


def numbers(store: Store, label: str) -> list[int]:
    rows = store.reading().execute("SELECT name FROM node ORDER BY id").fetchall()
    return [int(name.split()[1]) for (name,) in rows if name.split()[0] == label]


def assert_sound(store: Store) -> None:
    assert health.integrity_problems(store.reading()) == []
    assert health.foreign_key_problems(store.reading()) == []
    memories, texts, indexed = health.counts(store.reading())
    assert memories == texts == indexed
    with store.atomic() as connection:
        assert fulltext_problem(connection) is None


def test_writing_from_many_threads_loses_nothing(path: Path) -> None:
    """h7-088, h7-090"""
    with Store.open(path, synchronous="NORMAL", busy_timeout_s=30.0) as store:

        def write(number: int) -> None:
            with store.atomic() as connection:
                nodes.insert_many(connection, [new_draft(f"item {number}")], now=1.0)

        with ThreadPoolExecutor(16) as pool:
            list(pool.map(write, range(200)))
        assert sorted(numbers(store, "item")) == list(range(200))
        assert_sound(store)


def test_readers_see_no_lock_while_a_thousand_are_written(path: Path) -> None:
    """h7-098"""
    with Store.open(path, synchronous="NORMAL") as store:
        end = threading.Event()
        reads: list[int] = []

        def read() -> None:
            while not end.is_set():
                reads.append(len(numbers(store, "item")))

        reader = threading.Thread(target=read)
        reader.start()
        for number in range(1000):
            with store.atomic() as connection:
                nodes.insert_many(connection, [new_draft(f"item {number}")], now=1.0)
        end.set()
        reader.join()
        assert reads == sorted(reads)
        assert len(numbers(store, "item")) == 1000


def test_several_processes_write_at_once_and_nothing_is_lost(path: Path) -> None:
    """h7-085"""
    writers = [start_writer(path, label, 100) for label in ("a", "b", "c")]
    for writer in writers:
        assert writer.communicate()[0].split() == [str(number) for number in range(100)]
        assert writer.returncode == 0
    with Store.open(path) as store:
        for label in ("a", "b", "c"):
            assert numbers(store, label) == list(range(100))
        assert_sound(store)


needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")


@needs_fork
def test_killed_at_any_moment_a_writer_loses_nothing_that_it_acknowledged(path: Path) -> None:
    """h7-111, h7-114, h7-115: fifty kills, each in the middle of writing."""
    rng = random.Random(7)
    Store.open(path).close()
    acknowledged = 0
    for _ in range(50):
        inlet, outlet = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                write_for_ever(path, outlet)
            finally:
                os._exit(1)
        os.close(outlet)
        said = os.read(inlet, 1)  # the first acknowledgement: it is writing now
        time.sleep(rng.uniform(0.0, 0.04))
        os.kill(child, signal.SIGKILL)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
        while more := os.read(inlet, 65536):
            said += more
        os.close(inlet)
        acknowledged += len(said)
        with Store.open(path) as store:
            survivors = numbers(store, "w")
        assert survivors == list(range(len(survivors)))
        # At most one write was on disk and not yet acknowledged.
        assert acknowledged <= len(survivors) <= acknowledged + 1
        acknowledged = len(survivors)
    with Store.open(path) as store:
        assert_sound(store)
    assert acknowledged > 50


def write_for_ever(path: Path, outlet: int) -> None:
    """Write memories 0, 1, 2, … and put a byte into the pipe for each that is on disk."""
    store = Store.open(path)
    first = len(numbers(store, "w"))
    for number in itertools.count(first):
        with store.atomic() as connection:
            nodes.insert_many(connection, [new_draft(f"w {number}", f"text {number}")], now=1.0)
            nodes.update_fields(connection, max(number, 1), 1.0, weight=0.5)
        os.write(outlet, b".")


def in_child(action: Callable[[], None]) -> int:
    """Run a function in a forked child; its exit code."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            action()
            code = 0
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@needs_fork
def test_forked_children_and_their_parent_write_side_by_side(path: Path) -> None:
    """h7-091"""
    with Store.open(path, synchronous="NORMAL", busy_timeout_s=30.0) as store:

        def write(label: str) -> None:
            for number in range(50):
                with store.atomic() as connection:
                    nodes.insert_many(connection, [new_draft(f"{label} {number}")], now=1.0)

        write("before")
        children = []
        for label in ("c1", "c2", "c3", "c4"):
            child = os.fork()
            if child == 0:
                code = 1
                try:
                    write(label)
                    code = 0
                finally:
                    os._exit(code)
            children.append(child)
        write("parent")
        codes = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
        assert codes == [0, 0, 0, 0]
        for label in ("before", "parent", "c1", "c2", "c3", "c4"):
            assert numbers(store, label) == list(range(50))
        assert_sound(store)


FORK_AND_EXIT = """
import os, sys, threading
from pathlib import Path
from storage.drafts import new_draft
from biorag.storage import nodes
from biorag.storage.connection import Store

store = Store.open(Path(sys.argv[1]))
stay, ready = threading.Event(), threading.Event()

def hold():  # a second connection, which the fork cannot close for the child
    store.reading().execute("SELECT count(*) FROM node").fetchone()
    ready.set()
    stay.wait()

holder = threading.Thread(target=hold)
holder.start()
ready.wait()
with store.atomic() as connection:
    nodes.insert_many(connection, [new_draft("before 0")], 1.0)
inlet, outlet = os.pipe()
child = os.fork()
if child == 0:
    if sys.argv[2] == "unused":
        sys.exit(0)  # runs every exit hook of the interpreter
    assert len(store.reading().execute("SELECT name FROM node").fetchall()) == 1
    os.write(outlet, b".")
    sys.stdin.readline()  # by now the parent has closed the store
    with store.atomic() as connection:
        nodes.insert_many(connection, [new_draft("child 0")], 1.0)
    os._exit(0)  # as if killed right after the commit, with no time to empty the log
if sys.argv[2] == "unused":
    os.waitpid(child, 0)
    with store.atomic() as connection:
        nodes.insert_many(connection, [new_draft("after 0")], 1.0)
    stay.set()
    holder.join()
    store.close()
else:
    os.read(inlet, 1)  # by now the child has opened the store
    stay.set()
    holder.join()
    store.close()
    print("closed", flush=True)
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


def fork_and_exit(path: Path, how: str) -> None:
    process = subprocess.Popen(
        [sys.executable, "-W", "error", "-c", FORK_AND_EXIT, str(path), how],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    assert process.stdout is not None
    if how == "used":
        assert process.stdout.readline() == "closed\n"
    process.communicate("go\n", timeout=60)
    assert process.returncode == 0


@needs_fork
def test_a_child_that_exits_at_once_takes_nothing_from_its_parent(path: Path) -> None:
    """h7-092"""
    fork_and_exit(path, "unused")
    with Store.open(path) as store:
        assert (numbers(store, "before"), numbers(store, "after")) == ([0], [0])
        assert_sound(store)


@needs_fork
def test_a_child_keeps_its_log_when_the_parent_closes_first(path: Path) -> None:
    """h7-091: the parent's other thread had a connection open, which the child inherited."""
    fork_and_exit(path, "used")
    with Store.open(path) as store:
        assert (numbers(store, "before"), numbers(store, "child")) == ([0], [0])
        assert_sound(store)


@needs_fork
def test_a_child_cannot_commit_what_its_parent_began(store: Store) -> None:
    def commit() -> None:
        with pytest.raises(StorageError, match="forked inside a transaction"):
            block.__exit__(None, None, None)

    block = store.atomic()
    connection = block.__enter__()
    nodes.insert_many(connection, [new_draft("parent 0")], now=1.0)
    assert in_child(commit) == 0
    block.__exit__(None, None, None)
    assert numbers(store, "parent") == [0]
    assert_sound(store)


@needs_fork
def test_a_child_made_inside_a_long_write_does_not_undo_it(store: Store) -> None:
    """h7-092: closing the inherited connection would undo pages that are in the log."""
    store.reading().execute("PRAGMA cache_size=10")  # so that the write reaches the log at once
    with store.atomic() as connection:
        drafts = [new_draft(f"parent {number}", "much text " * 30) for number in range(2000)]
        nodes.insert_many(connection, drafts, now=1.0)
        assert in_child(lambda: None) == 0
        assert len(numbers(store, "parent")) == 2000
    assert numbers(store, "parent") == list(range(2000))
    assert_sound(store)


@needs_fork
def test_a_child_goes_on_with_its_own_copy_of_a_store_in_memory() -> None:
    with Store.open(":memory:") as store:

        def write() -> None:
            with store.atomic() as connection:
                nodes.insert_many(connection, [new_draft("child 0")], now=1.0)
            assert numbers(store, "child") == [0]

        assert in_child(write) == 0
        assert numbers(store, "child") == []
