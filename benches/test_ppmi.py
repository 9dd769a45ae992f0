"""Training word vectors, beside scikit-learn's randomised SVD on the same matrix.

Both take four power iterations and the same width; scikit-learn works in scipy's sparse products.
The rival gets the PPMI matrix for nothing; ours is timed with and without making it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from biorag.evaluation.synthetic import synthetic_texts
from biorag.kernels.index import TextIndex, analyse_documents
from biorag.kernels.spaces import Sparse, term_matrix
from biorag.learning.ppmi import (
    FEWEST_DOCUMENTS,
    OVERSAMPLING,
    POWER_ITERATIONS,
    ppmi,
    train,
    truncated_svd,
)

DOCUMENTS = 10_000
RANK = 100
COMPARED = 20  # directions; further ones are nearly as strong as each other, and may turn

Float32Array = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Case:
    index: TextIndex
    matrix: Sparse


@pytest.fixture(scope="module")
def case() -> Case:
    texts = synthetic_texts(DOCUMENTS)
    index = TextIndex()
    documents = [("", "", "", "", text) for text in texts]
    index.put(
        list(range(1, DOCUMENTS + 1)),
        analyse_documents(documents, ["en"] * DOCUMENTS, "en", None),
    )
    return Case(index, ppmi(term_matrix(index, fewest=FEWEST_DOCUMENTS)))


def test_svd(benchmark: BenchmarkFixture, case: Case) -> None:
    benchmark.group = f"SVD of {DOCUMENTS:,} documents"
    left, strength = benchmark.pedantic(truncated_svd, (case.matrix, RANK), rounds=3)
    assert left.shape == (case.matrix.rows, RANK)
    assert np.all(np.diff(strength) <= 1e-3 * strength[0])


def test_svd_scikit_learn(benchmark: BenchmarkFixture, case: Case) -> None:
    benchmark.group = f"SVD of {DOCUMENTS:,} documents"
    pytest.importorskip("sklearn")
    left, strength = benchmark.pedantic(_scikit_learn, (case.matrix,), rounds=3)
    ours, own_strength = truncated_svd(case.matrix, RANK)
    assert own_strength[:COMPARED] == pytest.approx(strength[:COMPARED], rel=0.01)
    # The cosine of the largest angle between the two subspaces.
    angles = np.linalg.svd(ours[:, :COMPARED].T @ left[:, :COMPARED], compute_uv=False)
    assert angles.min() > 0.95


def test_whole_training(benchmark: BenchmarkFixture, case: Case) -> None:
    benchmark.group = f"SVD of {DOCUMENTS:,} documents"
    training = benchmark.pedantic(train, (case.index,), rounds=3)
    assert training is not None
    assert training.documents == DOCUMENTS


def _scikit_learn(matrix: Sparse) -> tuple[Float32Array, Float32Array]:
    from scipy.sparse import csr_matrix
    from sklearn.utils.extmath import randomized_svd

    held = csr_matrix(
        (matrix.values, matrix.positions, matrix.starts), shape=(matrix.rows, matrix.columns)
    )
    left, strength, _ = randomized_svd(
        held, RANK, n_oversamples=OVERSAMPLING, n_iter=POWER_ITERATIONS, random_state=1
    )
    return left, strength
