from __future__ import annotations

import math

import numpy as np
import pytest

from biorag.evaluation.collections import Asked
from biorag.evaluation.metrics import MEASURES, RESAMPLES, bootstrap_means, figures, interval


def _asked(key: str, grades: dict[str, int]) -> Asked:
    return Asked(key=key, text="?", language="en", category="plain", grades=grades)


def test_figures_agree_with_a_calculation_by_hand() -> None:
    asked = _asked("q", {"a": 1, "b": 1, "c": 1})
    found = figures([asked], {"q": ["x", "a", "y", "z", "b", "w"]})
    ideal = 1 + 1 / math.log2(3) + 1 / math.log2(4)
    expected = {
        "nDCG@10": (1 / math.log2(3) + 1 / math.log2(6)) / ideal,
        "RR@10": 1 / 2,
        "R@1": 0.0,
        "R@5": 2 / 3,
        "R@10": 2 / 3,
        "R@20": 2 / 3,
        "Success@1": 0.0,
        "Success@5": 1.0,
        "Success@10": 1.0,
    }
    assert {name: float(values[0]) for name, values in found.items()} == pytest.approx(expected)


def test_a_grade_gains_two_to_its_power_minus_one() -> None:
    asked = _asked("q", {"best": 4, "fair": 1})
    found = figures([asked], {"q": ["fair", "best"]})
    got = 1 + 15 / math.log2(3)
    ideal = 15 + 1 / math.log2(3)
    assert found["nDCG@10"][0] == pytest.approx(got / ideal)


def test_a_relevant_document_beyond_the_tenth_counts_for_recall_at_twenty_alone() -> None:
    ranking = [f"x{n}" for n in range(10)] + ["a"]
    found = figures([_asked("q", {"a": 1})], {"q": ranking})
    positive = {name for name, values in found.items() if values[0] > 0}
    assert positive == {"R@20"}


def test_a_question_left_unanswered_scores_zero_and_still_counts() -> None:
    found = figures([_asked("q", {"a": 1}), _asked("r", {"b": 1})], {"q": ["a"], "r": []})
    assert {name: list(values) for name, values in found.items()} == {
        name: [1.0, 0.0] for name in MEASURES
    }


def test_values_come_in_the_order_of_the_questions() -> None:
    asked = [_asked(f"q{n}", {"a": 1}) for n in (3, 1, 2)]
    found = figures(asked, {"q3": ["x", "a"], "q1": ["a"], "q2": ["x", "y", "z", "a"]})
    assert list(found["RR@10"]) == [0.5, 1.0, 0.25]


def test_an_interval_holds_the_mean_and_narrows_with_more_questions() -> None:
    few = np.array([[0.0], [1.0]] * 10)
    many = np.array([[0.0], [1.0]] * 1000)
    low, high = interval(bootstrap_means(few)[:, 0])
    narrow_low, narrow_high = interval(bootstrap_means(many)[:, 0])
    assert low < narrow_low < 0.5 < narrow_high < high


def test_the_interval_of_a_share_is_near_the_textbook_one() -> None:
    column = np.array([[1.0]] * 300 + [[0.0]] * 100)
    low, high = interval(bootstrap_means(column)[:, 0])
    half = 1.96 * math.sqrt(0.75 * 0.25 / 400)
    # 2,000 resamples put a percentile within about 3 % of the interval's width.
    assert (low, high) == pytest.approx((0.75 - half, 0.75 + half), abs=0.005)


def test_two_columns_see_the_same_draws() -> None:
    column = np.random.default_rng(7).random((50, 1))
    means = bootstrap_means(np.hstack([column, column + 0.25]))
    assert means.shape == (RESAMPLES, 2)
    assert means[:, 1] - means[:, 0] == pytest.approx(np.full(RESAMPLES, 0.25))


def test_bootstrap_repeats_itself() -> None:
    column = np.random.default_rng(7).random((20, 1))
    assert np.array_equal(bootstrap_means(column), bootstrap_means(column))
