"""The ranking neuron in plain numpy, page by page, in float64."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


class Page(NamedTuple):
    """One question: features (k, 29), scores (k,), and the place of the right result."""

    features: Array
    scores: Array
    target: int


def evidence(score: float) -> float:
    """g(s) as the specification writes it."""
    edge = 1e-4
    s = min(max(score, 1e-4), 50.0)
    if s < 1 - edge:
        return math.log(s / (1 - s))
    return math.log((1 - edge) / edge) + (s - (1 - edge)) / (edge * (1 - edge))


def unpack(parameters: Array) -> tuple[Array, Array, Array]:
    """W (6, 29), b (6,) and v (6,) of the flat weights."""
    return parameters[:174].reshape(6, 29), parameters[174:180], parameters[180:]


def corrections(parameters: Array, features: Array) -> Array:
    """v . tanh(W x + b) of each row."""
    w, b, v = unpack(parameters)
    result: Array = np.tanh(features @ w.T + b) @ v
    return result


def loss_and_gradient(
    pages: Sequence[Page], parameters: Array, l2: float, anchor: Array | None = None
) -> tuple[float, Array]:
    """Listwise cross-entropy with a pull towards the anchor, and its slopes by the chain rule."""
    w, b, v = unpack(parameters)
    away = parameters - (0.0 if anchor is None else anchor)
    loss = l2 / 2 * float(away @ away)
    gradient = l2 * away
    for page in pages:
        hidden = np.tanh(page.features @ w.T + b)
        logits = np.array([evidence(score) for score in page.scores]) + hidden @ v
        shares = np.exp(logits - logits.max())
        shares /= shares.sum()
        logits = logits - logits.max()
        loss -= float(logits[page.target] - np.log(np.exp(logits).sum())) / len(pages)
        slopes = shares.copy()
        slopes[page.target] -= 1
        slopes /= len(pages)
        inner = slopes[:, None] * v * (1 - hidden**2)
        gradient[:174] += (inner.T @ page.features).ravel()
        gradient[174:180] += inner.sum(axis=0)
        gradient[180:] += hidden.T @ slopes
    return loss, gradient


def train(
    pages: Sequence[Page],
    parameters: Array,
    steps: int,
    learning_rate: float,
    l2: float,
    anchor: Array | None = None,
) -> tuple[Array, list[float]]:
    """Weights and losses of some Adam steps from a fresh state."""
    mean = np.zeros_like(parameters)
    square = np.zeros_like(parameters)
    losses = []
    for step in range(1, steps + 1):
        loss, gradient = loss_and_gradient(pages, parameters, l2, anchor)
        losses.append(loss)
        mean = 0.9 * mean + 0.1 * gradient
        square = 0.999 * square + 0.001 * gradient**2
        corrected = mean / (1 - 0.9**step)
        scale = np.sqrt(square / (1 - 0.999**step)) + 1e-8
        parameters = parameters - learning_rate * corrected / scale
    return parameters, losses
