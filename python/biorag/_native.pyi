from collections.abc import Sequence
from typing import Protocol, TypeAlias, type_check_only

import numpy as np
import numpy.typing as npt

__all__ = [
    "__version__",
    "bm25_bounds",
    "compression_similarity",
    "evidence_logits",
    "jensen_shannon_similarity",
    "limbic_scores",
    "mlp_corrections",
    "mlp_loss_and_gradient",
    "mlp_train",
    "normalise_bm25",
    "normalise_bm25_within",
]

__version__: str

_Floats: TypeAlias = npt.NDArray[np.float64]
_Integers: TypeAlias = npt.NDArray[np.int64]

@type_check_only
class _LimbicParameters(Protocol):
    @property
    def beta_salience(self) -> float: ...
    @property
    def beta_degree(self) -> float: ...
    @property
    def degree_cap(self) -> float: ...
    @property
    def decay_per_hour(self) -> float: ...
    @property
    def gamma(self) -> float: ...
    @property
    def temporal_floor(self) -> float: ...
    @property
    def cooccurrence_floor(self) -> float: ...

def bm25_bounds(values: _Floats, /) -> tuple[float, float]: ...
def compression_similarity(query: str, texts: Sequence[str], /) -> _Floats: ...
def evidence_logits(scores: _Floats, /) -> _Floats: ...
def jensen_shannon_similarity(
    query_counts: _Floats,
    counts: _Floats,
    lengths: _Floats,
    /,
) -> _Floats: ...
def limbic_scores(
    candidates: tuple[_Integers, _Floats, _Floats, _Floats, _Floats],
    max_accesses: float,
    rows: tuple[_Integers, _Integers, _Floats, _Floats],
    parameters: _LimbicParameters,
    /,
) -> tuple[_Floats, _Floats, _Floats, _Floats]: ...
def mlp_corrections(parameters: _Floats, features: _Floats, /) -> _Floats: ...
def mlp_loss_and_gradient(
    pages: tuple[_Floats, _Floats, _Integers, _Integers],
    parameters: _Floats,
    l2: float,
    anchor: _Floats | None,
    /,
) -> tuple[float, _Floats]: ...
def mlp_train(
    pages: tuple[_Floats, _Floats, _Integers, _Integers],
    parameters: _Floats,
    adam: tuple[_Floats, _Floats, int],
    steps: int,
    learning_rate: float,
    l2: float,
    anchor: _Floats | None,
    /,
) -> tuple[_Floats, tuple[_Floats, _Floats, int], _Floats, int]: ...
def normalise_bm25(values: _Floats, /) -> _Floats: ...
def normalise_bm25_within(values: _Floats, lowest: float, highest: float, /) -> _Floats: ...
