"""What the verbs print: JSON for programs, tables for people; colour only on a terminal."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from biorag.errors import BioragError, InvalidInputError, KeyNounsError, SettingsError
from biorag.model import Hit, Learned, Listing, Page, StoredMemory
from biorag.model_upkeep import Check
from biorag.service.json_text import to_json
from biorag.service.presenters import present_error
from biorag.service.replies import CalibrationReply, StateReply

FAILED = 1
USAGE_ERROR = 2
PREVIEW_CHARS = 300
BAR_CELLS = 24
# A wait below this needs no explanation.
PATIENCE_S = 1.0

# A stored text may hold terminal commands; a listing must not run them.
_CONTROLS = {code: "�" for code in (*range(32), *range(0x7F, 0xA0)) if chr(code) not in "\n\t"}


def speak_utf8() -> None:
    """Print every character whatever the code page: as UTF-8, half surrogates escaped."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="backslashreplace")


@contextmanager
def failures(as_json: bool) -> Iterator[None]:
    """Turn an error that is raised on purpose into its message and its exit code."""
    try:
        yield
    except BioragError as error:
        if as_json:
            print_json(present_error(error))
        else:
            print_error(str(error))
        raise typer.Exit(exit_code(error)) from error


def exit_code(error: BioragError) -> int:
    """2 when the call was wrong, 1 when it was right and failed.

    Missing or wrong key nouns count as failed: that is how the verbs always answered them.
    """
    match error:
        case KeyNounsError():
            return FAILED
        case InvalidInputError() | SettingsError():
            return USAGE_ERROR
        case _:
            return FAILED


@contextmanager
def patience(doing: str) -> Iterator[None]:
    """Say on the terminal what is being waited for, once it takes over a second."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield
        return
    status = console.status(doing)
    timer = threading.Timer(PATIENCE_S, status.start)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        status.stop()


def print_json(value: Mapping[str, object]) -> None:
    """Print one JSON object, indented, as UTF-8."""
    typer.echo(to_json(value, indent=2))


def print_error(message: str) -> None:
    """Print a message of failure to stderr."""
    console = Console(stderr=True, highlight=False)
    console.print(Text.assemble(("biorag: ", "red"), shown(message)), soft_wrap=True)


def print_page(page: Page, *, whole: bool, explain: bool) -> None:
    """Print recalled memories, best first, each with the words that speak for it."""
    console = _console()
    for rank, hit in enumerate(page, start=(page.page - 1) * page.limit + 1):
        head = Text(f"{rank}. ", style="dim")
        head.append(shown(hit.name), style="bold cyan")
        head.append(f"  {hit.score:.3f}", style="green")
        head.append(f"  {shown(hit.category)}  {hit.created_at:%Y-%m-%d}", style="dim")
        console.print(head)
        _print_text(console, hit.content, whole)
        if hit.evidence:
            found = ", ".join(w if w == form else f"{w}→{form}" for w, form in hit.evidence.items())
            console.print(Text(f"   found: {shown(found)}", style="dim"))
        if explain:
            console.print(signal_bars(hit))
    console.print(Text(f"page {page.page} of {page.pages}, {page.total} ranked", style="dim"))


def signal_bars(hit: Hit) -> Table:
    """What each signal added to a hit's score, the largest first, as bars."""
    table = Table(box=None, padding=(0, 1, 0, 3))
    table.add_column("signal", style="dim")
    for name in ("value", "weight", "adds"):
        table.add_column(name, justify="right", style="dim")
    table.add_column("", no_wrap=True, style="green")
    ranked = sorted(hit.signals.items(), key=lambda item: (-item[1].contribution, item[0]))
    longest = max((abs(signal.contribution) for _, signal in ranked), default=0.0)
    for name, signal in ranked:
        share = abs(signal.contribution) / longest if longest else 0.0
        table.add_row(
            Text(name),
            f"{signal.value:.3f}",
            f"{signal.weight:.3f}",
            f"{signal.contribution:+.3f}",
            "█" * round(share * BAR_CELLS),
        )
    return table


def print_calibration(reply: CalibrationReply) -> None:
    """Print the thresholds in force, and what they were learnt from."""
    console = _console()
    console.print(Text(reply["mensaje"]))
    if "umbral" in reply:
        console.print(Text(f"   answers above    {reply['umbral']:.3f}"))
        console.print(Text(f"   direct above     {reply['umbral_directo']:.3f}"))
        console.print(Text(f"   alpha            {reply['alpha']:g}"))
        console.print(Text(f"   learnt from      {reply['negativos']}", style="dim"))


def print_listing(listing: Listing) -> None:
    """Print one page of the store, newest first."""
    console = _console()
    table = Table(box=None)
    for name in ("name", "category", "state", "key nouns", "learnt"):
        table.add_column(name, overflow="fold")
    for memory in listing:
        table.add_row(
            Text(shown(memory.name), style="cyan"),
            Text(shown(memory.category)),
            memory.state,
            Text(shown(", ".join(memory.key_nouns))),
            f"{memory.created_at:%Y-%m-%d}",
        )
    console.print(table)
    pages = -(-listing.total // listing.limit)
    console.print(Text(f"page {listing.page} of {pages}, {listing.total} memories", style="dim"))


def print_learned(learned: Learned, related: tuple[Hit, ...]) -> None:
    """Print what became of a memory, and which older ones are near it."""
    console = _console()
    said = {"created": "stored", "extended": "text added to", "unchanged": "already holds this:"}
    head = Text(f"{said[learned.status]} ")
    head.append(shown(learned.name), style="bold cyan")
    console.print(head)
    for label, names in (("linked", learned.linked), ("not found", learned.missing_links)):
        if names:
            console.print(Text(f"  {label}: {shown(', '.join(names))}"))
    if related:
        near = ", ".join(hit.name for hit in related)
        console.print(Text(f"  related: {shown(near)}", style="dim"))


def print_state(state: StateReply) -> None:
    """Print what the store holds."""
    table = Table(box=None, show_header=False)
    for key, value in state.items():
        listed = value if not isinstance(value, dict) else _counts(value)
        table.add_row(Text(key, style="dim"), Text(shown(str(listed))))
    _console().print(table)


def print_checks(checks: tuple[Check, ...]) -> None:
    """Print what was checked, and the remedy of what failed."""
    console = _console()
    for check in checks:
        mark = ("✓ ", "green") if check.ok else ("✗ ", "red")
        console.print(Text.assemble(mark, (check.name, "bold"), f"  {shown(check.detail)}"))
        if not check.ok and check.remedy:
            console.print(Text(f"    {shown(check.remedy)}"))


def print_key_nouns(memory: StoredMemory) -> None:
    """Print the key nouns of one memory."""
    nouns = shown(", ".join(memory.key_nouns)) or "(no key nouns)"
    _console().print(Text.assemble((shown(memory.name), "cyan"), f": {nouns}"))


def shown(text: str) -> str:
    """The text without characters that command a terminal."""
    return text.translate(_CONTROLS)


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.items())


def _print_text(console: Console, text: str, whole: bool) -> None:
    body = text if whole or len(text) <= PREVIEW_CHARS else text[:PREVIEW_CHARS] + "…"
    console.print(Text(shown(body)), soft_wrap=whole)


def _console() -> Console:
    return Console(highlight=False)
