"""What was acknowledged is there after the process is killed, and can be recalled."""

from __future__ import annotations

import random
import signal
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import repeat
from pathlib import Path

import pytest

from biorag import Memory, Settings

ROUNDS = 50
LONGEST_LIFE_S = 0.06  # after the first acknowledgement, so that every round kills a working writer

# Learns under numbered names for ever, edits and forgets now and then, and prints each name after
# the call has returned; a forgotten one with a minus.
LEARN_FOR_EVER = """
import sys
from biorag import Memory, NewMemory

memory, nth = Memory.open(sys.argv[1]), int(sys.argv[2])
while True:
    names = [f"entry {nth} {part}" for part in range(1 + nth % 3)]
    memory.learn_many(NewMemory(name=n, content=f"unique{n.replace(' ', 'x')} fact") for n in names)
    for name in names:
        print(name, flush=True)
    if nth % 5 == 0:
        memory.update(names[0], weight=0.5)
        memory.forget(names[-1])
        print("-" + names[-1], flush=True)
    nth += 1
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="the system cannot kill like this")
def test_what_was_acknowledged_outlives_fifty_kills(path: Path) -> None:
    """h7-114, h7-115: at random moments; the next process works on what the killed one left."""
    chance = random.Random(20_260_501)
    acknowledged: set[str] = set()
    forgotten: set[str] = set()
    lives = [chance.uniform(0, LONGEST_LIFE_S) for _ in range(ROUNDS)]
    with ThreadPoolExecutor(2) as pool:  # two writers at a time on one store
        rounds = pool.map(learn_until_killed, repeat(path), range(0, ROUNDS * 1_000, 1_000), lives)
    for lines in rounds:
        acknowledged.update(line for line in lines if not line.startswith("-"))
        forgotten.update(line[1:] for line in lines if line.startswith("-"))
    # A name may have been forgotten without the process living to say so.
    unsure = {name for name in acknowledged - forgotten if is_forgotten_soon(name)}
    certain = acknowledged - forgotten - unsure

    # On a fast machine there are enough memories for the index to be saved, which is no left-over.
    with Memory.open(path, settings=Settings(index_cache=False)) as memory:
        stored = {item.name for page in range(1, 100) for item in memory.list(page=page, limit=500)}
        assert len(certain) > ROUNDS
        assert certain <= stored
        assert forgotten & stored == set()
        for name in certain:
            assert memory.recall(f"unique{name.replace(' ', 'x')}")[0].name == name
        assert memory.state().index_documents == len(stored)
        assert [check for check in memory.check() if not check.ok] == []
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        connection.execute("INSERT INTO fts (fts, rank) VALUES ('integrity-check', 1)")
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def learn_until_killed(path: Path, first: int, life_s: float) -> list[str]:
    """What a learning process acknowledged before it was killed, `life_s` after its first word."""
    with subprocess.Popen(
        [sys.executable, "-c", LEARN_FOR_EVER, str(path), str(first)],
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        begun = process.stdout.readline()
        time.sleep(life_s)
        process.kill()
        # A line that was cut by the kill acknowledges nothing.
        rest = [line for line in process.stdout.readlines() if line.endswith("\n")]
    return [line.rstrip("\n") for line in [begun, *rest]]


def is_forgotten_soon(name: str) -> bool:
    """Whether the process forgets this name as its next action."""
    _, nth, part = name.split()
    return int(nth) % 5 == 0 and int(part) == int(nth) % 3
