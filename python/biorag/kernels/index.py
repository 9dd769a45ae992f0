"""Analysed documents, prepared questions and the ranked text index."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from biorag._native import (
    ANALYSIS_VERSION,
    AnalysedDocuments,
    PreparedQuestion,
    TextIndex,
    VectorSpace,
    analyse_documents,
)

if TYPE_CHECKING:
    # numpy takes longer to import than the rest of the package, and writing needs none of it.
    import numpy as np
    import numpy.typing as npt

__all__ = [
    "ANALYSIS_VERSION",
    "FIELDS",
    "AnalysedDocuments",
    "PreparedQuestion",
    "RankedCandidates",
    "TextIndex",
    "analyse_documents",
    "rank",
]

FIELDS = ("name", "synonyms", "key_nouns", "bridges", "body")
"""The fields of a document, in the order of its texts and of `RankedCandidates.field_share`."""


@dataclass(frozen=True, slots=True)
class RankedCandidates:
    """The n candidates of a question of g words, best first; included ones that do not rank last.

    Attributes:
        ids: Shape (n,).
        bm25: Shape (n,); BM25 of the pooled word groups, unbounded.
        lent: Shape (n,); what neighbours lend, in the same unit.
        fit: Shape (n,); how well it fits what is asked beyond its words, a factor.
        relevance: Shape (n,); `(bm25 + lent) * fit` over the best `bm25 * fit`.
        idf: Shape (g,); inverse document frequency of each group.
        found: Shape (n, g); the alternative of the group that the candidate holds, -1 for none.
        counts: Shape (n, g); pooled weighted count of the group in the candidate.
        field_share: Shape (n, 5); idf share of the question's own words in each of `FIELDS`.
        coverage: Shape (n,); idf share of the question in any field, alternatives by weight.
        lengths: Shape (n,); words of the candidate.
        named: Shape (n,); whether its name and the question are the same set of words.
        synonym: Shape (n,); closeness in [0, 1] of the question and its nearest synonym.
        spelt: Shape (n,) in [0, 1]; idf share of the question that the candidate does not have
            with other accents only.
        pairs: Shape (n,); BM25 of the pairs of the question's words that stand together in it.
        function_words: Shape (n,); BM25 of the question's function words.
        feedback: Shape (n,) in [0, 1]; how much it speaks of what the best ones speak of.
        cosines: Shape (n,) in [0, 1]; closeness in the vector space, or (0,) without one.
        gram_cosine: Shape (n,) in [0, 1]; cosine of the character trigrams of the question's words
            and the candidate's, 0 below the first 50.
        evidence: Shape (n,) in [0, 1]; BM25 times `gram_cosine` over the largest such product.
        certainty: The statistic C of the whole question: how sure it is that any candidate answers
            it. 0 when nothing matches; comparable between questions to one store.
        matched: How many documents hold a word of the question or are lent one.
    """

    ids: npt.NDArray[np.int64]
    bm25: npt.NDArray[np.float32]
    lent: npt.NDArray[np.float32]
    fit: npt.NDArray[np.float32]
    relevance: npt.NDArray[np.float32]
    idf: npt.NDArray[np.float32]
    found: npt.NDArray[np.int16]
    counts: npt.NDArray[np.float32]
    field_share: npt.NDArray[np.float32]
    coverage: npt.NDArray[np.float32]
    lengths: npt.NDArray[np.float32]
    named: npt.NDArray[np.bool_]
    synonym: npt.NDArray[np.float32]
    spelt: npt.NDArray[np.float32]
    pairs: npt.NDArray[np.float32]
    function_words: npt.NDArray[np.float32]
    feedback: npt.NDArray[np.float32]
    cosines: npt.NDArray[np.float32]
    gram_cosine: npt.NDArray[np.float32]
    evidence: npt.NDArray[np.float32]
    certainty: float
    matched: int


def rank(
    index: TextIndex,
    question: PreparedQuestion,
    *,
    k1: float,
    b: float,
    trust_in_order: float,
    fit: bool = True,
    space: VectorSpace | None = None,
    order: Literal["relevance", "newest", "oldest"] = "relevance",
    limit: int,
    allowed: Sequence[int] | None = None,
    excluded: Sequence[int] = (),
    included: Sequence[int] = (),
) -> RankedCandidates:
    """The best `limit` candidates of a question, and where its words are in each.

    Args:
        index: Searched while other threads may search it too.
        question: From `TextIndex.prepare` of the same index.
        k1: BM25 term saturation, 0 or more.
        b: BM25 length normalisation, in [0, 1].
        trust_in_order: How far neighbours in storage may lend words, in [0, 1].
        fit: Whether what is asked beyond words (a time, a speaker, a date) counts.
        space: Term vectors that candidates are compared in.
        order: Return the most relevant of all that match, or the first by time of storage.
        limit: How many candidates to rank.
        allowed: The only ids that may be returned, rising; `None` for all.
        excluded: Ids that are never returned.
        included: Ids that are returned whether or not they rank.

    Raises:
        KernelInputError: an option is out of its range.
    """
    ranked = index.search(
        question,
        k1=k1,
        b=b,
        trust_in_order=trust_in_order,
        fit=fit,
        space=space,
        order=order,
        limit=limit,
        allowed=None if allowed is None else list(allowed),
        excluded=list(excluded),
        included=list(included),
    )
    n, g = ranked.ids.size, ranked.idf.size
    return RankedCandidates(
        ids=ranked.ids,
        bm25=ranked.bm25,
        lent=ranked.lent,
        fit=ranked.fit,
        relevance=ranked.relevance,
        idf=ranked.idf,
        found=ranked.found.reshape(n, g),
        counts=ranked.counts.reshape(n, g),
        field_share=ranked.field_share.reshape(n, len(FIELDS)),
        coverage=ranked.coverage,
        lengths=ranked.lengths,
        named=ranked.named,
        synonym=ranked.synonym,
        spelt=ranked.spelt,
        pairs=ranked.pairs,
        function_words=ranked.function_words,
        feedback=ranked.feedback,
        cosines=ranked.cosines,
        gram_cosine=ranked.gram_cosine,
        evidence=ranked.evidence,
        certainty=ranked.certainty,
        matched=ranked.matched,
    )
