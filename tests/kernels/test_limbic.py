"""The limbic score: the worked example, the decay table, and the formula pair by pair."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from biorag.errors import KernelInputError, ShapeError
from biorag.kernels.ranking import (
    CooccurrenceRows,
    LimbicCandidates,
    LimbicParameters,
    limbic_scores,
)
from oracles.limbic import Node, Pair, limbic

ALONE = CooccurrenceRows(row_starts=[0, 0], neighbours=[], counts=[], hours=[])
ONE = LimbicCandidates(ids=[1], base=[1.0], accesses=[3], degrees=[2], hours=[5], max_accesses=3)


def candidates_of(nodes: Sequence[Node], max_accesses: int) -> LimbicCandidates:
    ids, base, accesses, degrees, hours = zip(*nodes, strict=True) if nodes else ((),) * 5
    return LimbicCandidates(
        ids=ids,
        base=base,
        accesses=accesses,
        degrees=degrees,
        hours=hours,
        max_accesses=max_accesses,
    )


def rows_of(nodes: Sequence[Node], adjacency: Mapping[int, Mapping[int, Pair]]) -> CooccurrenceRows:
    rows = [adjacency.get(node.id, {}) for node in nodes]
    pairs = [pair for row in rows for pair in row.values()]
    return CooccurrenceRows(
        row_starts=np.cumsum([0, *map(len, rows)]),
        neighbours=[neighbour for row in rows for neighbour in row],
        counts=[pair.times_seen for pair in pairs],
        hours=[pair.hours for pair in pairs],
    )


def test_the_worked_example_of_the_specification() -> None:
    nodes = [Node(1, 1 - 0.35, 10, 8, 30 * 24), *(Node(i, 0.0, 0, 0, 0) for i in (2, 3, 4))]
    company = {1: {2: Pair(5, 0), 3: Pair(2, 0), 4: Pair(1, 0)}}
    scored = limbic_scores(candidates_of(nodes, 20), rows_of(nodes, company))
    assert scored.scores[0] == pytest.approx(0.9067, abs=5e-5)
    assert scored.importance[0] == pytest.approx(0.8506, abs=5e-5)
    assert scored.temporal[0] == pytest.approx(0.9305, abs=5e-5)
    assert scored.cooccurrence[0] == pytest.approx(np.log2(6 * 3 * 2))


@pytest.mark.parametrize(
    ("hours", "left"),
    [
        (-10, 1.0),
        (1, 0.9999),
        (24, 0.9976),
        (7 * 24, 0.9833),
        (30 * 24, 0.9305),
        (90 * 24, 0.8057),
        (180 * 24, 0.6492),
        (8_766, 0.4162),
        (17_532, 0.1732),
        (np.inf, 0.1),
    ],
)
def test_the_decay_table(hours: float, left: float) -> None:
    assert limbic_scores(replace(ONE, hours=[hours]), ALONE).temporal[0] == pytest.approx(
        left, abs=5e-5
    )


def test_the_floor_begins_after_23_025_hours() -> None:
    before, after = (
        limbic_scores(replace(ONE, hours=[hours]), ALONE).temporal[0] for hours in (23_025, 23_026)
    )
    assert before > 0.1
    assert after == 0.1


hours = st.floats(-100.0, 40_000.0)
pairs = st.builds(Pair, st.integers(0, 10**9), hours)
nodes = st.lists(
    st.builds(
        Node,
        st.integers(1, 30) | st.integers(-(2**62), 2**62),
        st.floats(0.0, 2.0),
        st.integers(0, 50),
        st.integers(0, 40),
        hours,
    ),
    max_size=12,
    unique_by=lambda node: node.id,
)


@given(nodes, st.data())
def test_the_score_is_the_formula_over_all_pairs(pool: list[Node], data: st.DataObject) -> None:
    known = [node.id for node in pool]
    neighbours = st.sampled_from([*known, 31, 32, 2**62 + 1])  # The last three are outside.
    rows = st.dictionaries(neighbours, pairs, max_size=6)
    adjacency = {node_id: data.draw(rows) for node_id in known}
    max_accesses = max((node.accesses for node in pool), default=0)

    scored = limbic_scores(candidates_of(pool, max_accesses), rows_of(pool, adjacency))

    expected = limbic(pool, adjacency, max_accesses)
    found = [tuple(row) for row in np.transpose(scored)]
    # Sums in the same order; the elementary functions of two libraries differ by an ulp.
    assert found == [pytest.approx(tuple(score), rel=1e-12, abs=1e-300) for score in expected]


@given(nodes)
def test_the_order_of_candidates_is_irrelevant(pool: list[Node]) -> None:
    flipped = pool[::-1]
    company = {node.id: {other.id: Pair(1, 0) for other in pool} for node in pool}
    one, other = (
        limbic_scores(candidates_of(order, 50), rows_of(order, company)).scores
        for order in (pool, flipped)
    )
    assert one == pytest.approx(other[::-1])


def test_other_parameters_change_the_score_as_the_formula_says() -> None:
    parameters = LimbicParameters(beta_salience=2.0, gamma=0.5)
    nodes = [Node(1, 0.5, 4, 3, 10.0), Node(2, 0.25, 8, 0, 0.0)]
    company = {1: {2: Pair(3, 0.0)}}
    scored = limbic_scores(candidates_of(nodes, 8), rows_of(nodes, company), parameters)
    expected = limbic(nodes, company, 8, beta_salience=2.0, gamma=0.5)
    assert scored.scores == pytest.approx([score.score for score in expected])


def test_nothing_ever_accessed_means_no_importance() -> None:
    untouched = replace(ONE, accesses=[0], max_accesses=0)
    assert limbic_scores(untouched, ALONE).importance[0] == 0.0


@pytest.mark.parametrize("field", ["base", "accesses", "degrees"])
@pytest.mark.parametrize("value", [np.nan, -1.0, np.inf])
def test_a_count_that_cannot_be_is_refused_by_name(field: str, value: float) -> None:
    known = {"base": [1.0], "accesses": [3.0], "degrees": [2.0], field: [value]}
    broken = LimbicCandidates(ids=[1], hours=[5], max_accesses=3, **known)
    with pytest.raises(KernelInputError, match=f"{field}: expected a finite number from 0"):
        limbic_scores(broken, ALONE)


def test_impossible_co_occurrences_are_refused() -> None:
    row = CooccurrenceRows(row_starts=[0, 1], neighbours=[2], counts=[1], hours=[0])
    with pytest.raises(KernelInputError, match="counts"):
        limbic_scores(ONE, replace(row, counts=[-1]))
    with pytest.raises(KernelInputError, match="hours of co-occurrences"):
        limbic_scores(ONE, replace(row, hours=[np.nan]))
    with pytest.raises(KernelInputError, match="row_starts"):
        limbic_scores(ONE, replace(row, row_starts=[0, 2]))
    with pytest.raises(ShapeError, match="counts"):
        limbic_scores(ONE, replace(row, counts=[1, 1]))
    with pytest.raises(ShapeError, match="row_starts"):
        limbic_scores(ONE, replace(row, row_starts=[0, 1, 1]))


def test_a_candidate_may_come_once_and_with_no_more_accesses_than_the_most() -> None:
    with pytest.raises(KernelInputError, match="ids: 1 is there twice"):
        limbic_scores(
            LimbicCandidates(
                ids=[1, 1],
                base=[1, 1],
                accesses=[0, 0],
                degrees=[0, 0],
                hours=[0, 0],
                max_accesses=0,
            ),
            replace(ALONE, row_starts=[0, 0, 0]),
        )
    with pytest.raises(KernelInputError, match="accesses: expected at most max_accesses"):
        limbic_scores(replace(ONE, max_accesses=2), ALONE)
    with pytest.raises(KernelInputError, match="degree_cap"):
        limbic_scores(ONE, ALONE, LimbicParameters(degree_cap=0))


def test_huge_counts_give_finite_scores() -> None:
    row = CooccurrenceRows(row_starts=[0, 1, 1], neighbours=[2], counts=[1e300], hours=[0])
    pool = LimbicCandidates(
        ids=[1, 2],
        base=[1, 1],
        accesses=[1e300, 0],
        degrees=[1e300, 0],
        hours=[0, 0],
        max_accesses=1e300,
    )
    assert np.isfinite(limbic_scores(pool, row).scores).all()
