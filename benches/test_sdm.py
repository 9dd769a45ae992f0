"""Codes of memories: making them, and the most alike by weighted Jaccard, beside numpy.

The rival is the best of what numpy offers: words of 64 bits combined, their bits counted, and one
product with the weights, which BLAS does. Each row's own weight is known beforehand to both, and
both give the same memories.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from biorag.kernels.sdm import CODE_BYTES, CodeTable, most_alike, sdm_codes

K = 10
SIZES = [1_000, 10_000, 100_000]
# Whole tenths below 2^24: exact in single precision, in whatever order they are summed.
WORD_TENTHS = np.repeat([10, 25, 15, 12], [12, 16, 2, 2]).astype(np.float32)


@dataclass(frozen=True)
class Case:
    table: CodeTable
    words: npt.NDArray[np.uint64]
    tenths: npt.NDArray[np.float32]
    query: bytes


@pytest.fixture(scope="module", params=SIZES)
def case(request: pytest.FixtureRequest, texts: list[str]) -> Case:
    size: int = request.param
    codes = sdm_codes(documents(texts[:size]))
    table = CodeTable()
    table.put(list(range(size)), codes)
    query = codes[(size // 3) * CODE_BYTES :][:CODE_BYTES]
    words = np.frombuffer(codes, dtype=np.uint64).reshape(size, CODE_BYTES // 8)
    return Case(table, words, tenths_of(words), query)


@pytest.fixture
def grouped(benchmark: BenchmarkFixture, case: Case) -> BenchmarkFixture:
    benchmark.group = f"most alike of {len(case.words):,}"
    return benchmark


def documents(texts: list[str]) -> list[tuple[str, str, list[tuple[str, float]], str, list[str]]]:
    return [
        (text, f"t{nth}", [(f"tema:{nth % 40}", 3.7)], f"c{nth % 8}", [f"t{nth + 1}"])
        for nth, text in enumerate(texts)
    ]


def tenths_of(words: npt.NDArray[np.uint64]) -> npt.NDArray[np.float32]:
    tenths: npt.NDArray[np.float32] = np.bitwise_count(words).astype(np.float32) @ WORD_TENTHS
    return tenths


def numpy_most_alike(case: Case) -> list[int]:
    query = np.frombuffer(case.query, dtype=np.uint64)
    differing = tenths_of(case.words ^ query)
    both = case.tenths.astype(np.float64) + float(tenths_of(query[None])[0])
    unlike = differing / (both + differing)
    near = np.flatnonzero(unlike <= np.partition(unlike, K)[K])
    return [int(row) for row in near[np.argsort(unlike[near], kind="stable")][:K]]


def test_most_alike(grouped: BenchmarkFixture, case: Case) -> None:
    found = grouped(most_alike, case.table, case.query, K)
    assert [number for number, _ in found] == numpy_most_alike(case)
    assert found[0] == (len(case.words) // 3, 1.0)


def test_most_alike_rival_numpy(grouped: BenchmarkFixture, case: Case) -> None:
    assert len(grouped(numpy_most_alike, case)) == K


@pytest.mark.benchmark(group="codes of 2,000 texts")
def test_codes(benchmark: BenchmarkFixture, texts: list[str]) -> None:
    given = documents(texts[:2_000])
    assert len(benchmark(sdm_codes, given)) == 2_000 * CODE_BYTES
