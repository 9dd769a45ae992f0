"""The similarity kernels: against their definitions, and what a ranking needs of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from biorag.errors import KernelInputError, ShapeError
from biorag.kernels.ranking import (
    jensen_shannon_similarity,
    share_out,
)
from oracles.similarity import jensen_shannon, shared_out

bags = st.dictionaries(st.sampled_from("abcdefgh"), st.integers(1, 9), min_size=1)


@given(
    st.lists(st.tuples(*(st.floats(0.0, 50.0, width=32) for _ in range(4))), max_size=20),
    st.sampled_from([0.0, 0.25, 1.0]),
)
def test_shares_are_the_formula(
    parts: list[tuple[float, float, float, float]], share: float
) -> None:
    bm25, function_words, lent, fit = (
        np.array([part[column] for part in parts], np.float32) for column in range(4)
    )
    found = share_out(bm25=bm25, function_words=function_words, lent=lent, fit=fit, share=share)
    for values, expected in zip(found, shared_out(parts, share), strict=True):
        assert values.tolist() == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_a_weak_pool_does_not_look_strong() -> None:
    weak = np.array([0.25, 0.125], np.float32)
    assert _words(weak).tolist() == [0.25, 0.0]
    assert _words(weak[:1]).tolist() == [0.25]


@pytest.mark.parametrize("value", [np.nan, np.inf, -1.0])
def test_relevance_must_be_numbers_from_zero(value: float) -> None:
    with pytest.raises(KernelInputError, match="bm25: expected a finite number from 0"):
        _words(np.array([1.0, value], np.float32))


def test_parts_must_be_of_one_pool() -> None:
    one, two = np.zeros(1, np.float32), np.zeros(2, np.float32)
    with pytest.raises(KernelInputError, match="fit"):
        share_out(bm25=one, function_words=one, lent=one, fit=two, share=0.0)


def _words(bm25: np.ndarray) -> np.ndarray:
    nothing = np.zeros(bm25.size, np.float32)
    ones = np.ones(bm25.size, np.float32)
    return share_out(bm25=bm25, function_words=nothing, lent=nothing, fit=ones, share=0.0).words


@given(bags, st.lists(bags, max_size=5))
def test_jensen_shannon_is_the_definition_over_both_vocabularies(
    query: dict[str, int], documents: list[dict[str, int]]
) -> None:
    counts = [[document.get(term, 0) for term in query] for document in documents]
    similar = jensen_shannon_similarity(
        list(query.values()),
        np.reshape(np.array(counts, dtype=float), (len(documents), len(query))),
        [sum(document.values()) for document in documents],
    )
    # The root turns an error of 1e-16 in a divergence near 0 into one of 1e-8.
    expected = [jensen_shannon(query, document) for document in documents]
    assert similar == pytest.approx(expected, abs=1e-7)
    assert np.all((similar >= 0) & (similar <= 1))


def test_jensen_shannon_prefers_the_candidate_that_says_little_else() -> None:
    short, long, other = jensen_shannon_similarity([1, 1], [[1, 1], [1, 1], [0, 0]], [4, 40, 4])
    assert short > long > other == 0.0


def test_jensen_shannon_refuses_counts_that_cannot_be() -> None:
    with pytest.raises(KernelInputError, match="lengths"):
        jensen_shannon_similarity([1], [[5]], [4])
    with pytest.raises(KernelInputError, match="counts"):
        jensen_shannon_similarity([1], [[-1]], [4])
    with pytest.raises(KernelInputError, match="query_counts"):
        jensen_shannon_similarity([0], [[1]], [4])
    with pytest.raises(ShapeError, match=r"expected shape \(1, 2\), found \(2, 1\)"):
        jensen_shannon_similarity([1, 1], [[1], [1]], [4])
