"""Time as a value that is passed in, so that a test can hold it still."""

from __future__ import annotations

import time
from typing import Protocol


class Clock(Protocol):
    """Where the engine reads the time."""

    def now(self) -> float:
        """Seconds since 1970-01-01T00:00:00Z."""


class SystemClock:
    """The machine's own clock."""

    def now(self) -> float:
        """Seconds since 1970-01-01T00:00:00Z."""
        return time.time()
