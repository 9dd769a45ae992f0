"""The server as a process: stray output, bad bytes, cancels, signals, the end of input."""

from __future__ import annotations

import json
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from biorag.engine.index_keeper import SAVED_FROM
from biorag.engine.location import index_file
from biorag.engine.memory import Memory
from biorag.model import NewMemory
from service.raw_client import RawServer, serving

NOUNS = "lake, heron"


def learn(
    server: RawServer, name: str, content: str = "A heron stands in the lake."
) -> dict[str, Any]:
    return server.call(
        "guardar",
        concepto=name,
        contenido=content,
        sustantivos_clave=NOUNS,
        busqueda_previa=True,
    )


def ask_to_learn(server: RawServer, name: str) -> int:
    return server.ask_tool(
        "guardar",
        concepto=name,
        contenido="A heron stands in the lake.",
        sustantivos_clave=NOUNS,
        busqueda_previa=True,
    )


@contextmanager
def locked(store: Path) -> Iterator[None]:
    """Hold the write lock, as another program may; every write waits for it."""
    with closing(sqlite3.connect(store, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


def test_the_handshake_names_the_server_and_how_to_use_it(store: Path) -> None:
    server = RawServer(store)
    try:
        found = server.initialize()["result"]
        assert found["serverInfo"]["name"] == "biorag"
        assert "search" in found["instructions"]
        assert "tools" in found["capabilities"]
    finally:
        server.stop()


def test_nothing_heavy_is_imported_before_the_handshake() -> None:
    code = (
        "import sys, biorag.service.serve, biorag.service.mcp_server\n"
        "heavy = {'numpy', 'nltk', 'typer', 'rich', 'biorag.engine.memory', 'biorag._native'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert found.stdout.strip() == "[]"


NOISY_SERVER = """
import ctypes, os, sys
from biorag.__main__ import main
from biorag.service.registry import Context, Effect, tool
from biorag.service.replies import ForgetReply

@tool("ruido", effect=Effect.READS)
def noise(context: Context) -> ForgetReply:
    "Print from Python, from a file descriptor and from C."
    print("from python", flush=True)
    os.write(1, b"from a descriptor\\n")
    libc = ctypes.CDLL(None)
    libc.puts(b"from c")
    libc.fflush(None)
    read = sys.stdin.read()
    return ForgetReply(status="ok", mensaje=read, olvidados=0, conceptos=[], purgado=False)

sys.argv = ["biorag", "serve"]
main()
"""


def test_stray_output_never_reaches_the_protocol(store: Path) -> None:
    with serving(store, command=["-c", NOISY_SERVER]) as server:
        assert server.call("ruido")["mensaje"] == ""
        server.close_input()
        server.exit_code()
        assert all(json.loads(line)["jsonrpc"] == "2.0" for line in server.lines)
        printed = b"".join(server.errors)
    assert b"from python" in printed
    assert b"from a descriptor" in printed
    assert b"from c" in printed


def test_logs_go_to_stderr_at_every_level(store: Path) -> None:
    command = ["-m", "biorag", "serve", "--log-level", "debug"]
    with serving(store, command=command) as server:
        learn(server, "heron")
        server.close_input()
        server.exit_code()
        assert server.errors
        assert all(json.loads(line)["jsonrpc"] == "2.0" for line in server.lines)


@pytest.mark.parametrize(
    "junk",
    [
        b"\xff\xfe\n",
        b"{not json}\n",
        b"\n \n",
        b"[]\n",
        b'"x"\n',
        b"{}\n",
        b"\x00\n",
        b"[" * 5000 + b"\n",
    ],
    ids=["not utf-8", "not json", "blank", "array", "text", "no message", "nul", "deep"],
)
def test_a_line_that_is_no_message_does_not_end_the_server(store: Path, junk: bytes) -> None:
    with serving(store) as server:
        server.send_bytes(junk)
        assert server.request("ping")["result"] == {}


def test_lines_of_many_megabytes_do_not_end_the_server(store: Path) -> None:
    with serving(store) as server:
        too_long_a_text = server.ask_tool("recordar", query="x" * 10_000_000)
        assert "result" in server.answer(too_long_a_text)
        server.send_bytes(b"x" * 40_000_000 + b"\n")
        assert server.request("ping")["result"] == {}


def test_a_request_in_bad_bytes_is_answered_by_an_error(store: Path) -> None:
    with serving(store) as server:
        server.send_bytes(b'{"jsonrpc":"2.0","id":"bytes","method":"ping","params":{"x":"\xff"}}\n')
        assert server.answer("bytes")["error"]["code"] == -32700
        server.send_bytes(
            b'{"jsonrpc":"2.0","id":"half","method":"ping","params":{"x":"\\ud83d"}}\n'
        )
        assert server.answer("half")["error"]["code"] == -32700
        assert server.request("ping")["result"] == {}


@pytest.mark.parametrize("encoding", ["cp1252", "cp950", "ascii"])
def test_the_code_page_of_the_system_does_not_matter(store: Path, encoding: str) -> None:
    text = "★ café 中 📋"
    with serving(store, {"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}) as server:
        learn(server, "star", text)
        found = server.call("recordar", query="star", completo=True)
    assert found["resultados"][0]["contenido"] == text


def test_every_answer_is_one_line_even_to_readers_that_split_at_separators(store: Path) -> None:
    text = "first\u2028second\u2029third\x85fourth"
    with serving(store) as server:
        learn(server, "separators", text)
        found = server.call("recordar", query="separators", completo=True)
        lines = [line.decode() for line in server.lines]
    assert found["resultados"][0]["contenido"] == text
    assert all(len(line.splitlines()) == 1 for line in lines)


def test_a_ping_is_answered_while_a_write_waits(store: Path) -> None:
    with serving(store) as server:
        learn(server, "first")
        with locked(store):
            waiting = ask_to_learn(server, "second")
            assert server.request("ping")["result"] == {}
            assert server.call("recordar")["total"] == 1
        assert not server.answer(waiting)["result"]["isError"]


def test_a_cancelled_call_is_not_answered_and_the_server_goes_on(store: Path) -> None:
    with serving(store) as server:
        learn(server, "first")
        with locked(store):
            waiting = ask_to_learn(server, "second")
            time.sleep(0.1)  # as long as a client waits before it gives up, in the report
            server.send({"method": "notifications/cancelled", "params": {"requestId": waiting}})
            assert server.request("ping")["result"] == {}
        assert learn(server, "third")["status"] == "ok"
        server.close_input()
        assert server.exit_code() == 0
        answered = [json.loads(line).get("id") for line in server.lines]
    assert waiting not in answered
    with Memory.open(store) as memory:
        assert all(check.ok for check in memory.check())


def test_a_cancel_that_crosses_the_answer_costs_nothing(store: Path) -> None:
    delays = random.Random(7)
    with serving(store) as server:
        for number in range(200):
            call_id = ask_to_learn(server, f"memory {number}")
            time.sleep(delays.uniform(0.0, 0.005))
            server.send({"method": "notifications/cancelled", "params": {"requestId": call_id}})
        assert server.request("ping")["result"] == {}
        server.close_input()
        assert server.exit_code() == 0
        answers = [json.loads(line) for line in server.lines]
    acknowledged = {
        answer["result"]["structuredContent"]["concepto"]
        for answer in answers
        if "structuredContent" in answer.get("result", {})
    }
    ids = [answer["id"] for answer in answers]
    assert len(ids) == len(set(ids))
    with Memory.open(store) as memory:
        for name in acknowledged:
            assert memory.get(name).name == name


def test_a_call_sent_just_before_the_end_of_input_is_answered(store: Path) -> None:
    with serving(store) as server:
        call_id = ask_to_learn(server, "last words")
        server.close_input()
        assert server.exit_code() == 0
        assert not server.answer(call_id)["result"]["isError"]
    with Memory.open(store) as memory:
        assert memory.get("last words").content == "A heron stands in the lake."


def test_the_end_of_input_closes_the_store_and_the_process(store: Path) -> None:
    with Memory.open(store) as memory:
        memory.learn_many(NewMemory(name=f"m{n}", content="A pump.") for n in range(SAVED_FROM))
    index_file(store).unlink(missing_ok=True)
    with serving(store) as server:
        learn(server, "heron")
        server.close_input()
        assert server.exit_code() == 0
    log = store.with_name(f"{store.name}-wal")
    assert not log.exists() or log.stat().st_size == 0
    # Only a memory that is closed saves its index.
    assert index_file(store).exists()


def test_a_call_that_waits_does_not_keep_the_process_alive(store: Path) -> None:
    # The write would wait ten minutes for its lock; the client has left.
    with serving(store, {"BIORAG_BUSY_TIMEOUT_S": "600"}) as server:
        learn(server, "first")
        with locked(store):
            ask_to_learn(server, "second")
            assert server.request("ping")["result"] == {}
            server.close_input()
            assert server.exit_code() == 0


# Ten rounds rather than the fifty of the report: each starts two processes, and the order of
# events is the same in every one.
@pytest.mark.parametrize("round_number", range(5))
def test_a_terminate_signal_ends_an_idle_server_in_order(store: Path, round_number: int) -> None:
    with serving(store) as server:
        learn(server, "heron")
        server.process.send_signal(signal.SIGTERM)
        assert server.exit_code() == 0
        printed = b"".join(server.errors)
    assert b"Fatal Python error" not in printed
    assert b"Traceback" not in printed


@pytest.mark.parametrize("round_number", range(5))
def test_a_terminate_signal_during_writes_loses_nothing_acknowledged(
    store: Path, round_number: int
) -> None:
    with serving(store) as server:
        learn(server, "memory")
        for number in range(20):
            ask_to_learn(server, f"memory {number}")
        time.sleep(0.01 * round_number)
        server.process.send_signal(signal.SIGTERM)
        assert server.exit_code() == 0
        answers = [json.loads(line) for line in server.lines]
        printed = b"".join(server.errors)
    assert b"Fatal Python error" not in printed
    acknowledged = [
        answer["result"]["structuredContent"]["concepto"]
        for answer in answers
        if "structuredContent" in answer.get("result", {})
    ]
    with Memory.open(store) as memory:
        assert {memory.get(name).name for name in acknowledged} == set(acknowledged)


def test_a_store_that_cannot_be_opened_is_reported_by_each_call(store: Path) -> None:
    store.write_bytes(b"this is no database" * 1_000)
    with serving(store) as server:
        assert server.request("ping")["result"] == {}
        result = server.answer(server.ask_tool("estado"))["result"]
        assert result["isError"]
        assert json.loads(result["content"][0]["text"])["codigo"] == "DATOS_CORRUPTOS"
        assert server.request("ping")["result"] == {}


def test_a_wrong_setting_is_refused_by_name_before_the_protocol_starts(store: Path) -> None:
    server = RawServer(store, {"BIORAG_LIMITE_DEFAULT": "many"})
    assert server.exit_code() == 2
    assert b"BIORAG_LIMITE_DEFAULT" in b"".join(server.errors)
    assert server.lines == []
    server.stop()


def test_an_unknown_variable_is_warned_of_with_the_nearest_name(store: Path) -> None:
    with serving(store, {"BIORAG_TOLS": "completo"}) as server:
        server.close_input()
        assert server.exit_code() == 0
        assert b"did you mean BIORAG_TOOLS" in b"".join(server.errors)


def test_the_profile_decides_what_can_be_listed_and_called(store: Path) -> None:
    with serving(store, {"BIORAG_TOOLS": "recordar,estado"}) as server:
        listed = server.request("tools/list")["result"]["tools"]
        assert [tool["name"] for tool in listed] == ["recordar", "estado"]
        refused = server.answer(server.ask_tool("olvidar", concepto=["x"]))
        assert "unknown tool 'olvidar'" in refused["error"]["message"]
        assert server.call("introspeccion")["memorias"] == 0
