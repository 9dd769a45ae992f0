"""A guided minute: real texts in two languages, a dozen questions, and why each answer came."""

from __future__ import annotations

import json
import sys
import tempfile
import time
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from biorag.engine.memory import Memory
from biorag.evaluation.resources import folder_bytes, percentile
from biorag.model import Hit, NewMemory, Page
from biorag.settings import Settings

PLAIN_WIDTH = 100  # where no terminal says how wide it is
SNIPPET = 220  # characters of a memory that are shown
INDENT = (0, 0, 0, 2)
REASONS = 3  # signals and alternatives named for an answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One question of the tour, and what is hard about it."""

    text: str
    point: str


TOUR = (
    Asked(text="How can I log in over SSH without typing a password each time?", point="English"),
    Asked(text="Which bootloader writes its physical address to the MBR?", point="English"),
    Asked(
        text="What happens to nightly jobs when the computer was switched off?",
        point="English, in other words than the text's",
    ),
    Asked(text="¿Qué puerto usa NFS de forma predeterminada?", point="Spanish"),
    Asked(text="¿Cómo desvío los servidores de publicidad a la máquina local?", point="Spanish"),
    Asked(
        text="¿Qué límite de disco no puede superar nunca un usuario?",
        point="Spanish question, English memories",
    ),
    Asked(
        text="¿Cómo ahorran espacio los enlaces duros en las copias de seguridad?",
        point="Spanish question, English memories",
    ),
    Asked(text="Why do shared libraries save memory?", point="English question, Spanish memories"),
    Asked(text="How does a process clone itself?", point="English question, Spanish memories"),
    Asked(text="how do i protect my privte key with a pasphrase", point="two misspellings"),
    Asked(text="¿que hace el nucleo con los sistemas de archvos?", point="no accents, a typo"),
    Asked(text="How long should bread dough rest before baking?", point="nothing here answers it"),
)


def run_demo() -> int:
    """Learn the texts that ship, ask the tour's questions, and show answers with their reasons.

    Everything happens in a temporary folder; the user's own store is not touched.

    Returns:
        0.
    """
    console = Console(width=None if sys.stdout.isatty() else PLAIN_WIDTH, highlight=False)
    with tempfile.TemporaryDirectory(prefix="biorag-demo-") as directory:
        path = Path(directory) / "memory.db"
        with Memory.open(path, settings=Settings()) as memory:
            _learn(memory, console)
            took_ms = [_ask(memory, asked, console) for asked in TOUR]
        size = folder_bytes(path.parent)
    console.print(
        Text.assemble(
            ("\nThat was all of it: ", "bold"),
            f"one file, no server, no model, no network. A question took "
            f"{percentile(took_ms, 50):.1f} ms at the median and {max(took_ms):.1f} ms at most, "
            f"each with its full explanation; the store took {size / 1024:,.0f} KiB.",
        )
    )
    return 0


def texts() -> list[NewMemory]:
    """The paragraphs that ship with biorag, as memories to learn."""
    lines = files("biorag.evaluation").joinpath("data/handbook.jsonl").read_text(encoding="utf-8")
    rows = [json.loads(line) for line in lines.splitlines()]
    return [NewMemory(name=row["name"], content=row["text"]) for row in rows]


def _learn(memory: Memory, console: Console) -> None:
    memories = texts()
    console.print(
        Text.assemble(
            ("biorag, in a minute\n", "bold"),
            f"{len(memories)} paragraphs of The Debian Administrator's Handbook, some in English, "
            "others in Spanish, no language told. They are learnt now, in a temporary store.",
        )
    )
    started = time.perf_counter()
    memory.learn_many(memories)
    took_s = time.perf_counter() - started
    console.print(
        f"Learnt {memory.count()} memories in {took_s:.2f} s, {len(memories) / took_s:,.0f} a "
        "second: each one is on disk and can be found."
    )


def _ask(memory: Memory, asked: Asked, console: Console) -> float:
    """Ask, show the best answer, and return the milliseconds that it took."""
    started = time.perf_counter()
    page = memory.recall(asked.text, limit=3, explain=True)
    took_ms = (time.perf_counter() - started) * 1000.0
    console.print(Text.assemble("\n", ("? ", "bold cyan"), (asked.text, "bold")))
    console.print(
        Padding(Text(f"{asked.point}; {took_ms:.1f} ms", style="dim"), INDENT, expand=False)
    )
    for line in _answer(page):
        console.print(Padding(line, INDENT, expand=False))
    return took_ms


def _answer(page: Page) -> list[Text]:
    if page.abstained:
        return [Text("Nothing that was learnt speaks to this, so there is no answer.", "yellow")]
    if not page.hits:
        return [Text("Nothing found.", "yellow")]
    best, *others = page.hits
    lines = [
        Text.assemble((best.name, "green"), "  ", _shortened(best.content)),
        Text.assemble(("why: ", "dim"), _reasons(best, page)),
    ]
    if others:
        names = ", ".join(f"{hit.name} ({hit.score:.2f})" for hit in others)
        lines.append(Text.assemble(("then: ", "dim"), (names, "dim")))
    return lines


def _reasons(hit: Hit, page: Page) -> str:
    """Score, the words that were found and as what, and the signals that weighed most."""
    found = ", ".join(
        word if word == form else f"{word} → {form}" for word, form in hit.evidence.items()
    )
    strongest = sorted(
        ((name, signal.contribution) for name, signal in hit.signals.items()),
        key=lambda item: (-item[1], item[0]),
    )
    weighed = ", ".join(f"{name} {part:.2f}" for name, part in strongest[:REASONS] if part > 0)
    searched = ", ".join(
        f"{expansion.word} → {expansion.alternative} ({expansion.origin})"
        for expansion in page.trace.expansions
    )
    parts = [f"score {hit.score:.2f}, confidence {hit.confidence:.2f}, from {hit.origin}"]
    if found:
        parts.append(f"words found: {found}")
    if weighed:
        parts.append(f"weighed most: {weighed}")
    if searched:
        parts.append(f"also searched: {_shortened(searched)}")
    return "; ".join(parts)


def _shortened(text: str) -> str:
    return text if len(text) <= SNIPPET else f"{text[:SNIPPET].rsplit(' ', 1)[0]} …"
