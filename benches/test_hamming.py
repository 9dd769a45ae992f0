"""The nearest of a table of 2,048-bit codes, weights included, beside faiss and a plain read.

One thread each. faiss's flat index finds the unweighted nearest; the plain read only folds the
table into one word, which is the least that a look at every row can cost.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from biorag.kernels.vectors import hamming_distances, nearest_codes

CODE_BYTES = 256
K = 10
SIZES = [10_000, 100_000, 1_000_000]


@dataclass(frozen=True)
class Case:
    rows: npt.NDArray[np.uint8]
    query: npt.NDArray[np.uint8]
    planted: int


@pytest.fixture(scope="module", params=SIZES)
def case(request: pytest.FixtureRequest) -> Case:
    size: int = request.param
    rng = np.random.default_rng(7)
    rows = rng.integers(0, 256, (size, CODE_BYTES), dtype=np.uint8)
    planted = size // 3
    noise = np.zeros(CODE_BYTES, dtype=np.uint8)
    noise[rng.integers(0, CODE_BYTES, 100)] = 0b1001
    return Case(rows, rows[planted] ^ noise, planted)


@pytest.fixture
def grouped(benchmark: BenchmarkFixture, case: Case) -> BenchmarkFixture:
    benchmark.group = f"{len(case.rows):,} codes"
    return benchmark


def test_nearest_weighted(grouped: BenchmarkFixture, case: Case) -> None:
    rows, _ = grouped(nearest_codes, case.query, case.rows, K)
    assert len(rows) == K
    assert rows[0] == case.planted


def test_all_distances(grouped: BenchmarkFixture, case: Case) -> None:
    distances = grouped(hamming_distances, case.query, case.rows)
    assert int(distances.argmin()) == case.planted


@pytest.mark.filterwarnings("ignore:builtin type:DeprecationWarning")
def test_nearest_faiss(grouped: BenchmarkFixture, case: Case) -> None:
    faiss = pytest.importorskip("faiss")
    faiss.omp_set_num_threads(1)
    index = faiss.IndexBinaryFlat(8 * CODE_BYTES)
    index.add(case.rows)
    distances, rows = grouped(index.search, case.query[None, :], K)
    expected = np.sort(hamming_distances(case.query, case.rows))[:K]
    assert distances[0].tolist() == expected.tolist()
    assert rows[0, 0] == case.planted


def test_plain_read(grouped: BenchmarkFixture, case: Case) -> None:
    words = case.rows.view(np.uint64).reshape(-1)
    assert grouped(np.bitwise_xor.reduce, words) == np.bitwise_xor.reduce(words)
