"""What `import biorag` adds to a bare interpreter, each in a new process."""

from __future__ import annotations

import subprocess
import sys

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

PROGRAMS = {
    "bare interpreter": "pass",
    "import biorag": "import biorag",
    "the engine": "from biorag.engine.memory import Memory",
}


@pytest.mark.parametrize("program", PROGRAMS)
def test_start(benchmark: BenchmarkFixture, program: str) -> None:
    benchmark.group = "start"

    def start() -> int:
        return subprocess.run([sys.executable, "-c", PROGRAMS[program]], check=True).returncode

    assert benchmark.pedantic(start, rounds=20, warmup_rounds=2) == 0
