"""The table of public operations. The MCP server and the reference pages read it.

To add a tool is to write one function in its family's `tools_*.py`: its name and effect stand in
the decorator, its parameters in its type hints, its description in its docstring.
"""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar, get_type_hints

from biorag.errors import SettingsError
from biorag.service.arguments import Parameter, bind, parameters_of
from biorag.service.schemas import input_schema, output_schema

if TYPE_CHECKING:
    # The engine imports numpy, and the table must be ready before the protocol's handshake.
    from biorag.clock import Clock
    from biorag.engine.memory import Memory
    from biorag.retrieval.working import WorkingMemory
    from biorag.settings import Settings


class Effect(Enum):
    """What an operation does to the memory; MCP clients see it as behaviour hints."""

    READS = "reads"
    WRITES = "writes"
    DELETES = "deletes"


@dataclass(frozen=True, slots=True)
class Context:
    """What a tool works with.

    Attributes:
        session: What the client that calls was shown lately; `None` where nobody keeps it.
    """

    memory: Memory
    settings: Settings
    clock: Clock
    session: WorkingMemory | None = None


@dataclass(frozen=True)
class Tool:
    """One public operation under its Spanish name.

    Attributes:
        aliases: Further names that a call may use; they are not listed.
        essential: In the profile that an agent sees by default.
        reply: The `TypedDict` that the handler returns.
    """

    name: str
    effect: Effect
    handler: Callable[..., Mapping[str, Any]]
    aliases: tuple[str, ...]
    essential: bool
    description: str
    parameters: tuple[Parameter, ...]
    reply: type

    @cached_property
    def input_schema(self) -> dict[str, Any]:
        """JSON schema of the arguments."""
        return input_schema(self.parameters)

    @cached_property
    def output_schema(self) -> dict[str, Any]:
        """JSON schema of the answer."""
        return output_schema(self.reply)

    def bind(self, arguments: Mapping[str, object]) -> dict[str, Any]:
        """Keyword arguments for the handler; raises as `biorag.service.arguments.bind`."""
        return bind(self.parameters, arguments)


_Handler = TypeVar("_Handler", bound=Callable[..., Mapping[str, Any]])
_tools: dict[str, Tool] = {}


def tool(
    name: str, *, effect: Effect, aliases: tuple[str, ...] = (), essential: bool = True
) -> Callable[[_Handler], _Handler]:
    """Publish the decorated function as `name`, and under each legacy alias.

    The function's docstring is the text that agents read, and its parameter names are part of the
    public contract. Its first parameter receives the `Context`.
    """

    def register(handler: _Handler) -> _Handler:
        published = Tool(
            name=name,
            effect=effect,
            handler=handler,
            aliases=aliases,
            essential=essential,
            description=inspect.getdoc(handler) or "",
            parameters=parameters_of(handler),
            reply=get_type_hints(handler)["return"],
        )
        for public_name in (name, *aliases):
            if public_name in _tools:
                raise ValueError(f"tool {public_name!r} is already published")
            _tools[public_name] = published
        return handler

    return register


def published_tools() -> dict[str, Tool]:
    """Every public name, legacy aliases included, and the operation behind it."""
    return dict(_tools)


def profile(selection: str) -> dict[str, Tool]:
    """The names that a client may call under `BIORAG_TOOLS`, aliases of the chosen included.

    Args:
        selection: `esencial`, `completo`, or names separated by commas.

    Raises:
        SettingsError: a name is not a tool, or none is named.
    """
    match selection.strip():
        case "completo":
            return published_tools()
        case "esencial":
            return {name: found for name, found in _tools.items() if found.essential}
        case listed:
            names = [name.strip() for name in listed.split(",") if name.strip()]
    for name in names:
        if name not in _tools:
            near = difflib.get_close_matches(name, _tools, n=1)
            hint = f"; did you mean {near[0]}?" if near else f"; known: {', '.join(_tools)}"
            raise SettingsError(f"BIORAG_TOOLS: {name!r} is not a tool{hint}")
    if not names:
        raise SettingsError("BIORAG_TOOLS: expected esencial, completo or names of tools")
    chosen = {_tools[name].name for name in names}
    return {name: found for name, found in _tools.items() if found.name in chosen}
