"""The memory: one store, its index, and everything that a caller can do with them."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Self

from biorag.clock import Clock, SystemClock
from biorag.engine import doctor
from biorag.engine.asking import Asking
from biorag.engine.cataloguing import Cataloguing
from biorag.engine.hubs import Hubbing
from biorag.engine.index_keeper import IndexKeeper
from biorag.engine.linking import Linking
from biorag.engine.location import default_path, index_file
from biorag.engine.reading import Reading
from biorag.engine.reanalysis import reanalyse
from biorag.engine.self_study import SelfStudy
from biorag.engine.similar import Similarity
from biorag.engine.upkeep import Upkeep
from biorag.engine.writing import Writing
from biorag.lexicon.embedding import Embedder
from biorag.model_upkeep import Check
from biorag.settings import Settings
from biorag.storage.connection import Store


class Memory(
    Asking, Writing, Linking, Cataloguing, SelfStudy, Hubbing, Similarity, Reading, Upkeep
):
    """A memory that lasts: learns texts under names, and finds them again by question.

    Thread-safe; every method may be called from any thread, and from a forked child. Several
    processes may open the same file. What a method acknowledges is on disk when it returns.

    Example:
        >>> with Memory.open("memory.db") as memory:
        ...     memory.learn("boiler valve", "The boiler valve is on the north wall.")
        ...     memory.recall("where is the valve?")[0].name
        'boiler valve'
    """

    @classmethod
    def open(
        cls,
        path: str | Path | None = None,
        *,
        settings: Settings | None = None,
        clock: Clock | None = None,
        embedder: Embedder | None = None,
    ) -> Self:
        """Opens a store, and makes it when there is none.

        Args:
            path: The store's file, or `:memory:` for one that is gone when it is closed; `None`
                for the settings' path, else `memory.db` in the user's data folder.
            settings: Everything that can be adjusted; the environment is not read.
            clock: Where the time comes from.
            embedder: A model of the user's own, whose vectors are kept beside the words and
                compared, too; single memories are embedded as they are learnt, bulk loads by
                `embed_pending`. Never required, and what fails in it fails no call.

        Raises:
            SchemaVersionError: a newer biorag wrote the store; it was left untouched.
            CorruptDataError: the file is not a store.
            StorageError: the file cannot be opened.
        """
        settings = settings or Settings()
        clock = clock or SystemClock()
        place = path if path is not None else settings.path or default_path()
        in_memory = str(place) == ":memory:"
        store = Store.open(
            ":memory:" if in_memory else Path(place),
            synchronous="FULL" if settings.synchronous == "FULL" else "NORMAL",
            busy_timeout_s=settings.busy_timeout_s,
            clock=clock,
        )
        saved = settings.index_cache and store.path is not None
        reanalyse(store)
        keeper = IndexKeeper(file=index_file(store.path) if saved and store.path else None)
        return cls(store, keeper, settings, clock, embedder)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def check(self) -> tuple[Check, ...]:
        """Looks for damage, and proves in a scratch store that learn, recall and forget work.

        Reads the whole file, and writes a few bytes to it.
        """
        return doctor.check(
            self._store, self._keeper, partial(type(self).open, settings=self._settings)
        )
