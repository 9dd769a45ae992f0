"""Which words a store's own texts use together: normalised pointwise mutual information.

NPMI after Bouma 2009, over memories: ln(p(x, y) / (p(x) p(y))) / -ln p(x, y).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from biorag.kernels.index import TextIndex
from biorag.kernels.spaces import term_matrix

FEWEST_TOGETHER = 3  # memories that hold both: what happens twice happens by chance
PARTNERS = 5  # of a word at most
LEAST_NPMI = 0.35  # the original's bound for a Hebbian link
COMMONEST = 0.1  # share of the memories; a commoner word goes with everything

_TELLING = re.compile(r"[^\W\d_]{2}")  # what has no two letters in a row is a number or a sign


def domain_pairs(index: TextIndex) -> list[tuple[str, str, float]]:
    """For each word of the store those that go with it most, closest first.

    Both directions are judged apart: a rare word's best partner may have better ones itself. Equal
    partners stand by how often they occur together, then by spelling. The work grows with the sum
    over words of the lengths of the memories that hold them, one word at a time.

    Returns:
        Term, related term and NPMI in (0, 1]; at most `PARTNERS` a term.
    """
    matrix = term_matrix(index, fewest=FEWEST_TOGETHER)
    by_term = matrix.counts
    memories = by_term.columns
    terms = matrix.terms
    sizes = by_term.row_sizes()
    telling = np.array([bool(_TELLING.search(term)) for term in terms], dtype=np.bool_)
    telling &= sizes <= max(COMMONEST * memories, FEWEST_TOGETHER)
    by_memory = by_term.transposed()
    pairs: list[tuple[str, str, float]] = []
    for row in np.flatnonzero(telling).tolist():
        holders = by_term.positions[by_term.starts[row] : by_term.starts[row + 1]]
        beside = _positions(by_memory.starts, by_memory.positions, holders)
        for other, closeness in _partners(row, beside, sizes, telling, memories):
            pairs.append((terms[row], terms[other], closeness))
    return pairs


def _positions(
    starts: npt.NDArray[np.uint32],
    positions: npt.NDArray[np.uint32],
    rows: npt.NDArray[np.uint32],
) -> npt.NDArray[np.int64]:
    """The positions of several rows, one after the other."""
    begins = starts[rows].astype(np.int64)
    sizes = starts[rows + 1].astype(np.int64) - begins
    ends = np.cumsum(sizes)
    offsets = np.repeat(begins - (ends - sizes), sizes)
    return positions[offsets + np.arange(offsets.size)].astype(np.int64)


def _partners(
    row: int,
    beside: npt.NDArray[np.int64],
    sizes: npt.NDArray[np.int64],
    telling: npt.NDArray[np.bool_],
    memories: int,
) -> Iterator[tuple[int, float]]:
    others, together = np.unique(beside, return_counts=True)
    kept = (together >= FEWEST_TOGETHER) & telling[others] & (others != row)
    others, together = others[kept], together[kept].astype(np.float64)
    share = together / memories
    expected = sizes[row] * sizes[others] / memories
    surprise = -np.log(share)
    # Two words that every memory holds go together as closely as can be.
    npmi = np.divide(
        np.log(together / expected), surprise, out=np.ones(others.size), where=surprise > 0.0
    )
    best = np.lexsort((others, -together, -npmi))[:PARTNERS]
    for place in best.tolist():
        if npmi[place] >= LEAST_NPMI:
            yield int(others[place]), round(min(float(npmi[place]), 1.0), 6)
