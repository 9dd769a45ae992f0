"""A bench run as tables for people and as JSON for machines.

What was found depends on the data and the code alone, so that table is the same, byte for byte,
whenever it is made; what it cost is another table, because clocks differ.
"""

from __future__ import annotations

import platform
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from biorag.evaluation.measure import Measurement
from biorag.evaluation.quality import Estimate, Group, Part
from biorag.evaluation.resources import percentile
from biorag.evaluation.systems import BIORAG

MEBIBYTE = 1024 * 1024

_FULL = ("nDCG@10", "R@1", "R@5", "R@10", "R@20", "RR@10")


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """Everything that one bench run says."""

    corpus: str
    split: str
    limit: int | None
    with_titles: bool
    small: bool
    stores: int
    documents: int
    parts: tuple[Part, ...]
    measurements: tuple[Measurement, ...]


def show(run: Run, console: Console) -> None:
    """Write the run's tables."""
    console.print(Text(_headline(run), style="bold"))
    for part in run.parts:
        console.print(_quality_table(run, part))
        if remark := _silence(part):
            console.print(Text(remark))
    console.print(Text(_LEGEND, style="dim"))
    console.print(_cost_table(run))
    console.print(Text(_COST_LEGEND, style="dim"))


def as_json(run: Run) -> dict[str, Any]:
    """The run as plain values; `quality` is the same at every run, `cost` is not."""
    return {
        "biorag": _version(),
        "corpus": run.corpus,
        "split": run.split,
        "limit": run.limit,
        "titles": run.with_titles,
        "small": run.small,
        "stores": run.stores,
        "documents": run.documents,
        "quality": [asdict(part) for part in run.parts],
        "cost": {
            "machine": {"system": platform.platform(), "python": platform.python_version()},
            **{m.system: _cost(m) for m in run.measurements},
        },
    }


_LEGEND = (
    "nDCG@10 with its 95 % bootstrap interval over questions; R@k is the mean share of a "
    "question's relevant\ndocuments in the first k; MRR@10 is the mean reciprocal rank. "
    "'lead' is biorag's nDCG@10 minus the rival's,\nquestion by question, with its paired "
    "interval: one that holds 0 is no difference shown."
)
_COST_LEGEND = (
    "One question at a time, in process, the Python call included. Peak memory is of the system's "
    "whole process;\n'at start' is what was there before the system was opened: interpreter, "
    "measuring code and the corpus itself."
)


def _version() -> str:
    try:
        return version("biorag")
    except PackageNotFoundError:
        return "run from its source, not installed"


def _headline(run: Run) -> str:
    notes = [
        f"{run.documents} documents in {run.stores} store{'s' * (run.stores != 1)}",
        f"split {run.split}",
    ]
    if run.limit is not None:
        notes.append(f"a sample of at most {run.limit} questions")
    if run.small:
        notes.append("the small subset of the documents")
    if run.with_titles:
        notes.append("titles stored with the texts")
    return f"{run.corpus}: {', '.join(notes)}"


def _quality_table(run: Run, part: Part) -> Table:
    table = Table(title=part.name or None, title_justify="left", header_style="bold")
    table.add_column("questions", no_wrap=True)
    table.add_column("n", justify="right")
    table.add_column("system", no_wrap=True)
    table.add_column("nDCG@10", justify="right", no_wrap=True)
    for name in _FULL[1:]:
        table.add_column("MRR@10" if name == "RR@10" else name, justify="right")
    table.add_column("lead", justify="right", no_wrap=True)
    for group in part.groups:
        for place, measurement in enumerate(run.measurements):
            _add_row(table, group, measurement.system, first=place == 0)
        table.add_section()
    return table


def _add_row(table: Table, group: Group, system: str, *, first: bool) -> None:
    means = group.means[system]
    lead = group.leads.get(system)
    table.add_row(
        group.category if first else "",
        str(group.questions) if first else "",
        system,
        _estimate(group.intervals[system]["nDCG@10"], sign=False),
        *(_figure(means[name]) for name in _FULL[1:]),
        _estimate(lead["nDCG@10"], sign=True) if lead else "",
        style="bold" if system == BIORAG else None,
    )


def _silence(part: Part) -> str:
    """What is known of abstention: who kept silent on what nothing answers, and on the rest."""
    lines = []
    if part.unlabelled:
        kept = ", ".join(f"{name} {count}" for name, count in part.silent.items())
        lines.append(
            f"{part.unlabelled} questions have no relevant document and are in no figure; "
            f"left unanswered: {kept}"
        )
    if any(part.silent_answerable.values()):
        lost = ", ".join(f"{name} {count}" for name, count in part.silent_answerable.items())
        lines.append(f"questions with a relevant document left unanswered: {lost}")
    return "\n".join(lines)


def _cost_table(run: Run) -> Table:
    table = Table(title="what it cost", title_justify="left", header_style="bold")
    table.add_column("system", no_wrap=True)
    for heading in (
        "search p50 ms",
        "p95 ms",
        "learnt/s",
        "disk MiB",
        "disk ÷ text",
        "peak MiB",
        "at start MiB",
    ):
        table.add_column(heading, justify="right")
    for measurement in run.measurements:
        cost = _cost(measurement)
        disk = cost["disk_bytes"]
        table.add_row(
            measurement.system,
            f"{cost['search_p50_ms']:.2f}",
            f"{cost['search_p95_ms']:.2f}",
            f"{cost['documents_per_s']:,.0f}",
            "in memory" if disk is None else f"{disk / MEBIBYTE:.1f}",
            "" if disk is None else f"{disk / measurement.text_bytes:.1f}",
            f"{cost['memory_peak_bytes'] / MEBIBYTE:.0f}",
            f"{cost['memory_before_bytes'] / MEBIBYTE:.0f}",
        )
    return table


def _cost(measurement: Measurement) -> Mapping[str, Any]:
    return {
        "search_p50_ms": percentile(measurement.search_ms, 50),
        "search_p95_ms": percentile(measurement.search_ms, 95),
        "documents_per_s": measurement.documents / max(measurement.ingest_s, 1e-9),
        "text_bytes": measurement.text_bytes,
        "disk_bytes": measurement.disk_bytes,
        "memory_before_bytes": measurement.memory_before_bytes,
        "memory_peak_bytes": measurement.memory_peak_bytes,
    }


def _estimate(estimate: Estimate, *, sign: bool) -> str:
    return (
        f"{_figure(estimate.mean, sign=sign)} "
        f"[{_figure(estimate.low, sign=sign)}, {_figure(estimate.high, sign=sign)}]"
    )


def _figure(value: float, *, sign: bool = False) -> str:
    """Three decimals with no leading zero, as the field prints them."""
    text = f"{value:+.3f}" if sign else f"{value:.3f}"
    return text.replace("0.", ".", 1) if abs(value) < 1 else text
