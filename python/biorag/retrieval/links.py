"""The links of a store as a recall sees them."""

from __future__ import annotations

from dataclasses import dataclass

from biorag.kernels.graph import Graph


@dataclass(frozen=True, slots=True)
class Links:
    """Links that are written down, and those that only paths suggest."""

    written: Graph
    latent: Graph
