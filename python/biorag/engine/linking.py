"""The part of the facade that links memories."""

from __future__ import annotations

from biorag.engine import weaving
from biorag.engine.bound import Bound
from biorag.engine.names import number_of
from biorag.errors import InvalidInputError
from biorag.model_upkeep import Woven
from biorag.storage.edges import end_links, link_nodes


class Linking(Bound):
    """Links by the agent, which nothing but the agent ends, and links that the store makes."""

    def link(self, one: str, other: str) -> bool:
        """Links two memories; what an agent linked, no rule weakens or removes.

        Returns:
            Whether the link is new.

        Raises:
            NodeNotFoundError: one of them does not exist; the error offers the nearest names.
            InvalidInputError: a name breaks its rules, or both are the same memory.
        """
        now = self._clock.now()
        index = self._keeper.current(self._store)
        with self._store.atomic() as connection:
            src, dst = number_of(connection, index, one), number_of(connection, index, other)
            if src == dst:
                raise InvalidInputError("other", other, "must be another memory")
            return link_nodes(connection, src, dst, now)

    def unlink(self, one: str, other: str) -> int:
        """Ends every link between two memories, the agent's and the system's.

        Returns:
            How many links ended; they stay in the store as history.

        Raises:
            NodeNotFoundError: one of them does not exist.
            InvalidInputError: a name breaks its rules.
        """
        now = self._clock.now()
        index = self._keeper.current(self._store)
        with self._store.atomic() as connection:
            src, dst = number_of(connection, index, one), number_of(connection, index, other)
            return end_links(connection, src, dst, now)

    def weave(self) -> Woven:
        """Links memories that were loaded in bulk to those like them, and finds latent links.

        Single memories are linked as they are learnt; latent links, which follow paths, are found
        here. Takes about a second for ten thousand new memories.

        Raises:
            StorageError: the store cannot be written; batches that were written stay.
        """
        index = self._keeper.current(self._store)
        return weaving.weave(self._store, index, self._clock.now())
