from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

__all__ = [
    "__version__",
    "bm25_bounds",
    "compression_similarity",
    "jensen_shannon_similarity",
    "normalise_bm25",
    "normalise_bm25_within",
]

__version__: str

def bm25_bounds(values: npt.NDArray[np.float64], /) -> tuple[float, float]: ...
def compression_similarity(query: str, texts: Sequence[str], /) -> npt.NDArray[np.float64]: ...
def jensen_shannon_similarity(
    query_counts: npt.NDArray[np.float64],
    counts: npt.NDArray[np.float64],
    lengths: npt.NDArray[np.float64],
    /,
) -> npt.NDArray[np.float64]: ...
def normalise_bm25(values: npt.NDArray[np.float64], /) -> npt.NDArray[np.float64]: ...
def normalise_bm25_within(
    values: npt.NDArray[np.float64], lowest: float, highest: float, /
) -> npt.NDArray[np.float64]: ...
