"""The similarity kernels: against their definitions, and what a ranking needs of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from biorag.errors import KernelInputError, ShapeError
from biorag.kernels.ranking import (
    bm25_bounds,
    jensen_shannon_similarity,
    normalise_bm25,
    normalise_bm25_within,
)
from oracles.similarity import jensen_shannon, normalised_bm25

scores = st.floats(-100.0, 100.0)
# Few letters, so that copies, overlaps and repeated runs are common.
short_texts = st.text(alphabet="abñ ", max_size=40)
bags = st.dictionaries(st.sampled_from("abcdefgh"), st.integers(1, 9), min_size=1)


@given(st.lists(scores, min_size=1))
def test_bm25_normalisation_is_the_formula(values: list[float]) -> None:
    lowest, highest = min(map(abs, values)), max(map(abs, values))
    assert bm25_bounds(values) == (lowest, highest)
    assert normalise_bm25(values) == pytest.approx(normalised_bm25(values, lowest, highest))


@given(st.lists(scores), scores.map(abs), scores.map(abs))
def test_late_candidates_share_the_scale_of_the_first_pool(
    values: list[float], one: float, other: float
) -> None:
    bounds = min(one, other), max(one, other)
    scaled = normalise_bm25_within(values, bounds)
    assert scaled == pytest.approx(normalised_bm25(values, *bounds))


def test_a_weak_pool_does_not_look_strong() -> None:
    assert normalise_bm25([-0.2, -0.1]).tolist() == [0.2, 0.0]
    assert normalise_bm25([-0.2, -0.2]).tolist() == [0.2, 0.2]


def test_a_late_candidate_is_not_clipped() -> None:
    assert normalise_bm25_within([8.0, 0.0], (2.0, 4.0)).tolist() == [3.0, -1.0]


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_bm25_scores_must_be_numbers(value: float) -> None:
    with pytest.raises(KernelInputError, match="values: expected a finite number"):
        normalise_bm25([1.0, value])


def test_bounds_must_be_in_order() -> None:
    with pytest.raises(KernelInputError, match="0 <= lowest <= highest"):
        normalise_bm25_within([1.0], (2.0, 1.0))


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
