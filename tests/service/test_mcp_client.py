"""The tools through the SDK's own client and a real server process."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from typing import Any

import anyio.from_thread
import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp_types import CallToolResult

Send = Callable[..., CallToolResult]
NOUNS = "lake, heron"


@asynccontextmanager
async def session(store: str) -> AsyncIterator[ClientSession]:
    environment = {k: v for k, v in os.environ.items() if not k.startswith("BIORAG_")}
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "biorag", "serve", "--db", store],
        env=environment,
    )
    async with (
        stdio_client(server) as (incoming, outgoing),
        ClientSession(incoming, outgoing) as opened,
    ):
        await opened.initialize()
        yield opened


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Any]]:
    """Run a method of one client session, to its result."""
    store = tmp_path_factory.mktemp("client") / "memory.db"
    with (
        anyio.from_thread.start_blocking_portal() as portal,
        portal.wrap_async_context_manager(session(str(store))) as opened,
    ):
        yield lambda method, *args: portal.call(getattr(opened, method), *args)


@pytest.fixture
def send(client: Callable[..., Any]) -> Send:
    def call(tool: str, /, **arguments: object) -> CallToolResult:
        result = client("call_tool", tool, arguments)
        assert isinstance(result, CallToolResult)
        return result

    return call


def structured(result: CallToolResult) -> dict[str, Any]:
    assert not result.is_error, result
    assert isinstance(result.structured_content, dict)
    return result.structured_content


def error(result: CallToolResult) -> dict[str, Any]:
    assert result.is_error, result
    payload: dict[str, Any] = json.loads(text_of(result))
    return payload


def text_of(result: CallToolResult) -> str:
    (block,) = result.content
    return str(block.text)  # type: ignore[union-attr]  # a tool answers by one text block


def learn(send: Send, name: str, content: object, **further: object) -> CallToolResult:
    sent = {"sustantivos_clave": NOUNS, "busqueda_previa": True} | further
    return send("guardar", concepto=name, contenido=content, **sent)


def test_every_tool_is_listed(client: Callable[..., Any]) -> None:
    listed = client("list_tools").tools
    assert len(listed) == 8
    assert all(tool.input_schema["type"] == "object" for tool in listed)


def test_structured_content_and_text_say_the_same(send: Send) -> None:
    # The client has checked the structured content against the tool's schema.
    for result in (
        learn(send, "same", "A heron."),
        send("recordar", query="heron", sustantivos_clave=NOUNS, explicar=True),
        send("recordar"),
        send("recordar", query="same", completo=True),
        send("actualizar", concepto="same", contenido="Two herons."),
        send("agregar_sustantivos", concepto="same", sustantivos=["water"]),
        send("estado"),
        send("olvidar", concepto=["same"]),
    ):
        assert json.loads(text_of(result)) == structured(result)


@pytest.mark.parametrize("text", ['{"a": 1}', "[1,2]", "123", "true", "null", " padded ", "a,b"])
def test_a_text_that_looks_like_something_else_is_stored_as_it_is(send: Send, text: str) -> None:
    name = f"text {text.strip()}"
    structured(learn(send, name, text))
    found = structured(send("recordar", query=name, completo=True))
    assert found["resultados"][0]["contenido"] == text


@pytest.mark.parametrize(
    "nouns",
    [["lake", "heron"], '["lake", "heron"]', "lake,heron", "lake, heron", "['lake', 'heron']"],
)
def test_key_nouns_are_the_same_in_every_spelling(send: Send, nouns: object) -> None:
    name = f"nouns {nouns!s:.20}"
    learnt = structured(learn(send, name, f"A text under {nouns}.", sustantivos_clave=nouns))
    assert learnt["sustantivos_clave"] == ["lake", "heron"]


def test_one_word_is_one_key_noun(send: Send) -> None:
    structured(learn(send, "one word", "Under one word more."))
    found = structured(send("agregar_sustantivos", concepto="one word", sustantivos="reed"))
    assert found["agregados"] == ["reed"]


@pytest.mark.parametrize("limit", [1, "1", "1.0", " 1 "])
def test_a_limit_is_understood_as_text(send: Send, limit: object) -> None:
    structured(learn(send, "limit a", "A bittern in the reeds."))
    structured(learn(send, "limit b", "Another bittern in the reeds."))
    found = structured(
        send("recordar", query="bittern reeds", sustantivos_clave="bittern", limite=limit)
    )
    assert len(found["resultados"]) == 1


@pytest.mark.parametrize("limit", ["ten", "", True, -3, 0, 2.7])
def test_what_is_no_limit_is_an_error_that_names_it(send: Send, limit: object) -> None:
    payload = error(send("recordar", limite=limit))
    assert payload["codigo"] == "ENTRADA_INVALIDA"
    assert payload["campo"] == "limite"
    assert "from 1 to 200" in payload["regla"]


@pytest.mark.parametrize("limit", [500, 1e9, 2**70, "500"])
def test_a_limit_that_is_too_large_is_not_rewritten_in_silence(send: Send, limit: object) -> None:
    assert error(send("recordar", limite=limit))["codigo"] == "LIMITE_EXCEDIDO"


def test_a_host_that_sends_every_argument_as_text_is_understood(send: Send) -> None:
    result = learn(
        send,
        "all text",
        "Every argument came as text.",
        busqueda_previa="true",
        valencia_somatica="0.7",
        syn="",
        vincular_con="",
        dimensiones="",
        cat="",
    )
    assert structured(result)["estado"] == "creado"
    found = structured(send("recordar", query="all text", completo="true"))["resultados"][0]
    assert found["valencia_somatica"] == 0.7
    assert found["sinonimos"] == []


def test_null_is_the_default(send: Send) -> None:
    found = structured(
        send("recordar", query=None, limite=None, pagina=None, cat=None, completo=None)
    )
    assert found["modo"] == "cronologico"


def test_wrong_names_are_refused_and_nothing_is_stored(send: Send) -> None:
    before = structured(send("estado"))["memorias"]
    payload = error(send("guardar", name="pump", content=["leaks"]))
    assert payload["codigo"] == "PARAMETRO_DESCONOCIDO"
    assert payload["sugerencias"] == ["concepto", "contenido"]
    assert "missing: concepto, contenido" in payload["regla"]
    assert structured(send("estado"))["memorias"] == before


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"busqueda_previa": False}, "BUSQUEDA_PREVIA_REQUERIDA"),
        ({"busqueda_previa": None}, "BUSQUEDA_PREVIA_REQUERIDA"),
        ({"sustantivos_clave": None}, "SUSTANTIVOS_CLAVE_AUSENTES"),
        ({"sustantivos_clave": "heron"}, "SUSTANTIVOS_CLAVE_CANTIDAD_INVALIDA"),
        ({"sustantivos_clave": "heron, two words"}, "SUSTANTIVOS_CLAVE_FORMATO_INVALIDO"),
    ],
)
def test_a_write_outside_the_contract_has_its_stable_code(
    send: Send, changed: dict[str, object], code: str
) -> None:
    assert error(learn(send, "never stored", "x", **changed))["codigo"] == code
    missing = error(send("actualizar", concepto="never stored", cat="x"))
    assert missing["codigo"] == "CONCEPTO_NO_ENCONTRADO"


def test_a_search_without_key_nouns_has_its_stable_code(send: Send) -> None:
    payload = error(send("recordar", query="where is the heron?"))
    assert payload["codigo"] == "SUSTANTIVOS_CLAVE_REQUERIDOS"


def test_the_whole_text_is_read_through_the_transport(send: Send) -> None:
    text = "a " * 1_050 + "MARKER"
    structured(learn(send, "long", text))
    preview = structured(send("recordar", query="marker", sustantivos_clave="marker"))
    assert preview["resultados"][0]["concepto"] == "long"
    assert preview["resultados"][0]["recortado"] is True
    assert preview["resultados"][0]["longitud"] == len(text)
    whole = structured(send("recordar", query="long", completo=True))
    assert whole["resultados"][0]["contenido"] == text


def test_ten_long_memories_fit_one_answer(send: Send) -> None:
    for number in range(10):
        structured(learn(send, f"essay {number}", f"kingfisher {number} " * 500))
    result = send("recordar", query="kingfisher", sustantivos_clave="kingfisher", completo=True)
    found = structured(result)
    assert len(found["resultados"]) == 10
    assert all(hit["recortado"] for hit in found["resultados"])
    assert len(text_of(result).encode()) <= 25_000


def test_the_longest_text_comes_back_whole_in_pages(send: Send) -> None:
    text = "reed warbler ñ " * 13_000
    structured(learn(send, "longest", text))
    first = structured(send("recordar", query="longest", completo=True))
    parts = [first["resultados"][0]["contenido"]]
    for page in range(2, first["paginas_totales"] + 1):
        reply = structured(send("recordar", query="longest", completo=True, pagina=page))
        parts.append(reply["resultados"][0]["contenido"])
    assert "".join(parts) == text


def test_a_text_beyond_the_limit_is_refused_with_the_limit(send: Send) -> None:
    payload = error(learn(send, "too long", "x" * 2_000_000))
    assert payload["codigo"] == "LIMITE_EXCEDIDO"
    assert "200,000" in payload["regla"].replace("200000", "200,000")
    assert len(payload["valor"]) < 200


def test_a_default_listing_of_many_memories_is_bounded_and_says_how_to_go_on(send: Send) -> None:
    for number in range(30):
        structured(learn(send, f"fact {number}", "A fact with some length. " * 80))
    result = send("recordar")
    found = structured(result)
    assert len(text_of(result).encode()) <= 25_000
    assert len(found["resultados"]) == 10
    assert found["total"] >= 30
    assert found["paginas_totales"] == -(-found["total"] // 10)


def test_a_name_with_commas_is_forgotten_as_one(send: Send) -> None:
    for name in ("Lagos, Portugal", "Lagos", "Portugal"):
        structured(learn(send, name, f"A place: {name}."))
    assert structured(send("olvidar", concepto="Lagos, Portugal"))["olvidados"] == 1
    assert structured(send("olvidar", concepto='["Lagos", "Portugal"]'))["olvidados"] == 2


def test_names_in_one_text_are_forgotten_when_all_exist(send: Send) -> None:
    for name in ("swift", "martin"):
        structured(learn(send, name, f"A bird: {name}."))
    assert error(send("olvidar", concepto="swift, condor"))["codigo"] == "CONCEPTO_NO_ENCONTRADO"
    assert structured(send("olvidar", concepto="swift, martin"))["olvidados"] == 2


def test_a_name_with_a_stray_accent_or_underscore_is_answered_with_the_nearest(send: Send) -> None:
    structured(learn(send, "política_copias", "Copiar antes de migrar."))
    payload = error(send("actualizar", concepto="_politica_copias", cat="x"))
    assert payload["codigo"] == "CONCEPTO_NO_ENCONTRADO"
    assert "política_copias" in payload["sugerencias"]


def test_links_to_missing_memories_are_reported_and_the_rest_is_kept(send: Send) -> None:
    structured(learn(send, "link target", "The target."))
    learnt = structured(
        learn(send, "link source", "The source.", vincular_con='["link target", "nowhere"]')
    )
    assert learnt["vinculados"] == ["link target"]
    assert learnt["vinculos_ausentes"] == ["nowhere"]
