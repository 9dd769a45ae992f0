"""The fit of the weights: it takes what helps everywhere, and refuses trades between corpora."""

from __future__ import annotations

import numpy as np
import pytest

from biorag.evaluation.fitting import Observed, Sample, fit
from biorag.signals import all_signals

SIGNALS = all_signals()
COLUMN = {signal.name: place for place, signal in enumerate(SIGNALS)}


def question(wrong: dict[str, float], right: dict[str, float]) -> Observed:
    """Two candidates with these signals, the second of which answers."""
    values = np.zeros((2, len(SIGNALS)))
    for row, given in enumerate((wrong, right)):
        for name, value in given.items():
            values[row, COLUMN[name]] = value
    return Observed(
        values=values,
        ids=np.array([1, 2]),
        holds_phrase=np.zeros(2, dtype=bool),
        gains=np.array([0.0, 1.0]),
        ideal=1.0,
    )


def sample(corpus: str, *questions: Observed) -> Sample:
    return Sample(corpus=corpus, questions=questions, bm25=0.5)


# Words speak a little for the wrong one, jsd for the right one.
HELPED = question({"bm25_norm": 0.5}, {"bm25_norm": 0.45, "jsd": 1.0})
HARMED = question({"bm25_norm": 0.45, "jsd": 1.0}, {"bm25_norm": 0.5})
SURE = question({}, {"bm25_norm": 1.0})


def test_a_weight_that_helps_one_corpus_and_harms_none_is_raised() -> None:
    found = fit([sample("one", HELPED, SURE), sample("two", SURE)])
    assert found.weights["jsd"] > next(s.weight for s in SIGNALS if s.name == "jsd")
    assert found.steps[-1].gains["one"] == pytest.approx(0.5)  # 1 over BM25's .5
    assert found.start["one"] < 0.5
    assert found.steps[0].signal == "jsd"


def test_a_win_on_one_corpus_does_not_pay_for_a_loss_on_another() -> None:
    found = fit([sample("one", HELPED, HELPED, HELPED), sample("two", HARMED)])
    assert found.steps == ()


def test_what_holds_the_scale_is_not_fitted() -> None:
    found = fit([sample("one", HELPED)])
    for signal in SIGNALS:
        if signal.joint is not None or signal.bonus:
            assert found.weights[signal.name] == signal.weight


def test_a_fit_is_the_same_twice() -> None:
    samples = [sample("one", HELPED, SURE), sample("two", SURE)]
    assert fit(samples) == fit(samples)
