"""The verbs that show and measure: demo, bench."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer


def add_verbs(app: typer.Typer) -> None:
    """Add the verbs of this family to the command line."""
    app.command("demo")(demo)
    app.command("bench")(bench)


def demo() -> None:
    """Show the memory at work on real text, in about a minute."""
    # Its corpus and the engine are loaded for this verb alone.
    from biorag.evaluation.demo import run_demo

    raise typer.Exit(run_demo())


def bench(
    corpus: Annotated[
        Path, typer.Argument(exists=True, file_okay=False, help="Folder of a corpus in BEIR form.")
    ],
    split: Annotated[
        str | None,
        typer.Option(help="Which half of the questions: train, test or all; test if not said."),
    ] = None,
    limit: Annotated[
        int | None, typer.Option("--limit", "-n", min=1, help="Only the first N questions.")
    ] = None,
    rivals: Annotated[
        str, typer.Option(help="Measured in the same run: fts5, bm25s, bm25s-default; '' for none.")
    ] = "fts5,bm25s",
    json_file: Annotated[
        Path | None, typer.Option("--json", help="Write the figures to this file, too.")
    ] = None,
    title: Annotated[bool, typer.Option("--title", help="Store titles with the texts.")] = False,
    small: Annotated[
        bool, typer.Option("--small", help="Only the documents that the corpus marks as small.")
    ] = False,
    ablation: Annotated[
        bool, typer.Option("--ablation", help="What each part is worth, on train and on test.")
    ] = False,
    abstention: Annotated[
        bool,
        typer.Option(
            "--abstention", help="Measure what is answered and refused instead of the ranking."
        ),
    ] = False,
) -> None:
    """Measure recall and speed on a corpus with judged questions."""
    # The evaluation imports numpy and the rivals' libraries.
    from biorag.evaluation.command import run_ablation, run_abstention, run_bench

    if ablation:
        splits = ("train", "test") if split is None else (split,)
        raise typer.Exit(
            run_ablation(corpus, splits=splits, limit=limit, json_file=json_file, small=small)
        )
    split = split or "test"
    if abstention:
        code = run_abstention(
            corpus, split=split, limit=limit, json_file=json_file, title=title, small=small
        )
        raise typer.Exit(code)
    code = run_bench(
        corpus,
        split=split,
        limit=limit,
        rivals=tuple(name.strip() for name in rivals.split(",") if name.strip()),
        json_file=json_file,
        title=title,
        small=small,
        show_progress=sys.stderr.isatty(),
    )
    raise typer.Exit(code)
