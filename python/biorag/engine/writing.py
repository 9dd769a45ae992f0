"""The part of the facade that writes: learn, change, forget."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Literal

from biorag import inputs
from biorag.engine import editing, learning
from biorag.engine.bound import Bound
from biorag.engine.hub_intake import check_angles
from biorag.engine.weaving import AT_WRITE
from biorag.model import Bridge, Learned, Moment, NewMemory, StoredMemory
from biorag.model_predicates import Predicate

BATCH = 500  # memories learnt in one transaction: a fsync shared, and readers not kept from it long


class Writing(Bound):
    """Learning, changing and forgetting; what a method acknowledges is on disk when it returns."""

    def learn(
        self,
        name: str,
        content: str,
        *,
        category: str | None = None,
        synonyms: Sequence[str] = (),
        key_nouns: Sequence[str] = (),
        dimensions: Mapping[str, Sequence[str]] | None = None,
        created_at: Moment | None = None,
        author: str | None = None,
        valence: float = 0.0,
        link_to: Sequence[str] = (),
        valid_from: Moment | None = None,
        valid_to: Moment | None = None,
        bridges: Sequence[Bridge] = (),
        predicates: Sequence[Predicate] = (),
    ) -> Learned:
        """Learns a text under a name.

        A name that exists is not overwritten: a new text is added to what it holds, and so are
        synonyms, key nouns (up to ten in all), dimensions and links, and a validity that is given
        replaces the one before; the same text changes nothing.

        Args:
            name: 1-200 characters; case, blanks and `_` make no difference between names.
            content: 1-200,000 characters.
            category: Groups memories; `General` when left out.
            synonyms: Other names that lead to it.
            key_nouns: Words that say what it is about, 2-15 letters, digits or `_` each.
            dimensions: Values on the semantic axes; a value that is new joins its axis.
            created_at: When it became known; now when left out.
            author: Who says so.
            valence: How much it matters to the agent, in [0, 1].
            link_to: Names of memories to link it to; those that do not exist are reported.
            valid_from: From when on what it says holds in the world; always, when left out.
            valid_to: From when on it holds no more; it still does, when left out.
            bridges: Five, one of each angle, in words that neither the name nor another bridge has:
                questions that say it in such words find it. They take the place of earlier ones.
            predicates: What it states, beside what is read in its text: at most 20, each with an
                action and roles of at most 300 characters.

        Raises:
            BridgesError: the bridges are not such five; nothing was written.
            InvalidInputError: a value breaks its rule; nothing was written.
            StorageError: the store cannot write; nothing was written.
        """
        memory = NewMemory(
            name=name,
            content=content,
            category=category,
            synonyms=tuple(synonyms),
            key_nouns=tuple(key_nouns),
            dimensions=None
            if dimensions is None
            else {axis: tuple(values) for axis, values in dimensions.items()},
            created_at=created_at,
            author=author,
            valence=valence,
            link_to=tuple(link_to),
            valid_from=valid_from,
            valid_to=valid_to,
            bridges=tuple(bridges),
            predicates=tuple(predicates),
        )
        return self.learn_many([memory])[0]

    def learn_many(
        self,
        memories: Iterable[NewMemory],
        *,
        batch_size: int = BATCH,
        on_progress: Callable[[int], None] | None = None,
    ) -> list[Learned]:
        """Learns many memories, one transaction a batch.

        Args:
            memories: Any number; read a batch at a time.
            batch_size: Memories in one transaction.
            on_progress: Called after each batch with how many memories are on disk.

        Raises:
            InvalidInputError: a memory breaks a rule; its batch is not written, those before are.
        """
        inputs.check_limit(batch_size, "batch_size")
        remaining = iter(memories)
        learned: list[Learned] = []
        while batch := list(islice(remaining, batch_size)):
            learned += learning.learn_batch(
                batch,
                len(learned),
                store=self._store,
                keeper=self._keeper,
                clock=self._clock,
                links_by_itself=self._settings.auto_link,
                reads_roles=self._settings.read_roles,
            )
            if self._embeddings.is_used and len(batch) <= AT_WRITE:
                self._embeddings.try_to_embed(self._store)
            if on_progress is not None:
                on_progress(len(learned))
        return learned

    def update(
        self,
        name: str,
        *,
        content: str | None = None,
        category: str | None = None,
        synonyms: Sequence[str] | None = None,
        key_nouns: Sequence[str] | None = None,
        weight: float | None = None,
        state: Literal["activo", "dormido", "cuarentena"] | None = None,
        valence: float | None = None,
        valid_from: Moment | None = None,
        valid_to: Moment | None = None,
        bridges: Sequence[Bridge] | None = None,
    ) -> StoredMemory:
        """Changes what is given of a memory, and nothing else; its links and its age stay.

        Args:
            name: The memory.
            content: Replaces its text.
            category: Replaces its category.
            synonyms: Replace its synonyms.
            key_nouns: Replace its key nouns.
            weight: Synaptic weight in [0, 1].
            state: `activo`, `dormido` (found by deep recall only) or `cuarentena` (not found).
            valence: In [0, 1].
            valid_from: From when on what it says holds.
            valid_to: From when on it holds no more.
            bridges: Five as for `learn`, in place of those that it has.

        Raises:
            NodeNotFoundError: there is no such memory.
            InvalidInputError: a value breaks its rule, or none was given; nothing was written.
        """
        changes = editing.check_changes(
            content=content,
            category=category,
            synonyms=synonyms,
            key_nouns=key_nouns,
            weight=weight,
            state=state,
            valence=valence,
            valid_from=valid_from,
            valid_to=valid_to,
            bridges=None if bridges is None else check_angles(bridges, inputs.normalise_name(name)),
        )
        return editing.edit(
            name,
            changes,
            store=self._store,
            keeper=self._keeper,
            reads_roles=self._settings.read_roles,
        )

    def add_key_nouns(self, name: str, nouns: Sequence[str]) -> StoredMemory:
        """Adds key nouns to those that a memory has.

        Raises:
            NodeNotFoundError: there is no such memory.
            KeyNounsError: a noun breaks the rules, or there would be too many.
        """
        return editing.add_key_nouns(name, nouns, store=self._store, keeper=self._keeper)

    def forget(self, *names: str, purge: bool = False) -> int:
        """Deletes memories with everything that is known of them.

        Args:
            names: All of them must exist, else none is deleted.
            purge: Also overwrite the freed pages of the file, so that no byte of them is left.

        Returns:
            How many memories were deleted.

        Raises:
            NodeNotFoundError: one of them does not exist; nothing was deleted.
        """
        return editing.forget(names, purge=purge, store=self._store, keeper=self._keeper)
