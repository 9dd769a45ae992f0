"""The reference pages say what the code says."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import fields
from pathlib import Path

from typer.core import TyperGroup
from typer.main import get_command

from biorag.service.cli import app
from biorag.service.registry import published_tools
from biorag.settings import Settings
from biorag.signals import all_signals

ROOT = Path(__file__).parents[2]


def page(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_the_generated_pages_are_up_to_date() -> None:
    script = ROOT / "scripts" / "generate_reference.py"
    found = subprocess.run(
        [sys.executable, str(script), "--check"], capture_output=True, text=True, check=False
    )
    assert found.returncode == 0, found.stdout + found.stderr


def test_every_tool_is_documented() -> None:
    tools = published_tools()
    assert len(tools) >= 8
    for name, tool in tools.items():
        assert f"`{name}`" in page("docs/TOOLS.md") or f"## {name}" in page("docs/TOOLS.md")
        assert f"`{tool.name}`" in page("README.md")
        for parameter in tool.parameters:
            assert f"`{parameter.name}`" in page("docs/TOOLS.md")


def test_every_setting_is_documented() -> None:
    variables = [setting.metadata["env"] for setting in fields(Settings)]
    assert variables
    assert all(f"`{variable}`" in page("docs/SETTINGS.md") for variable in variables)


def test_every_signal_is_documented() -> None:
    names = [signal.name for signal in all_signals()]
    assert names
    assert all(f"`{name}`" in page("docs/SIGNALS.md") for name in names)


def test_every_verb_is_documented_and_says_what_it_does() -> None:
    group = get_command(app)
    assert isinstance(group, TyperGroup)
    assert len(group.commands) >= 11
    for name, command in group.commands.items():
        assert f"## biorag {name}" in page("docs/CLI.md")
        assert command.help
