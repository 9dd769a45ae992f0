"""`biorag bench --ablation`: what each part of a recall is worth, one left out at a time.

Each collection is stored once. Every part that is on is then switched off, every stage that is off
is switched on, and the seed's weights are tried, each with all questions asked anew.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table
from rich.text import Text

from biorag.engine.memory import Memory
from biorag.evaluation.biorag_system import HeldClock, learn_all, now_of
from biorag.evaluation.collections import REPORTED_APART, Asked, Collection
from biorag.evaluation.metrics import bootstrap_means, figures, interval
from biorag.retrieval.parts import all_parts
from biorag.retrieval.stages import all_stages
from biorag.settings import Settings

MEASURES = ("nDCG@10", "R@5", "R@1")
DEPTH = 20
TIMED = 50  # questions of a collection that are also asked for the time that they take

_SWITCHED_ON = {
    "qcr": Settings(coverage_gate=True),
    "gaba": Settings(inhibition=True),
    "jaccard": Settings(jaccard=True),
    "convergencia": Settings(convergence=True),
    "promocion_hub": Settings(hub_promotion=True),
    "memoria_trabajo": Settings(working_memory=True),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """One way to recall.

    Attributes:
        kind: `signal`, `expansion`, `evidence`, `stage` or `formula`.
        change: `without` or `with`.
    """

    kind: str
    name: str
    change: str
    settings: Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """What a variant changes against everything as it is by default.

    Attributes:
        differences: Measure to the mean difference over the questions.
        low: Lower end of the 95 % bootstrap interval of the nDCG@10 difference.
        high: Its upper end.
        changed: Share of the questions whose nDCG@10 is another.
        slower_ms: Median difference of the time of a recall, the two asked in turn.
    """

    kind: str
    name: str
    change: str
    differences: dict[str, float]
    low: float
    high: float
    changed: float
    slower_ms: float


def variants() -> tuple[Variant, ...]:
    """All of them, by kind."""
    plain = Settings()
    found = []
    is_on = {stage.name: stage.is_on(plain) for stage in all_stages()}
    for kind, names in all_parts().items():
        for name in names:
            if kind == "stage" and not is_on[name]:
                settings = _SWITCHED_ON[name]
                found.append(Variant(kind=kind, name=name, change="with", settings=settings))
            else:
                settings = replace(plain, without=frozenset({name}))
                found.append(Variant(kind=kind, name=name, change="without", settings=settings))
    seed = replace(plain, formula="semilla")
    found.append(Variant(kind="formula", name="semilla", change="with", settings=seed))
    return tuple(found)


def ablate(collections: Sequence[Collection]) -> tuple[dict[str, float], tuple[Effect, ...]]:
    """Measures every variant on the same stores and questions.

    Returns:
        The figures of everything as it is, and what each variant changes.
    """
    tried = variants()
    asked: list[Asked] = []
    runs: list[dict[str, list[str]]] = [{} for _ in range(len(tried) + 1)]
    slower: list[list[float]] = [[] for _ in tried]
    for collection in collections:
        questions = [
            q for q in collection.questions if q.grades and q.category not in REPORTED_APART
        ]
        asked += questions
        with tempfile.TemporaryDirectory(prefix="biorag-ablation-") as directory:
            path = Path(directory) / "memory.db"
            clock = HeldClock(now_of(collection.documents))
            with Memory.open(path, clock=clock) as memory:
                ids = learn_all(memory, collection.documents)
            with Memory.open(path, settings=Settings(), clock=clock) as plain:
                _ask(plain, questions, ids, runs[0])
                for place, variant in enumerate(tried):
                    with Memory.open(path, settings=variant.settings, clock=clock) as memory:
                        _ask(memory, questions, ids, runs[place + 1])
                        slower[place] += _slower(memory, plain, questions[:TIMED])
    whole, *others = (figures(asked, run) for run in runs)
    effects = []
    for variant, values, taken in zip(tried, others, slower, strict=True):
        gains = {name: values[name] - whole[name] for name in MEASURES}
        low, high = interval(bootstrap_means(gains["nDCG@10"][:, None])[:, 0])
        effects.append(
            Effect(
                kind=variant.kind,
                name=variant.name,
                change=variant.change,
                differences={name: round(float(gains[name].mean()), 6) for name in MEASURES},
                low=round(low, 6),
                high=round(high, 6),
                changed=round(float(np.mean(gains["nDCG@10"] != 0.0)), 6),
                slower_ms=float(np.median(taken)),
            )
        )
    return {name: round(float(whole[name].mean()), 6) for name in MEASURES}, tuple(effects)


def show(
    title: str, figures_of_all: dict[str, float], effects: Sequence[Effect], console: Console
) -> None:
    """Writes the table, the dearest loss of each kind first."""
    table = Table(title=title, title_justify="left", title_style="bold")
    table.add_column("part")
    for name in MEASURES:
        table.add_column(f"Δ {name}", justify="right")
    for name in ("95 % of Δ nDCG", "questions changed", "Δ p50 ms"):
        table.add_column(name, justify="right")
    as_it_is = "  ".join(f"{name} {value:.3f}" for name, value in figures_of_all.items())
    last = None
    for effect in sorted(effects, key=lambda e: (e.kind, e.differences["nDCG@10"], e.name)):
        if last not in (None, effect.kind):
            table.add_section()
        last = effect.kind
        table.add_row(
            f"{effect.change} {effect.kind} {effect.name}",
            *(f"{effect.differences[name]:+.4f}" for name in MEASURES),
            f"{effect.low:+.4f} … {effect.high:+.4f}",
            f"{effect.changed:.0%}",
            f"{effect.slower_ms:+.2f}",
        )
    console.print(table)
    console.print(Text(f"everything as it is: {as_it_is}", style="dim"))


def _ask(
    memory: Memory,
    questions: Sequence[Asked],
    ids: dict[str, str],
    run: dict[str, list[str]],
) -> None:
    for question in questions:
        run[question.key] = [ids[hit.name] for hit in memory.recall(question.text, limit=DEPTH)]


def _slower(memory: Memory, plain: Memory, questions: Sequence[Asked]) -> list[float]:
    """By how many milliseconds a variant is slower for each question, the two asked in turn."""
    found = []
    for question in questions:
        taken = []
        for asked in (plain, memory):
            started = time.perf_counter()
            asked.recall(question.text, limit=DEPTH)
            taken.append(time.perf_counter() - started)
        found.append((taken[1] - taken[0]) * 1000.0)
    return found
