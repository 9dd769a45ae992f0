"""What happens between the score and the page; importing the package fills the table."""

from biorag.retrieval.stages import (
    convergence,
    coverage_gate,
    hub_promotion,
    inhibition,
    jaccard,
    working_memory,
)
from biorag.retrieval.stages.registry import Stage, Standing, all_stages

__all__ = [
    "Stage",
    "Standing",
    "all_stages",
    "convergence",
    "coverage_gate",
    "hub_promotion",
    "inhibition",
    "jaccard",
    "working_memory",
]
