"""The values that cross the public API: what is learnt, what is kept, what is recalled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from biorag.model_predicates import Predicate

ExpansionOrigin = Literal["translation", "synonym", "cognate", "kin", "typo", "prefix", "domain"]
"""Why an alternative stands for a word of the question."""

Certainty = Literal["evidencia_directa", "relacionado_confianza_media", "sin_evidencia_directa"]
"""How sure it is that something stored answers: direct evidence, related at best, or neither."""

LearnedStatus = Literal["created", "extended", "unchanged"]

Moment = datetime | str | float
"""A point in time: an aware or naive (read as UTC) datetime, ISO 8601 text, or epoch seconds."""

Angle = Literal["sinonimo", "problema", "solucion", "situacion", "ingenuo"]
"""From where someone comes who does not know a memory's words: another word for it, the problem,
the solution, the situation that they are in, or how one says it who knows nothing of the field."""


@dataclass(frozen=True, slots=True)
class Bridge:
    """Words that lead to a memory which need not hold them.

    Attributes:
        angle: Where they come from; `None` when it is not said.
    """

    text: str
    angle: Angle | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMemory:
    """One memory to learn. `Memory.learn` says what each field may hold."""

    name: str
    content: str
    category: str | None = None
    synonyms: tuple[str, ...] = ()
    key_nouns: tuple[str, ...] = ()
    dimensions: Mapping[str, tuple[str, ...]] | None = None
    created_at: Moment | None = None
    author: str | None = None
    valence: float = 0.0
    link_to: tuple[str, ...] = ()
    valid_from: Moment | None = None
    valid_to: Moment | None = None
    predicates: tuple[Predicate, ...] = ()
    bridges: tuple[Bridge, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Learned:
    """What became of one memory that was to be learnt; it is on disk when this is returned.

    Attributes:
        status: `created`; `extended`, when the name existed and gained a new text; `unchanged`,
            when the name already held this text.
        key_nouns: All that the memory has now.
        linked: Names that it was linked to.
        missing_links: Names to link to that do not exist.
        invalid_dimensions: `axis:value` texts that could not be normalised; the rest was kept.
        hub: The hub that its bridges are in, when it was given any.
    """

    id: int
    name: str
    status: LearnedStatus
    key_nouns: tuple[str, ...] = ()
    linked: tuple[str, ...] = ()
    missing_links: tuple[str, ...] = ()
    invalid_dimensions: tuple[str, ...] = ()
    hub: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredMemory:
    """One memory as the store holds it.

    Attributes:
        content: Its live texts, in order, one a line.
        weight: Synaptic weight in [0, 1].
        valence: Somatic valence in [0, 1].
        valid_from: From when on what it says holds; `None`: it always did.
        valid_to: From when on it holds no more; `None`: it still does.
        predicates: What it states: told by the agent, or read in its texts.
    """

    id: int
    name: str
    content: str
    category: str
    state: Literal["activo", "dormido", "cuarentena"]
    tier: Literal["corto", "largo"]
    weight: float
    valence: float
    author: str | None
    synonyms: tuple[str, ...]
    key_nouns: tuple[str, ...]
    dimensions: Mapping[str, tuple[str, ...]]
    links: tuple[str, ...]
    created_at: datetime
    updated_at: datetime
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    predicates: tuple[Predicate, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SignalValue:
    """One signal of a hit: its value, its weight, and what it added to the score."""

    value: float
    weight: float
    contribution: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Association:
    """A neighbour of a memory along a link.

    Attributes:
        name: The neighbour's.
        rel: What the strongest link to it is called.
        strength: That link's weight in [0, 1].
        weight: The neighbour's synaptic weight in [0, 1].
        content: Its text.
    """

    id: int
    name: str
    rel: str
    strength: float
    weight: float
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextStep:
    """A memory around those of a page.

    Attributes:
        parent: The name of the memory that it was reached from.
        strength: In (0, 1]: .6 of its parent's and .2 of the link between them.
        hops: Links from the page.
    """

    id: int
    name: str
    parent: str
    strength: float
    hops: int
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One recalled memory.

    Attributes:
        score: Hand formula in [0, 1]; comparable within a page.
        confidence: Share in [0, 1] of the question's information (idf mass) that the memory
            holds in its own words, corrections and translations counted by their weight.
        certainty: How sure it is that this memory answers the question.
        calibrated_confidence: Probability in [0, 1] that it does, among as many answerable
            questions as others; `None` where the store is not calibrated.
        origin: The sources that brought it, strongest first, joined by `+`.
        signals: Every signal's value; with `explain=True` also its weight and contribution.
        evidence: The words of the question found in it, and the form in which each was found.
        valid_from: From when on what it says holds; `None`: it always did.
        valid_to: From when on it holds no more; `None`: it still does.
        moves: With `explain=True`, by how many places each stage after the score moved it up.
        associations: Its strongest neighbours, as many as were asked for; they touch no score.
    """

    id: int
    name: str
    content: str
    score: float
    confidence: float
    origin: str
    category: str
    author: str | None
    created_at: datetime
    key_nouns: tuple[str, ...]
    signals: Mapping[str, SignalValue] = field(default_factory=dict)
    evidence: Mapping[str, str] = field(default_factory=dict)
    moves: Mapping[str, int] = field(default_factory=dict)
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    certainty: Certainty = "evidencia_directa"
    calibrated_confidence: float | None = None
    associations: tuple[Association, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """From which certainty on a store answers, and what that was learnt from.

    Attributes:
        abstain_at: At this certainty or below, nothing stored answers the question.
        direct_above: Above this certainty it is answered; in between something related is there.
        alpha: Share of questions like the negatives that may be answered nevertheless.
        requested_alpha: What was asked for; fewer negatives promise less.
        by_hand: A caller asked for this alpha rather than the settings.
        slope: With `intercept`: P(answerable | C) = 1 / (1 + exp(-(slope * C + intercept))).
        near: Negatives about a memory of the store that is hidden with its 1 % nearest.
        wide: The same, hidden with the 5 % nearest.
        foreign: Negatives that have nothing to do with the store.
        answerable: Questions about memories that are there.
        memories: How many memories the store held.
        method: Names the statistic; of another make, the thresholds mean nothing.
        calibrated_at: Seconds since 1970-01-01T00:00:00Z.
    """

    abstain_at: float
    direct_above: float
    alpha: float
    requested_alpha: float
    by_hand: bool
    slope: float
    intercept: float
    near: int
    wide: int
    foreign: int
    answerable: int
    memories: int
    method: str
    calibrated_at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Expansion:
    """One alternative spelling or word that was searched in place of a word of the question."""

    word: str
    alternative: str
    weight: float
    origin: ExpansionOrigin


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """How a page came about.

    Attributes:
        language: Language that the question was read in, `es` or `en`.
        words: The question's content words, as searched.
        ignored: Words of the question that were not searched (stop words, or beyond the bound).
        expansions: Alternatives that were searched beside the words themselves.
        sources: How many candidates each source brought, by name.
        burst: Whether the burst words were searched.
        timings_ms: Milliseconds spent in each step, by name.
    """

    language: str
    words: tuple[str, ...]
    ignored: tuple[str, ...]
    expansions: tuple[Expansion, ...]
    sources: Mapping[str, int]
    timings_ms: Mapping[str, float]
    burst: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page of recalled memories, best first; iterating it gives the hits.

    Attributes:
        hits: The best memories, whether they answer or not; with `answer_only`, none when the
            page abstains.
        total: How many candidates were ranked; `pages` of them exist at this limit.
        abstained: Nothing stored answers the question, as far as can be told. What was ranked is
            then in `related`, and in `hits` too unless answers alone were asked for; both are
            empty when nothing speaks to the question, and `trace.words` is when there was no word
            to search for.
        certainty: How sure it is that anything stored answers the question.
        certainty_value: The number behind it, comparable between questions to one store.
        calibration: What the certainty is measured by; `None` where the store is not calibrated,
            which then abstains only when no candidate holds a word of the question.
        related: What an abstained page has to offer, and no answer; empty otherwise.
        context: What lies around the hits along links, as deep as was asked for.
    """

    query: str
    hits: tuple[Hit, ...]
    page: int
    limit: int
    total: int
    abstained: bool
    trace: Trace
    certainty: Certainty = "evidencia_directa"
    certainty_value: float = 0.0
    calibration: Calibration | None = None
    related: tuple[Hit, ...] = ()
    context: tuple[ContextStep, ...] = ()

    @property
    def pages(self) -> int:
        """How many pages there are at this limit."""
        return -(-self.total // self.limit)

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)

    def __getitem__(self, position: int) -> Hit:
        return self.hits[position]


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """Why one memory is where it is among the answers to a question.

    Attributes:
        place: Among the candidates that were scored, from 1; `None` when it is none of them.
        candidates: How many were scored.
        hit: The memory as it was scored, every signal unfolded.
        best: The first of the ranking, to compare it with.
        missing: Words of the question that it holds in no form.
        excluded: Why it cannot be an answer whatever it says: `state` (asleep or in quarantine) or
            `filter`; `None` when it can.
        certainty: How sure the whole page is.
        abstained: Whether nothing stored answers the question.
    """

    query: str
    place: int | None
    candidates: int
    hit: Hit | None
    best: Hit | None
    missing: tuple[str, ...]
    excluded: Literal["state", "filter"] | None
    trace: Trace
    certainty: Certainty
    abstained: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """One page of the store in order of time, newest first.

    Attributes:
        total: How many memories match in all.
    """

    memories: tuple[StoredMemory, ...]
    page: int
    limit: int
    total: int

    def __iter__(self) -> Iterator[StoredMemory]:
        return iter(self.memories)

    def __len__(self) -> int:
        return len(self.memories)


@dataclass(frozen=True, slots=True, kw_only=True)
class SimilarMemory:
    """A memory that is like another one, or like a text.

    Attributes:
        similarity: Weighted Jaccard in [0, 1] of the two codes: words, name, dimensions, category
            and neighbours in common, over all that either has.
    """

    similarity: float
    memory: StoredMemory

    @property
    def name(self) -> str:
        """The memory's name."""
        return self.memory.name

    @property
    def content(self) -> str:
        """The memory's text."""
        return self.memory.content
