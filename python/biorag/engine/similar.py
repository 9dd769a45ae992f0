"""The part of the facade that finds what is like something: a memory, or a text."""

from __future__ import annotations

from collections.abc import Sequence

from biorag import inputs
from biorag.engine.bound import Bound
from biorag.engine.names import nearest
from biorag.errors import NodeNotFoundError
from biorag.kernels.sdm import WEIGHTS, CodeTable, most_alike
from biorag.lexicon.wordnet import load_lexicon
from biorag.model import SimilarMemory
from biorag.model_upkeep import CodesMade
from biorag.storage.lookups import ids_not_active
from biorag.storage.nodes import existing_by_keys, fetch


class Similarity(Bound):
    """Query by example: binary codes of words, names, dimensions, categories and links."""

    def similar_to(
        self, name: str, *, limit: int = 10, deep: bool = False
    ) -> tuple[SimilarMemory, ...]:
        """The memories that are most like another one, most alike first.

        Codes that are missing or old are made first and stored; that takes about a second for
        30,000 new memories. Two long texts that have no word in common are .2 alike by chance.

        Args:
            name: The memory to start from.
            limit: How many at most; none that has nothing in common is among them.
            deep: Also memories that are asleep.

        Raises:
            NodeNotFoundError: there is no such memory; the error offers the nearest names.
            InvalidInputError: a value breaks its rule.
        """
        limit = inputs.check_limit(limit)
        number = self._number(name)
        table = self._codes.current(self._store)
        code = table.code(number)
        if code is None:  # it was deleted just now
            raise self._not_found(name)
        return self._alike(table, code, WEIGHTS, limit, deep=deep, excluded=[number])

    def similar_to_text(
        self, text: str, *, limit: int = 10, deep: bool = False
    ) -> tuple[SimilarMemory, ...]:
        """The memories that are most like a text, by its words and the dimensions that it names.

        For a question, `recall` finds more: this compares whole texts.

        Args:
            text: As long as a content may be.
            limit: How many at most; none that has nothing in common is among them.
            deep: Also memories that are asleep.

        Raises:
            InvalidInputError: a value breaks its rule.
        """
        from biorag.retrieval.text_codes import text_code

        limit = inputs.check_limit(limit)
        text = inputs.check_content(text, "text")
        asked = text_code(self._store.reading(), text, load_lexicon())
        if asked is None:
            return ()
        table = self._codes.current(self._store)
        return self._alike(table, asked.code, asked.weights, limit, deep=deep, excluded=[])

    def reindex_codes(self, *, whole: bool | None = None) -> CodesMade:
        """Makes the codes that are missing or old, so that the next question need not.

        Args:
            whole: All codes anew: how rare each dimension is may have changed. When left out: if
                that was done a day ago.

        Raises:
            StorageError: the store cannot be written; the codes before stay.
        """
        return self._codes.make(self._store, whole=whole)

    def _number(self, name: str) -> int:
        # Not `names.number_of`: it asks for the index, which only a name that is unknown needs.
        key = inputs.name_key(inputs.normalise_name(name))
        known = existing_by_keys(self._store.reading(), [key])
        if key not in known:
            raise self._not_found(name)
        return known[key].id

    def _not_found(self, name: str) -> NodeNotFoundError:
        index = self._keeper.current(self._store)
        return NodeNotFoundError(name, nearest(self._store.reading(), index, name))

    def _alike(
        self,
        table: CodeTable,
        code: bytes,
        weights: tuple[float, float, float, float, float],
        limit: int,
        *,
        deep: bool,
        excluded: Sequence[int],
    ) -> tuple[SimilarMemory, ...]:
        with self._store.snapshot() as connection:
            hidden = ids_not_active(connection, deep=deep)
            found = most_alike(table, code, limit, weights=weights, excluded=[*hidden, *excluded])
            memories = fetch(connection, [number for number, _ in found])
        return tuple(
            SimilarMemory(similarity=likeness, memory=memories[number])
            for number, likeness in found
            if likeness > 0.0 and number in memories
        )
