"""From an empty process to an answered `initialize`, beside the SDK's own empty server.

The engine, numpy and the lexicon load after the handshake, so the store's size does not matter.
Run with `pytest benches/test_cold_start.py`.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from biorag.engine.memory import Memory
from biorag.model import NewMemory

ROUNDS = 15
MEMORIES = 2_000
EMPTY_SERVER = Path(__file__).with_name("empty_server.py")
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "bench", "version": "1"},
    },
}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("cold") / "memory.db"
    with Memory.open(path) as memory:
        memory.learn_many(
            NewMemory(name=f"memory {n}", content=f"Pump {n} leaks near valve {n % 97}.")
            for n in range(MEMORIES)
        )
    return path


def greet(command: list[str]) -> str:
    """Start a server, greet it, and return its name; its end is waited for outside the clock."""
    process = subprocess.Popen(
        [sys.executable, *command],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps(INITIALIZE).encode() + b"\n")
    process.stdin.flush()
    answer = json.loads(process.stdout.readline())
    process.kill()
    process.communicate()
    return str(answer["result"]["serverInfo"]["name"])


@pytest.mark.benchmark(group="cold start")
def test_the_empty_server_of_the_sdk(benchmark: BenchmarkFixture) -> None:
    command = [str(EMPTY_SERVER)]
    name = benchmark.pedantic(greet, (command,), rounds=ROUNDS, warmup_rounds=2)
    assert name == "empty"


@pytest.mark.benchmark(group="cold start")
def test_biorag(benchmark: BenchmarkFixture, store: Path) -> None:
    command = ["-m", "biorag", "serve", "--db", str(store)]
    name = benchmark.pedantic(greet, (command,), rounds=ROUNDS, warmup_rounds=2)
    assert name == "biorag"
