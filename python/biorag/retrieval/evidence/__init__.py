"""Evidence beside the words. A new kind is a function in a module listed here."""

from biorag.retrieval.evidence import burst as _burst
from biorag.retrieval.evidence import dimensional as _dimensional
from biorag.retrieval.evidence import embedded as _embedded
from biorag.retrieval.evidence import hubs as _hubs
from biorag.retrieval.evidence import links as _links
from biorag.retrieval.evidence import word_groups as _word_groups
from biorag.retrieval.evidence import working as _working
from biorag.retrieval.evidence.registry import Evidence, all_evidence, collect

__all__ = ["Evidence", "all_evidence", "collect"]

_registered = (_burst, _dimensional, _embedded, _hubs, _links, _word_groups, _working)
