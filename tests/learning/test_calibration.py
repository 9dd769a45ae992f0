"""Thresholds from the specification's arithmetic, and questions that owe the engine nothing."""

from __future__ import annotations

import math
import subprocess
import sys
from collections import Counter
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biorag import Memory, NewMemory
from biorag.kernels.index import TextIndex, analyse_documents
from biorag.learning.calibration import (
    METHOD,
    Certainties,
    calibrated,
    conformal_threshold,
    effective_alpha,
    platt,
    quantile,
    why_due,
)
from biorag.learning.self_questions import QuestionMaker, foreign_questions
from biorag.model import Calibration

TOPICS = ("harbour", "cellar", "orchard", "bridge", "kitchen", "tower", "garden", "market")
THINGS = ("boat", "key", "ladder", "lantern", "barrel", "rope", "basket", "hammer", "kettle")
values = st.lists(st.floats(0.0, 10.0), min_size=1, max_size=60)
alphas = st.floats(0.01, 0.5)


def texts(count: int) -> list[str]:
    return [
        f"The {THINGS[n % 9]} number {n} is kept in the {TOPICS[n % 8]} beside {THINGS[n % 7]}s."
        for n in range(count)
    ]


def index_of(count: int) -> TextIndex:
    index = TextIndex()
    documents = [(f"n{n}", "", "", "", text) for n, text in enumerate(texts(count))]
    index.put(list(range(1, count + 1)), analyse_documents(documents, ["en"] * count, "en", None))
    return index


class TestThreshold:
    def test_it_is_the_ceiled_rank_of_the_specification(self) -> None:
        certainties = [float(n) for n in range(1, 10)]
        # n = 9, alpha = .1: ceil(10 * .9) = the 9th; alpha = .2: ceil(10 * .8) = the 8th.
        assert conformal_threshold(certainties, 0.1) == 9.0
        assert conformal_threshold(certainties, 0.2) == 8.0
        assert conformal_threshold(certainties[::-1], 0.25) == 8.0
        assert conformal_threshold([float(n) for n in range(400)], 0.1) == 360.0

    def test_alpha_is_not_below_what_so_few_can_promise(self) -> None:
        assert effective_alpha(0.01, 9) == 0.1
        assert effective_alpha(0.01, 400) == 0.01
        assert conformal_threshold([1.0, 2.0, 3.0], 0.0001) == 3.0

    def test_it_needs_negatives(self) -> None:
        with pytest.raises(ValueError, match="at least one"):
            conformal_threshold([], 0.1)

    @given(values, alphas)
    def test_at_most_alpha_of_one_more_question_passes(
        self, found: list[float], alpha: float
    ) -> None:
        """Left out in turn, each of n + 1 exchangeable values passes the others' threshold."""
        everyone = [*found, max(found) + 1.0]
        passing = sum(
            value > conformal_threshold(everyone[:at] + everyone[at + 1 :], alpha)
            for at, value in enumerate(everyone)
        )
        assert passing <= effective_alpha(alpha, len(found)) * len(everyone) + 1e-6

    @given(values, alphas, alphas)
    def test_a_smaller_alpha_is_stricter(self, found: list[float], a: float, b: float) -> None:
        assert conformal_threshold(found, min(a, b)) >= conformal_threshold(found, max(a, b))


class TestCalibration:
    def found(self) -> Certainties:
        return Certainties(
            near=tuple(n / 100 for n in range(40)),
            wide=tuple(n / 200 for n in range(40)),
            foreign=tuple(n / 300 for n in range(40)),
            answerable=tuple(0.3 + n / 50 for n in range(40)),
        )

    def calibration(self, found: Certainties, alpha: float = 0.1) -> Calibration:
        return calibrated(found, alpha=alpha, by_hand=False, memories=100, at=0.0)

    def test_direct_evidence_asks_for_more_than_an_answer(self) -> None:
        calibration = self.calibration(self.found())
        assert calibration.direct_above >= calibration.abstain_at
        assert calibration.direct_above == conformal_threshold(self.found().near, 0.1)

    def test_a_store_that_knows_its_own_questions_refuses_near_ones_too(self) -> None:
        found = self.found()
        plain = self.calibration(Certainties(found.near, found.wide, found.foreign, (0.0,) * 40))
        sure = self.calibration(Certainties(found.near, found.wide, found.foreign, (9.0,) * 40))
        far = conformal_threshold((*found.wide, *3 * found.foreign), 0.1)
        assert plain.abstain_at == far
        assert sure.abstain_at == conformal_threshold(found.near, 0.08) > far

    def test_more_certainty_is_more_probable(self) -> None:
        calibration = self.calibration(self.found())
        assert calibration.slope > 0.0

    @given(values, values)
    def test_the_probability_never_falls_with_certainty(
        self, positives: list[float], negatives: list[float]
    ) -> None:
        slope, intercept = platt(positives, negatives)
        assert slope >= 0.0
        assert math.isfinite(slope)
        assert math.isfinite(intercept)

    def test_the_scale_is_the_logistic_regression_of_both_kinds(self) -> None:
        """Where both kinds look alike the scale says one half; apart, it tells them."""
        slope, intercept = platt([1.0, 2.0, 3.0], [1.0, 2.0, 3.0])
        assert slope == pytest.approx(0.0, abs=1e-3)
        assert intercept == pytest.approx(0.0, abs=0.3)
        slope, intercept = platt([0.8, 0.9, 1.0] * 50, [0.0, 0.1, 0.2] * 50)
        assert 1 / (1 + math.exp(-(slope * 0.9 + intercept))) > 0.9
        assert 1 / (1 + math.exp(-(slope * 0.1 + intercept))) < 0.1

    @given(values, st.floats(0.01, 1.0))
    def test_a_quantile_is_not_exceeded_by_its_share(
        self, found: list[float], share: float
    ) -> None:
        assert sum(value <= quantile(found, share) for value in found) >= share * len(found) - 1e-6


class TestDrift:
    KNOWN = calibrated(
        Certainties((0.1,) * 40, (0.1,) * 40, (0.1,) * 40, (0.5,) * 40),
        alpha=0.1,
        by_hand=False,
        memories=100,
        at=0.0,
    )

    def test_a_fifth_more_or_less_is_still_the_same_store(self) -> None:
        assert why_due(self.KNOWN, 120, 0.1) is None
        assert why_due(self.KNOWN, 80, 0.1) is None

    def test_beyond_a_fifth_it_is_due(self) -> None:
        assert why_due(self.KNOWN, 121, 0.1) == "drift"
        assert why_due(self.KNOWN, 79, 0.1) == "drift"

    def test_another_alpha_or_another_statistic_is_due(self) -> None:
        assert self.KNOWN.method == METHOD
        assert why_due(None, 100, 0.1) == "first"
        assert why_due(self.KNOWN, 100, 0.05) == "alpha"


class TestQuestions:
    def test_the_same_store_is_asked_the_same_questions(self) -> None:
        one = QuestionMaker(index_of(60), seed=1).questions(40, hidden_share=0.05)
        other = QuestionMaker(index_of(60), seed=1).questions(40, hidden_share=0.05)
        assert one == other
        assert len({question.text for question in one}) > 30

    def test_a_question_is_asked_without_its_memory_and_those_like_it(self) -> None:
        index = index_of(300)
        for question in QuestionMaker(index, seed=1).questions(20, hidden_share=0.05):
            assert question.source in question.hidden
            assert len(set(question.hidden)) == len(question.hidden) == 1 + 15

    def test_at_least_five_neighbours_and_at_most_half_the_store_are_hidden(self) -> None:
        small = QuestionMaker(index_of(100), seed=1).questions(5, hidden_share=0.01)
        assert {len(question.hidden) for question in small} == {6}
        tiny = QuestionMaker(index_of(6), seed=1).questions(5, hidden_share=0.05)
        assert {len(question.hidden) for question in tiny} == {4}

    def test_an_answerable_question_shares_words_with_its_memory(self) -> None:
        index = index_of(50)
        for question in QuestionMaker(index, seed=3).questions(30):
            known = {word for word, _ in index.document_words(question.source)}
            assert known & set(question.text.split())
            assert question.hidden == ()

    def test_the_shipped_questions_are_half_in_each_language_and_of_many_styles(self) -> None:
        text = files("biorag.learning").joinpath("data/foreign_questions.tsv").read_text("utf-8")
        rows = [line.split("\t") for line in text.splitlines()]
        assert len(rows) == len(foreign_questions()) == len(set(foreign_questions())) >= 300
        languages = Counter(language for language, _, _ in rows)
        assert languages["en"] == languages["es"]
        assert len({style for _, style, _ in rows}) >= 8


def test_two_processes_find_the_same_thresholds() -> None:
    script = (
        "from biorag import Memory, NewMemory\n"
        "from learning.test_calibration import texts\n"
        "with Memory.open(':memory:') as memory:\n"
        "    memory.learn_many(NewMemory(name=f'n{n}', content=t) for n, t in"
        " enumerate(texts(60)))\n"
        "    found = memory.calibrate().calibration\n"
        "print(repr((found.abstain_at, found.direct_above, found.slope, found.intercept)))\n"
    )
    said = [
        subprocess.run(
            [sys.executable, "-c", script],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONPATH": ":".join(sys.path), "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    ]
    assert said[0] == said[1] != ""


def test_the_order_in_which_memories_came_and_went_does_not_matter(memory: Memory) -> None:
    memory.learn_many(NewMemory(name=f"n{n}", content=text) for n, text in enumerate(texts(70)))
    memory.recall("boat")
    memory.forget(*(f"n{n}" for n in range(40, 70)))
    went = memory.calibrate(force=True).calibration
    with Memory.open(":memory:") as fresh:
        fresh.learn_many(NewMemory(name=f"n{n}", content=text) for n, text in enumerate(texts(40)))
        never_came = fresh.calibrate().calibration
    assert went is not None
    assert never_came is not None
    assert (went.abstain_at, went.slope) == (never_came.abstain_at, never_came.slope)
