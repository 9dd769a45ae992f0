"""Leaves out each part of a recall on public corpora and writes docs/ABLATION.md."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from biorag.evaluation.command import run_ablation

PAGE = Path(__file__).resolve().parents[1] / "docs" / "ABLATION.md"
CORPORA = ("locomo_turns", "cranfield", "clinc150_oos", "banking77")
SPLITS = ("train", "test")


def main() -> int:
    """Measure, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpora", type=Path, help="folder of the corpora")
    parser.add_argument("--limit", type=int, default=300, help="questions of each half")
    arguments = parser.parse_args()
    runs = {name: _run(arguments.corpora / name, arguments.limit) for name in CORPORA}
    PAGE.write_text(_page(runs, arguments.limit), encoding="utf-8")
    return 0


def _run(corpus: Path, limit: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as directory:
        report = Path(directory) / "ablation.json"
        code = run_ablation(corpus, splits=SPLITS, limit=limit, json_file=report)
        if code:
            raise SystemExit(code)
        found: dict[str, Any] = json.loads(report.read_text(encoding="utf-8"))
        return found


def _page(runs: Mapping[str, Mapping[str, Any]], limit: int) -> str:
    lines = [
        "# Ablation",
        "",
        "<!-- Written by scripts/write_ablation.py; do not edit. -->",
        "",
        "What changes when one part of a recall is left out, or switched on that is off by"
        f" default: differences of nDCG@10, R@5 and R@1 in thousandths, over {limit} questions of"
        " each half (all of them where there are fewer), and of the median time of a recall."
        " Weights are set on train halves; test halves are only reported. Parts that no corpus"
        " feeds (dimensions, hubs, roles, key nouns, names, a burst, a session) change nothing"
        " here. Times are medians of differences, both asked in turn, on two cores.",
    ]
    for corpus, halves in runs.items():
        lines += ["", f"## {corpus}", ""]
        for split in SPLITS:
            whole = halves[split]["all"]
            figures = ", ".join(f"{name} {value:.3f}" for name, value in whole.items())
            lines.append(f"Everything as it is, {split}: {figures}.")
            lines.append("")
        lines += [
            "| part | train nDCG@10 | R@5 | R@1 | test nDCG@10 | R@5 | R@1 | p50 ms |",
            "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
        ]
        test = {_key(effect): effect for effect in halves["test"]["effects"]}
        for effect in halves["train"]["effects"]:
            other = test[_key(effect)]
            cells = [_thousandths(e, name) for e in (effect, other) for name in _MEASURES]
            part = f"{effect['change']} {effect['kind']} `{effect['name']}`"
            lines.append(f"| {part} | {' | '.join(cells)} | {other['slower_ms']:+.2f} |")
    return "\n".join(lines) + "\n"


_MEASURES = ("nDCG@10", "R@5", "R@1")


def _key(effect: Mapping[str, Any]) -> tuple[str, str]:
    return effect["kind"], effect["name"]


def _thousandths(effect: Mapping[str, Any], name: str) -> str:
    value = effect["differences"][name] * 1_000.0
    return "0" if abs(value) < 0.05 else f"{value:+.1f}"


if __name__ == "__main__":
    sys.exit(main())
