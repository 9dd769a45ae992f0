"""Working memory: what this client was shown lately, and its kin by name, come up a little."""

from __future__ import annotations

import numpy as np

from biorag.retrieval.stages.registry import Standing, stage
from biorag.signals import FloatArray

MOST = 0.05  # what a memory that was shown lately gains; one that shares a stem of its name, .03


@stage(order=6, name="memoria_trabajo", is_on=lambda settings: settings.working_memory)
def working_memory(standing: Standing) -> FloatArray:
    """Adds up to .05 to the score of what was shown lately in the session, as far as 1."""
    lately = standing.pool.beside.get("working")
    if lately is None or not lately.any():
        return standing.scores
    return np.minimum(standing.scores + MOST * lately, 1.0)
