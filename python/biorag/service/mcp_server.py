"""The table of tools as an MCP server over standard input and output.

`initialize` is answered before the engine is imported; the store opens in the background once the
client says that it is ready. Tools run on threads, so a ping is answered during a slow call.

An answer is sent twice, as the protocol asks of a tool with an output schema: as structured
content, and as the same compact JSON in a text block for clients that read only text. The bound of
an answer (`BIORAG_RESPUESTA_BYTES`) holds for each. A failure is sent once, as text.
"""

from __future__ import annotations

import difflib
import logging
import signal
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import anyio
import anyio.to_thread
import mcp_types as mcp
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from biorag import __version__
from biorag.errors import BioragError
from biorag.retrieval.working import WorkingMemory
from biorag.service.container import LazyContext
from biorag.service.json_text import to_json
from biorag.service.pipes import Pipes
from biorag.service.presenters import present_error
from biorag.service.registry import Effect, Tool
from biorag.service.replies import ErrorReply
from biorag.service.stdio import stdio_streams

logger = logging.getLogger(__name__)

SERVER_NAME = "biorag"
# Writers wait for each other in the store; more threads than this would only wait there.
CALLS_AT_ONCE = 8
INTERNAL_CODE = "ERROR_INTERNO"
# No language has it, so it finds nothing, but it takes the whole way through the engine.
WARMING_QUESTION = "qzxvkjq"

INSTRUCTIONS = """\
biorag is the memory that you keep between conversations.
Before answering from what you may have been told earlier, search: recordar(query=<the question>,
sustantivos_clave=<1 to 10 key nouns of it>). Take a question apart first: what the thing does, in
what context, which property solves it; search each part when one search is not enough.
An empty resultados means that nothing is stored about it; then say so rather than guess.
Search before you learn. Store one fact a memory with aprender or guardar, under a short name, with
2 to 10 key nouns it will be looked for by. Correct a memory with actualizar instead of storing it
again. Texts marked recortado are previews: recordar(query=<concepto>, completo=true) reads one
whole."""


async def serve_stdio(
    pipes: Pipes, tools: Mapping[str, Tool], context: LazyContext, *, on_end: Callable[[], None]
) -> None:
    """Serve one client until it closes its end or the process is told to stop.

    Args:
        pipes: The client's pipes.
        tools: What the client may call, by name.
        context: What the tools work with; opened here, closed by the caller.
        on_end: Called when the service starts to end, by either cause.
    """
    server = build_server(tools, context)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_stop_on_signal, tasks.cancel_scope, on_end)
        async with stdio_streams(pipes, on_end=on_end) as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())
        tasks.cancel_scope.cancel()


def build_server(tools: Mapping[str, Tool], context: LazyContext) -> Server[dict[str, Any]]:
    """The server for these tools; nothing is opened yet."""
    calls_at_once = anyio.CapacityLimiter(CALLS_AT_ONCE)
    # Over standard input and output a server has one client, and a client one session.
    session = WorkingMemory()

    async def list_tools(
        _context: ServerRequestContext[Any], _params: mcp.PaginatedRequestParams | None
    ) -> mcp.ListToolsResult:
        return mcp.ListToolsResult(tools=listed_tools(tools))

    async def call_tool(
        _context: ServerRequestContext[Any], params: mcp.CallToolRequestParams
    ) -> mcp.CallToolResult:
        called = tools.get(params.name)
        if called is None:
            raise MCPError(code=mcp.INVALID_PARAMS, message=_unknown_tool(params.name, tools))
        work = partial(run_tool, called, params.arguments or {}, context, session)
        return await anyio.to_thread.run_sync(work, limiter=calls_at_once)

    async def open_in_background(
        _context: ServerRequestContext[Any], _params: mcp.NotificationParams
    ) -> None:
        await anyio.to_thread.run_sync(_warm_up, context)

    server = Server[dict[str, Any]](
        SERVER_NAME,
        version=__version__,
        title="biorag memory",
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
    server.add_notification_handler(
        "notifications/initialized", mcp.NotificationParams, open_in_background
    )
    return server


def listed_tools(tools: Mapping[str, Tool]) -> list[mcp.Tool]:
    """The tools as clients see them, each once, under its main name."""
    return [
        mcp.Tool(
            name=tool.name,
            description=tool.description,
            input_schema=tool.input_schema,
            output_schema=tool.output_schema,
            annotations=mcp.ToolAnnotations(
                read_only_hint=tool.effect is Effect.READS,
                destructive_hint=tool.effect is Effect.DELETES,
                # Learning a text that is already there, or forgetting twice, changes nothing.
                idempotent_hint=True,
                open_world_hint=False,
            ),
        )
        for tool in dict.fromkeys(tools.values())
    ]


def run_tool(
    tool: Tool,
    arguments: Mapping[str, object],
    context: LazyContext,
    session: WorkingMemory | None = None,
) -> mcp.CallToolResult:
    """Call one tool and turn whatever happens into a result; for a worker thread.

    Args:
        tool: What is called.
        arguments: As the client sent them.
        context: What the tool works with.
        session: What this client was shown lately.
    """
    try:
        keywords = tool.bind(arguments)
        reply = dict(tool.handler(replace(context.get(), session=session), **keywords))
        text = to_json(reply)
    except BioragError as error:
        logger.info("%s: %s", tool.name, error.code)
        return _failure(present_error(error, [p.name for p in tool.parameters]))
    except Exception:
        # The outermost loop: a bug in one call must cost that call alone.
        logger.exception("%s failed", tool.name)
        message = "unexpected error; the server's log has the details"
        return _failure(ErrorReply(codigo=INTERNAL_CODE, mensaje=message))
    return mcp.CallToolResult(
        content=[mcp.TextContent(type="text", text=text)], structured_content=reply
    )


def _failure(payload: ErrorReply) -> mcp.CallToolResult:
    text = to_json(payload)
    return mcp.CallToolResult(content=[mcp.TextContent(type="text", text=text)], is_error=True)


def _unknown_tool(name: str, tools: Mapping[str, Tool]) -> str:
    near = difflib.get_close_matches(name, tools, n=1)
    hint = f"did you mean {near[0]}?" if near else f"known: {', '.join(tools)}"
    return f"unknown tool {name[:80]!r}; {hint}"


def _warm_up(context: LazyContext) -> None:
    """Open the store and load what the first recall needs, before anyone asks for it.

    On 20,000 memories the first call then takes some 30 ms instead of half a second, or of two
    seconds when no saved index lies beside the store.
    """
    try:
        context.get().memory.recall(WARMING_QUESTION, limit=1)
    except BioragError as error:
        # Each call reports it to the agent; here it is for whoever reads the log.
        logger.error("the store cannot be opened: %s", error)  # noqa: TRY400  expected, no bug


async def _stop_on_signal(scope: anyio.CancelScope, on_end: Callable[[], None]) -> None:
    try:
        with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
            async for _ in signals:
                on_end()
                scope.cancel()
                return
    except NotImplementedError:
        # Windows has no signals to wait for in an event loop; there the process just ends.
        return
