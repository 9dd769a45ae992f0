"""The part of the facade that leads other words to memories: Concept Hubs."""

from __future__ import annotations

import difflib
import sqlite3
from collections.abc import Sequence
from typing import TYPE_CHECKING

from biorag import inputs
from biorag.engine.bound import Bound
from biorag.engine.hub_intake import check_free
from biorag.engine.learning import refresh_text
from biorag.engine.names import number_of
from biorag.errors import HubNotFoundError, InvalidInputError
from biorag.lexicon.content_words import content_words
from biorag.lexicon.wordnet import load_lexicon
from biorag.model import Bridge
from biorag.model_hubs import Hub, HubDeleted, HubFinding
from biorag.storage import hubs as storage
from biorag.storage.fulltext import write_repairing
from biorag.storage.nodes import moment
from biorag.storage.revisions import revisions

if TYPE_CHECKING:
    # numpy takes longer to import than all else, and writing hubs does not need it.
    from biorag.retrieval.hubs import HubMatch

MEANT = 0.25  # confidence from which on a question is said to mean a hub
MOST_CANONICAL = 5  # memories that a finding names
MOST_TERMS = 24  # words that it offers
OFFERED = 3
LIKE_ENOUGH = 0.5  # difflib's ratio; below it an offer is a guess


class Hubbing(Bound):
    """Making, reading and deleting Concept Hubs. `learn` makes one of a memory's own bridges."""

    def create_hub(
        self, hub: str, canonical: str, *, description: str = "", bridges: Sequence[Bridge] = ()
    ) -> Hub:
        """Makes a hub that leads to a memory.

        Args:
            hub: Its name; case, blanks and `_` make no difference.
            canonical: The memory.
            description: What it is about; up to 200,000 characters.
            bridges: Of two content words or more each; the angle may be left out.

        Raises:
            NodeNotFoundError: there is no such memory; nothing was written.
            InvalidInputError: a value breaks its rule, or a hub has this name; nothing was written.
        """
        name = inputs.normalise_name(hub, field="hub_id")
        told = inputs.check_content(description, "description") if description else ""
        checked = check_free(bridges)
        index = self._keeper.current(self._store)
        now = self._clock.now()

        def write(connection: sqlite3.Connection) -> Hub:
            node_id = number_of(connection, index, canonical)
            held = storage.hub_named(connection, name)
            if held is not None:
                rule = f"this hub exists and leads to {held.node_name!r}; add bridges to it"
                raise InvalidInputError("hub_id", hub, rule, code="HUB_EXISTENTE")
            hub_id = storage.insert_hub(connection, name, node_id, told, now)
            storage.insert_bridges(connection, hub_id, checked)
            refresh_text(connection, [node_id])
            return _hub(connection, _known(connection, name))

        return write_repairing(self._store, write)

    def add_bridges(self, hub: str, bridges: Sequence[Bridge]) -> Hub:
        """Adds bridges to a hub.

        Raises:
            HubNotFoundError: there is no such hub; the error offers the nearest names.
            BridgesError: one says too little, or repeats one that is there; nothing was written.
        """
        if not bridges:
            raise InvalidInputError("bridges", "", "expected at least one bridge")
        check_free(bridges)

        def write(connection: sqlite3.Connection) -> Hub:
            row = _known(connection, hub)
            held = storage.bridges_of(connection, [row.id]).get(row.id, ())
            added = check_free(bridges, [bridge.text for bridge in held])
            storage.insert_bridges(connection, row.id, added)
            refresh_text(connection, [row.node_id])
            return _hub(connection, row)

        return write_repairing(self._store, write)

    def hubs(self, canonical: str | None = None) -> tuple[Hub, ...]:
        """Every hub, or those that lead to one memory, in the order in which they were made.

        Raises:
            NodeNotFoundError: there is no such memory.
        """
        index = self._keeper.current(self._store)
        with self._store.snapshot() as connection:
            if canonical is None:
                rows = storage.all_hubs(connection)
            else:
                rows = storage.hubs_of(connection, [number_of(connection, index, canonical)])
            bridges = storage.bridges_of(connection, [row.id for row in rows])
        return tuple(_present(row, bridges.get(row.id, ())) for row in rows)

    def match_hubs(self, query: str) -> HubFinding:
        """Which hub a question means, by the words of its bridges.

        Raises:
            InvalidInputError: the query breaks its rule.
        """
        from biorag.retrieval.query import parse

        text = inputs.check_query(query)
        hubs = self._hubs.current(self._store, revisions(self._store.reading()))
        if hubs is None:
            return HubFinding(match=False)
        question = parse(
            text,
            (),
            index=self._keeper.current(self._store),
            lexicon=load_lexicon(),
            thesaurus=self._thesaurus,
            settings=self._settings,
        )
        matches = [match for match in hubs.matches(question) if match.confidence >= MEANT]
        return self._finding(matches, frozenset(question.words))

    def delete_hub(self, hub: str) -> HubDeleted:
        """Deletes a hub with its bridges; the memory that it leads to stays.

        Raises:
            HubNotFoundError: there is no such hub; the error offers the nearest names.
        """

        def write(connection: sqlite3.Connection) -> HubDeleted:
            row = _known(connection, hub)
            bridges = storage.delete_hub(connection, row.id)
            refresh_text(connection, [row.node_id])
            return HubDeleted(hub=row.name, canonical=row.node_name, bridges=bridges)

        return write_repairing(self._store, write)

    def _finding(self, matches: Sequence[HubMatch], asked: frozenset[str]) -> HubFinding:
        with self._store.snapshot() as connection:
            rows = storage.hubs_with(connection, [match.hub for match in matches])
            known = [match for match in matches if match.hub in rows]
            if not known:
                return HubFinding(match=False)
            best = known[0]
            texts = storage.bridge_texts(connection, best.bridges)
        met = [texts[bridge] for bridge in best.bridges if bridge in texts]
        terms = dict.fromkeys(word for words in content_words(met) for word in words.words)
        names = dict.fromkeys(rows[match.hub].node_name for match in known)
        return HubFinding(
            match=True,
            hub=rows[best.hub].name,
            confidence=best.confidence,
            canonical=tuple(names)[:MOST_CANONICAL],
            bridges=tuple(met),
            expanded_terms=tuple(term for term in terms if term not in asked)[:MOST_TERMS],
        )


def _known(connection: sqlite3.Connection, name: str) -> storage.HubRow:
    found = storage.hub_named(connection, name)
    if found is not None:
        return found
    key = inputs.name_key(name)
    scored = [
        (difflib.SequenceMatcher(None, key, inputs.name_key(row.name)).ratio(), row.name)
        for row in storage.all_hubs(connection)
    ]
    scored.sort(key=lambda pair: (-pair[0], pair[1]))
    raise HubNotFoundError(
        name, tuple(known for ratio, known in scored[:OFFERED] if ratio >= LIKE_ENOUGH)
    )


def _hub(connection: sqlite3.Connection, row: storage.HubRow) -> Hub:
    return _present(row, storage.bridges_of(connection, [row.id]).get(row.id, ()))


def _present(row: storage.HubRow, bridges: tuple[Bridge, ...]) -> Hub:
    return Hub(
        name=row.name,
        canonical=row.node_name,
        description=row.description,
        bridges=bridges,
        created_at=moment(row.created_at),
    )
