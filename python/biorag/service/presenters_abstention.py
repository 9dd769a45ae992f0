"""What is said of certainty: the judgement of a page, the thresholds, the negatives behind them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final, Literal

from biorag.model import Calibration, Page
from biorag.model_upkeep import CalibrationOutcome
from biorag.service.replies import AbstentionReply, CalibrationReply

_REASON: Final[
    Mapping[str, Literal["primera", "deriva", "alpha", "forzado", "vigente", "pocas_memorias"]]
] = {
    "first": "primera",
    "drift": "deriva",
    "alpha": "alpha",
    "forced": "forzado",
    "current": "vigente",
    "too_few": "pocas_memorias",
}
_SAID: Final[Mapping[str, str]] = {
    "first": "Calibrated for the first time.",
    "drift": "Calibrated again: the store has changed by more than a fifth.",
    "alpha": "Calibrated again for another alpha.",
    "forced": "Calibrated again, as asked.",
    "current": "The calibration still fits the store; forzar=true makes it anew.",
    "too_few": "Not calibrated: there are too few memories. Until there are 30, recordar abstains "
    "only when nothing holds a word of the question.",
}


def present_calibration(outcome: CalibrationOutcome) -> CalibrationReply:
    """The thresholds in force after a calibration, and why it was made or not."""
    found = outcome.calibration
    motive, said = _REASON[outcome.reason], _SAID[outcome.reason]
    reply = CalibrationReply(recalibrado=outcome.done, motivo=motive, mensaje=said)
    if found is not None:
        reply |= CalibrationReply(
            recalibrado=outcome.done,
            motivo=motive,
            mensaje=said,
            umbral=round(found.abstain_at, 6),
            umbral_directo=round(found.direct_above, 6),
            alpha=round(found.alpha, 6),
            alpha_pedido=round(found.requested_alpha, 6),
            n_negativos=found.near + found.wide + found.foreign,
            n_positivos=found.answerable,
            n_nodos_corpus=found.memories,
            negativos=negatives_of(found),
            fecha=datetime.fromtimestamp(found.calibrated_at, UTC).isoformat(timespec="seconds"),
        )
    return reply


def present_judgement(page: Page) -> AbstentionReply:
    """What a page's certainty was measured by."""
    reply = AbstentionReply(
        calibrado=page.calibration is not None, certeza=round(page.certainty_value, 6)
    )
    if page.calibration is not None:
        reply["umbral"] = round(page.calibration.abstain_at, 6)
        reply["umbral_directo"] = round(page.calibration.direct_above, 6)
        reply["alpha"] = round(page.calibration.alpha, 6)
        reply["negativos"] = negatives_of(page.calibration)
    return reply


def negatives_of(calibration: Calibration) -> str:
    """The negatives that alpha refers to, in words."""
    return (
        f"{calibration.wide} questions about memories that were hidden with their nearest 5 %, "
        f"{calibration.near} with their nearest 1 %, and {calibration.foreign} foreign questions"
    )


def abstention_message(page: Page) -> str:
    """What an abstaining page says to the agent."""
    if not page.related:
        return "Nothing stored speaks to this question."
    said = "Nothing stored answers this question; relacionados is what is nearest, and no answer."
    if page.calibration is None:
        return said
    return (
        f"{said} Of questions like the negatives ({negatives_of(page.calibration)}), at most "
        f"about {page.calibration.alpha:.0%} would have been answered."
    )
