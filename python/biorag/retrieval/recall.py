"""From question to page, top to bottom."""

from __future__ import annotations

import sqlite3
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from biorag.kernels.index import RankedCandidates, TextIndex
from biorag.kernels.lexicon import Lexicon
from biorag.model import Hit, Page, SignalValue, StoredMemory, Trace
from biorag.retrieval.candidates import POOL, TEXTS, Gathered, Pool, gather, pool, sources
from biorag.retrieval.fusion import Scored, score
from biorag.retrieval.query import Question, parse
from biorag.settings import Settings
from biorag.storage.filters import Filters, ids_matching, ids_not_active
from biorag.storage.nodes import contents, created_at, fetch

Order = Literal["relevance", "newest", "oldest"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What a caller asks, checked.

    Attributes:
        deep: Also memories that are asleep.
        strict: Only memories that hold every word of the question.
    """

    query: str
    limit: int
    page: int = 1
    key_nouns: tuple[str, ...] = ()
    explain: bool = False
    filters: Filters = Filters()
    deep: bool = False
    strict: bool = False
    order_by: Order = "relevance"


@dataclass(frozen=True, slots=True)
class Sources:
    """What a recall reads: the caller keeps the index in step with the store."""

    connection: sqlite3.Connection
    index: TextIndex
    trust_in_order: float
    lexicon: Lexicon | None
    settings: Settings


@dataclass(frozen=True, slots=True)
class _Row:
    """One ranked memory before its text is fetched; `row` is its place in the pool."""

    id: int
    score: float
    row: int | None


class _Stopwatch:
    """Milliseconds of each step."""

    def __init__(self) -> None:
        self.laps: dict[str, float] = {}
        self._last = time.perf_counter()

    def lap(self, name: str) -> None:
        now = time.perf_counter()
        self.laps[name] = (now - self._last) * 1000.0
        self._last = now


def recall(request: Request, having: Sources) -> Page:
    """Answers a question with one page of memories, best first.

    The steps: analyse and expand the question, gather candidates from every source, compute all
    signals of the pool at once, weigh them, order, and fetch the texts of the page alone.
    """
    watch = _Stopwatch()
    question = parse(
        request.query,
        request.key_nouns,
        index=having.index,
        lexicon=having.lexicon,
        settings=having.settings,
    )
    watch.lap("analyse")
    gathered = _gather(request, question, having, POOL)
    watch.lap("gather")
    candidates = pool(question, gathered, _first_texts(having, gathered.ranked))
    watch.lap("texts")
    scored = score(candidates, formula=having.settings.formula)
    rows = _ranked_rows(request, question, having, candidates, scored)
    watch.lap("score")
    start = (request.page - 1) * request.limit
    shown = rows[start : start + request.limit]
    memories = fetch(having.connection, [row.id for row in shown])
    brought = sources(candidates, question)
    hits = tuple(
        _hit(row, memories[row.id], request, question, candidates, scored, brought)
        for row in shown
        if row.id in memories
    )
    watch.lap("page")
    return Page(
        query=request.query,
        hits=hits,
        page=request.page,
        limit=request.limit,
        total=_total(request, gathered.ranked, rows),
        abstained=not rows,
        trace=_trace(question, brought, watch.laps),
    )


def _gather(request: Request, question: Question, having: Sources, limit: int) -> Gathered:
    filters = request.filters
    # A strict question filters what was ranked, so all of it must be ranked.
    return gather(
        question,
        having.connection,
        index=having.index,
        trust_in_order=having.trust_in_order,
        settings=having.settings,
        allowed=None if filters.is_empty() else ids_matching(having.connection, filters),
        excluded=ids_not_active(having.connection, asleep_too=not request.deep),
        limit=len(having.index) if request.strict else limit,
    )


def _first_texts(having: Sources, ranked: RankedCandidates) -> Sequence[str]:
    first = [int(number) for number in ranked.ids[:TEXTS]]
    texts = contents(having.connection, first)
    return [texts.get(number, "") for number in first]


def _ranked_rows(
    request: Request, question: Question, having: Sources, candidates: Pool, scored: Scored
) -> list[_Row]:
    """The order of all that can be paged to: the scored pool, then the index's own order.

    The scores of the pool do not depend on the page that is asked, so pages never overlap.
    """
    ids = candidates.ranked.ids
    rows = [
        _Row(int(ids[row]), float(scored.scores[row]), int(row))
        for row in _tie_broken(scored, candidates, having)
    ]
    if request.strict:
        complete = (candidates.ranked.found >= 0).all(axis=1)
        rows = [row for row in rows if row.row is not None and complete[row.row]]
    elif candidates.ranked.matched > POOL and request.page * request.limit > len(rows):
        rows += _tail(request, question, having, rows)
    if request.order_by != "relevance":
        times = created_at(having.connection, [row.id for row in rows])
        sign = -1.0 if request.order_by == "newest" else 1.0
        rows.sort(key=lambda row: (sign * times.get(row.id, 0.0), row.id))
    return rows


def _tie_broken(scored: Scored, candidates: Pool, having: Sources) -> Sequence[int]:
    """The pool's order; only where two scores agree to the bit is the time of storage fetched."""
    ordered = scored.scores[scored.order]
    if ordered.size < 2 or not (ordered[1:] == ordered[:-1]).any():
        return [int(row) for row in scored.order]
    ids = candidates.ranked.ids
    times = created_at(having.connection, [int(number) for number in ids])
    newer = np.array([times.get(int(number), 0.0) for number in ids])
    return [int(row) for row in scored.ordered_by(ids, newer)]


def _tail(
    request: Request, question: Question, having: Sources, head: Sequence[_Row]
) -> list[_Row]:
    """What ranks below the pool, scored by its relevance alone and never above the pool."""
    ranked = _gather(request, question, having, request.page * request.limit).ranked
    known = {row.id for row in head}
    lowest = head[-1].score if head else 1.0
    tail = [
        (int(number), float(relevance))
        for number, relevance in zip(ranked.ids, ranked.relevance, strict=True)
        if int(number) not in known
    ]
    best = max((relevance for _, relevance in tail), default=1.0) or 1.0
    return [_Row(number, lowest * relevance / best, None) for number, relevance in tail]


def _total(request: Request, ranked: RankedCandidates, rows: Sequence[_Row]) -> int:
    if request.strict:
        return len(rows)
    return max(ranked.matched, min(int(ranked.ids.size), len(rows)))


def _hit(
    row: _Row,
    memory: StoredMemory,
    request: Request,
    question: Question,
    candidates: Pool,
    scored: Scored,
    brought: Sequence[tuple[str, ...]],
) -> Hit:
    place = row.row
    return Hit(
        id=memory.id,
        name=memory.name,
        content=memory.content,
        score=round(row.score, 6),
        confidence=0.0 if place is None else round(float(candidates.ranked.coverage[place]), 6),
        origin="full_text" if place is None else "+".join(brought[place]) or "full_text",
        category=memory.category,
        author=memory.author,
        created_at=memory.created_at,
        key_nouns=memory.key_nouns,
        signals={} if place is None else _signals(scored, place, explain=request.explain),
        evidence={} if place is None else _evidence(question, candidates.ranked, place),
    )


def _signals(scored: Scored, row: int, *, explain: bool) -> Mapping[str, SignalValue]:
    total = float(scored.weights.sum())
    values: dict[str, SignalValue] = {}
    for column, signal in enumerate(scored.signals):
        value = float(scored.values[row, column])
        share = float(scored.weights[column]) / total if total > 0.0 else 0.0
        if value > 0.0 or explain:
            values[signal.name] = SignalValue(
                value=round(value, 6),
                weight=round(share, 6),
                contribution=round(share * value, 6),
            )
    return values


def _evidence(question: Question, ranked: RankedCandidates, row: int) -> Mapping[str, str]:
    alternatives = question.prepared.alternatives
    return {
        word: alternatives[group][int(held)][0]
        for group, (word, held) in enumerate(zip(question.words, ranked.found[row], strict=True))
        if held >= 0
    }


def _trace(
    question: Question, brought: Sequence[tuple[str, ...]], timings: Mapping[str, float]
) -> Trace:
    counts = Counter(source for names in brought for source in names)
    return Trace(
        language=question.prepared.language,
        words=question.words,
        ignored=tuple(question.prepared.ignored),
        expansions=question.expansions(),
        sources=dict(sorted(counts.items())),
        timings_ms={name: round(lap, 4) for name, lap in timings.items()},
    )
