"""A guided minute: real texts in two languages, a dozen questions, and why each answer came."""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections import Counter
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
STRONGEST = 3  # signals named for an answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One question of the tour.

    Attributes:
        point: What is hard about it.
        answer: Words of the text that answers it; empty when none does.
    """

    text: str
    point: str
    answer: str


TOUR = (
    Asked(
        text="How can I log in over SSH without typing a password each time?",
        point="English",
        answer="SSH offers a key-based authentication",
    ),
    Asked(
        text="What happens to nightly tasks if the computer is switched off?",
        point="English",
        answer="they will never be executed if the computer is off",
    ),
    Asked(
        text="¿Cómo desvío los servidores de publicidad a la máquina local?",
        point="Spanish",
        answer="desviar los nombres de aquellos servidores dedicados a proveer publicidades",
    ),
    Asked(
        text="¿En qué puerto responde el servidor NFS?",
        point="Spanish",
        answer="la respuesta generalmente mencionará el puerto 2049",
    ),
    Asked(
        text="¿Qué límite de disco no puede superar nunca un usuario?",
        point="Spanish question, English memories",
        answer="limit can never be exceeded",
    ),
    Asked(
        text="¿Cómo se cancela una tarea programada?",
        point="Spanish question, English memories",
        answer="To cancel a task scheduled by cron",
    ),
    Asked(
        text="Why do shared libraries save memory?",
        point="English question, Spanish memories",
        answer="Esto permite ahorrar memoria",
    ),
    Asked(
        text="How does a process clone itself?",
        point="English question, Spanish memories",
        answer="un proceso puede clonarse a sí mismo",
    ),
    Asked(
        text="how do i protect my privte key with a pasphrase",
        point="two misspellings",
        answer="access to the private key is protected by a “passphrase”",
    ),
    Asked(
        text="sevidores de nombres: ¿donde defino la tabla de direciones ip?",
        point="two misspellings and a missing accent",
        answer="definir una pequeña tabla que asocie direcciones IP",
    ),
    Asked(
        text="¿Qué fue de OpenOffice cuando Oracle compró Sun?",
        point="Spanish, names and another verb",
        answer="la adquisición de Sun por parte de Oracle",
    ),
    Asked(
        text="How long should bread dough rest before baking?",
        point="nothing here answers it",
        answer="",
    ),
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
    rest = took_ms[1:]
    console.print(
        Text.assemble(
            ("\nThat was all of it: ", "bold"),
            f"one file, no server, no model, no network. The first question took "
            f"{took_ms[0]:.0f} ms, with loading the lexicon; the others {percentile(rest, 50):.1f} "
            f"ms at the median and {max(rest):.1f} ms at most, each with its full explanation. "
            f"The store took {size / 1024:,.0f} KiB on disk.",
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
    if not page.hits:
        return [Text("Nothing that was learnt speaks to this, so there is no answer.", "yellow")]
    best, *others = page.hits
    lines = [Text.assemble((best.name, "green"), "  ", _shortened(best.content))]
    if page.abstained:
        lines.insert(0, Text(_abstention(page), "yellow"))
    reasons = {
        "found": _evidence(best),
        "score": f"{best.score:.2f} from {best.origin}, {best.confidence:.0%} of the question's "
        f"information covered; {_strongest_signals(best)}",
        "beside the words": _alternatives(page),
        "then": ", ".join(f"{hit.name} ({hit.score:.2f})" for hit in others),
    }
    lines.extend(
        Text.assemble((f"{label}: ", "cyan"), (reason, "dim"))
        for label, reason in reasons.items()
        if reason
    )
    return lines


def _abstention(page: Page) -> str:
    if page.calibration is None:
        return "It does not answer; the nearest that it has:"
    return (
        f"It does not answer: its certainty is {page.certainty_value:.3f}, and this store answers "
        f"above {page.calibration.abstain_at:.3f}. The nearest that it has:"
    )


def _evidence(hit: Hit) -> str:
    """The question's words, and in what form each was found."""
    return ", ".join(
        word if word == form else f"{word} → {form}" for word, form in hit.evidence.items()
    )


def _strongest_signals(hit: Hit) -> str:
    ranked = sorted(hit.signals.items(), key=lambda item: (-item[1].contribution, item[0]))
    return ", ".join(
        f"{name} adds {signal.contribution:.2f}"
        for name, signal in ranked[:STRONGEST]
        if signal.contribution > 0
    )


def _alternatives(page: Page) -> str:
    """How many other words were searched, by the reason for searching them."""
    counts = Counter(expansion.origin for expansion in page.trace.expansions)
    return ", ".join(f"{origin} {count}" for origin, count in sorted(counts.items()))


def _shortened(text: str) -> str:
    return text if len(text) <= SNIPPET else f"{text[:SNIPPET].rsplit(' ', 1)[0]} …"
