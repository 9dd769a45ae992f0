"""What a page shows of each memory, and why it is there."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from biorag.model import Hit, SignalValue
from biorag.retrieval.abstention import Verdict
from biorag.retrieval.candidates import Pool, Sources
from biorag.retrieval.fusion import Scored
from biorag.retrieval.query import Question
from biorag.retrieval.staging import Moves
from biorag.storage.lookups import Heading, headings
from biorag.storage.nodes import moment
from biorag.storage.terms import terms

DIGITS = 6  # of every number that is shown: what is beyond differs between machines


@dataclass(frozen=True, slots=True)
class RankedRow:
    """A memory's place in the ranking; `row` is its place in the pool, `None` below the pool."""

    id: int
    score: float
    row: int | None


class _Unfolded(Mapping[str, SignalValue]):
    """The signals of a hit, worked out when they are first looked at: few callers do."""

    __slots__ = ("_held", "_work_out")

    def __init__(self, work_out: Callable[[], Mapping[str, SignalValue]]) -> None:
        self._work_out = work_out
        self._held: Mapping[str, SignalValue] | None = None

    def _signals(self) -> Mapping[str, SignalValue]:
        if self._held is None:
            self._held = self._work_out()
        return self._held

    def __getitem__(self, name: str) -> SignalValue:
        return self._signals()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._signals())

    def __len__(self) -> int:
        return len(self._signals())

    def __repr__(self) -> str:
        return repr(self._signals())

    def __reduce__(self) -> tuple[type[dict[str, SignalValue]], tuple[dict[str, SignalValue]]]:
        # What is sent to another process is what it says, not how it is worked out.
        return dict, (dict(self._signals()),)


class HitBuilder:
    """Puts hits together from the pool, the scores and the store."""

    def __init__(
        self,
        question: Question,
        candidates: Pool,
        scored: Scored,
        brought: Sources,
        verdict: Verdict,
        *,
        explain: bool,
        moves: Moves,
    ) -> None:
        self._explain = explain
        self._moves = moves
        self._words = question.words
        self._alternatives = question.alternatives
        self._found = candidates.ranked.found
        self._coverage = candidates.ranked.coverage
        self._brought = brought
        self._verdict = verdict
        shares = scored.weights / (scored.total or 1.0)
        self._names = [signal.name for signal in scored.signals]
        self._shares = shares.round(DIGITS).tolist()
        self._weights = shares
        self._values = scored.values

    def hits(
        self, rows: Sequence[RankedRow], connection: sqlite3.Connection, texts: Mapping[int, str]
    ) -> tuple[Hit, ...]:
        """The memories of these rows; one that was deleted meanwhile is left out.

        Args:
            rows: In the order of the page.
            connection: Reads names and key nouns.
            texts: Contents by id.
        """
        ids = [row.id for row in rows]
        heads = headings(connection, ids)
        words = terms(connection, ids)
        return tuple(
            self._hit(row, heads[row.id], texts[row.id], words.get((row.id, "key_noun"), ()))
            for row in rows
            if row.id in heads and row.id in texts
        )

    def _hit(self, row: RankedRow, head: Heading, content: str, key_nouns: tuple[str, ...]) -> Hit:
        place = row.row
        certainty, confidence = self._verdict.of(place)
        return Hit(
            id=head.id,
            name=head.name,
            content=content,
            score=round(row.score, DIGITS),
            confidence=0.0 if place is None else round(float(self._coverage[place]), DIGITS),
            origin="full_text" if place is None else "+".join(self._brought.of(place)),
            category=head.category,
            author=head.author,
            created_at=moment(head.created_at),
            key_nouns=key_nouns,
            valid_from=None if head.valid_from is None else moment(head.valid_from),
            valid_to=None if head.valid_to is None else moment(head.valid_to),
            signals={} if place is None else _Unfolded(partial(self._signals, place)),
            evidence={} if place is None else self._evidence(place),
            moves=self._moved(place) if self._moves and place is not None else {},
            certainty=certainty,
            calibrated_confidence=None if confidence is None else round(confidence, DIGITS),
        )

    def _moved(self, place: int) -> Mapping[str, int]:
        return {stage: int(places[place]) for stage, places in self._moves.items() if places[place]}

    def _signals(self, place: int) -> Mapping[str, SignalValue]:
        values = self._values[place]
        columns = zip(
            self._names,
            values.round(DIGITS).tolist(),
            self._shares,
            (values * self._weights).round(DIGITS).tolist(),
            strict=True,
        )
        return {
            name: SignalValue(value=value, weight=share, contribution=contribution)
            for name, value, share, contribution in columns
            if value > 0.0 or self._explain
        }

    def _evidence(self, place: int) -> Mapping[str, str]:
        found = zip(self._words, self._alternatives, self._found[place].tolist(), strict=True)
        return {word: alternatives[held][0] for word, alternatives, held in found if held >= 0}
