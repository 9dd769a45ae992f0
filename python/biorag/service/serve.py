"""The verb `serve`: from an empty process to an answered handshake with nothing in between.

It has its own small parser because the client waits while the process starts, and the libraries
of the other verbs would add a tenth to that.
"""

from __future__ import annotations

import argparse
import gc
import logging
import os
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

from biorag.errors import SettingsError
from biorag.service.container import LazyContext, configure_logging, read_settings
from biorag.service.pipes import claim_standard_streams
from biorag.service.registry import profile

USAGE_ERROR = 2
# Clients give up on a server that lingers for two seconds after its input ended.
LONGEST_SHUTDOWN_S = 1.7


def serve(arguments: Sequence[str]) -> int:
    """Serve MCP over standard input and output until the client leaves.

    Returns:
        0 when the service ended in order, 2 when a setting or an option is wrong.
    """
    options = _parser().parse_args(arguments)
    configure_logging(logging.getLevelNamesMapping()[options.log_level.upper()])
    try:
        settings = read_settings(options.db)
        tools = profile(settings.tools)
    except SettingsError as error:
        print(f"biorag: {error}", file=sys.stderr)  # noqa: T201  no protocol yet, a person reads
        return USAGE_ERROR
    pipes = claim_standard_streams()
    # Importing the SDK makes some 100,000 lasting objects, which the collector would walk again
    # and again: switched off, the handshake is answered a tenth sooner.
    gc.disable()
    import anyio

    from biorag.service.mcp_server import serve_stdio

    gc.freeze()
    gc.enable()
    context = LazyContext(settings)
    try:
        anyio.run(lambda: serve_stdio(pipes, tools, context, on_end=_leave_in_time))
    finally:
        context.close()
    return 0


def _leave_in_time() -> None:
    """End the process even if a call is still running; what it committed is on disk."""
    watchdog = threading.Timer(LONGEST_SHUTDOWN_S, os._exit, (0,))
    watchdog.daemon = True
    watchdog.start()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="biorag serve",
        description="Serve the memory to an MCP client over standard input and output.",
    )
    parser.add_argument("--db", type=Path, help="the store's file; wins over BIORAG_PATH")
    parser.add_argument(
        "--log-level",
        choices=("debug", "info", "warning", "error"),
        default="warning",
        help="what is logged to stderr",
    )
    return parser
