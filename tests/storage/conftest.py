"""A store on disk, and a clock that stands still."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from biorag.storage.connection import Store
from storage.drafts import StillClock


@pytest.fixture
def clock() -> StillClock:
    return StillClock()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


@pytest.fixture
def store(path: Path, clock: StillClock) -> Iterator[Store]:
    with Store.open(path, clock=clock) as opened:
        yield opened
