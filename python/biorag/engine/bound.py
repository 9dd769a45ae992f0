"""What every part of the facade stands on: one store, and the companions that follow it."""

from __future__ import annotations

from biorag.clock import Clock
from biorag.engine.calibration_keeper import CalibrationKeeper
from biorag.engine.codes_keeper import CodesKeeper
from biorag.engine.index_keeper import IndexKeeper
from biorag.engine.space_keeper import SpaceKeeper
from biorag.lexicon.wordnet import further_languages
from biorag.settings import Settings
from biorag.storage.connection import Store


class Bound:
    """The state that the parts of `Memory` share; each part adds methods and no state."""

    def __init__(self, store: Store, keeper: IndexKeeper, settings: Settings, clock: Clock) -> None:
        """Use `Memory.open`."""
        self._store = store
        self._keeper = keeper
        self._spaces = SpaceKeeper()
        self._codes = CodesKeeper()
        self._settings = settings
        self._clock = clock
        self._calibrations = CalibrationKeeper(settings)
        self._thesaurus = further_languages(settings.wordnet)
