"""What keeps a store whole when its process forks.

SQLite's locks belong to a process, and a child inherits the connections but not the locks. So the
store closes what it safely can before the fork, the child never touches what is left, and both
open anew when they next need to.
"""

from __future__ import annotations

import os
import weakref
from pathlib import Path
from typing import Protocol

# Where SQLite's locks lie, fixed by its file formats: the shared range of the main file, and the
# "dead man's switch" of the shared memory that a process holds while it uses the log.
SHARED_LOCK_OFFSET = 0x40000000 + 2
SHARED_LOCK_BYTES = 510
SWITCH_OFFSET = 128


class Forkable(Protocol):
    """Something to prepare before a fork and to mend on both sides after it."""

    def before_fork(self) -> None:
        """Reach a state that can be inherited."""

    def after_fork_in_parent(self) -> None:
        """Go on as before."""

    def after_fork_in_child(self) -> None:
        """Start anew beside the parent."""


_watched: weakref.WeakSet[Forkable] = weakref.WeakSet()


def watch(store: Forkable) -> None:
    """Have the three methods of `store` called round every fork while it lives."""
    _watched.add(store)


def hold_locks_again(path: Path) -> list[int]:
    """Take, in a forked child, the two locks that inherited connections only seem to hold.

    While connections of the parent's other threads are inherited, SQLite counts their locks as
    this process's own and does not ask the system for them again. The parent could then close the
    store as its last user and remove the log that the child writes to.

    Returns:
        Descriptors to keep open for as long as the process lives: closing any descriptor of a
        file drops all of the process's locks on it.
    """
    import fcntl  # not there on Windows, which has no fork either

    held = []
    shared_memory = path.with_name(path.name + "-shm")
    for file, offset, length in (
        (path, SHARED_LOCK_OFFSET, SHARED_LOCK_BYTES),
        (shared_memory, SWITCH_OFFSET, 1),
    ):
        if file.exists():
            descriptor = os.open(file, os.O_RDONLY | os.O_CLOEXEC)
            held.append(descriptor)
            fcntl.lockf(descriptor, fcntl.LOCK_SH, length, offset)
    return held


def _before() -> None:
    for store in list(_watched):
        store.before_fork()


def _in_parent() -> None:
    for store in list(_watched):
        store.after_fork_in_parent()


def _in_child() -> None:
    for store in list(_watched):
        store.after_fork_in_child()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before, after_in_parent=_in_parent, after_in_child=_in_child)
