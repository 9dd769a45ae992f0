"""What the fronts are built from: settings (read from the environment here alone), the store."""

from __future__ import annotations

import dataclasses
import logging
import os
import sys
import threading
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from biorag.clock import Clock, SystemClock
from biorag.service.registry import Context
from biorag.settings import Settings

if TYPE_CHECKING:
    from biorag.engine.memory import Memory

logger = logging.getLogger(__name__)


def read_settings(db: Path | None = None, environ: Mapping[str, str] | None = None) -> Settings:
    """The settings of this process; `db`, when given, wins over `BIORAG_PATH`.

    Raises:
        SettingsError: a variable is set to something that its setting cannot take.
    """
    source = os.environ if environ is None else environ  # noqa: TID251  the one place
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        settings = Settings.from_env(source)
    for warning in caught:
        logger.warning("%s", warning.message)
    return settings if db is None else dataclasses.replace(settings, path=db)


def configure_logging(level: int = logging.WARNING) -> None:
    """Log to stderr, since stdout belongs to the answer."""
    # A client may close stderr; that must not become an error of its own.
    logging.raiseExceptions = False
    logging.basicConfig(
        stream=sys.stderr, level=level, format="%(asctime)s %(levelname)s %(name)s: %(message)s"
    )


def open_memory(settings: Settings, clock: Clock | None = None) -> Memory:
    """The store that the settings name, opened."""
    # The engine imports numpy; the fronts answer before that.
    from biorag.engine.memory import Memory

    return Memory.open(settings=settings, clock=clock)


class LazyContext:
    """The context of the tools, opened at the first need and once, whoever needs it first."""

    def __init__(self, settings: Settings, clock: Clock | None = None) -> None:
        self._settings = settings
        self._clock = clock or SystemClock()
        self._lock = threading.Lock()
        self._context: Context | None = None

    def get(self) -> Context:
        """The context; the first call opens the store, the others wait for it.

        Raises:
            StorageError: the store cannot be opened; the next call tries again.
        """
        with self._lock:
            if self._context is None:
                memory = open_memory(self._settings, self._clock)
                self._context = Context(memory, self._settings, self._clock)
            return self._context

    def close(self) -> None:
        """Close the store if it was opened."""
        with self._lock:
            context, self._context = self._context, None
        if context is not None:
            context.memory.close()
