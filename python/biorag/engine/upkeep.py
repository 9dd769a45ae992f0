"""The part of the facade that keeps a memory in order: what it holds, learns of itself, saves."""

from __future__ import annotations

from pathlib import Path

from biorag import inputs
from biorag.engine import doctor
from biorag.engine.bound import Bound
from biorag.model_upkeep import CalibrationOutcome, StoreState, VectorsTrained
from biorag.settings import Settings
from biorag.storage import health


class Upkeep(Bound):
    """Opening and closing, calibration, training, state and backup."""

    def close(self) -> None:
        """Saves the index and the calibration and closes every connection, for good."""
        if not self._store.closed:
            self._keeper.save(self._store)
            self._calibrations.save(self._store)
        self._store.close()

    @property
    def path(self) -> Path:
        """The store's file; `:memory:` when it has none."""
        return self._store.path or Path(":memory:")

    @property
    def settings(self) -> Settings:
        """What it was opened with."""
        return self._settings

    def calibrate(
        self, *, alpha: float | None = None, questions: int = inputs.QUESTIONS, force: bool = False
    ) -> CalibrationOutcome:
        """Learns from which certainty on to answer, and keeps it.

        Recall does this by itself when it is due; here it can be done beforehand, with another
        alpha, or with more questions. It takes about a second for 10,000 memories.

        Args:
            alpha: Share in [0.001, 0.5] of unanswerable questions that may be answered; it stays
                until another is asked for. The settings' when left out.
            questions: Of each kind made from the store, 20 to 5,000; one can promise no smaller
                share than 1 / (questions + 1).
            force: Also when the store has hardly changed since.

        Raises:
            InvalidInputError: a value breaks its rule.
            StorageError: the store cannot be written.
        """
        alpha = None if alpha is None else inputs.check_alpha(alpha)
        questions = inputs.check_question_count(questions)
        index = self._keeper.current(self._store)
        return self._calibrations.calibrate(
            self._store, index, alpha=alpha, count=questions, force=force
        )

    def retrain_vectors(self) -> VectorsTrained:
        """Trains word vectors on the store's own texts: which words occur in the same memories.

        A recall then also compares by meaning. Memories that are learnt later take part at once,
        with the words that were known; train again when the store has grown by a fifth or so. Takes
        about a second for ten thousand memories; meanwhile recalls go on with the vectors before.

        Raises:
            StorageError: the store cannot write; the vectors before stay.
        """
        index = self._keeper.current(self._store)
        return self._spaces.train(self._store, index, self._clock.now())

    def embed_pending(self) -> int:
        """Embeds memories that were loaded in bulk, with the embedder given to `open`.

        Returns:
            How many were embedded; 0 without an embedder.

        Raises:
            Exception: whatever the embedder raises; batches that were written stay.
            StorageError: the store cannot be written.
        """
        return self._embeddings.embed_pending(self._store)

    def state(self) -> StoreState:
        """What the store holds, counted in the database."""
        return doctor.state(self._store, self._keeper)

    def backup(self, destination: str | Path) -> Path:
        """Copies the store while it is in use, and checks the copy.

        Raises:
            StorageError: the copy cannot be written, or is not whole.
        """
        return health.backup(self._store, Path(destination))
