"""A real store in a temporary folder, and the context that tools get."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from biorag.clock import SystemClock
from biorag.engine.memory import Memory
from biorag.service.registry import Context, published_tools
from biorag.settings import Settings

Call = Callable[..., dict[str, Any]]


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


@pytest.fixture
def memory(store: Path) -> Iterator[Memory]:
    with Memory.open(store) as opened:
        yield opened


@pytest.fixture
def context(memory: Memory) -> Context:
    return Context(memory, Settings(), SystemClock())


@pytest.fixture
def call(context: Context) -> Call:
    """Call a tool by name with arguments as a client sends them."""

    def run(name: str, /, **arguments: object) -> dict[str, Any]:
        tool = published_tools()[name]
        return dict(tool.handler(context, **tool.bind(arguments)))

    return run
