"""What Concept Hubs say of candidates that a question means in other words."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from biorag.kernels.index import RankedCandidates
from biorag.retrieval.evidence.registry import evidence
from biorag.retrieval.knowledge import Inquiry
from biorag.signals import FloatArray
from biorag.storage.edges import agent_neighbours

LINKED_FROM = 0.4  # a hub's confidence; what is linked to a doubtful one says nothing
LINKED_SHARE = 0.5  # what is linked to a memory need not be what is asked about
MOST_FOLLOWED = 5  # memories whose links are followed


@evidence(name="hubs", lane="hubs")
def hub_evidence(inquiry: Inquiry, ranked: RankedCandidates) -> Mapping[str, FloatArray]:
    """How far the hubs that the question means lead to each candidate.

    Returns:
        `hub_confidence`, of the surest hub that leads to a candidate, and `hub_match`: of such a
        candidate min(1, 2 c), and of one that the agent linked to it min(.8, 1.5 c) / 2.
    """
    hubs = inquiry.having.hubs
    if hubs is None:
        return {}
    confidence: dict[int, float] = {}
    for match in hubs.matches(inquiry.question):
        confidence[match.node] = max(match.confidence, confidence.get(match.node, 0.0))
    if not confidence:
        return {}
    own = np.array([confidence.get(number, 0.0) for number in ranked.ids.tolist()])
    sure = [node for node, held in confidence.items() if held >= LINKED_FROM][:MOST_FOLLOWED]
    linked: dict[int, float] = {}
    for node, other in agent_neighbours(inquiry.having.connection, sure):
        lent = LINKED_SHARE * min(0.8, 1.5 * confidence[node])
        linked[other] = max(lent, linked.get(other, 0.0))
    beside = np.array([linked.get(number, 0.0) for number in ranked.ids.tolist()])
    return {
        "hub_confidence": own,
        "hub_match": np.maximum(np.minimum(1.0, 2.0 * own), beside),
    }
