"""Sources of candidates beside the ranked index; a new one is a function in a module named here.

Of the original's layers two have no source of their own, because the ranked index is them: full
text with prefixes (any word, best first), and the symbolic layer of Levenshtein and WordNet, whose
corrections and synonyms the index searches in every field, names among them, in every question.
"""

from biorag.retrieval.sources import burst as _burst
from biorag.retrieval.sources import dimensional as _dimensional
from biorag.retrieval.sources import embedded as _embedded
from biorag.retrieval.sources import fragments as _fragments
from biorag.retrieval.sources import hubs as _hubs
from biorag.retrieval.sources import linked as _linked
from biorag.retrieval.sources import named as _named
from biorag.retrieval.sources import recent as _recent
from biorag.retrieval.sources import similar as _similar
from biorag.retrieval.sources import stated as _stated
from biorag.retrieval.sources import together as _together
from biorag.retrieval.sources import vectors as _vectors
from biorag.retrieval.sources.registry import (
    Source,
    all_sources,
    bring,
    is_crowded,
    is_wanting,
)

__all__ = ["Source", "all_sources", "bring", "is_crowded", "is_wanting"]

_registered = (
    *(_burst, _dimensional, _embedded, _fragments, _hubs, _linked, _named),
    *(_recent, _similar, _stated, _together, _vectors),
)
