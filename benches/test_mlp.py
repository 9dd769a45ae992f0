"""The ranking neuron beside numpy and torch in float64: one page forward, one training cycle.

Torch is measured where it is installed; it is no dependency of the project.
"""

from __future__ import annotations

import importlib
from functools import cache

import numpy as np
import numpy.typing as npt
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from biorag.kernels.arrays import FloatArray
from biorag.kernels.learning import (
    FEATURES,
    HIDDEN,
    PARAMETERS,
    TrainingPages,
    corrections,
    evidence_logits,
    train,
)

PAGES = 1_200
PAGE = 10
STEPS = 30
RATE = 0.03
L2 = 1e-3


class Case:
    def __init__(self) -> None:
        rng = np.random.default_rng(29)
        features = rng.random((PAGES, PAGE, FEATURES))
        features[rng.random(features.shape) < 0.4] = 0.0  # Most signals are silent somewhere.
        self.features = features
        self.scores = np.sort(rng.random((PAGES, PAGE)), axis=1)[:, ::-1].copy()
        self.targets = rng.integers(0, PAGE, PAGES)
        self.parameters = rng.normal(0.0, 0.1, PARAMETERS)
        self.evidence = evidence_logits(self.scores.ravel()).reshape(PAGES, PAGE)
        self.pages = TrainingPages(
            features=features.reshape(-1, FEATURES),
            scores=self.scores.ravel(),
            starts=np.arange(PAGES + 1) * PAGE,
            targets=self.targets,
        )


@cache
def case() -> Case:
    return Case()


def unpacked(parameters: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    edge = HIDDEN * FEATURES
    weights = parameters[:edge].reshape(HIDDEN, FEATURES)
    return weights, parameters[edge : edge + HIDDEN], parameters[edge + HIDDEN :]


def forward_numpy(parameters: FloatArray, features: FloatArray) -> FloatArray:
    w, b, v = unpacked(parameters)
    result: FloatArray = np.tanh(features @ w.T + b) @ v
    return result


def train_numpy(case: Case) -> list[float]:
    """All pages at once, every product one matrix product."""
    features = case.features.reshape(-1, FEATURES)
    rows = np.arange(PAGES)
    parameters = case.parameters.copy()
    mean, square = np.zeros(PARAMETERS), np.zeros(PARAMETERS)
    losses = []
    for step in range(1, STEPS + 1):
        w, b, v = unpacked(parameters)
        hidden = np.tanh(features @ w.T + b)
        logits = case.evidence + (hidden @ v).reshape(PAGES, PAGE)
        logits -= logits.max(axis=1, keepdims=True)
        shares = np.exp(logits)
        totals = shares.sum(axis=1)
        target_logits = logits[rows, case.targets]
        pull = L2 / 2 * float(parameters @ parameters)
        losses.append(float(np.mean(np.log(totals) - target_logits)) + pull)
        shares /= totals[:, None]
        shares[rows, case.targets] -= 1
        slopes = shares.ravel() / PAGES
        inner = slopes[:, None] * v * (1 - hidden * hidden)
        gradient = np.concatenate(
            [(inner.T @ features).ravel(), inner.sum(axis=0), slopes @ hidden]
        )
        gradient += L2 * parameters
        mean = 0.9 * mean + 0.1 * gradient
        square = 0.999 * square + 0.001 * gradient * gradient
        scale = np.sqrt(square / (1 - 0.999**step)) + 1e-8
        parameters = parameters - RATE * (mean / (1 - 0.9**step)) / scale
    return losses


def train_torch(case: Case) -> list[float]:
    torch = importlib.import_module("torch")
    features = torch.from_numpy(case.features)
    evidence = torch.from_numpy(case.evidence)
    targets = torch.from_numpy(case.targets)
    w, b, v = (torch.tensor(part, requires_grad=True) for part in unpacked(case.parameters))
    adam = torch.optim.Adam([w, b, v], lr=RATE)
    losses = []
    for _ in range(STEPS):
        adam.zero_grad()
        logits = evidence + torch.tanh(features @ w.T + b) @ v
        pull = L2 / 2 * sum((part * part).sum() for part in (w, b, v))
        loss = torch.nn.functional.cross_entropy(logits, targets) + pull
        loss.backward()
        adam.step()
        losses.append(loss.item())
    return losses


def train_native(case: Case) -> FloatArray:
    return train(case.pages, case.parameters, steps=STEPS, learning_rate=RATE, l2=L2).losses


def one_page() -> tuple[FloatArray, npt.NDArray[np.float64]]:
    return case().parameters, case().features[0]


@pytest.mark.benchmark(group="mlp forward, a page of 10")
def test_forward_native(benchmark: BenchmarkFixture) -> None:
    assert np.allclose(benchmark(corrections, *one_page()), forward_numpy(*one_page()))


@pytest.mark.benchmark(group="mlp forward, a page of 10")
def test_forward_rival_numpy(benchmark: BenchmarkFixture) -> None:
    benchmark(forward_numpy, *one_page())


@pytest.mark.benchmark(group="mlp training, 30 x 1,200 x 10")
def test_training_native(benchmark: BenchmarkFixture) -> None:
    losses = benchmark(train_native, case())
    assert np.abs(losses - train_numpy(case())).max() < 1e-9


@pytest.mark.benchmark(group="mlp training, 30 x 1,200 x 10")
def test_training_rival_numpy(benchmark: BenchmarkFixture) -> None:
    benchmark(train_numpy, case())


@pytest.mark.benchmark(group="mlp training, 30 x 1,200 x 10")
def test_training_rival_torch(benchmark: BenchmarkFixture) -> None:
    pytest.importorskip("torch")
    losses = benchmark(train_torch, case())
    assert np.abs(np.array(losses) - train_numpy(case())).max() < 1e-6
