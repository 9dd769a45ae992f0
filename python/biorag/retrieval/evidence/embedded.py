"""What a user's own embedder says of the candidates."""

from __future__ import annotations

from collections.abc import Mapping

from biorag.kernels.index import RankedCandidates
from biorag.retrieval.evidence.registry import evidence
from biorag.retrieval.knowledge import Inquiry
from biorag.signals import FloatArray


@evidence(name="embedding", lane="embedding")
def embedding(inquiry: Inquiry, ranked: RankedCandidates) -> Mapping[str, FloatArray]:
    """`embedding`: the calibrated cosine of the question and each candidate."""
    found = inquiry.having.embeddings
    if found is None:
        return {}
    return {"embedding": found.likeness(inquiry.question.text, ranked.ids.tolist())}
