"""Working memory: what one client was shown lately, which lifts what it asks about next."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Sequence

CAPACITY = 10  # memories, as in the original: about a page


class WorkingMemory:
    """A ring of the last ten memories that were shown in one client's session.

    Whoever serves several clients keeps one for each; nothing here is shared. Thread-safe.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._shown: deque[int] = deque(maxlen=CAPACITY)

    def shown(self) -> tuple[int, ...]:
        """The ids of the memories, the one shown last coming first, each once."""
        with self._lock:
            return tuple(reversed(self._shown))

    def show(self, ids: Sequence[int]) -> None:
        """Takes in the memories of a page, best first; the best is forgotten last."""
        with self._lock:
            for number in reversed(ids[:CAPACITY]):
                if number in self._shown:
                    self._shown.remove(number)
                self._shown.append(number)
