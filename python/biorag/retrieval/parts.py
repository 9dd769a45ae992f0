"""The parts of a recall that can be left out by name, to see what each is worth."""

from __future__ import annotations

import difflib
from functools import lru_cache
from typing import get_args

from biorag.errors import SettingsError
from biorag.model import ExpansionOrigin
from biorag.retrieval.evidence import all_evidence
from biorag.retrieval.sources import all_sources
from biorag.retrieval.stages import all_stages
from biorag.signals import all_signals

EVIDENCE = ("neighbours", "vectors", "fit")
"""What neighbours lend, word vectors, and what fits beyond words; each feeds a signal."""


def all_parts() -> dict[str, tuple[str, ...]]:
    """The names of all parts, by kind."""
    return {
        "signal": tuple(signal.name for signal in all_signals()),
        "expansion": get_args(ExpansionOrigin),
        "evidence": (*EVIDENCE, *(kind.name for kind in all_evidence())),
        "source": tuple(source.name for source in all_sources()),
        "stage": tuple(stage.name for stage in all_stages()),
    }


@lru_cache(maxsize=8)
def check_left_out(names: frozenset[str]) -> None:
    """Holds the names of parts to leave out to those that there are.

    Raises:
        SettingsError: one of them is none; the error offers the nearest.
    """
    known = [name for names_of_kind in all_parts().values() for name in names_of_kind]
    for name in sorted(names):
        if name not in known:
            near = difflib.get_close_matches(name, known, n=3) or known
            raise SettingsError(f"BIORAG_SIN names {name!r}, which is none of {', '.join(near)}")
