"""The SDK's own server with one empty tool: the least that a start can cost."""

from __future__ import annotations

from typing import Any

import anyio
import mcp_types as mcp
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server


async def list_tools(
    _context: ServerRequestContext[Any], _params: mcp.PaginatedRequestParams | None
) -> mcp.ListToolsResult:
    tool = mcp.Tool(name="nothing", description="Do nothing.", input_schema={"type": "object"})
    return mcp.ListToolsResult(tools=[tool])


async def main() -> None:
    server = Server[dict[str, Any]]("empty", version="1", on_list_tools=list_tools)
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


if __name__ == "__main__":
    anyio.run(main)
