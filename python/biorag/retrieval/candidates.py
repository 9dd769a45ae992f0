"""Where candidates come from, and what is known of each before it is scored."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
import numpy.typing as npt

from biorag.inputs import name_key
from biorag.kernels.index import RankedCandidates, TextIndex, rank
from biorag.kernels.spaces import VectorSpace
from biorag.retrieval.query import Question
from biorag.settings import Settings
from biorag.signals import FloatArray
from biorag.signals.relevance import Shares, share_out
from biorag.storage.nodes import existing_by_keys
from biorag.storage.search_text import phrase_matches

Order = Literal["relevance", "newest", "oldest"]

POOL = 200  # candidates whose signals are computed; later pages follow the index's own order
PHRASES = 50  # memories fetched for a quoted phrase


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
    """

    ranked: RankedCandidates
    query: str
    named_exactly: npt.NDArray[np.bool_]
    holds_phrase: npt.NDArray[np.bool_]
    key_noun_share: FloatArray
    relevance: Shares
    trust_in_order: float

    @cached_property
    def size(self) -> int:
        """How many candidates there are."""
        return int(self.ranked.ids.size)


@dataclass(frozen=True, slots=True)
class Gathered:
    """What the sources brought."""

    ranked: RankedCandidates
    named: frozenset[int]
    quoted: frozenset[int]
    trust_in_order: float


def gather(
    question: Question,
    connection: sqlite3.Connection,
    *,
    index: TextIndex,
    trust_in_order: float,
    space: VectorSpace | None,
    fit: bool,
    order: Order,
    settings: Settings,
    allowed: Sequence[int] | None,
    excluded: Sequence[int],
    limit: int,
    included: Sequence[int] = (),
) -> Gathered:
    """Asks each source for candidates: full text with its expansions, name, quoted phrases.

    Args:
        question: What was asked.
        connection: Reads names and phrases.
        index: Ranks any-word matches.
        trust_in_order: How far neighbours in storage may lend words.
        space: Term vectors, if any were trained.
        fit: Whether what is asked beyond words counts.
        order: Gather the most relevant, or the first by time.
        settings: BM25 constants.
        allowed: The only ids that may be returned, rising; `None` for all.
        excluded: Ids that are never returned.
        limit: How many candidates the index ranks.
        included: Ids that are candidates whether or not they rank.
    """
    known = existing_by_keys(connection, [name_key(question.text)])
    named = frozenset(node.id for node in known.values())
    quoted: frozenset[int] = frozenset()
    if question.phrases:
        quoted = frozenset.intersection(
            *(frozenset(phrase_matches(connection, phrase, PHRASES)) for phrase in question.phrases)
        )
    ranked = rank(
        index,
        question.prepared,
        k1=settings.bm25_k1,
        b=settings.bm25_b,
        trust_in_order=trust_in_order,
        space=space,
        fit=fit,
        order=order,
        limit=limit,
        allowed=allowed,
        excluded=excluded,
        included=sorted(named | quoted | frozenset(included)),
    )
    return Gathered(ranked=ranked, named=named, quoted=quoted, trust_in_order=trust_in_order)


def pool(question: Question, gathered: Gathered) -> Pool:
    """The gathered candidates with everything that the signals read."""
    ranked = gathered.ranked
    return Pool(
        ranked=ranked,
        query=question.text,
        named_exactly=_membership(ranked.ids, gathered.named),
        holds_phrase=_membership(ranked.ids, gathered.quoted),
        key_noun_share=_key_noun_share(question, ranked),
        relevance=share_out(ranked),
        trust_in_order=gathered.trust_in_order,
    )


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
        brought = {
            name: int(np.count_nonzero(self.flags >> bit & 1)) for bit, name in enumerate(SOURCES)
        }
        return {name: count for name, count in brought.items() if count}


SOURCES = (
    "name",
    "phrase",
    "full_text",
    "translation",
    "synonym",
    "kin",
    "typo",
    "prefix",
    "neighbours",
)
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
    flags[pool.named_exactly | ranked.named] |= _BIT["name"]
    flags[pool.holds_phrase] |= _BIT["phrase"]
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
