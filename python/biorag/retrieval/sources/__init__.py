"""Sources of candidates beside the ranked index; a new one is a function in a module named here."""

from biorag.retrieval.sources import named as _named
from biorag.retrieval.sources import similar as _similar
from biorag.retrieval.sources.registry import Source, all_sources, bring, is_thin

__all__ = ["Source", "all_sources", "bring", "is_thin"]

_registered = (_named, _similar)
