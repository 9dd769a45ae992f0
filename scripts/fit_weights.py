"""Fits the weights of the signals on the train halves of public corpora, and prints them.

Nothing is written into the sources: what is taken over is decided by whoever reads the table.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table

from biorag.evaluation.fitting import Fitted, Sample, fit, observe
from biorag.signals import all_signals

CORPORA = (
    *("locomo_turns", "locomo_facts", "locomo_sessions", "cranfield", "clinc150_oos"),
    *("banking77", "xquad_es_en", "python_docs_es"),
)

SMALL = {"python_docs_es"}  # whose whole store would take as long as all others


def main() -> int:
    """Reads the arguments, fits, and writes two tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpora", type=Path, help="folder of the corpora")
    parser.add_argument("--limit", type=int, default=400, help="questions of each corpus")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    console = Console(width=None if sys.stdout.isatty() else 120, highlight=False)
    samples = []
    for name in CORPORA:
        sample = observe(arguments.corpora / name, limit=arguments.limit, small=name in SMALL)
        samples.append(sample)
        console.print(f"{name}: {len(sample.questions)} questions asked", style="dim")
    show(samples, fit(samples, rounds=arguments.rounds), console)
    return 0


def show(samples: list[Sample], fitted: Fitted, console: Console) -> None:
    """Writes what was gained on each corpus, and each weight before and after."""
    last = fitted.steps[-1].gains if fitted.steps else fitted.start
    table = Table(title="nDCG@10 over BM25, train halves", title_justify="left")
    for heading in ("corpus", "BM25", "before", "after"):
        table.add_column(heading, justify="left" if heading == "corpus" else "right")
    for sample in samples:
        before, after = fitted.start[sample.corpus], last[sample.corpus]
        table.add_row(sample.corpus, f"{sample.bm25:.4f}", f"{before:+.4f}", f"{after:+.4f}")
    console.print(table)
    table = Table(title="weights", title_justify="left")
    for heading in ("signal", "before", "after"):
        table.add_column(heading, justify="left" if heading == "signal" else "right")
    for signal in all_signals():
        after = fitted.weights[signal.name]
        if signal.weight or after:
            changed = f"{after:g}" if after != signal.weight else ""
            table.add_row(signal.name, f"{signal.weight:g}", changed)
    console.print(table)


if __name__ == "__main__":
    sys.exit(main())
