"""The tool that learns when to abstain: calibrar = calibrate."""

from __future__ import annotations

from typing import Annotated

from biorag.inputs import (
    FEWEST_QUESTIONS,
    LARGEST_ALPHA,
    MOST_QUESTIONS,
    QUESTIONS,
    SMALLEST_ALPHA,
)
from biorag.service.arguments import About
from biorag.service.presenters_abstention import present_calibration
from biorag.service.registry import Context, Effect, tool
from biorag.service.replies import CalibrationReply

Alpha = Annotated[
    float | None,
    About(
        "Share of unanswerable questions that may be answered; the server's setting when absent.",
        SMALLEST_ALPHA,
        LARGEST_ALPHA,
    ),
]
Negatives = Annotated[
    int,
    About(
        "Questions of each kind to make from the store; more of them promise more finely.",
        FEWEST_QUESTIONS,
        MOST_QUESTIONS,
    ),
]
Force = Annotated[bool, About("Also when the store has hardly changed since the last time.")]


@tool("calibrar", effect=Effect.WRITES, essential=False)
def calibrate(
    context: Context,
    alpha: Alpha = None,
    n_negativos: Negatives = QUESTIONS,
    forzar: Force = False,
) -> CalibrationReply:
    """Learn from which certainty on recordar answers instead of abstaining.

    recordar does it by itself when the store has changed by a fifth. The questions are made from
    the store, and no answer of the engine has a say in them.
    Example: calibrar(alpha=0.05)
    """
    outcome = context.memory.calibrate(alpha=alpha, questions=n_negativos, force=forzar)
    return present_calibration(outcome)
