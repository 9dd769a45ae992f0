"""A client that writes bytes to a real server process, so that it can misbehave as none would."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

# Far beyond what any answer takes; a test that reaches it has failed.
ANSWER_S = 20.0
PROTOCOL = "2025-06-18"
SERVE = ("-m", "biorag", "serve")


class RawServer:
    """A spawned `biorag serve` and both of its pipes."""

    def __init__(
        self,
        store: Path,
        environment: Mapping[str, str] | None = None,
        command: Sequence[str] = SERVE,
    ) -> None:
        kept = {k: v for k, v in os.environ.items() if not k.startswith("BIORAG_")}
        self.process = subprocess.Popen(
            [sys.executable, *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=kept | {"BIORAG_PATH": str(store)} | dict(environment or {}),
        )
        self.lines: list[bytes] = []
        self.errors: list[bytes] = []
        self._answers: queue.Queue[dict[str, Any]] = queue.Queue()
        self._set_aside: dict[Any, dict[str, Any]] = {}
        self._readers = [
            threading.Thread(target=self._read_answers, daemon=True),
            threading.Thread(target=self._read_errors, daemon=True),
        ]
        for reader in self._readers:
            reader.start()
        self._last_id = 0

    def _read_answers(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line)
            self._answers.put(json.loads(line))

    def _read_errors(self) -> None:
        assert self.process.stderr is not None
        self.errors.extend(self.process.stderr)

    def send_bytes(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message: Mapping[str, Any]) -> None:
        self.send_bytes(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    def ask(self, method: str, params: Mapping[str, Any] | None = None) -> int:
        """Send a request without waiting; returns its id."""
        self._last_id += 1
        self.send({"id": self._last_id, "method": method, "params": dict(params or {})})
        return self._last_id

    def answer(self, call_id: object) -> dict[str, Any]:
        """The answer to a request, however many others come before it."""
        while call_id not in self._set_aside:
            found = self._answers.get(timeout=ANSWER_S)
            self._set_aside[found.get("id")] = found
        return self._set_aside.pop(call_id)

    def request(self, method: str, params: Mapping[str, Any] | None = None) -> dict[str, Any]:
        return self.answer(self.ask(method, params))

    def initialize(self) -> dict[str, Any]:
        params = {
            "protocolVersion": PROTOCOL,
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        }
        found = self.request("initialize", params)
        self.send({"method": "notifications/initialized"})
        return found

    def ask_tool(self, tool: str, /, **arguments: object) -> int:
        return self.ask("tools/call", {"name": tool, "arguments": arguments})

    def call(self, tool: str, /, **arguments: object) -> dict[str, Any]:
        """Call a tool and return its structured answer."""
        result = self.answer(self.ask_tool(tool, **arguments))["result"]
        assert not result["isError"], result
        structured: dict[str, Any] = result["structuredContent"]
        return structured

    def close_input(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()

    def exit_code(self, timeout_s: float = ANSWER_S) -> int:
        """Wait for the end of the process and of everything it printed."""
        code = self.process.wait(timeout_s)
        for reader in self._readers:
            reader.join(timeout_s)
        return code

    def stop(self) -> None:
        """End the process, whatever state it is in, and release its pipes."""
        self.process.kill()
        self.exit_code()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe is not None and not pipe.closed:
                try:
                    pipe.close()
                except BrokenPipeError:
                    continue


@contextmanager
def serving(
    store: Path,
    environment: Mapping[str, str] | None = None,
    command: Sequence[str] = SERVE,
) -> Iterator[RawServer]:
    """A server that has been greeted."""
    server = RawServer(store, environment, command)
    try:
        server.initialize()
        yield server
    finally:
        server.stop()
