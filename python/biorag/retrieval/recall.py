"""From question to page, top to bottom."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import numpy.typing as npt

from biorag.kernels.index import RankedCandidates
from biorag.model import ContextStep, Hit, Page, Trace
from biorag.retrieval.abstention import Verdict, judge
from biorag.retrieval.associations import associations, context
from biorag.retrieval.candidates import (
    POOL,
    Gathered,
    Pool,
    Sources,
    gather,
    pool,
    sources,
)
from biorag.retrieval.fusion import Scored, score
from biorag.retrieval.hits import DIGITS, HitBuilder, RankedRow
from biorag.retrieval.knowledge import Inquiry, Knowledge, Request
from biorag.retrieval.parts import check_left_out
from biorag.retrieval.query import Question, Relations, parse
from biorag.retrieval.staging import Moves, pass_stages
from biorag.storage.domain import LANE, related_terms
from biorag.storage.listing import EVERYTHING, ids_matching
from biorag.storage.lookups import created_at, ids_not_active
from biorag.storage.observations import contents, contents_as_of

SURE = 0.5  # the score from which on what a caller associates with its question is not needed


class _Stopwatch:
    """Milliseconds of each step."""

    def __init__(self) -> None:
        self.laps: dict[str, float] = {}
        self._last = time.perf_counter()

    def lap(self, name: str) -> None:
        now = time.perf_counter()
        # A burst does some steps twice.
        self.laps[name] = self.laps.get(name, 0.0) + (now - self._last) * 1000.0
        self._last = now


@dataclass(frozen=True, slots=True)
class RankedPool:
    """A question's candidates with all that was found out about them.

    Attributes:
        moves: What each stage moved; empty unless the request explains.
        burst: Whether the burst ran.
    """

    question: Question
    candidates: Pool
    scored: Scored
    moves: Moves
    brought: Sources
    verdict: Verdict
    burst: bool

    def builder(self, *, explain: bool) -> HitBuilder:
        """Puts hits of these candidates together."""
        return HitBuilder(
            self.question,
            self.candidates,
            self.scored,
            self.brought,
            self.verdict,
            explain=explain,
            moves=self.moves,
        )


def recall(request: Request, having: Knowledge) -> Page:
    """Answers a question with one page of memories, best first.

    The steps: analyse and expand the question, gather candidates from every source, compute all
    signals of the pool at once, weigh them, order, and fetch the texts of the page alone.
    """
    watch = _Stopwatch()
    ranked = rank_pool(request, having, watch.lap)
    rows, total = _page_rows(request, having, ranked)
    texts = _texts(request, having, [row.id for row in rows])
    hits = ranked.builder(explain=request.explain).hits(rows, having.connection, texts)
    hits, around = _with_neighbours(request, having, hits)
    watch.lap("page")
    verdict = ranked.verdict
    abstained = total == 0 or verdict.abstains
    if request.session is not None and not abstained:
        request.session.show([hit.id for hit in hits])
    return Page(
        query=request.query,
        hits=() if abstained and request.answer_only else hits,
        page=request.page,
        limit=request.limit,
        total=total,
        abstained=abstained,
        trace=trace_of(ranked, watch.laps),
        certainty=verdict.certainty,
        certainty_value=round(verdict.value, DIGITS),
        calibration=having.calibration,
        related=hits if abstained else (),
        context=around,
    )


def _with_neighbours(
    request: Request, having: Knowledge, hits: tuple[Hit, ...]
) -> tuple[tuple[Hit, ...], tuple[ContextStep, ...]]:
    """The hits with what is linked to each, and what lies around them all."""
    links = having.links
    if links is None or not hits:
        return hits, ()
    ids = [hit.id for hit in hits]
    if request.associations:
        found = associations(having.connection, ids, request.associations)
        hits = tuple(replace(hit, associations=found.get(hit.id, ())) for hit in hits)
    if not request.context_depth:
        return hits, ()
    return hits, context(having.connection, links, ids, request.context_depth)


def rank_pool(
    request: Request,
    having: Knowledge,
    lap: Callable[[str], None] = lambda _: None,
    *,
    included: Sequence[int] = (),
) -> RankedPool:
    """Everything of a recall up to the page.

    Args:
        request: What is asked.
        having: What the store knows.
        lap: Called with the name of each step that is done.
        included: Ids that are in the pool whether or not they rank.
    """
    check_left_out(having.settings.without)
    question = parse(
        request.query,
        request.key_nouns,
        index=having.index,
        lexicon=having.lexicon,
        thesaurus=having.thesaurus,
        settings=having.settings,
        relations=_relations(having),
    )
    lap("analyse")
    by_time = request.order_by != "relevance"
    size = max(POOL, request.page * request.limit) if by_time else POOL
    inquiry = Inquiry(request, question, having)
    standing = _score(inquiry, _gather(inquiry, size, included), lap)
    if _calls_for_burst(request, standing):
        words = having.index.prepare(
            " ".join(request.burst_words), None, protected=[], meanings=False, spellings=False
        )
        inquiry = replace(inquiry, burst=words)
        standing = _score(inquiry, _gather(inquiry, size, included), lap)
    return standing


def _score(inquiry: Inquiry, gathered: Gathered, lap: Callable[[str], None]) -> RankedPool:
    """The gathered candidates with their scores, in order, and what can be said of them."""
    settings, question = inquiry.having.settings, inquiry.question
    candidates = pool(inquiry, gathered)
    lap("gather")
    scored = score(candidates, formula=settings.formula, without=settings.without)
    scored, moves = pass_stages(
        scored, candidates, question, settings, explain=inquiry.request.explain
    )
    first_row = int(scored.order[0]) if candidates.size else None
    lap("score")
    return RankedPool(
        question=question,
        candidates=candidates,
        scored=scored,
        moves=moves,
        brought=sources(candidates, question),
        verdict=judge(candidates, first_row, inquiry.having.calibration),
        burst=inquiry.burst is not None,
    )


def _calls_for_burst(request: Request, standing: RankedPool) -> bool:
    """Whether the caller's associations are searched: it insists, or little was found without."""
    if not request.burst_words:
        return False
    return request.force_burst or float(standing.scored.scores.max(initial=0.0)) < SURE


def _relations(having: Knowledge) -> Relations | None:
    """The store's domain dictionary, where there is one and it is asked for."""
    if not having.settings.domain_dictionary or LANE not in having.revisions:
        return None
    return partial(related_terms, having.connection)


def _texts(request: Request, having: Knowledge, ids: Sequence[int]) -> dict[int, str]:
    as_of = request.filters.as_of
    if as_of is not None:
        return contents_as_of(having.connection, ids, as_of)
    return contents(having.connection, ids)


def _gather(inquiry: Inquiry, limit: int, included: Sequence[int] = ()) -> Gathered:
    request, having = inquiry.request, inquiry.having
    filters = request.filters
    excluded = ids_not_active(having.connection, deep=request.deep)
    asleep: frozenset[int] = frozenset()
    if inquiry.burst is not None:
        asleep = frozenset(excluded).difference(ids_not_active(having.connection, deep=True))
    # A strict question filters what was ranked, so all of it must be ranked.
    return gather(
        inquiry,
        order="relevance" if request.strict else request.order_by,
        allowed=None if filters == EVERYTHING else ids_matching(having.connection, filters),
        excluded=excluded,
        asleep=asleep,
        limit=len(having.index) if request.strict else limit,
        included=included,
    )


def _page_rows(
    request: Request, having: Knowledge, ranked: RankedPool
) -> tuple[list[RankedRow], int]:
    """The rows of the page, and how many there are on all pages.

    First comes the scored pool, then the index's own order. The scores of the pool do not depend
    on the page that is asked, so pages never overlap.
    """
    question, candidates, scored = ranked.question, ranked.candidates, ranked.scored
    start = (request.page - 1) * request.limit
    stop = start + request.limit
    ids = candidates.ranked.ids
    if request.strict:
        rows = _selected(request, having, candidates, scored)
        return rows[start:stop], len(rows)
    total = candidates.ranked.matched + _unmatched(candidates.ranked)
    if request.order_by != "relevance":
        places = range(start, min(stop, candidates.size))
        return [RankedRow(int(ids[row]), float(scored.scores[row]), row) for row in places], total
    rows = [
        RankedRow(int(ids[row]), float(scored.scores[row]), int(row))
        for row in _window(scored, ids, having, start, stop)
    ]
    if candidates.size < stop and candidates.size < total:
        tail = _tail(request, question, having, candidates, scored)
        rows += tail[max(start - candidates.size, 0) : stop - candidates.size]
    return rows, total


def _window(
    scored: Scored, ids: npt.NDArray[np.int64], having: Knowledge, start: int, stop: int
) -> npt.NDArray[np.intp]:
    """Rows `start` to `stop` of the pool's order, ties going to the newer memory.

    The time of storage is fetched only for memories whose scores agree to the bit.
    """
    ordered = scored.scores[scored.order]
    stop = min(stop, ordered.size)
    if start >= stop:
        return scored.order[:0]
    # Runs of equal scores may begin before the window and end after it.
    first = int(np.searchsorted(-ordered, -ordered[start], side="left"))
    last = int(np.searchsorted(-ordered, -ordered[stop - 1], side="right"))
    rows = scored.order[first:last]
    same = ordered[first + 1 : last] == ordered[first : last - 1]
    if same.any():
        times = created_at(having.connection, [int(number) for number in ids[rows]])
        newer = np.array([times.get(int(number), 0.0) for number in ids[rows]])
        rows = rows[scored.tie_order(rows, ids, newer)]
    return rows[start - first : stop - first]


def _selected(
    request: Request, having: Knowledge, candidates: Pool, scored: Scored
) -> list[RankedRow]:
    """Of the whole pool what holds every word of the question."""
    ids = candidates.ranked.ids
    order = _window(scored, ids, having, 0, candidates.size)
    complete = np.all(candidates.ranked.found >= 0, axis=1)
    order = order[complete[order]]
    rows = [RankedRow(int(ids[row]), float(scored.scores[row]), int(row)) for row in order]
    if request.order_by != "relevance":
        times = created_at(having.connection, [row.id for row in rows])
        sign = -1.0 if request.order_by == "newest" else 1.0
        rows.sort(key=lambda row: (sign * times.get(row.id, 0.0), row.id))
    return rows


def _unmatched(ranked: RankedCandidates) -> int:
    """Candidates that hold no word of the question: included for their name alone."""
    return int(np.count_nonzero(ranked.relevance <= 0.0))


def _tail(
    request: Request, question: Question, having: Knowledge, candidates: Pool, scored: Scored
) -> list[RankedRow]:
    """What ranks below the pool, scored by its relevance alone and never above the pool."""
    # Included memories stand in the pool beside the best, which leaves that many more below it.
    limit = request.page * request.limit + candidates.size - POOL
    ranked = _gather(Inquiry(request, question, having), limit).ranked
    outside = ~np.isin(ranked.ids, candidates.ranked.ids)
    ids, relevance = ranked.ids[outside], ranked.relevance[outside]
    lowest = float(scored.scores.min(initial=1.0))
    best = float(relevance.max(initial=0.0)) or 1.0
    return [
        RankedRow(int(number), lowest * float(value) / best, None)
        for number, value in zip(ids, relevance, strict=True)
    ]


def trace_of(ranked: RankedPool, timings: Mapping[str, float]) -> Trace:
    """How the candidates came about, with milliseconds by step."""
    question, brought = ranked.question, ranked.brought
    return Trace(
        language=question.prepared.language,
        words=question.words,
        ignored=tuple(question.prepared.ignored),
        expansions=question.expansions(),
        sources=brought.counts(),
        burst=ranked.burst,
        timings_ms={name: round(lap, 4) for name, lap in timings.items()},
    )
