"""Limbic scoring of a candidate set beside Python adjacency lists and numpy over the same CSR.

Each candidate has 20 partners, half of them candidates too, as memories that are recalled together
have. The inputs are ready arrays (or dictionaries) in each contestant's own form.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

import numpy as np
import numpy.typing as npt
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from biorag.kernels.arrays import FloatArray
from biorag.kernels.ranking import CooccurrenceRows, LimbicCandidates, limbic_scores

STORE = 20_000
PARTNERS = 20
SIZES = [300, 3_000]


class Case:
    def __init__(self, size: int) -> None:
        rng = np.random.default_rng(size)
        self.ids = rng.choice(STORE, size, replace=False).astype(np.int64)
        self.base = rng.random(size)
        self.accesses = rng.poisson(4, size).astype(np.float64)
        self.degrees = rng.poisson(6, size).astype(np.float64)
        self.hours = rng.exponential(2_000, size)
        half = PARTNERS // 2
        inside = np.stack([rng.choice(self.ids, half, replace=False) for _ in range(size)])
        outside = rng.integers(STORE, 2 * STORE, (size, half))
        self.neighbours = rng.permuted(np.hstack([inside, outside]), axis=1).ravel()
        self.row_starts = np.arange(size + 1, dtype=np.int64) * PARTNERS
        self.counts = rng.geometric(0.3, size * PARTNERS).astype(np.float64)
        self.pair_hours = rng.exponential(4_000, size * PARTNERS)
        self.max_accesses = float(self.accesses.max())
        self.adjacency = {
            int(node): {
                int(self.neighbours[entry]): (
                    self.counts[entry].item(),
                    self.pair_hours[entry].item(),
                )
                for entry in range(self.row_starts[row], self.row_starts[row + 1])
            }
            for row, node in enumerate(self.ids)
        }
        self.nodes = list(
            zip(
                self.ids.tolist(),
                self.base.tolist(),
                self.accesses.tolist(),
                self.degrees.tolist(),
                self.hours.tolist(),
                strict=True,
            )
        )


@cache
def case_of(size: int) -> Case:
    return Case(size)


def native(case: Case) -> FloatArray:
    return limbic_scores(
        LimbicCandidates(
            ids=case.ids,
            base=case.base,
            accesses=case.accesses,
            degrees=case.degrees,
            hours=case.hours,
            max_accesses=case.max_accesses,
        ),
        CooccurrenceRows(
            row_starts=case.row_starts,
            neighbours=case.neighbours,
            counts=case.counts,
            hours=case.pair_hours,
        ),
    ).scores


def with_numpy(case: Case) -> FloatArray:
    """Any node ids, so membership is `np.isin`."""
    return numpy_scores(case, np.isin(case.neighbours, case.ids))


def with_numpy_dense_ids(case: Case) -> FloatArray:
    """Node ids known to be small, so membership is one look-up in an array as long as the store."""
    member = np.zeros(2 * STORE, dtype=bool)
    member[case.ids] = True
    return numpy_scores(case, member[case.neighbours])


def numpy_scores(case: Case, is_candidate: npt.NDArray[np.bool_]) -> FloatArray:
    share = np.log2(1 + case.accesses) / np.log2(1 + case.max_accesses)
    importance = share * (1 + 0.15 * np.minimum(case.degrees, 15) / 15)
    temporal = np.maximum(0.1, np.exp(-0.0001 * np.maximum(case.hours, 0)))
    owners = np.repeat(np.arange(case.ids.size), np.diff(case.row_starts))
    kept = is_candidate & (case.neighbours != case.ids[owners])
    decay = np.maximum(0.1, np.exp(-0.0001 * np.maximum(case.pair_hours[kept], 0)))
    company = np.bincount(
        owners[kept], weights=np.log2(1 + case.counts[kept]) * decay, minlength=case.ids.size
    )
    scores: FloatArray = case.base * (1 + 0.5 * importance) * temporal * (1 + 0.01 * company)
    return scores


def with_python_adjacency(case: Case) -> list[float]:
    """Each candidate's adjacency dictionary walked once, with a set of the candidates."""
    scores = []
    members = {node[0] for node in case.nodes}
    for node, base, accesses, degree, hours in case.nodes:
        share = math.log2(1 + accesses) / math.log2(1 + case.max_accesses)
        importance = share * (1 + 0.15 * min(degree, 15) / 15)
        temporal = max(0.1, math.exp(-0.0001 * max(hours, 0.0)))
        company = 0.0
        for other, (count, pair_hours) in case.adjacency[node].items():
            if other in members and other != node:
                decay = max(0.1, math.exp(-0.0001 * max(pair_hours, 0.0)))
                company += math.log2(1 + count) * decay
        scores.append(base * (1 + 0.5 * importance) * temporal * (1 + 0.01 * company))
    return scores


@pytest.mark.parametrize("size", SIZES)
def test_limbic_native(benchmark: BenchmarkFixture, size: int) -> None:
    benchmark.group = f"limbic, {size} candidates"
    case = case_of(size)
    scores = benchmark(native, case)
    assert np.allclose(scores, with_numpy(case), rtol=1e-12)
    assert np.allclose(scores, with_python_adjacency(case), rtol=1e-12)


@pytest.mark.parametrize(
    "rival", [with_numpy, with_numpy_dense_ids, with_python_adjacency], ids=lambda f: f.__name__
)
@pytest.mark.parametrize("size", SIZES)
def test_limbic_rival(
    benchmark: BenchmarkFixture, rival: Callable[[Case], object], size: int
) -> None:
    benchmark.group = f"limbic, {size} candidates"
    benchmark(rival, case_of(size))
