"""The command line: verbs, exit codes, JSON, and what reaches a terminal."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from biorag.engine.memory import Memory
from biorag.service.cli import app

Run = Callable[..., Result]


@pytest.fixture
def run(store: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a verb on the test's own store."""
    monkeypatch.setenv("BIORAG_PATH", str(store))
    runner = CliRunner()
    return lambda *arguments: runner.invoke(app, list(arguments), catch_exceptions=False)


@pytest.fixture
def stored(run: Run) -> Run:
    """The same, with one memory in the store."""
    learnt = run("guardar", "heron", "A heron stands in the lake.", "--sustantivos", "heron, lake")
    assert learnt.exit_code == 0, learnt.output
    return run


def spawn(store: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith("BIORAG_")}
    return subprocess.run(
        [sys.executable, "-m", "biorag", *arguments],
        capture_output=True,
        env=kept | {"BIORAG_PATH": str(store)} | environment,
        check=False,
    )


def parsed(result: Result) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def test_what_is_stored_is_found(stored: Run) -> None:
    found = stored("buscar", "where", "does", "the", "heron", "stand?")
    assert found.exit_code == 0
    assert "heron" in found.stdout
    assert "A heron stands in the lake." in found.stdout


def test_json_is_one_object_with_the_tools_keys(stored: Run) -> None:
    found = parsed(stored("buscar", "heron", "--json", "--explicar"))
    assert found["total"] == 1
    assert found["resultados"][0]["concepto"] == "heron"
    assert found["resultados"][0]["senales"]


def test_nothing_found_exits_with_1(stored: Run) -> None:
    assert stored("buscar", "zqxjk").exit_code == 1
    empty = stored("buscar", "zqxjk", "--json")
    assert empty.exit_code == 1
    assert parsed(empty)["resultados"] == []


def test_explaining_shows_a_bar_a_signal(stored: Run) -> None:
    shown = stored("buscar", "heron", "--explicar").stdout
    assert "█" in shown
    assert "adds" in shown


def test_storing_without_key_nouns_shows_how_and_exits_with_1(run: Run, store: Path) -> None:
    refused = run("guardar", "heron", "A heron.")
    assert refused.exit_code == 1
    assert "--sustantivos" in refused.stderr
    assert parsed(run("listar", "--json"))["total"] == 0


@pytest.mark.parametrize(
    ("nouns", "code"),
    [
        ("heron", "SUSTANTIVOS_CLAVE_CANTIDAD_INVALIDA"),
        ("heron, two words", "SUSTANTIVOS_CLAVE_FORMATO_INVALIDO"),
        ("", "SUSTANTIVOS_CLAVE_AUSENTES"),
    ],
)
def test_wrong_key_nouns_exit_with_1_and_their_code(run: Run, nouns: str, code: str) -> None:
    refused = run("guardar", "heron", "A heron.", "--sustantivos", nouns, "--json")
    assert refused.exit_code == 1
    assert parsed(refused)["codigo"] == code


def test_storing_tells_of_related_memories_and_links(stored: Run) -> None:
    learnt = stored(
        *("guardar", "egret", "An egret stands in the lake.", "--sustantivos", "egret, lake"),
        *("--vincular", "heron", "--vincular", "nowhere"),
    )
    assert "related: heron" in learnt.stdout
    assert "linked: heron" in learnt.stdout
    assert "not found: nowhere" in learnt.stdout


def test_listing_shows_key_nouns_and_pages(stored: Run) -> None:
    shown = stored("listar").stdout
    assert "heron, lake" in shown
    assert "page 1 of 1" in shown


def test_the_state_counts_memories(stored: Run) -> None:
    assert parsed(stored("estado", "--json"))["memorias"] == 1
    assert stored("estado").exit_code == 0


def test_key_nouns_are_shown_and_added(stored: Run) -> None:
    assert "heron, lake" in stored("sustantivos", "heron").stdout
    assert stored("agregar_sustantivos", "heron", "reed, water").exit_code == 0
    assert parsed(stored("sustantivos", "heron", "--json"))["sustantivos_clave"] == [
        *("heron", "lake", "reed", "water")
    ]


@pytest.mark.parametrize(
    "arguments",
    [("sustantivos", "hern"), ("agregar_sustantivos", "hern", "reed"), ("olvidar", "hern")],
)
def test_a_missing_memory_exits_with_1_and_offers_the_nearest(
    stored: Run, arguments: tuple[str, ...]
) -> None:
    missing = stored(*arguments)
    assert missing.exit_code == 1
    assert "heron" in missing.stderr
    assert parsed(stored(*arguments, "--json"))["sugerencias"] == ["heron"]


def test_a_forgotten_memory_is_gone(stored: Run) -> None:
    assert stored("olvidar", "heron", "--purgar").exit_code == 0
    assert stored("buscar", "heron").exit_code == 1
    assert parsed(stored("listar", "--json"))["total"] == 0


def test_forgetting_stops_before_anything_when_one_is_missing(stored: Run) -> None:
    assert stored("olvidar", "heron", "nowhere").exit_code == 1
    assert parsed(stored("listar", "--json"))["total"] == 1


def test_the_doctor_finds_a_sound_store_sound(stored: Run) -> None:
    assert stored("doctor").exit_code == 0
    report = parsed(stored("doctor", "--json"))
    assert report["bien"] is True
    assert report["comprobaciones"]


def test_the_doctor_fails_on_a_store_that_is_no_database(run: Run, store: Path) -> None:
    store.write_bytes(b"this is no database" * 1_000)
    report = run("doctor", "--json")
    assert report.exit_code == 1
    assert parsed(report)["codigo"] == "DATOS_CORRUPTOS"


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("nothing",),
        ("buscar",),
        ("buscar", "x", "--limite", "0"),
        ("buscar", "x", "--limite", "many"),
        ("buscar", "x", "--desde", "mañana"),
        ("guardar", "\x00", "x", "--sustantivos", "aa, bb"),
        ("listar", "--pagina", "0"),
    ],
)
def test_wrong_usage_exits_with_2(run: Run, arguments: tuple[str, ...]) -> None:
    assert run(*arguments).exit_code == 2


def test_a_wrong_setting_exits_with_2_and_its_name(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BIORAG_LIMITE_DEFAULT", "many")
    refused = run("listar")
    assert refused.exit_code == 2
    assert "BIORAG_LIMITE_DEFAULT" in refused.stderr


def test_the_option_for_the_store_wins_over_the_environment(stored: Run, tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    assert parsed(stored("listar", "--json", "--db", str(other)))["total"] == 0
    assert other.exists()


def test_a_text_read_by_name_is_the_same_as_over_the_tools(run: Run, store: Path) -> None:
    text = "x" * 2_990 + " MARKER ñ"
    assert run("guardar", "long", text, "--sustantivos", "long, marker").exit_code == 0
    assert parsed(run("buscar", "marker", "--json"))["resultados"][0]["contenido"] == text
    with Memory.open(store) as memory:
        assert memory.get("long").content == text


def test_stored_text_cannot_command_the_terminal(run: Run) -> None:
    escape = "\x1b]0;owned\x07 [red]heron[/red]"
    assert run("guardar", "heron", escape, "--sustantivos", "heron, lake").exit_code == 0
    for verb in (("buscar", "heron"), ("listar",)):
        shown = run(*verb).stdout
        assert "\x1b" not in shown
        assert "\x07" not in shown
    assert "[red]heron[/red]" in run("buscar", "heron").stdout


@pytest.mark.parametrize("encoding", ["cp1252", "ascii"])
def test_every_character_is_printed_whatever_the_code_page(store: Path, encoding: str) -> None:
    text = "📋 plan ★ 中"
    # The two halves of an emoji, as a caller that escapes by UTF-16 leaves them.
    learnt = spawn(store, "guardar", "plan 📋", text, "--sustantivos", "plan, board")
    assert learnt.returncode == 0, learnt.stderr
    listed = spawn(store, "listar", PYTHONIOENCODING=encoding, PYTHONUTF8="0")
    assert listed.returncode == 0, listed.stderr
    assert "plan 📋" in listed.stdout.decode("utf-8")
    as_json = spawn(store, "buscar", "plan", "--json", PYTHONIOENCODING=encoding, PYTHONUTF8="0")
    assert json.loads(as_json.stdout.decode("utf-8"))["resultados"][0]["contenido"] == text


def test_output_that_is_no_terminal_has_no_colour(store: Path) -> None:
    spawn(store, "guardar", "heron", "A heron.", "--sustantivos", "heron, lake")
    assert b"\x1b" not in spawn(store, "buscar", "heron", "--explicar").stdout


def test_help_needs_neither_the_engine_nor_the_protocol() -> None:
    code = (
        "import sys\n"
        "from biorag.service.cli import app\n"
        "app(['--help'], standalone_mode=False)\n"
        "heavy = {'numpy', 'mcp', 'nltk', 'biorag.engine.memory'}\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert "buscar" in found.stdout
    assert found.stderr.strip() == "[]"


def test_the_module_and_its_version_run(store: Path) -> None:
    assert spawn(store, "--version").stdout.startswith(b"biorag ")
    assert spawn(store, "serve", "--help").returncode == 0
    assert spawn(store, "serve", "--nonsense").returncode == 2


def test_two_memories_are_linked_and_a_missing_one_is_named(stored: Run) -> None:
    assert stored("guardar", "lake", "Deep water.", "--sustantivos", "lake, water").exit_code == 0
    assert parsed(stored("asociar", "heron", "lake", "--json"))["nueva"] is True
    assert "already" in stored("asociar", "lake", "heron").stdout
    missing = stored("asociar", "heron", "laek")
    assert missing.exit_code == 1
    assert "lake" in missing.stderr
