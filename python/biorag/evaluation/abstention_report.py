"""What came of an abstention run, as a table for people and as JSON for machines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.table import Table
from rich.text import Text

from biorag.evaluation.abstention import (
    ALPHAS,
    ANSWERABLE,
    GOOD,
    GOOD_CROSS,
    GOOD_TYPO,
    UNANSWERABLE,
    Judged,
    JudgedStore,
)

DECIMALS = 4
LOST = (ANSWERABLE, GOOD, GOOD_CROSS, GOOD_TYPO)


@dataclass(frozen=True, slots=True)
class Row:
    """One kind of question.

    Attributes:
        wrong: Alpha to the share answered, of unanswerable questions, or refused, of the others.
        direct: Alpha to the share given `evidencia_directa`.
        rival: The same as `wrong` for the BM25 threshold; empty when it could not be tuned.
        auroc: Chance that C puts a good answer above a question of this kind, mean of the stores.
        rival_auroc: The same for the BM25 score.
    """

    kind: str
    questions: int
    wrong: Mapping[float, float]
    direct: Mapping[float, float]
    rival: Mapping[float, float]
    auroc: float | None
    rival_auroc: float | None


def rows_of(stores: Sequence[JudgedStore], thresholds: Mapping[float, float]) -> tuple[Row, ...]:
    """The table's rows; kinds that do not occur are left out.

    Args:
        stores: With what they were asked.
        thresholds: The rival's, by alpha.
    """
    rows = (_row(kind, stores, thresholds) for kind in (*UNANSWERABLE, *LOST))
    return tuple(row for row in rows if row.questions)


def _row(kind: str, stores: Sequence[JudgedStore], thresholds: Mapping[float, float]) -> Row:
    members = [(store, q) for store in stores for q in store.questions if kind in q.kinds]
    refuses = kind in LOST

    def share(answered: Sequence[bool]) -> float:
        part = float(np.mean(answered)) if answered else 0.0
        return round(1.0 - part if refuses else part, DECIMALS)

    def answers(store: JudgedStore, question: Judged, alpha: float) -> bool:
        return question.spared or question.certainty > store.abstain_at[alpha]

    return Row(
        kind=kind,
        questions=len(members),
        wrong={a: share([answers(store, q, a) for store, q in members]) for a in ALPHAS},
        direct={
            a: round(
                float(np.mean([q.certainty > s.direct_above[a] for s, q in members])), DECIMALS
            )
            if members
            else 0.0
            for a in ALPHAS
        },
        rival={a: share([q.bm25 > t for _, q in members]) for a, t in thresholds.items()},
        auroc=None if refuses else _mean_auroc(kind, stores, "certainty"),
        rival_auroc=None if refuses else _mean_auroc(kind, stores, "bm25"),
    )


def _mean_auroc(kind: str, stores: Sequence[JudgedStore], score: str) -> float | None:
    def scores(store: JudgedStore, wanted: str) -> npt.NDArray[np.float64]:
        return np.array([getattr(q, score) for q in store.questions if wanted in q.kinds])

    found = [
        auroc(scores(store, GOOD), scores(store, kind))
        for store in stores
        if scores(store, GOOD).size and scores(store, kind).size
    ]
    return round(float(np.mean(found)), DECIMALS) if found else None


def auroc(high: npt.NDArray[np.float64], low: npt.NDArray[np.float64]) -> float:
    """The chance that one of `high` is above one of `low`; a tie counts half."""
    ordered = np.sort(low)
    below = np.searchsorted(ordered, high, side="left")
    not_above = np.searchsorted(ordered, high, side="right")
    return float(np.mean((below + not_above) / (2.0 * ordered.size)))


def show_abstention(title: str, rows: Sequence[Row], console: Console) -> None:
    """Write the table."""
    table = Table(title=title, title_justify="left", header_style="bold")
    table.add_column("questions", no_wrap=True)
    table.add_column("n", justify="right")
    table.add_column("wrong if", no_wrap=True)
    for alpha in ALPHAS:
        table.add_column(f"at {alpha:.2f}", justify="right", no_wrap=True)
    table.add_column("direct", justify="right", no_wrap=True)
    for alpha in ALPHAS:
        table.add_column(f"BM25 {alpha:.2f}", justify="right", style="dim", no_wrap=True)
    table.add_column("AUROC", justify="right", no_wrap=True)
    table.add_column("BM25", justify="right", style="dim", no_wrap=True)
    for row in rows:
        table.add_row(
            row.kind,
            str(row.questions),
            "refused" if row.kind in LOST else "answered",
            *(_shown(row.wrong[alpha]) for alpha in ALPHAS),
            _shown(row.direct[0.10]),
            *(_shown(row.rival.get(alpha)) for alpha in ALPHAS),
            _shown(row.auroc),
            _shown(row.rival_auroc),
        )
    console.print(table)
    console.print(Text(_LEGEND, style="dim"))


def abstention_json(corpus: str, split: str, rows: Sequence[Row]) -> dict[str, Any]:
    """The run as plain values, the same at every run."""
    return {
        "corpus": corpus,
        "split": split,
        "rows": [
            {
                "kind": row.kind,
                "questions": row.questions,
                "wrong_if": "refused" if row.kind in LOST else "answered",
                "wrong": {f"{alpha:.2f}": value for alpha, value in row.wrong.items()},
                "direct": {f"{alpha:.2f}": value for alpha, value in row.direct.items()},
                "bm25_threshold": {f"{alpha:.2f}": value for alpha, value in row.rival.items()},
                "auroc": row.auroc,
                "bm25_auroc": row.rival_auroc,
            }
            for row in rows
        ],
    }


def _shown(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


_LEGEND = (
    "Share of the questions on which the engine was wrong at each alpha; alpha promises the share "
    "of unanswerable ones\nanswered, for questions like those that the store was calibrated on, "
    "none of which is asked here. 'good answers' have\na relevant memory in the first 5; 'direct' "
    "were given evidencia_directa at .10. The BM25 columns are a threshold on the\nBM25 score that "
    "the same share of the train half's unanswerable questions passes. AUROC is against the good "
    "answers,\nmean of the stores."
)
