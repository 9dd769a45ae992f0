"""The part of the facade that reads what texts state."""

from __future__ import annotations

from biorag.engine.bound import Bound
from biorag.engine.roles import READ_THROUGH, read_statements
from biorag.model_upkeep import RolesRead
from biorag.storage import meta
from biorag.storage.bulk import chunks
from biorag.storage.documents import documents_of
from biorag.storage.lookups import ids_above

BATCH = 500  # memories read in one transaction


class Reading(Bound):
    """Reading the statements of texts that were learnt in bulk."""

    def read_roles(self) -> RolesRead:
        """Reads who does what in the memories that were loaded in bulk.

        Single memories are read as they are learnt. Takes under half a millisecond for a
        paragraph; each batch is one transaction.

        Raises:
            StorageError: the store cannot be written; batches that were written stay.
        """
        now = self._clock.now()
        reading = self._store.reading()
        pending = ids_above(reading, int(meta.get(reading, READ_THROUGH) or 0))
        made = 0
        for batch in chunks(pending, BATCH):
            with self._store.atomic() as connection:
                made += read_statements(connection, documents_of(connection, batch), now)
                meta.put(connection, READ_THROUGH, str(batch[-1]))
        return RolesRead(memories=len(pending), statements=made)
