"""The memory: one store, its index, and everything that a caller can do with them."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Self

from biorag import inputs
from biorag.clock import Clock, SystemClock
from biorag.engine import doctor, editing, learning
from biorag.engine.index_keeper import IndexKeeper
from biorag.engine.intake import check_key_nouns
from biorag.engine.location import default_path, index_file
from biorag.engine.names import memory_of, number_of
from biorag.engine.upkeep import Upkeep
from biorag.errors import InvalidInputError
from biorag.lexicon.wordnet import load_lexicon
from biorag.model import (
    Check,
    Explanation,
    Learned,
    Listing,
    Moment,
    NewMemory,
    Page,
    StoredMemory,
)
from biorag.settings import Settings
from biorag.storage.connection import Store
from biorag.storage.listing import Filters, count, listing

if TYPE_CHECKING:
    # numpy takes longer to import than all else, and learning does not need it.
    from biorag.retrieval.recall import Knowledge

BATCH = 500  # memories learnt in one transaction: a fsync shared, and readers not kept from it long


class Memory(Upkeep):
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
    ) -> Self:
        """Opens a store, and makes it when there is none.

        Args:
            path: The store's file, or `:memory:` for one that is gone when it is closed; `None`
                for the settings' path, else `memory.db` in the user's data folder.
            settings: Everything that can be adjusted; the environment is not read.
            clock: Where the time comes from.

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
        keeper = IndexKeeper(file=index_file(store.path) if saved and store.path else None)
        return cls(store, keeper, settings, clock)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

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
    ) -> Learned:
        """Learns a text under a name.

        A name that exists is not overwritten: a new text is added to what it holds, and so are
        synonyms, key nouns (up to ten in all), dimensions and links; the same text changes nothing.

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

        Raises:
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
        )
        return self.learn_many([memory])[0]

    def learn_many(
        self,
        memories: Iterable[NewMemory],
        *,
        batch_size: int = BATCH,
        on_progress: Callable[[int], None] | None = None,
    ) -> builtins.list[Learned]:
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
        learned: builtins.list[Learned] = []
        while batch := builtins.list(islice(remaining, batch_size)):
            learned += learning.learn_batch(
                batch, len(learned), store=self._store, keeper=self._keeper, clock=self._clock
            )
            if on_progress is not None:
                on_progress(len(learned))
        return learned

    def recall(
        self,
        query: str,
        *,
        limit: int | None = None,
        page: int = 1,
        key_nouns: Sequence[str] = (),
        explain: bool = False,
        category: str | None = None,
        author: str | None = None,
        since: Moment | None = None,
        until: Moment | None = None,
        as_of: Moment | None = None,
        deep: bool = False,
        strict: bool = False,
        order_by: Literal["relevance", "newest", "oldest"] = "relevance",
        answer_only: bool = False,
    ) -> Page:
        """Finds the memories that answer a question, in Spanish or English.

        A page that finds no answer says so (`Page.abstained`), and has the nearest memories to
        offer as related. The first recall of a store that has grown or shrunk by a fifth
        calibrates that, in a quarter of a second.

        Args:
            query: A question or some words; words in double quotes are searched as written.
            limit: Memories a page, at most 1,000.
            page: From 1.
            key_nouns: Words that the answer should hold; they count beside the question's own.
            explain: Keep every signal's value, weight and contribution, zeros too.
            category: Only this category.
            author: Only this author.
            since: Only memories created at this time or later.
            until: Only memories created at this time or earlier; a date means its whole day.
            as_of: Only what the memory knew at this time and what held then, in the words that it
                had; what was replaced since is found by its present words.
            deep: Also memories that are asleep.
            strict: Only memories that hold every word of the question.
            order_by: By relevance, or all that match by the time they were stored.
            answer_only: Leave `Page.hits` empty when the page abstains; `Page.related` has them.

        Raises:
            InvalidInputError: a value breaks its rule.
        """
        # Here, because numpy takes longer to import than all else, and learning does not need it.
        from biorag.retrieval.recall import Request, recall

        request = Request(
            query=inputs.check_query(query),
            limit=inputs.check_limit(self._settings.default_limit if limit is None else limit),
            page=inputs.check_page(page),
            key_nouns=check_key_nouns(key_nouns),
            explain=explain,
            filters=self._filters(category, author, since, until, as_of),
            deep=deep,
            strict=strict,
            order_by=_one_of("order_by", order_by, ("relevance", "newest", "oldest")),
            answer_only=answer_only,
        )
        return recall(request, self._knowledge())

    def explain(
        self, query: str, name: str, *, key_nouns: Sequence[str] = (), deep: bool = False
    ) -> Explanation:
        """Tells why a memory is where it is among the answers to a question, or why it is not.

        Args:
            query: As for `recall`.
            name: The memory; it is scored even when the question would not bring it.
            key_nouns: As for `recall`.
            deep: As for `recall`.

        Raises:
            NodeNotFoundError: there is no such memory.
            InvalidInputError: a value breaks its rule.
        """
        from biorag.retrieval.explanation import explain
        from biorag.retrieval.recall import Request

        number = number_of(self._store.reading(), self._keeper.current(self._store), name)
        request = Request(
            query=inputs.check_query(query),
            limit=1,
            key_nouns=check_key_nouns(key_nouns),
            deep=deep,
        )
        return explain(request, number, self._knowledge())

    def _knowledge(self) -> Knowledge:
        from biorag.retrieval.recall import Knowledge

        index = self._keeper.current(self._store)
        trusted = self._keeper.trust_in_order(index) if self._settings.neighbours else 0.0
        # No snapshot: it would cost three statements of eight, and what is deleted between two of
        # the rest is left out of the page.
        return Knowledge(
            connection=self._store.reading(),
            index=index,
            trust_in_order=trusted,
            space=self._spaces.current(self._store) if self._settings.vectors else None,
            lexicon=load_lexicon(),
            thesaurus=self._thesaurus,
            settings=self._settings,
            calibration=self._calibrations.current(self._store, index),
        )

    def get(self, name: str) -> StoredMemory:
        """The memory of a name, whole.

        Raises:
            NodeNotFoundError: there is none; the error offers the nearest names.
        """
        index = self._keeper.current(self._store)
        with self._store.snapshot() as connection:
            return memory_of(connection, index, name)

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
        )
        return editing.edit(name, changes, store=self._store, keeper=self._keeper)

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

    def count(self, *, category: str | None = None, author: str | None = None) -> int:
        """How many memories there are."""
        return count(self._store.reading(), self._filters(category, author))

    def list(
        self,
        *,
        page: int = 1,
        limit: int = 10,
        category: str | None = None,
        author: str | None = None,
        since: Moment | None = None,
        until: Moment | None = None,
        as_of: Moment | None = None,
        oldest_first: bool = False,
    ) -> Listing:
        """The memories in order of time, newest first unless `oldest_first`.

        Raises:
            InvalidInputError: a value breaks its rule.
        """
        page, limit = inputs.check_page(page), inputs.check_limit(limit)
        filters = self._filters(category, author, since, until, as_of)
        with self._store.snapshot() as connection:
            return Listing(
                memories=tuple(
                    listing(connection, filters, page, limit, oldest_first=oldest_first)
                ),
                page=page,
                limit=limit,
                total=count(connection, filters),
            )

    def check(self) -> tuple[Check, ...]:
        """Looks for damage, and proves in a scratch store that learn, recall and forget work.

        Reads the whole file, and writes a few bytes to it.
        """
        return doctor.check(
            self._store, self._keeper, partial(type(self).open, settings=self._settings)
        )

    def _filters(
        self,
        category: str | None,
        author: str | None,
        since: Moment | None = None,
        until: Moment | None = None,
        as_of: Moment | None = None,
    ) -> Filters:
        return Filters(
            category=category,
            author=author,
            since=None if since is None else inputs.moment_to_epoch(since, "since"),
            until=None if until is None else inputs.last_moment(until, "until"),
            as_of=None if as_of is None else inputs.last_moment(as_of, "as_of"),
        )


def _one_of(
    field: str,
    value: Literal["relevance", "newest", "oldest"],
    choices: tuple[Literal["relevance", "newest", "oldest"], ...],
) -> Literal["relevance", "newest", "oldest"]:
    if value not in choices:
        raise InvalidInputError(field, value, f"must be one of {', '.join(choices)}")
    return value
