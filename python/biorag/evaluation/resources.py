"""What a run costs: time of a search, rate of learning, bytes on disk, peak memory."""

from __future__ import annotations

import resource
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

_STATUS = Path("/proc/self/status")


def peak_memory_bytes() -> int:
    """The most memory that this process ever held resident.

    It counts everything in the process: interpreter, imported libraries, index, page cache mapped
    by SQLite, and whatever the measurement itself holds. On Linux it is `VmHWM`, because
    `ru_maxrss` survives `exec` and would start a child at its parent's peak.
    """
    if _STATUS.exists():
        for line in _STATUS.read_text(encoding="ascii", errors="replace").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def folder_bytes(directory: Path) -> int:
    """Sum of the sizes of the files in a folder and below."""
    return sum(path.stat().st_size for path in directory.rglob("*") if path.is_file())


def percentile(values: Sequence[float], percent: float) -> float:
    """The value that `percent` of the values do not pass, interpolated; 0 for no values."""
    return float(np.percentile(values, percent)) if values else 0.0
