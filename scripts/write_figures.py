"""Measures the test half of each public corpus and writes the table of figures in README.md."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from biorag.evaluation.command import run_bench

README = Path(__file__).resolve().parents[1] / "README.md"
START, END = "<!-- figures:start -->", "<!-- figures:end -->"
SYSTEMS = ("biorag", "bm25s", "fts5")

# Corpus folder, part, category (None: all that is answerable), and how the README calls it.
ROWS: tuple[tuple[str, str, str | None, str], ...] = (
    ("locomo_turns", "", None, "LoCoMo, which turn of a conversation answers"),
    ("locomo_facts", "", None, "LoCoMo, which noted fact answers"),
    ("locomo_sessions", "", None, "LoCoMo, which session answers"),
    ("xquad_es_en", "all", "question", "XQuAD, question and paragraph in one language"),
    ("xquad_es_en", "all", "question_typo", "… with typing errors"),
    ("xquad_es_en", "all", "question_cross", "… across Spanish and English"),
    ("xquad_es_en", "all", "question_typo_cross", "… across, with typing errors"),
    ("python_docs_es", "", None, "Python's manual in Spanish, questions in both languages"),
    ("python_docs_en", "", None, "Python's manual in English, questions in both languages"),
    ("cranfield", "", None, "Cranfield, graded"),
    ("clinc150_oos", "", None, "CLINC150, requests of the same intent"),
    ("banking77", "", None, "Banking77, requests of the same intent"),
)


def main() -> int:
    """Run every corpus that the table names and rewrite the table in place."""
    if len(sys.argv) != 2:
        sys.stderr.write("usage: python scripts/write_figures.py CORPORA_DIR\n")
        return 2
    runs = dict(_runs(Path(sys.argv[1])))
    text = README.read_text(encoding="utf-8")
    before, _, rest = text.partition(START)
    _, _, after = rest.partition(END)
    README.write_text(f"{before}{START}\n{_table(runs)}\n{END}{after}", encoding="utf-8")
    return 0


def _runs(corpora: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for name in dict.fromkeys(corpus for corpus, *_ in ROWS):
        with tempfile.TemporaryDirectory() as directory:
            report = Path(directory) / "run.json"
            code = run_bench(corpora / name, split="test", rivals=SYSTEMS[1:], json_file=report)
            if code:
                raise SystemExit(code)
            yield name, json.loads(report.read_text(encoding="utf-8"))


def _table(runs: Mapping[str, Mapping[str, Any]]) -> str:
    lines = [
        "| corpus | questions | biorag | bm25s | FTS5 | lead over bm25s, nDCG@10 |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for corpus, part, category, label in ROWS:
        group = _group(runs[corpus], part, category)
        cells = (
            f"{_figure(group['means'][system]['nDCG@10'])} / "
            f"{_figure(group['means'][system]['RR@10'])}"
            for system in SYSTEMS
        )
        lead = group["leads"]["bm25s"]["nDCG@10"]
        lines.append(
            f"| {label} | {group['questions']:,} | {' | '.join(cells)} | "
            f"{lead['mean']:+.3f} [{lead['low']:+.3f}, {lead['high']:+.3f}] |"
        )
    return "\n".join(lines)


def _group(run: Mapping[str, Any], part: str, category: str | None) -> Mapping[str, Any]:
    (found,) = (each for each in run["quality"] if each["name"] == part)
    wanted = {category} if category else {"all", "answerable"}
    (group,) = (each for each in found["groups"] if each["category"] in wanted)
    chosen: Mapping[str, Any] = group
    return chosen


def _figure(value: float) -> str:
    return f"{value:.3f}".removeprefix("0")


if __name__ == "__main__":
    sys.exit(main())
