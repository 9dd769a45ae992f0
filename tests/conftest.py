"""A memory of its own for every test: in memory, or in a file where the file matters."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from biorag import Memory


@pytest.fixture
def memory() -> Iterator[Memory]:
    """An empty memory that is gone with the test."""
    with Memory.open(":memory:") as opened:
        yield opened


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a store may be made."""
    return tmp_path / "memory.db"


@pytest.fixture
def kept(path: Path) -> Iterator[Memory]:
    """An empty memory in a file, at `path`."""
    with Memory.open(path) as opened:
        yield opened
