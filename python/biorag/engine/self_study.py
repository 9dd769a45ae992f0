"""The part of the facade that learns from the store's own texts what their words go with."""

from __future__ import annotations

import time

from biorag.engine.bound import Bound
from biorag.kernels.lexicon import Language
from biorag.lexicon.word_groups import GroupFinder
from biorag.lexicon.wordnet import load_lexicon
from biorag.model_upkeep import DomainLearned
from biorag.storage.changes import changes_since, latest_change
from biorag.storage.documents import Document, documents_of, iterate_documents
from biorag.storage.domain import replace_domain_terms
from biorag.storage.word_groups import replace_groups, seen_change


class SelfStudy(Bound):
    """Learning without being taught; consolidation calls these, and anyone may."""

    def learn_domain_words(self) -> DomainLearned:
        """Learns which words the store's own texts use together, in place of what was known.

        A recall searches them beside the question's own words where the settings ask for it
        (`domain_dictionary`). Takes about a second for ten thousand memories.

        Raises:
            StorageError: the store cannot write; the dictionary before stays.
        """
        # Here, because numpy takes longer to import than opening a store.
        from biorag.learning.domain import domain_pairs

        started = time.perf_counter()
        index = self._keeper.current(self._store)
        pairs = domain_pairs(index)
        with self._store.atomic() as connection:
            replace_domain_terms(connection, pairs)
        return DomainLearned(
            memories=len(index),
            terms=len({term for term, _, _ in pairs}),
            pairs=len(pairs),
            seconds=time.perf_counter() - started,
        )

    def learn_word_groups(self) -> int:
        """Learns which kinds of things (animals, places, acts of speech) the memories' words name.

        Only memories whose text changed since the last time are read. A recall then also compares
        these kinds; memories learnt since count as middling until the next time.

        Returns:
            How many memories were read.

        Raises:
            StorageError: the store cannot write; what was known stays.
        """
        with self._store.snapshot() as connection:
            latest = latest_change(connection)
            seen = seen_change(connection)
            changes = None if seen is None else changes_since(connection, seen)
            if changes is None:
                documents = list(iterate_documents(connection))
            else:
                documents = documents_of(connection, sorted(changes))
        if not documents and seen == latest:
            return 0
        finder = GroupFinder(load_lexicon())
        found = finder.groups_of([(_language(held), _words(held)) for held in documents])
        groups = {held.id: of for held, of in zip(documents, found, strict=True)}
        with self._store.atomic() as connection:
            replace_groups(connection, groups, latest)
        return len(documents)


def _language(document: Document) -> Language:
    return "es" if document.language == "es" else "en"


def _words(document: Document) -> str:
    return "\n".join((document.name, document.key_nouns, document.synonyms, document.body))
