"""Where candidates come from, and what is known of each before it is scored."""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from biorag.kernels.index import RankedCandidates, rank
from biorag.kernels.ranking import Shares
from biorag.retrieval.evidence import collect
from biorag.retrieval.knowledge import Inquiry, Order
from biorag.retrieval.query import Question
from biorag.retrieval.sources import all_sources, bring, is_crowded, is_wanting
from biorag.retrieval.sources.registry import When
from biorag.signals import FloatArray
from biorag.signals.relevance import shares_of

POOL = 200  # candidates whose signals are computed; later pages follow the index's own order


@dataclass(frozen=True)
class Pool:
    """The n candidates of a question, best first by the index's order.

    Attributes:
        ranked: What the index found.
        query: The question as asked.
        named_exactly: Shape (n,); the question is its name.
        holds_phrase: Shape (n,); it holds every quoted phrase's words in a row.
        key_noun_share: Shape (n,) in [0, 1].
        relevance: What makes up each candidate's relevance.
        trust_in_order: How far the order of storage means something, in [0, 1].
        beside: What kinds of evidence beside the words give, each of shape (n,), by name.
        brought: Of each source that brought something beside the ranked index, its ids.
    """

    ranked: RankedCandidates
    query: str
    named_exactly: npt.NDArray[np.bool_]
    holds_phrase: npt.NDArray[np.bool_]
    key_noun_share: FloatArray
    relevance: Shares
    trust_in_order: float
    beside: Mapping[str, FloatArray]
    brought: Mapping[str, frozenset[int]]

    @cached_property
    def size(self) -> int:
        """How many candidates there are."""
        return int(self.ranked.ids.size)


@dataclass(frozen=True, slots=True)
class Gathered:
    """What the sources brought.

    Attributes:
        brought: Of each source that brought something beside the ranked index, its ids.
    """

    ranked: RankedCandidates
    brought: Mapping[str, frozenset[int]]
    trust_in_order: float


def gather(
    inquiry: Inquiry,
    *,
    order: Order,
    allowed: Sequence[int] | None,
    excluded: Sequence[int],
    limit: int,
    included: Sequence[int] = (),
    asleep: frozenset[int] = frozenset(),
) -> Gathered:
    """Ranks any-word matches in the index together with what every other source brings.

    Args:
        inquiry: What was asked, of what.
        order: Gather the most relevant, or the first by time.
        allowed: The only ids that may be returned, rising; `None` for all.
        excluded: Ids that are never returned, rising.
        limit: How many candidates the index ranks.
        included: Ids that are candidates whether or not they rank.
        asleep: Of the excluded ids those that a burst may bring.
    """
    having = inquiry.having
    left_out = having.settings.without
    trust_in_order = 0.0 if "neighbours" in left_out else having.trust_in_order

    def ranked_with(ids: Iterable[int]) -> RankedCandidates:
        return rank(
            having.index,
            inquiry.question.prepared,
            k1=having.settings.bm25_k1,
            b=having.settings.bm25_b,
            trust_in_order=trust_in_order,
            space=None if "vectors" in left_out else having.space,
            fit="fit" not in left_out,
            order=order,
            limit=limit,
            allowed=allowed,
            excluded=excluded,
            included=sorted({*ids, *included}),
        )

    def is_allowed(number: int) -> bool:
        return not _is_among(excluded, number) and (allowed is None or _is_among(allowed, number))

    brought: dict[str, frozenset[int]] = {}
    if inquiry.burst is not None:
        brought = bring(inquiry, "burst", [], lambda n: n in asleep or is_allowed(n))
        roused = asleep & _all_of(brought)
        excluded = [number for number in excluded if number not in roused]
    brought = bring(inquiry, "always", [], is_allowed) | brought
    ranked = ranked_with(_all_of(brought))
    moment: When | None = None
    if is_wanting(ranked):
        moment = "thin"
    elif order == "relevance" and is_crowded(ranked, limit):
        moment = "crowded"
    later = bring(inquiry, moment, ranked.ids.tolist(), is_allowed) if moment else {}
    if later:
        brought |= later
        ranked = ranked_with(_all_of(brought))
    return Gathered(ranked=ranked, brought=brought, trust_in_order=trust_in_order)


def pool(inquiry: Inquiry, gathered: Gathered) -> Pool:
    """The gathered candidates with everything that the signals read."""
    ranked = gathered.ranked
    question = inquiry.question
    return Pool(
        ranked=ranked,
        query=question.text,
        named_exactly=_membership(ranked.ids, gathered.brought.get("name", frozenset())),
        holds_phrase=_membership(ranked.ids, gathered.brought.get("phrase", frozenset())),
        key_noun_share=_key_noun_share(question, ranked),
        relevance=shares_of(ranked),
        trust_in_order=gathered.trust_in_order,
        beside=collect(inquiry, ranked),
        brought=gathered.brought,
    )


def _is_among(rising: Sequence[int], number: int) -> bool:
    place = bisect.bisect_left(rising, number)
    return place < len(rising) and rising[place] == number


def _all_of(brought: Mapping[str, frozenset[int]]) -> set[int]:
    return set().union(*brought.values())


@dataclass(frozen=True, slots=True)
class Sources:
    """Which sources brought each candidate.

    Attributes:
        flags: Shape (n,); one bit a source, in the order of `SOURCES`.
    """

    flags: npt.NDArray[np.int64]

    def of(self, row: int) -> tuple[str, ...]:
        """The sources of one candidate, strongest evidence first."""
        held = int(self.flags[row])
        return tuple(name for bit, name in enumerate(SOURCES) if held >> bit & 1)

    def counts(self) -> dict[str, int]:
        """How many candidates each source brought; silent sources are left out."""
        # Most of them are silent, and counting each costs as much as a signal.
        spoke = int(np.bitwise_or.reduce(self.flags, initial=0))
        return {
            name: int(np.count_nonzero(self.flags >> bit & 1))
            for bit, name in enumerate(SOURCES)
            if spoke >> bit & 1
        }


BY_WORDS = (
    "full_text",
    "translation",
    "synonym",
    "cognate",
    "kin",
    "typo",
    "prefix",
    "domain",
    "neighbours",
)
"""Sources that the ranked index itself is."""

SOURCES = (*(source.name for source in all_sources()), *BY_WORDS)
"""Every source, strongest evidence first."""

_BIT = {name: 1 << bit for bit, name in enumerate(SOURCES)} | {
    "literal": 1 << SOURCES.index("full_text")
}


def sources(pool: Pool, question: Question) -> Sources:
    """Finds out which sources brought each candidate: whose alternatives it holds, and how else."""
    ranked = pool.ranked
    flags = np.zeros(pool.size, dtype=np.int64)
    for group, alternatives in enumerate(question.alternatives):
        # What was not found is numbered -1, which is the last place of the table.
        bits = np.array([*(_BIT[origin] for _, _, origin in alternatives), 0])
        flags |= bits[ranked.found[:, group]]
    for name, ids in pool.brought.items():
        flags[_membership(ranked.ids, ids)] |= _BIT[name]
    flags[ranked.named] |= _BIT["name"]
    flags[ranked.lent > 0.0] |= _BIT["neighbours"]
    return Sources(flags)


def _membership(ids: npt.NDArray[np.int64], members: frozenset[int]) -> npt.NDArray[np.bool_]:
    if not members:
        return np.zeros(ids.size, dtype=np.bool_)
    return np.isin(ids, sorted(members))


def _key_noun_share(question: Question, ranked: RankedCandidates) -> FloatArray:
    if not question.key_noun_groups:
        return np.zeros(ranked.ids.size)
    held = ranked.found >= 0
    shares = [
        held[:, list(groups)].mean(axis=1) if groups else np.zeros(ranked.ids.size)
        for groups in question.key_noun_groups
    ]
    return np.asarray(np.mean(shares, axis=0), dtype=np.float64)
