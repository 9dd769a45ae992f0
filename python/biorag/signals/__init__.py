"""Ranking signals, grouped by what they compare. Importing the package fills the table."""

from biorag.signals import beside_words, distributional, graph, hubs, lexical, relevance
from biorag.signals.registry import Candidates, FloatArray, Signal, all_signals

__all__ = [
    "Candidates",
    "FloatArray",
    "Signal",
    "all_signals",
    "beside_words",
    "distributional",
    "graph",
    "hubs",
    "lexical",
    "relevance",
]
