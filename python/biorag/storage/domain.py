"""The domain dictionary: which words the store's own texts use together."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Sequence

from biorag.storage.bulk import insert_rows, select_in
from biorag.storage.revisions import revise

LANE = "domain"

Related = tuple[str, str, float]
"""A term, a term that goes with it, and how closely, in [0, 1]."""


def replace_domain_terms(connection: sqlite3.Connection, pairs: Iterable[Related]) -> None:
    """Puts a dictionary in the place of the one before, within the caller's transaction."""
    connection.execute("DELETE FROM domain_term")
    insert_rows(connection, "INSERT INTO domain_term (term, related, weight)", sorted(set(pairs)))
    revise(connection, LANE)


def related_terms(
    connection: sqlite3.Connection, terms: Sequence[str]
) -> dict[str, list[tuple[str, float]]]:
    """What goes with each of these terms, closest first, ties by spelling."""
    found: dict[str, list[tuple[str, float]]] = {}
    for term, related, weight in select_in(
        connection,
        "SELECT term, related, weight FROM domain_term WHERE term IN {ids}"
        " ORDER BY term, weight DESC, related",
        terms,
    ):
        found.setdefault(term, []).append((related, weight))
    return found


def has_domain_terms(connection: sqlite3.Connection) -> bool:
    """Whether the dictionary holds anything."""
    return connection.execute("SELECT 1 FROM domain_term LIMIT 1").fetchone() is not None


def drop_domain_terms(connection: sqlite3.Connection, terms: Collection[str]) -> None:
    """Forgets words wherever they stand, within the caller's transaction."""
    gone = [(term,) for term in sorted(terms)]
    if not gone or not has_domain_terms(connection):
        return
    dropped = connection.executemany("DELETE FROM domain_term WHERE term = ?", gone).rowcount
    # No index leads from a word to those that it stands beside, so all are looked at once.
    held = {related for (related,) in connection.execute("SELECT related FROM domain_term")}
    beside = [(term,) for (term,) in gone if term in held]
    dropped += connection.executemany("DELETE FROM domain_term WHERE related = ?", beside).rowcount
    if dropped > 0:
        revise(connection, LANE)
