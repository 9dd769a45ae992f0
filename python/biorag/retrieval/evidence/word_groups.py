"""What kinds of things the question and a memory name: animals, places, acts of speech."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from biorag.kernels.index import RankedCandidates
from biorag.retrieval.evidence.registry import evidence
from biorag.retrieval.knowledge import Inquiry
from biorag.retrieval.word_groups import WordGroups
from biorag.signals import FloatArray
from biorag.storage.word_groups import LANE

SHORTEST, LONGEST = 3, 100  # characters of a question whose groups mean something
COMMONEST = 1  # sense of a word that is believed: the others would make everything alike


@evidence(name="groups", lane=LANE)
def common_groups(inquiry: Inquiry, ranked: RankedCandidates) -> Mapping[str, FloatArray]:
    """Cosine of the sets of groups, shared / sqrt(q * d), for a question of 3 to 100 characters.

    d counts the memory's own groups; the original counted the shared ones alone, so that a text
    about everything was like any question. A memory whose groups are not known yet gets the mean
    of the others: it is neither lifted nor held back for being new.

    Returns:
        `groups`, of shape (n,) in [0, 1]; nothing where the question names no group.
    """
    known = inquiry.having.word_groups
    if known is None or not SHORTEST <= len(inquiry.question.text.strip()) <= LONGEST:
        return {}
    asked = _asked(inquiry, known)
    if not asked:
        return {}
    masks, own = known.of(ranked.ids)
    has_any = own > 0
    if not has_any.any():
        return {}
    shared = sum(((masks & bit) != 0).astype(np.float64) for bit in asked)
    cosine = shared / np.sqrt(np.maximum(own, 1).astype(np.float64) * len(asked))
    cosine[~has_any] = cosine[has_any].mean()
    return {"groups": cosine}


def _asked(inquiry: Inquiry, known: WordGroups) -> list[int]:
    """The bits of the groups that the question's own words name, each once."""
    lexicon = inquiry.having.lexicon
    if lexicon is None:
        return []
    language = inquiry.question.prepared.language
    names = [
        name
        for word in inquiry.question.words
        for name in lexicon.groups(language, word, COMMONEST)
    ]
    return [known.bits[name] for name in dict.fromkeys(names) if name in known.bits]
