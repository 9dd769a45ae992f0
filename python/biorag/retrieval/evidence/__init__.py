"""Evidence beside the words. A new kind is a function in a module listed here."""

from biorag.retrieval.evidence import hubs as _hubs
from biorag.retrieval.evidence.registry import Evidence, all_evidence, collect

__all__ = ["Evidence", "all_evidence", "collect"]

_registered = (_hubs,)
