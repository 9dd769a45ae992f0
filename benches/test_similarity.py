"""Similarity kernels beside numpy and zlib, boundary included, on a pool of 200 candidates."""

from __future__ import annotations

import random

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from biorag.kernels.arrays import FloatArray
from biorag.kernels.ranking import jensen_shannon_similarity

POOL = 200
TERMS = 8
LENGTH = 300

rng = np.random.default_rng(7)
QUERY_COUNTS = np.ones(TERMS)
COUNTS = rng.poisson(0.5, (POOL, TERMS)).astype(np.float64)
LENGTHS = COUNTS.sum(axis=1) + rng.integers(10, 80, POOL)

# Words of natural lengths with a skewed distribution, so that copies are as common as in prose.
words = random.Random(7)
VOCABULARY = ["".join(words.choices("aeiounrstldcmp", k=words.randint(2, 9))) for _ in range(800)]
WEIGHTS = [1 / rank for rank in range(1, 801)]
TEXTS = [" ".join(words.choices(VOCABULARY, WEIGHTS, k=60))[:LENGTH] for _ in range(POOL)]
QUERY = " ".join(words.choices(VOCABULARY, WEIGHTS, k=10))


def jensen_shannon_numpy() -> FloatArray:
    p = QUERY_COUNTS / QUERY_COUNTS.sum()
    q = COUNTS / LENGTHS[:, None]
    mixture = (p + q) / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        from_query = p * np.log2(p / mixture)
        from_document = np.where(q > 0, q * np.log2(q / mixture), 0.0)
    divergence = (from_query + from_document).sum(axis=1) / 2 + (1 - q.sum(axis=1)) / 2
    similarities: FloatArray = 1 - np.sqrt(divergence)
    return similarities


@pytest.mark.benchmark(group="jensen_shannon 200 x 8")
def test_jensen_shannon_native(benchmark: BenchmarkFixture) -> None:
    similar = benchmark(jensen_shannon_similarity, QUERY_COUNTS, COUNTS, LENGTHS)
    assert np.allclose(similar, jensen_shannon_numpy())


@pytest.mark.benchmark(group="jensen_shannon 200 x 8")
def test_jensen_shannon_rival_numpy(benchmark: BenchmarkFixture) -> None:
    benchmark(jensen_shannon_numpy)
