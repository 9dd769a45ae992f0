"""What agents are told when nothing stored answers."""

from __future__ import annotations

from typing import Any

import pytest

from biorag import Memory, NewMemory, Settings
from biorag.clock import SystemClock
from biorag.service.json_text import size_of
from biorag.service.registry import Context, published_tools

THINGS = ("boat", "key", "ladder", "lantern", "barrel", "rope", "basket", "hammer", "kettle")
PLACES = ("harbour", "cellar", "orchard", "bridge", "kitchen", "tower", "garden")


@pytest.fixture
def context(memory: Memory) -> Context:
    memory.learn_many(
        NewMemory(
            name=f"note {n}",
            content=f"The {THINGS[n % 9]} number {n} is in the {PLACES[n % 7]}, next to the wall.",
        )
        for n in range(90)
    )
    return Context(memory, Settings(), SystemClock())


def call(context: Context, name: str, **arguments: object) -> dict[str, Any]:
    tool = published_tools()[name]
    return dict(tool.handler(context, **tool.bind(arguments)))


NOTHING = "Which planet is next to the comet?"


def test_an_abstention_shows_what_is_near_and_no_result(context: Context) -> None:
    reply = call(context, "recordar", query=NOTHING, sustantivos_clave="planet, comet")
    assert reply["abstencion"] is True
    assert reply["resultados"] == []
    assert 0 < len(reply["relacionados"]) <= 5
    assert reply["nivel_certeza"] == "sin_evidencia_directa"
    assert {r["nivel_certeza"] for r in reply["relacionados"]} == {"sin_evidencia_directa"}
    assert "no answer" in reply["mensaje"]


def test_the_reply_names_the_negatives_that_alpha_refers_to(context: Context) -> None:
    reply = call(context, "recordar", query=NOTHING, sustantivos_clave="planet, comet")
    judged = reply["calibracion"]
    assert judged["calibrado"] is True
    assert judged["certeza"] <= judged["umbral"] <= judged["umbral_directo"]
    assert "306 foreign questions" in judged["negativos"]
    assert judged["negativos"] in reply["mensaje"]


def test_an_answer_says_how_sure_each_result_is(context: Context) -> None:
    reply = call(
        context, "recordar", query="Where is the ladder number 20?", sustantivos_clave="ladder"
    )
    assert reply["abstencion"] is False
    assert "relacionados" not in reply
    first = reply["resultados"][0]
    assert first["nivel_certeza"] == "evidencia_directa"
    assert 0.5 < first["confianza_calibrada"] <= 1.0


def test_related_memories_keep_to_the_bound_of_a_reply(memory: Memory) -> None:
    memory.learn_many(
        NewMemory(name=f"note {n}", content=f"next to wall {n} " + "the rope is long " * 400)
        for n in range(40)
    )
    small = Context(memory, Settings(reply_bytes=2_000), SystemClock())
    reply = call(small, "recordar", query=NOTHING, sustantivos_clave="planet, comet")
    assert size_of(reply) <= 2_000


def test_calibrar_tells_the_thresholds_and_why(context: Context) -> None:
    first = call(context, "calibrar", alpha=0.2)
    assert (first["recalibrado"], first["motivo"]) == (True, "primera")
    assert first["alpha_pedido"] == 0.2
    assert first["n_negativos"] == 1_106
    assert first["n_nodos_corpus"] == 90
    again = call(context, "calibrar", alpha=0.1)
    assert (again["recalibrado"], again["motivo"]) == (True, "alpha")
    kept = call(context, "calibrar")
    assert (kept["recalibrado"], kept["motivo"]) == (False, "vigente")
    assert kept["umbral"] == again["umbral"]
    assert call(context, "calibrar", forzar=True)["motivo"] == "forzado"


def test_calibrar_says_when_there_are_too_few_memories(memory: Memory) -> None:
    few = Context(memory, Settings(), SystemClock())
    reply = call(few, "calibrar")
    assert (reply["recalibrado"], reply["motivo"]) == (False, "pocas_memorias")
    assert "umbral" not in reply
