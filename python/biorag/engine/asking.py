"""The part of the facade that finds: recall, explain, get, list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from biorag import inputs
from biorag.engine.bound import Bound
from biorag.engine.intake import check_key_nouns
from biorag.engine.names import memory_of, number_of
from biorag.engine.roles import check_roles, ids_in_roles
from biorag.errors import InvalidInputError
from biorag.lexicon.wordnet import load_lexicon
from biorag.model import Explanation, Listing, Moment, Page, StoredMemory
from biorag.model_predicates import Role
from biorag.storage.dimensions import check_dimensions
from biorag.storage.listing import (
    Filters,
    count,
    count_sharing,
    listing,
    listing_sharing,
)
from biorag.storage.revisions import revisions

if TYPE_CHECKING:
    # numpy takes longer to import than all else, and learning does not need it.
    from biorag.retrieval.knowledge import Knowledge
    from biorag.retrieval.recall import RankedPool
    from biorag.retrieval.working import WorkingMemory


MOST_ASSOCIATIONS = 50
DEEPEST_CONTEXT = 5


class Asking(Bound):
    """Finding what was learnt; nothing here writes."""

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
        inference: bool = True,
        associations: int = 0,
        context_depth: int = 0,
        dimensions: Mapping[str, Sequence[str]] | None = None,
        roles: Mapping[Role, str] | None = None,
        burst_words: Sequence[str] = (),
        force_burst: bool = False,
        session: WorkingMemory | None = None,
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
            strict: Only memories that hold every word of the question and, on each axis of
                `dimensions`, one of its values.
            order_by: By relevance, or all that match by the time they were stored.
            answer_only: Leave `Page.hits` empty when the page abstains; `Page.related` has them.
            inference: Whether links that only paths suggest count, too.
            associations: How many linked memories to show of each hit, 0 to 50.
            context_depth: Over how many links around the page to look, 0 to 5, for `Page.context`.
            dimensions: Axis to values that the answer should have: they lift what shares them, and
                the fifty that share most are candidates whatever they say. They are no evidence
                that anything answers: the words alone decide.
            burst_words: 3 to 15 words associated with the question. Where it finds nothing, or
                nothing that scores .5, memories that hold any of them are candidates, too, even
                dormant ones, which stay dormant. They are no evidence that anything answers.
            force_burst: Search the burst words whatever the question finds.
            session: What this client was shown lately; the page's memories are added to it. It
                counts only where the settings let it (`working_memory`).

            roles: Only memories with one statement that has, in each of these roles (`subject`,
                `action`, `object`, `context`), every word given for it.

        Raises:
            DimensionsError: an axis that there is not, or what cannot be a value.
            InvalidInputError: a value breaks its rule.
        """
        # Here, because numpy takes longer to import than all else, and learning does not need it.
        from biorag.retrieval.knowledge import Request
        from biorag.retrieval.recall import recall

        wanted = check_dimensions(dimensions)
        request = Request(
            query=inputs.check_query(query),
            limit=inputs.check_limit(self._settings.default_limit if limit is None else limit),
            page=inputs.check_page(page),
            key_nouns=check_key_nouns(key_nouns),
            explain=explain,
            filters=self._filters(
                category, author, since, until, as_of, wanted if strict else None, roles
            ),
            deep=deep,
            strict=strict,
            order_by=_one_of("order_by", order_by, ("relevance", "newest", "oldest")),
            answer_only=answer_only,
            inference=inference,
            associations=inputs.check_count(associations, "associations", MOST_ASSOCIATIONS),
            context_depth=inputs.check_count(context_depth, "context_depth", DEEPEST_CONTEXT),
            dimensions=wanted,
            burst_words=_burst(burst_words, force_burst),
            force_burst=force_burst,
            session=session if self._settings.working_memory else None,
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
        from biorag.retrieval.knowledge import Request

        number = number_of(self._store.reading(), self._keeper.current(self._store), name)
        request = Request(
            query=inputs.check_query(query),
            limit=1,
            key_nouns=check_key_nouns(key_nouns),
            deep=deep,
        )
        return explain(request, number, self._knowledge())

    def candidates(self, query: str) -> RankedPool:
        """All that is found out about the candidates of a question, for measurements.

        Raises:
            InvalidInputError: the question breaks its rule.
        """
        from biorag.retrieval.knowledge import Request
        from biorag.retrieval.recall import rank_pool

        return rank_pool(Request(query=inputs.check_query(query), limit=1), self._knowledge())

    def _knowledge(self) -> Knowledge:
        from biorag.retrieval.knowledge import Knowledge

        index = self._keeper.current(self._store)
        seen = revisions(self._store.reading())
        trusted = self._keeper.trust_in_order(index) if self._settings.neighbours else 0.0
        # No snapshot: it would cost three statements of eight, and what is deleted between two of
        # the rest is left out of the page.
        seen = revisions(self._store.reading())
        return Knowledge(
            connection=self._store.reading(),
            index=index,
            trust_in_order=trusted,
            space=self._spaces.current(self._store) if self._settings.vectors else None,
            lexicon=load_lexicon(),
            thesaurus=self._thesaurus,
            settings=self._settings,
            calibration=self._calibrations.current(self._store, index),
            revisions=seen,
            links=self._links.current(self._store, seen),
            embeddings=self._embeddings.current(self._store, seen),
            axis_values=self._axis_values.current(self._store, seen),
            word_groups=self._word_groups.current(self._store, seen),
            hubs=self._hubs.current(self._store, seen),
            now=self._clock.now(),
            codes=lambda: self._codes.held(self._store, seen),
            told=lambda: self._told.current(self._store, seen),
        )

    def get(self, name: str) -> StoredMemory:
        """The memory of a name, whole.

        Raises:
            NodeNotFoundError: there is none; the error offers the nearest names.
        """
        index = self._keeper.current(self._store)
        with self._store.snapshot() as connection:
            return memory_of(connection, index, name)

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
        dimensions: Mapping[str, Sequence[str]] | None = None,
        strict: bool = False,
        roles: Mapping[Role, str] | None = None,
    ) -> Listing:
        """The memories in order of time, newest first unless `oldest_first`.

        Args:
            page: From 1.
            limit: Memories a page, at most 1,000.
            category: As for `recall`.
            author: As for `recall`.
            since: As for `recall`.
            until: As for `recall`.
            as_of: As for `recall`.
            oldest_first: Turns the order round; without `dimensions` alone.
            dimensions: Only memories that share one of these values: those that share most first,
                then the heavier, the newer, the smaller id.
            strict: Only memories that have, on each axis of `dimensions`, one of its values.
            roles: As for `recall`.

        Raises:
            DimensionsError: an axis that there is not, or what cannot be a value.
            InvalidInputError: a value breaks its rule.
        """
        page, limit = inputs.check_page(page), inputs.check_limit(limit)
        wanted = check_dimensions(dimensions)
        filters = self._filters(
            category, author, since, until, as_of, wanted if strict else None, roles
        )
        with self._store.snapshot() as connection:
            if wanted:
                return Listing(
                    memories=tuple(listing_sharing(connection, filters, wanted, page, limit)),
                    page=page,
                    limit=limit,
                    total=count_sharing(connection, filters, wanted),
                )
            return Listing(
                memories=tuple(
                    listing(connection, filters, page, limit, oldest_first=oldest_first)
                ),
                page=page,
                limit=limit,
                total=count(connection, filters),
            )

    def _filters(
        self,
        category: str | None,
        author: str | None,
        since: Moment | None = None,
        until: Moment | None = None,
        as_of: Moment | None = None,
        dimensions: Mapping[str, tuple[str, ...]] | None = None,
        roles: Mapping[Role, str] | None = None,
    ) -> Filters:
        return Filters(
            category=category,
            author=author,
            since=None if since is None else inputs.moment_to_epoch(since, "since"),
            until=None if until is None else inputs.last_moment(until, "until"),
            as_of=None if as_of is None else inputs.last_moment(as_of, "as_of"),
            dimensions=tuple((dimensions or {}).items()),
            among=self._in_roles(check_roles(roles)),
        )

    def _in_roles(self, wanted: Mapping[Role, str]) -> tuple[int, ...] | None:
        if not wanted:
            return None
        index = self._keeper.current(self._store)
        return ids_in_roles(self._store.reading(), index, wanted)


def _burst(words: Sequence[str], forced: bool) -> tuple[str, ...]:
    checked = inputs.check_burst_words(words)
    if forced and not checked:
        raise InvalidInputError("force_burst", forced, "a burst needs burst_words to search")
    return checked


def _one_of(
    field: str,
    value: Literal["relevance", "newest", "oldest"],
    choices: tuple[Literal["relevance", "newest", "oldest"], ...],
) -> Literal["relevance", "newest", "oldest"]:
    if value not in choices:
        raise InvalidInputError(field, value, f"must be one of {', '.join(choices)}")
    return value
