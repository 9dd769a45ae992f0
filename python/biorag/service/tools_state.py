"""Tools that describe the store: estado = state."""

from __future__ import annotations

from biorag.service.presenters import present_state
from biorag.service.registry import Context, Effect, tool
from biorag.service.replies import StateReply


@tool("estado", effect=Effect.READS, aliases=("introspeccion",))
def state(context: Context) -> StateReply:
    """Tell what the store holds: counts, categories, languages, size.

    Example: estado()
    """
    return present_state(context.memory.state())
