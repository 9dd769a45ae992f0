"""The ranking neuron: a 29-6-1 perceptron over one page of results, forward and training.

The weights are one flat array of 186: W (6 x 29, row-major), then b (6), then v (6). The correction
of a result with features x is `v . tanh(W x + b)`; with v = 0 the neuron changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from biorag import _native
from biorag.errors import KernelInputError, ShapeError
from biorag.kernels.arrays import FloatArray, float_array, int_array

FEATURES = 29
HIDDEN = 6
PARAMETERS = HIDDEN * FEATURES + 2 * HIDDEN


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingPages:
    """Pages to learn from: c pages of r results in all, one page after the other.

    Attributes:
        features: Shape (r, 29).
        scores: Shape (r,): the served score of each result.
        starts: Shape (c + 1,): page i is results `starts[i]:starts[i + 1]`, at least one.
        targets: Shape (c,): place within its page of the result that the question was about.
    """

    features: npt.ArrayLike
    scores: npt.ArrayLike
    starts: npt.ArrayLike
    targets: npt.ArrayLike


def _zeros() -> FloatArray:
    return np.zeros(PARAMETERS)


@dataclass(frozen=True, slots=True, kw_only=True)
class AdamState:
    """Adam's running moments, each of shape (186,); the default is a fresh start."""

    mean: FloatArray = field(default_factory=_zeros)
    square: FloatArray = field(default_factory=_zeros)
    steps: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Trained:
    """What training made.

    Attributes:
        parameters: Shape (186,), after the last step that was taken.
        adam: The state after that step, to go on from.
        losses: The loss before each step that was tried.
        steps_taken: Fewer than asked when a step was not healthy and training ended there.
    """

    parameters: FloatArray
    adam: AdamState
    losses: FloatArray
    steps_taken: int


def evidence_logits(scores: npt.ArrayLike) -> FloatArray:
    """Scores on the scale of evidence: the logit up to 0.9999, its tangent beyond.

    Args:
        scores: Shape (n,); taken within [1e-4, 50].

    Returns:
        Shape (n,).

    Raises:
        KernelInputError: a score is NaN or infinite.
    """
    return _native.evidence_logits(float_array("scores", scores))


def corrections(parameters: npt.ArrayLike, features: npt.ArrayLike) -> FloatArray:
    """What the neuron adds to the evidence of each result.

    Args:
        parameters: Shape (186,).
        features: Shape (n, 29).

    Returns:
        Shape (n,).

    Raises:
        ShapeError: an array has another shape.
        KernelInputError: a number is NaN or infinite.
    """
    return _native.mlp_corrections(float_array("parameters", parameters), _feature_rows(features))


def loss_and_gradient(
    pages: TrainingPages,
    parameters: npt.ArrayLike,
    *,
    l2: float = 1e-3,
    anchor: npt.ArrayLike | None = None,
) -> tuple[float, FloatArray]:
    """Listwise cross-entropy over the pages and its exact gradient.

    The loss is the mean of -ln p[target], where p is the softmax over the page of evidence plus
    correction, plus l2 / 2 times the squared distance of the weights from `anchor` (from 0 without
    one).

    Returns:
        The loss, and its slope along each of the 186 weights.

    Raises:
        ShapeError: the arrays do not fit each other.
        KernelInputError: a number is NaN or infinite, there is no page, a page is empty, a target
            lies outside its page, or `l2` is negative.
    """
    return _native.mlp_loss_and_gradient(
        _page_arrays(pages), float_array("parameters", parameters), l2, _anchor_array(anchor)
    )


def train(
    pages: TrainingPages,
    parameters: npt.ArrayLike,
    *,
    adam: AdamState | None = None,
    steps: int = 30,
    learning_rate: float = 0.03,
    l2: float = 1e-3,
    anchor: npt.ArrayLike | None = None,
) -> Trained:
    """Take some full-batch Adam steps (Kingma & Ba 2015; 0.9, 0.999, 1e-8) in one call.

    A step that would leave NaN, infinity or a weight beyond 1e3 in absolute value is not taken:
    training ends with the weights and the state before it.

    Args:
        pages: What to learn from.
        parameters: Shape (186,), the weights to start from.
        adam: Where an earlier training left off.
        steps: How many steps to take.
        learning_rate: Adam's step size.
        l2: Pull towards `anchor`.
        anchor: Shape (186,), a prior that the weights should stay near; 0 without one.

    Raises:
        ShapeError: the arrays do not fit each other.
        KernelInputError: as for `loss_and_gradient`, or `steps` or
            `learning_rate` is negative.
    """
    adam = adam or AdamState()
    for name, count in (("steps", steps), ("adam.steps", adam.steps)):
        if not 0 <= count < 2**32:
            raise KernelInputError(f"{name}: expected a whole number from 0, found {count}")
    moved, (mean, square, count), losses, steps_taken = _native.mlp_train(
        _page_arrays(pages),
        float_array("parameters", parameters),
        (float_array("mean", adam.mean), float_array("square", adam.square), adam.steps),
        steps,
        learning_rate,
        l2,
        _anchor_array(anchor),
    )
    return Trained(
        parameters=moved,
        adam=AdamState(mean=mean, square=square, steps=count),
        losses=losses,
        steps_taken=steps_taken,
    )


def _feature_rows(features: npt.ArrayLike) -> FloatArray:
    rows = float_array("features", features, ndim=2)
    if rows.shape[1] != FEATURES:
        raise ShapeError(f"features: expected {FEATURES} columns, found shape {rows.shape}")
    return rows


def _page_arrays(
    pages: TrainingPages,
) -> tuple[FloatArray, FloatArray, npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    return (
        _feature_rows(pages.features),
        float_array("scores", pages.scores),
        int_array("starts", pages.starts),
        int_array("targets", pages.targets),
    )


def _anchor_array(anchor: npt.ArrayLike | None) -> FloatArray | None:
    return None if anchor is None else float_array("anchor", anchor)
