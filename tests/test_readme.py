"""What the README shows is what happens."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from biorag import Memory

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, flags=re.DOTALL)


def test_the_python_session_runs_as_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (session,) = blocks("python")
    monkeypatch.chdir(tmp_path)

    exec(compile(session, "README.md", "exec"), {})

    with Memory.open("memory.db") as memory:
        assert {kept.name for kept in memory.list()} == {"boiler valve", "cellar key"}


def test_the_python_session_finds_what_its_comments_say(tmp_path: Path) -> None:
    (session,) = blocks("python")
    learning, asking = session.split("    memory.recall(", maxsplit=1)
    assert "riego" in asking
    scope: dict[str, Memory] = {}
    learning = learning.replace('Memory.open("memory.db")', f"Memory.open({str(tmp_path / 'm')!r})")
    exec(compile(learning, "README.md", "exec"), scope)

    with Memory.open(tmp_path / "m") as memory:
        assert memory.recall("where is the valve?")[0].name == "boiler valve"
        watered = memory.recall("when is the orchard watered?", explain=True)
        assert watered[0].name == "riego"
        assert watered[0].evidence["orchard"]
        assert watered[0].signals["bm25_norm"].contribution > 0
        assert watered.trace.expansions
        assert memory.recall("cellr kay")[0].name == "cellar key"
        assert memory.recall("zeppelin timetable").abstained


def test_the_client_entry_is_json_that_starts_the_server() -> None:
    (entry,) = blocks("json")
    server = json.loads(entry)["mcpServers"]["biorag"]
    assert [server["command"], *server["args"]] == ["biorag", "serve"]


def test_every_file_that_the_readme_links_to_exists() -> None:
    links = re.findall(r"\]\((?!http)([^)#]+)\)", README)
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []
