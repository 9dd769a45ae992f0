"""The values that tell how a store is and what was done to keep it in order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from biorag.model import Calibration


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationOutcome:
    """What came of `Memory.calibrate`.

    Attributes:
        calibration: The one in force; `None` when there are too few memories for one.
        done: Whether it was made now.
        reason: Why it was made (`first`, `drift` of the store, another `alpha`, `forced`) or was
            not (`current` still fits, `too_few` memories).
    """

    calibration: Calibration | None
    done: bool
    reason: Literal["first", "drift", "alpha", "forced", "current", "too_few"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreState:
    """What one store holds at a moment, counted in the database.

    Attributes:
        energy: Mean synaptic weight in [0, 1] of the memories; 0 when there are none.
        categories: Memories in each category.
        languages: Memories in each language that was recognised.
        key_noun_coverage: Share in [0, 1] of the memories that have key nouns.
        index_documents: Documents in the ranked index; equal to `memories` when it is in step.
    """

    path: Path
    memories: int
    active: int
    dormant: int
    short_term: int
    long_term: int
    energy: float
    categories: Mapping[str, int]
    languages: Mapping[str, int]
    key_noun_coverage: float
    bytes_on_disk: int
    schema_version: int
    journal_mode: str
    index_documents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorsTrained:
    """What a training of the store's word vectors came to.

    Attributes:
        memories: Trained on.
        terms: That have a vector; 0 when the store is too small for a space.
        dims: Of the space; 0 without one.
    """

    memories: int
    terms: int
    dims: int
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RolesRead:
    """What reading the statements of texts came to."""

    memories: int
    statements: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Woven:
    """What linking the memories of a store came to.

    Attributes:
        memories: That were looked at.
        links: That are new.
        latent: Latent links around them.
    """

    memories: int
    links: int
    latent: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DomainLearned:
    """What a look for words that go together came to.

    Attributes:
        terms: Words that something goes with.
        pairs: All that goes with them.
    """

    memories: int
    terms: int
    pairs: int
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CodesMade:
    """What came of `Memory.reindex_codes`.

    Attributes:
        made: Codes that were missing or old, and were made.
        memories: That have a code now.
        whole: Whether all codes were made anew.
    """

    made: int
    memories: int
    whole: bool
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One thing that `Memory.check` looked at.

    Attributes:
        detail: What was found.
        remedy: What to do about it; empty when it is fine.
    """

    name: str
    ok: bool
    detail: str
    remedy: str = ""
