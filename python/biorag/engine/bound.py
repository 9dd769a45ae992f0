"""What every part of the facade stands on: one store, and the companions that follow it."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

from biorag.clock import Clock
from biorag.engine.calibration_keeper import CalibrationKeeper
from biorag.engine.codes_keeper import CodesKeeper
from biorag.engine.embedding_keeper import EmbeddingKeeper
from biorag.engine.following import Following
from biorag.engine.hub_keeper import HubReader
from biorag.engine.index_keeper import IndexKeeper
from biorag.engine.link_keeper import LinkKeeper
from biorag.engine.space_keeper import SpaceKeeper
from biorag.lexicon.embedding import Embedder
from biorag.lexicon.wordnet import further_languages
from biorag.settings import Settings
from biorag.storage.connection import Store
from biorag.storage.predicates import LANE as ROLES
from biorag.storage.word_groups import LANE as GROUPS

if TYPE_CHECKING:
    # numpy takes longer to import than all else, and learning does not need it.
    from biorag.retrieval.axis_values import AxisValues
    from biorag.retrieval.told import Told
    from biorag.retrieval.word_groups import WordGroups


class Bound:
    """The state that the parts of `Memory` share; each part adds methods and no state."""

    def __init__(
        self,
        store: Store,
        keeper: IndexKeeper,
        settings: Settings,
        clock: Clock,
        embedder: Embedder | None = None,
    ) -> None:
        """Use `Memory.open`."""
        self._store = store
        self._keeper = keeper
        self._spaces = SpaceKeeper()
        self._embeddings = EmbeddingKeeper(embedder)
        self._links = LinkKeeper()
        self._codes = CodesKeeper()
        self._settings = settings
        self._clock = clock
        self._calibrations = CalibrationKeeper(settings)
        self._hubs = Following("hubs", HubReader())
        self._thesaurus = further_languages(settings.wordnet)
        self._axis_values = Following("dimensions", _axis_values)
        self._word_groups = Following(GROUPS, _word_groups)
        self._told = Following(ROLES, _told)


def _axis_values(connection: sqlite3.Connection) -> AxisValues:
    from biorag.retrieval.axis_values import read_axis_values

    return read_axis_values(connection)


def _word_groups(connection: sqlite3.Connection) -> WordGroups:
    from biorag.retrieval.word_groups import read_word_groups

    return read_word_groups(connection)


def _told(connection: sqlite3.Connection) -> Told:
    from biorag.retrieval.told import read_told

    return read_told(connection)
