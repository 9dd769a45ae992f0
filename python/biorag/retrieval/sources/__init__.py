"""Sources of candidates beside the ranked index; a new one is a function in a module named here."""

from biorag.retrieval.sources import dimensional as _dimensional
from biorag.retrieval.sources import hubs as _hubs
from biorag.retrieval.sources import linked as _linked
from biorag.retrieval.sources import named as _named
from biorag.retrieval.sources import similar as _similar
from biorag.retrieval.sources.registry import Source, all_sources, bring, is_wanting

__all__ = ["Source", "all_sources", "bring", "is_wanting"]

_registered = (_dimensional, _hubs, _linked, _named, _similar)
