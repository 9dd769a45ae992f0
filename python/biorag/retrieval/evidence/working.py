"""What of the candidates the same client was shown lately."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from biorag.kernels.index import RankedCandidates
from biorag.lexicon.content_words import content_words
from biorag.retrieval.evidence.registry import evidence
from biorag.retrieval.knowledge import Inquiry
from biorag.signals import FloatArray
from biorag.storage.lookups import names_of

SAME = 1.0
SAME_STEM = 0.6  # .03 of .05

_NONE: frozenset[str] = frozenset()


@evidence(name="working")
def working(inquiry: Inquiry, ranked: RankedCandidates) -> Mapping[str, FloatArray]:
    """`working`: 1 for what was shown lately, .6 for what shares a stem of such a one's name."""
    session = inquiry.request.session
    if session is None or not inquiry.having.settings.working_memory:
        return {}
    shown = session.shown()
    if not shown:
        return {}
    ids = [int(number) for number in ranked.ids]
    names = names_of(inquiry.having.connection, sorted({*ids, *shown}))
    known = sorted(names)
    stems = {
        number: _NONE.union(*words.stems)
        for number, words in zip(known, content_words([names[n] for n in known]), strict=True)
    }
    lately = _NONE.union(*(stems.get(number, _NONE) for number in shown))
    return {
        "working": np.array(
            [
                SAME if number in shown else SAME_STEM * bool(stems.get(number, _NONE) & lately)
                for number in ids
            ]
        )
    }
