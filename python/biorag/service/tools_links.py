"""Tools that link: vincular = link, desvincular = unlink."""

from __future__ import annotations

from typing import Annotated

from biorag.service.arguments import About
from biorag.service.registry import Context, Effect, tool
from biorag.service.replies import LinkReply

One = Annotated[str, About("Name of an existing memory.")]
Other = Annotated[str, About("Name of the memory at the other end.")]


@tool("vincular", effect=Effect.WRITES, aliases=("asociar",))
def link(context: Context, a: One, b: Other) -> LinkReply:
    """Link two existing memories. Only desvincular ends such a link; nothing weakens it.

    Example: vincular(a="backup_policy", b="migration_plan")
    """
    new = context.memory.link(a, b)
    done = "are linked now" if new else "were linked already"
    return LinkReply(status="ok", mensaje=f"{a} and {b} {done}.")


@tool("desvincular", effect=Effect.WRITES, essential=False)
def unlink(context: Context, a: One, b: Other) -> LinkReply:
    """End every link between two memories, whoever made it.

    Example: desvincular(a="backup_policy", b="migration_plan")
    """
    ended = context.memory.unlink(a, b)
    message = f"{ended} links ended." if ended else f"{a} and {b} were not linked."
    return LinkReply(status="ok", mensaje=message, eliminadas=ended)
