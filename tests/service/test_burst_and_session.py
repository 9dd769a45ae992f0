"""Associated words and a client's session, as the tools pass them on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from biorag.clock import SystemClock
from biorag.engine.memory import Memory
from biorag.errors import InvalidInputError, LimitExceededError
from biorag.retrieval.working import WorkingMemory
from biorag.service.container import LazyContext
from biorag.service.mcp_server import run_tool
from biorag.service.registry import Context, published_tools
from biorag.settings import Settings
from service.conftest import Call
from service.test_tools import store


def test_associated_words_are_searched_where_little_is_found(call: Call) -> None:
    store(call, "kitchen", "A pipe under the stopcock.")
    store(call, "roses", "Roses.")
    asked = {"sustantivos_clave": "flooding", "rafaga_palabras": "stopcock, leak, pipe"}
    reply = call("recordar", query="flooding", **asked)
    assert reply["trazabilidad"]["rafaga"] is True
    assert [memory["concepto"] for memory in reply["relacionados"]] == ["kitchen"]
    asked["sustantivos_clave"] = "roses"
    assert "rafaga" not in call("buscar", query="roses", **asked)["trazabilidad"]
    forced = call("buscar", query="roses", forzar_rafaga=True, **asked)
    assert forced["trazabilidad"]["rafaga"] is True
    assert {memory["concepto"] for memory in forced["resultados"]} == {"roses", "kitchen"}


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({"forzar_rafaga": True}, "forzar_rafaga"),
        ({"rafaga_palabras": "one, two"}, "rafaga_palabras"),
        ({"rafaga_palabras": ", ".join(f"w{n}" for n in range(16))}, "rafaga_palabras"),
    ],
)
def test_a_burst_that_cannot_be_is_refused(call: Call, sent: dict[str, object], field: str) -> None:
    asked: list[dict[str, object]] = [{}, {"query": "roses", "sustantivos_clave": "roses"}]
    for query in asked:
        with pytest.raises((InvalidInputError, LimitExceededError)) as caught:
            call("recordar", **query, **sent)
        assert caught.value.field == field


def test_a_session_that_is_kept_lifts_what_it_was_shown(tmp_path: Path) -> None:
    settings = Settings(working_memory=True)
    session = WorkingMemory()
    with Memory.open(tmp_path / "memory.db", settings=settings) as memory:
        memory.learn("boiler valve", "It is on the north wall.")
        memory.learn("attic lamp", "It is on the east wall.")
        context = Context(memory, settings, SystemClock(), session)
        tool = published_tools()["recordar"]

        def ask(context: Context, query: str) -> dict[str, float]:
            sent = tool.bind({"query": query, "sustantivos_clave": "wall"})
            reply = tool.handler(context, **sent)
            return {memory["concepto"]: memory["score_hibrido"] for memory in reply["resultados"]}

        before = ask(replace(context, session=None), "wall")
        ask(context, "attic lamp")
        assert session.shown()
        after = ask(context, "wall")
        assert after["attic lamp"] > before["attic lamp"]
        assert ask(replace(context, session=None), "wall") == before


def test_one_client_of_the_server_has_one_session(tmp_path: Path) -> None:
    """Two servers in one process stand for two clients: neither hears of the other."""
    settings = Settings(working_memory=True, path=tmp_path / "memory.db")
    with Memory.open(settings=settings) as memory:
        memory.learn("boiler valve", "It is on the north wall.")
        memory.learn("attic lamp", "It is on the east wall.")
    context = LazyContext(settings)
    tool = published_tools()["recordar"]
    mine, yours = WorkingMemory(), WorkingMemory()
    asked = {"query": "attic lamp", "sustantivos_clave": "lamp"}
    run_tool(tool, asked, context, mine)
    assert mine.shown()
    assert yours.shown() == ()
    run_tool(tool, asked, context, yours)
    assert yours.shown() == mine.shown()
    context.close()
