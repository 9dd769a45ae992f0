"""What a recall is given: what is asked, and what the store knows."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from biorag.kernels.index import PreparedQuestion, TextIndex
from biorag.kernels.lexicon import Lexicon
from biorag.kernels.sdm import CodeTable
from biorag.kernels.spaces import VectorSpace
from biorag.lexicon.wordnet import Thesaurus
from biorag.model import Calibration
from biorag.retrieval.axis_values import AxisValues
from biorag.retrieval.embedded import Embeddings
from biorag.retrieval.hubs import Hubs
from biorag.retrieval.links import Links
from biorag.retrieval.query import Question
from biorag.retrieval.told import Told
from biorag.retrieval.word_groups import WordGroups
from biorag.retrieval.working import WorkingMemory
from biorag.settings import Settings
from biorag.storage.listing import EVERYTHING, Filters

Order = Literal["relevance", "newest", "oldest"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What a caller asks, checked.

    Attributes:
        deep: Also memories that are asleep.
        strict: Only memories that hold every word of the question.
        answer_only: No hits on a page that abstains.
        inference: Whether latent links count.
        associations: How many neighbours to show of each hit.
        context_depth: How many links around the page to show.
        dimensions: Axis to values, normalised; memories that share one are candidates, too.
        burst_words: What the caller associates with the question.
        force_burst: Search them even where the question alone finds something.
        session: What the same client was shown lately.
    """

    query: str
    limit: int
    page: int = 1
    key_nouns: tuple[str, ...] = ()
    explain: bool = False
    filters: Filters = EVERYTHING
    deep: bool = False
    strict: bool = False
    order_by: Order = "relevance"
    answer_only: bool = False
    inference: bool = True
    associations: int = 0
    context_depth: int = 0
    dimensions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    burst_words: tuple[str, ...] = ()
    force_burst: bool = False
    session: WorkingMemory | None = None


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What a recall reads: the caller keeps the index in step with the store.

    Attributes:
        calibration: From which certainty on the store answers; `None` where that is not known.
        revisions: Of each lane of knowledge beside the texts how often it was written; a lane that
            the store never had is absent.
        links: Between the memories, where there are any.
        embeddings: In the space of a user's own embedder, where there is one.
        axis_values: What each value of a semantic axis weighs; `None` where no memory has any.
        word_groups: Of each memory the kinds of things that its words name; `None` where that was
            never learnt.
        hubs: The bridges of Concept Hubs, where there ever was one.
        now: The caller's time, in seconds since 1970-01-01T00:00:00Z.
        codes: Gives the binary codes that are stored, read into memory only when someone asks;
            `None` when there are none.
        told: Gives what agents stated, read into memory only when someone asks; `None` where no
            agent ever stated anything.
    """

    connection: sqlite3.Connection
    index: TextIndex
    trust_in_order: float
    space: VectorSpace | None
    lexicon: Lexicon | None
    thesaurus: Thesaurus | None
    settings: Settings
    calibration: Calibration | None = None
    revisions: Mapping[str, int] = field(default_factory=dict)
    links: Links | None = None
    embeddings: Embeddings | None = None
    axis_values: AxisValues | None = None
    word_groups: WordGroups | None = None
    hubs: Hubs | None = None
    now: float = 0.0
    codes: Callable[[], CodeTable | None] = lambda: None
    told: Callable[[], Told | None] = lambda: None


@dataclass(frozen=True, slots=True)
class Inquiry:
    """A question on its way: what every source and every kind of evidence may look at.

    Attributes:
        burst: The burst's words, ready to be searched, where the burst runs.
    """

    request: Request
    question: Question
    having: Knowledge
    burst: PreparedQuestion | None = None
