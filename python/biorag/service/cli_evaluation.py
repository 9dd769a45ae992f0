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
    split: Annotated[str, typer.Option(help="Which judgements to use.")] = "test",
    limite: Annotated[
        int | None, typer.Option("--limite", "-n", min=1, help="Only the first N questions.")
    ] = None,
    rival: Annotated[
        list[str] | None, typer.Option("--rival", help="Measure this, too; repeatable.")
    ] = None,
    json_file: Annotated[
        Path | None, typer.Option("--json", help="Write the figures to this file, too.")
    ] = None,
    title: Annotated[
        bool, typer.Option("--title/--no-title", help="Index titles with the texts.")
    ] = True,
    small: Annotated[bool, typer.Option("--small", help="Judged documents alone.")] = False,
) -> None:
    """Measure recall and speed on a corpus with judged questions."""
    # The evaluation imports numpy and the rivals' libraries.
    from biorag.evaluation.command import run_bench

    code = run_bench(
        corpus,
        split=split,
        limit=limite,
        rivals=tuple(rival or ()),
        json_file=json_file,
        title=title,
        small=small,
        show_progress=sys.stderr.isatty(),
    )
    raise typer.Exit(code)
