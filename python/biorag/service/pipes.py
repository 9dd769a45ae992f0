"""The standard streams, taken away from everyone but the protocol.

Nothing heavier than `os` is imported here: the streams must be safe before any library loads.
"""

from __future__ import annotations

import os
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pipes:
    """File descriptors of the client's two pipes."""

    reading: int
    writing: int


def claim_standard_streams() -> Pipes:
    """Keep the client's pipes under private descriptors, and point 0 and 1 elsewhere.

    From then on a `print` from Python, C or Rust lands on stderr instead of tearing a protocol
    message apart, and nothing but the protocol can eat the client's bytes.
    """
    pipes = Pipes(reading=os.dup(0), writing=os.dup(1))
    _redirect(0, os.open(os.devnull, os.O_RDONLY))
    _redirect(1, _duplicate_of_stderr())
    return pipes


def _redirect(descriptor: int, target: int) -> None:
    os.dup2(target, descriptor)
    os.close(target)


def _duplicate_of_stderr() -> int:
    try:
        return os.dup(2)
    except OSError:
        # A parent may have closed it; what is printed is then dropped.
        return os.open(os.devnull, os.O_WRONLY)
