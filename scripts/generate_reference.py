"""Write the reference pages from the code, or check that they are up to date.

Usage: `python scripts/generate_reference.py [--check]`. The pages are docs/TOOLS.md,
docs/SETTINGS.md, docs/CLI.md, docs/SIGNALS.md, tests/contract/tools_list.json and the table of
tools in README.md.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import fields
from pathlib import Path

import typer
from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption

from biorag import errors
from biorag.errors import BioragError
from biorag.service.cli import app
from biorag.service.mcp_server import listed_tools
from biorag.service.registry import Effect, Tool, published_tools
from biorag.settings import Settings
from biorag.signals import all_signals

ROOT = Path(__file__).resolve().parents[1]
GENERATED = "<!-- Written by scripts/generate_reference.py; do not edit. -->"
START, END = "<!-- tools:start -->", "<!-- tools:end -->"


def main() -> int:
    """Write every page; with `--check`, write none and fail when one differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="fail when a page is out of date")
    check = parser.parse_args().check
    stale = [path for path, text in pages() if _differs(path, text)]
    for path, text in pages():
        if path in stale and not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    for path in stale:
        print(f"{'out of date' if check else 'written'}: {path.relative_to(ROOT)}")
    return 1 if check and stale else 0


def pages() -> Iterator[tuple[Path, str]]:
    """Each generated file and what it should hold."""
    yield ROOT / "docs" / "TOOLS.md", tools_page()
    yield ROOT / "docs" / "SETTINGS.md", settings_page()
    yield ROOT / "docs" / "CLI.md", cli_page()
    yield ROOT / "docs" / "SIGNALS.md", signals_page()
    yield ROOT / "tests" / "contract" / "tools_list.json", tools_contract()
    yield ROOT / "README.md", readme()


def tools_page() -> str:
    """Every tool with its parameters and the keys of its answer."""
    parts = [
        "# Tools",
        GENERATED,
        "The names and keys are Spanish and stable. Arguments are read forgivingly: a list may "
        "come as a JSON text or separated by commas, a number or a flag as text, `null` means "
        "the default. Texts are kept character for character.",
        "Each answer is sent as structured content and as the same JSON in a text block, each at "
        "most `BIORAG_RESPUESTA_BYTES` long. What is cut is marked, with the call that gets the "
        "rest. A failure is a result with `isError` and one JSON text: `codigo`, `mensaje`, and "
        "`campo`, `valor`, `regla`, `sugerencias` where they apply.",
        *(_tool_section(tool) for tool in _tools()),
        "## Error codes",
        _table(("code", "meaning"), _codes()),
    ]
    return _page(parts)


def _tool_section(tool: Tool) -> str:
    properties = tool.input_schema["properties"]
    required = tool.input_schema.get("required", [])
    rows = [
        (
            f"`{name}`",
            schema["type"] if "enum" not in schema else " / ".join(schema["enum"]),
            "yes" if name in required else "",
            _default(schema),
            schema["description"],
        )
        for name, schema in properties.items()
    ]
    also = f" Also called {', '.join(f'`{a}`' for a in tool.aliases)}." if tool.aliases else ""
    answer = ", ".join(f"`{key}`" for key in tool.output_schema["properties"])
    parts = [f"## {tool.name}", f"*{_effect(tool)}*{also}", tool.description]
    if rows:
        parts.append(_table(("parameter", "type", "needed", "default", "meaning"), rows))
    parts.append(f"Answer: {answer}.")
    return "\n\n".join(parts)


def _effect(tool: Tool) -> str:
    match tool.effect:
        case Effect.READS:
            return "Reads."
        case Effect.WRITES:
            return "Writes."
        case Effect.DELETES:
            return "Deletes."


def _default(schema: dict[str, object]) -> str:
    return f"`{json.dumps(schema['default'], ensure_ascii=False)}`" if "default" in schema else ""


def _codes() -> list[tuple[str, str]]:
    classes = [
        found
        for found in vars(errors).values()
        if isinstance(found, type) and issubclass(found, BioragError)
    ]
    rows = {found.code: _first_line(found.__doc__) for found in classes}
    rows |= {
        "SUSTANTIVOS_CLAVE_REQUERIDOS": "A search by text came without key nouns.",
        "SUSTANTIVOS_CLAVE_AUSENTES": "A memory to store came without key nouns.",
        "SUSTANTIVOS_CLAVE_CANTIDAD_INVALIDA": "There are too few or too many key nouns.",
        "ERROR_INTERNO": "Something unexpected failed; the server's log has the details.",
    }
    return sorted((f"`{code}`", meaning) for code, meaning in rows.items())


def settings_page() -> str:
    """Every environment variable with its default and meaning."""
    rows = [
        (f"`{setting.metadata['env']}`", _shown(setting.default), setting.metadata["doc"])
        for setting in fields(Settings)
    ]
    parts = [
        "# Settings",
        GENERATED,
        "Read once, when a process starts. A value that a setting cannot take is refused by name; "
        "an unknown `BIORAG_*` variable is warned of.",
        _table(("variable", "default", "meaning"), rows),
    ]
    return _page(parts)


def _shown(default: object) -> str:
    if default is None:
        return ""
    return f"`{int(default) if isinstance(default, bool) else default}`"


def cli_page() -> str:
    """Every verb of the command line with its arguments and options."""
    group = typer.main.get_command(app)
    parts = [
        "# Command line",
        GENERATED,
        "Exit codes: 0 fine, 1 not found or failed, 2 wrong usage. Output for people goes to a "
        "terminal in colour and elsewhere without; `--json` prints one JSON object in UTF-8.",
    ]
    if not isinstance(group, TyperGroup):
        raise TypeError("the command line has a single verb")
    for name, command in group.commands.items():
        if isinstance(command, TyperCommand):
            parts.append(_verb_section(name, command))
    return _page(parts)


def _verb_section(name: str, command: TyperCommand) -> str:
    rows = []
    for parameter in command.params:
        match parameter:
            case TyperOption():
                names = ", ".join((*parameter.opts, *parameter.secondary_opts))
                rows.append((f"`{names}`", parameter.help or ""))
            case TyperArgument() if not parameter.hidden:
                rows.append((f"`{(parameter.name or '').upper()}`", parameter.help or ""))
    parts = [f"## biorag {name}", command.help or ""]
    if rows:
        parts.append(_table(("argument or option", "meaning"), rows))
    return "\n\n".join(parts)


def signals_page() -> str:
    """Every ranking signal with its weights and source."""
    rows = [
        (
            str(signal.order),
            f"`{signal.name}`",
            f"{signal.weight:g}",
            f"{signal.seed_weight:g}",
            f"{signal.bonus:g}" if signal.bonus else "",
            _first_line(signal.score.__doc__),
            signal.source,
        )
        for signal in all_signals()
    ]
    head = ("column", "signal", "weight", "`semilla`", "bonus", "what it says", "source")
    parts = [
        "# Signals",
        GENERATED,
        "The score of a memory is the mean of its signals by weight, under the fitted profile or, "
        "with `BIORAG_FORMULA=semilla`, under the original system's. A bonus is added to the logit "
        "of the score. `biorag buscar --explicar` shows each signal of a result.",
        _table(head, rows),
    ]
    return _page(parts)


def tools_contract() -> str:
    """What a client sees of the tools, pinned: a change here is a change of the contract."""
    listed = listed_tools(published_tools())
    shown = [tool.model_dump(by_alias=True, mode="json", exclude_none=True) for tool in listed]
    return json.dumps(shown, ensure_ascii=False, indent=1) + "\n"


def readme() -> str:
    """The README with its table of tools renewed; a minimal one when there is none."""
    path = ROOT / "README.md"
    text = path.read_text(encoding="utf-8") if path.exists() else f"# biorag\n\n{START}\n{END}\n"
    before, rest = text.split(START, 1)
    _, after = rest.split(END, 1)
    rows = [(f"`{tool.name}`", _first_line(tool.description)) for tool in _tools()]
    return f"{before}{START}\n{_table(('tool', 'what it does'), rows)}\n{END}{after}"


def _tools() -> list[Tool]:
    return list(dict.fromkeys(published_tools().values()))


def _first_line(text: str | None) -> str:
    return (text or "").strip().splitlines()[0]


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join(f"| {' | '.join(_cell(cell) for cell in line)} |" for line in lines)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _page(parts: list[str]) -> str:
    return "\n\n".join(parts) + "\n"


def _differs(path: Path, text: str) -> bool:
    return not path.exists() or path.read_text(encoding="utf-8") != text


if __name__ == "__main__":
    sys.exit(main())
