"""JSON-RPC over two pipes: one message a line, and no line that can end the server.

The SDK's own transport drops what it cannot parse, so a client would wait for ever; here such a
line is answered by an error whenever its id can be read. It also cancels running calls at the end
of input; here they get a moment to be answered.
"""

from __future__ import annotations

import json
import logging
import os
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from functools import partial

import anyio
import anyio.from_thread
import anyio.lowlevel
import anyio.to_thread
import mcp_types as mcp
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage
from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

from biorag.service.json_text import LINE_ENDS
from biorag.service.pipes import Pipes

logger = logging.getLogger(__name__)

CHUNK_BYTES = 65_536
# Over five times the longest text that a memory holds, every character escaped.
LONGEST_LINE_BYTES = 16 * 1024 * 1024
# A client that closes its end right after a call still gets the answer, if that takes no longer.
DRAIN_S = 1.0

Incoming = SessionMessage | Exception
Streams = tuple[MemoryObjectReceiveStream[Incoming], MemoryObjectSendStream[SessionMessage]]


@asynccontextmanager
async def stdio_streams(pipes: Pipes, *, on_end: Callable[[], None]) -> AsyncIterator[Streams]:
    """The message streams of the client behind `pipes`.

    Args:
        pipes: Where the client writes and reads.
        on_end: Called once, when the client has closed its end.
    """
    to_server, incoming = anyio.create_memory_object_stream[Incoming]()
    outgoing, to_client = anyio.create_memory_object_stream[SessionMessage]()
    wire = _Wire(pipes, to_server, outgoing.clone(), on_end)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(wire.write, to_client)
        wire.start_reading()
        yield incoming, outgoing
        tasks.cancel_scope.cancel()


class _Wire:
    """Both directions of one connection, and the calls that are still to be answered."""

    def __init__(
        self,
        pipes: Pipes,
        to_server: MemoryObjectSendStream[Incoming],
        refusals: MemoryObjectSendStream[SessionMessage],
        on_end: Callable[[], None],
    ) -> None:
        self._pipes = pipes
        self._to_server = to_server
        self._refusals = refusals
        self._on_end = on_end
        self._unanswered: set[str] = set()
        self._answered = anyio.Event()

    def start_reading(self) -> None:
        """Read on a daemon thread: one that waits for a silent client must not hold up an exit."""
        token = anyio.lowlevel.current_token()
        reader = partial(self._read, token)
        threading.Thread(target=reader, name="biorag-stdin", daemon=True).start()

    def _read(self, token: anyio.lowlevel.EventLoopToken) -> None:
        try:
            for line in _lines(self._pipes.reading):
                anyio.from_thread.run(self._receive, line, token=token)
            anyio.from_thread.run(self._end, token=token)
        except (anyio.RunFinishedError, anyio.BrokenResourceError, anyio.ClosedResourceError):
            logger.debug("the server ended before its input did")

    async def _receive(self, line: bytes) -> None:
        if not line.strip():
            return
        try:
            message = mcp.jsonrpc_message_adapter.validate_json(line, by_name=False)
        except ValidationError as error:
            await self._refuse(line, error)
            return
        match message:
            case mcp.JSONRPCRequest():
                self._unanswered.add(str(message.id))
            case mcp.JSONRPCNotification(method="notifications/cancelled", params=dict(params)):
                # A cancelled call is never answered, so nothing waits for its answer.
                self._settle(params.get("requestId"))
        await self._to_server.send(SessionMessage(message))

    async def _refuse(self, line: bytes, error: ValidationError) -> None:
        reason = "; ".join(str(detail["msg"]) for detail in error.errors(include_input=False)[:1])
        call_id = _id_of(line)
        logger.warning("a line of %d bytes is not a message: %s", len(line), reason)
        if call_id is None:
            return
        answer = mcp.JSONRPCError(
            jsonrpc="2.0",
            id=call_id,
            error=mcp.ErrorData(
                code=mcp.PARSE_ERROR,
                message=f"the message is not JSON-RPC in well-formed UTF-8: {reason}",
            ),
        )
        await self._refusals.send(SessionMessage(answer))

    async def _end(self) -> None:
        self._on_end()
        with anyio.move_on_after(DRAIN_S):
            while self._unanswered:
                self._answered = anyio.Event()
                await self._answered.wait()
        self._to_server.close()

    async def write(self, messages: MemoryObjectReceiveStream[SessionMessage]) -> None:
        """Write each message as one line, until the stream or the client ends."""
        async with messages:
            async for message in messages:
                line = _encoded(message.message)
                try:
                    # In a thread, so that a client that does not read cannot stop the loop.
                    await anyio.to_thread.run_sync(
                        _write_all, self._pipes.writing, line, abandon_on_cancel=True
                    )
                except OSError:
                    logger.info("the client no longer reads")
                    return
                if isinstance(message.message, mcp.JSONRPCResponse | mcp.JSONRPCError):
                    self._settle(message.message.id)

    def _settle(self, call_id: object) -> None:
        self._unanswered.discard(str(call_id))
        self._answered.set()


def _lines(descriptor: int) -> Iterator[bytes]:
    """The lines that arrive, without their ends; one that is too long is left out."""
    parts: list[bytes] = []
    size = 0
    while chunk := os.read(descriptor, CHUNK_BYTES):
        *ended, rest = chunk.split(b"\n")
        for end in ended:
            if size + len(end) <= LONGEST_LINE_BYTES:
                yield b"".join((*parts, end))
            else:
                logger.warning("a line of over %d bytes was left out", LONGEST_LINE_BYTES)
            parts, size = [], 0
        size += len(rest)
        if size <= LONGEST_LINE_BYTES:
            parts.append(rest)
        else:
            parts = []
    if parts and size <= LONGEST_LINE_BYTES:
        yield b"".join(parts)


def _id_of(line: bytes) -> int | str | None:
    """The id of a request that could not be read whole, when it can be read at all."""
    try:
        # Python's parser takes what the protocol refuses: bad bytes, half surrogate pairs.
        message = json.loads(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
    call_id = message.get("id") if isinstance(message, dict) and "method" in message else None
    return call_id if isinstance(call_id, int | str) and not isinstance(call_id, bool) else None


def _encoded(message: mcp.JSONRPCMessage) -> bytes:
    try:
        text = message.model_dump_json(by_alias=True, exclude_unset=True)
    except PydanticSerializationError:
        # Half a surrogate pair is no UTF-8, but it has an escape in JSON.
        text = json.dumps(message.model_dump(by_alias=True, exclude_unset=True, mode="python"))
    return text.translate(LINE_ENDS).encode() + b"\n"


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
