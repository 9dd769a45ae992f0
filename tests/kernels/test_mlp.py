"""The ranking neuron: against numpy, finite differences, and its rules for unhealthy steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from biorag.errors import KernelInputError, ShapeError
from biorag.kernels.learning import (
    FEATURES,
    PARAMETERS,
    AdamState,
    TrainingPages,
    corrections,
    evidence_logits,
    loss_and_gradient,
    train,
)
from oracles import mlp as oracle
from oracles.mlp import Array, Page


def stacked(pages: Sequence[Page]) -> TrainingPages:
    return TrainingPages(
        features=np.concatenate([page.features for page in pages]),
        scores=np.concatenate([page.scores for page in pages]),
        starts=np.cumsum([0, *(len(page.scores) for page in pages)]),
        targets=[page.target for page in pages],
    )


def some_weights(seed: int, scale: float = 0.5) -> Array:
    return np.random.default_rng(seed).normal(0.0, scale, PARAMETERS)


def some_pages(seed: int, lengths: Sequence[int]) -> list[Page]:
    rng = np.random.default_rng(seed)
    return [
        Page(rng.random((k, FEATURES)), np.sort(rng.random(k) * 1.1)[::-1], int(rng.integers(k)))
        for k in lengths
    ]


seeds = st.integers(0, 2**32 - 1)
page_lengths = st.lists(st.integers(1, 10), min_size=1, max_size=60)


@given(seeds, st.integers(0, 25))
def test_corrections_agree_with_numpy(seed: int, results: int) -> None:
    features = np.random.default_rng(seed).normal(0.0, 3.0, (results, FEATURES))
    weights = some_weights(seed)
    assert corrections(weights, features) == pytest.approx(
        oracle.corrections(weights, features), abs=1e-12
    )


@given(st.lists(st.floats(-1.0, 100.0)))
def test_scores_become_evidence_by_the_formula(scores: list[float]) -> None:
    expected = [oracle.evidence(score) for score in scores]
    assert evidence_logits(scores) == pytest.approx(expected, rel=1e-12, abs=1e-12)


def test_evidence_is_continuous_where_the_line_takes_over() -> None:
    below, at, above = evidence_logits([0.9999 - 1e-9, 0.9999, 0.9999 + 1e-9])
    assert below == pytest.approx(at, abs=1e-4)
    assert above == pytest.approx(at, abs=1e-4)
    assert below < at < above


def test_a_neuron_without_output_weights_changes_nothing() -> None:
    weights = some_weights(1)
    weights[-6:] = 0.0
    assert corrections(weights, some_pages(2, [10])[0].features).tolist() == [0.0] * 10


@given(seeds, page_lengths, st.booleans())
def test_loss_and_gradient_agree_with_numpy(seed: int, lengths: list[int], anchored: bool) -> None:
    pages = some_pages(seed, lengths)
    weights = some_weights(seed)
    anchor = some_weights(seed + 1) if anchored else None
    loss, gradient = loss_and_gradient(stacked(pages), weights, l2=0.01, anchor=anchor)
    expected_loss, expected_gradient = oracle.loss_and_gradient(pages, weights, 0.01, anchor)
    assert loss == pytest.approx(expected_loss, rel=1e-11)
    assert gradient == pytest.approx(expected_gradient, rel=1e-9, abs=1e-12)


def test_the_gradient_is_that_of_central_finite_differences() -> None:
    pages = stacked(some_pages(3, [10, 1, 7, 5, 10, 3]))
    weights = some_weights(3)
    _, gradient = loss_and_gradient(pages, weights, l2=0.01)
    for i in range(PARAMETERS):
        nudge = np.zeros(PARAMETERS)
        nudge[i] = 1e-5
        above, _ = loss_and_gradient(pages, weights + nudge, l2=0.01)
        below, _ = loss_and_gradient(pages, weights - nudge, l2=0.01)
        assert (above - below) / 2e-5 == pytest.approx(gradient[i], abs=1e-8)


def test_the_loss_curve_of_a_full_cycle_is_that_of_numpy() -> None:
    pages = some_pages(4, [10] * 150 + [5] * 50 + [1, 2, 3])
    weights = some_weights(4, scale=0.1)
    trained = train(stacked(pages), weights)
    expected, losses = oracle.train(pages, weights, 30, 0.03, 1e-3)
    assert trained.losses == pytest.approx(losses, abs=1e-9)
    assert trained.parameters == pytest.approx(expected, abs=1e-6)
    assert trained.steps_taken == 30
    assert trained.losses[-1] < trained.losses[0]


def test_scores_far_beyond_one_do_not_break_the_softmax() -> None:
    page = Page(np.zeros((3, FEATURES)), np.array([50.0, 0.5, 0.0001]), 1)
    loss, gradient = loss_and_gradient(stacked([page]), some_weights(5), l2=0.0)
    assert loss == pytest.approx(oracle.evidence(50.0) - oracle.evidence(0.5))
    assert np.isfinite(gradient).all()


def test_training_can_be_resumed_where_it_stopped() -> None:
    pages = stacked(some_pages(6, [10] * 20))
    whole = train(pages, some_weights(6), steps=9)
    first = train(pages, some_weights(6), steps=4)
    second = train(pages, first.parameters, adam=first.adam, steps=5)
    assert second.parameters.tolist() == whole.parameters.tolist()
    assert second.adam.steps == whole.adam.steps == 9


def test_an_anchor_holds_the_weights_near_it() -> None:
    pages = stacked(some_pages(7, [10] * 20))
    prior = some_weights(7)
    held = train(pages, prior, l2=10.0, anchor=prior).parameters
    free = train(pages, prior, l2=0.0).parameters
    assert np.linalg.norm(held - prior) < 0.2 * np.linalg.norm(free - prior)


def test_the_order_of_pages_does_not_matter_to_the_loss() -> None:
    pages = some_pages(8, [3, 10, 1, 6])
    one, _ = loss_and_gradient(stacked(pages), some_weights(8))
    other, _ = loss_and_gradient(stacked(pages[::-1]), some_weights(8))
    assert one == pytest.approx(other, rel=1e-12)


def test_a_weight_that_runs_away_ends_training_with_the_weights_before() -> None:
    pages = stacked(some_pages(9, [10] * 5))
    start = some_weights(9)
    trained = train(pages, start, learning_rate=2_000.0)
    assert trained.steps_taken == 0
    assert trained.parameters.tolist() == start.tolist()
    assert trained.adam.steps == 0
    assert len(trained.losses) == 1


def test_a_step_that_overflows_is_not_taken() -> None:
    pages = stacked(some_pages(10, [10] * 5))
    start = some_weights(10)
    huge = AdamState(mean=np.full(PARAMETERS, 1e300), square=np.zeros(PARAMETERS), steps=5)
    trained = train(pages, start, adam=huge)
    assert trained.steps_taken == 0
    assert trained.parameters.tolist() == start.tolist()


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_numbers_that_are_none_are_refused_by_name(bad: float) -> None:
    page = some_pages(11, [4])[0]
    features = page.features.copy()
    features[2, 3] = bad
    with pytest.raises(KernelInputError, match="features"):
        corrections(some_weights(11), features)
    with pytest.raises(KernelInputError, match="features"):
        train(stacked([page._replace(features=features)]), some_weights(11))
    with pytest.raises(KernelInputError, match="scores"):
        evidence_logits([bad])
    with pytest.raises(KernelInputError, match="parameters"):
        corrections(np.full(PARAMETERS, bad), page.features)


def test_shapes_that_do_not_fit_are_refused_by_name() -> None:
    weights = some_weights(12)
    pages = stacked(some_pages(12, [4, 5]))
    with pytest.raises(ShapeError, match="29 columns"):
        corrections(weights, np.zeros((3, 28)))
    with pytest.raises(ShapeError, match="parameters"):
        corrections(weights[1:], np.zeros((3, 29)))
    with pytest.raises(ShapeError, match="features"):
        train(replace(pages, scores=np.zeros(8)), weights)
    with pytest.raises(ShapeError, match="starts"):
        train(replace(pages, starts=[0, 9]), weights)
    with pytest.raises(KernelInputError, match="starts"):
        train(replace(pages, starts=[0, 0, 9]), weights)
    with pytest.raises(KernelInputError, match="targets: 5 is no place on a page of 5"):
        train(replace(pages, targets=[0, 5]), weights)
    with pytest.raises(KernelInputError, match="steps"):
        train(pages, weights, steps=-1)
    with pytest.raises(KernelInputError, match=r"adam\.steps"):
        train(pages, weights, adam=AdamState(steps=-1))
    with pytest.raises(KernelInputError, match="learning_rate"):
        train(pages, weights, learning_rate=-0.1)
