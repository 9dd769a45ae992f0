"""Keeps the thresholds of abstention in step with the store."""

from __future__ import annotations

import logging
import math
import threading
import time

from biorag.errors import DatabaseBusyError, ReadOnlyStoreError
from biorag.inputs import QUESTIONS
from biorag.kernels.index import TextIndex
from biorag.learning.calibration import (
    FEWEST_MEMORIES,
    calibrated,
    measure,
    why_due,
)
from biorag.lexicon.wordnet import load_lexicon
from biorag.model import Calibration
from biorag.model_upkeep import CalibrationOutcome
from biorag.settings import Settings
from biorag.storage.calibration import (
    Stamp,
    calibration_stamp,
    read_calibration,
    write_calibration,
)
from biorag.storage.connection import Store

logger = logging.getLogger(__name__)

# Questions of each kind by the size of the store, where a recall waits for them: a quarter of a
# second, a second at 100,000 memories. What fewer of them promise is as true, but coarser.
QUESTIONS_BY_SIZE = ((2_000, QUESTIONS), (20_000, 120), (math.inf, 60))


class CalibrationKeeper:
    """Owns the calibration of one store.

    It is done by the question that finds it due, as the index is built by the question that needs
    it: learning is never slowed, and what is answered does not depend on who closed the store when.
    A question writes nothing; closing the store saves what questions found, and what another
    process saved is taken over.

    Thread-safe: one thread calibrates, the others wait for it.
    """

    def __init__(self, settings: Settings) -> None:
        """Reads nothing yet."""
        self._settings = settings
        self._lock = threading.Lock()
        self._unsaved: Calibration | None = None
        self._read: tuple[Stamp | None, Calibration | None] = (None, None)

    def current(self, store: Store, index: TextIndex) -> Calibration | None:
        """The calibration that fits the store; `None` when it has too few memories for one."""
        memories = len(index)
        if not self._settings.calibration or memories < FEWEST_MEMORIES:
            return None
        known = self.known(store)
        if known is not None and not why_due(known, memories, self._settings.alpha):
            return known
        with self._lock:
            # Another thread may have done it while this one waited.
            known = self.known(store)
            if known is not None and not why_due(known, memories, self._settings.alpha):
                return known
            count = next(count for most, count in QUESTIONS_BY_SIZE if memories <= most)
            self._unsaved = self._calibrated(store, index, _asked_for(known), count)
            return self._unsaved

    def known(self, store: Store) -> Calibration | None:
        """The newest calibration, this process's or a saved one, due again or not."""
        saved, own = self._saved(store), self._unsaved
        if own is None or (saved is not None and saved.calibrated_at >= own.calibrated_at):
            return saved
        return own

    def calibrate(
        self, store: Store, index: TextIndex, *, alpha: float | None, count: int, force: bool
    ) -> CalibrationOutcome:
        """Calibrates if that is due or forced, and saves it.

        Args:
            store: Keeps the result.
            index: Of the store.
            alpha: Instead of the settings'; it stays until another is asked for.
            count: Questions of each kind made from the store.
            force: Also when it is not due.

        Raises:
            StorageError: the store cannot be written.
        """
        memories = len(index)
        with self._lock:
            known = self.known(store)
            if memories < FEWEST_MEMORIES:
                return CalibrationOutcome(calibration=None, done=False, reason="too_few")
            wanted = self._settings.alpha if alpha is None else alpha
            reason = why_due(known, memories, wanted, asked=alpha is not None)
            if known is not None and reason is None and not force:
                if self._unsaved is not None:
                    self._write(store, known)
                return CalibrationOutcome(calibration=known, done=False, reason="current")
            if alpha is None:
                alpha = _asked_for(known)
            found = self._calibrated(store, index, alpha, count)
            self._write(store, found)
            return CalibrationOutcome(calibration=found, done=True, reason=reason or "forced")

    def save(self, store: Store) -> None:
        """Saves what questions found, unless the store is busy or cannot be written."""
        with self._lock:
            if self._unsaved is None:
                return
            try:
                self._write(store, self._unsaved)
            except (DatabaseBusyError, ReadOnlyStoreError) as error:
                # Nothing is lost but the time to find it again.
                logger.info("the calibration was not saved: %s", error)

    def _saved(self, store: Store) -> Calibration | None:
        # Each recall asks, and the row hardly ever changes: most of it is read only when it does.
        connection = store.reading()
        stamp = calibration_stamp(connection)
        known, calibration = self._read
        if stamp != known:
            calibration = read_calibration(connection)
            self._read = (stamp, calibration)
        return calibration

    def _write(self, store: Store, calibration: Calibration) -> None:
        with store.atomic() as connection:
            write_calibration(connection, calibration)
        self._unsaved = None

    def _calibrated(
        self, store: Store, index: TextIndex, alpha: float | None, count: int
    ) -> Calibration:
        started = time.perf_counter()
        found = measure(
            index,
            load_lexicon(),
            meanings=self._settings.expansion,
            spellings=self._settings.typos,
            count=count,
        )
        calibration = calibrated(
            found,
            alpha=self._settings.alpha if alpha is None else alpha,
            by_hand=alpha is not None,
            memories=len(index),
            at=store.clock.now(),
        )
        elapsed_s = time.perf_counter() - started
        logger.info("calibrated on %d memories in %.2f s", len(index), elapsed_s)
        return calibration


def _asked_for(known: Calibration | None) -> float | None:
    """The alpha that a caller asked for and that stays; `None` for the settings'."""
    return known.requested_alpha if known is not None and known.by_hand else None
