"""The analysed text of each memory, and exact phrases in it through the full-text index."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import astuple, dataclass

from biorag.storage.bulk import insert_rows, select_in
from biorag.storage.changes import prune_changes
from biorag.storage.codes import mark_dirty

LONGEST_PHRASE = 64  # tokens; nothing longer is a phrase that someone remembers

_INSERT = "INSERT INTO node_text (node_id, name, synonyms, key_nouns, bridges, body)"


@dataclass(frozen=True, slots=True)
class NodeText:
    """The analysed tokens of each field of a memory, joined by spaces."""

    name: str
    synonyms: str
    key_nouns: str
    bridges: str
    body: str


def insert_texts(
    connection: sqlite3.Connection, ids: Sequence[int], texts: Sequence[NodeText]
) -> None:
    """Add the texts of memories that have none yet; the index follows."""
    rows = [
        (node_id, text.name, text.synonyms, text.key_nouns, text.bridges, text.body)
        for node_id, text in zip(ids, texts, strict=True)
    ]
    insert_rows(connection, _INSERT, rows)
    prune_changes(connection)


def set_text(connection: sqlite3.Connection, node_id: int, text: NodeText) -> None:
    """Give a memory this text; the index is touched only when a field differs."""
    connection.execute(
        f"{_INSERT} VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (node_id) DO UPDATE SET"
        " name = excluded.name, synonyms = excluded.synonyms, key_nouns = excluded.key_nouns,"
        " bridges = excluded.bridges, body = excluded.body",
        (node_id, *astuple(text)),
    )
    mark_dirty(connection, [node_id])
    prune_changes(connection)


def phrase_matches(connection: sqlite3.Connection, tokens: Sequence[str], limit: int) -> list[int]:
    """Ids of memories with a field that holds these analysed tokens next to each other.

    Args:
        connection: A reading connection.
        tokens: As they stand in `NodeText`; nothing in them is syntax.
        limit: How many ids at most.

    Returns:
        Ids in ascending order; none for no token, or for more than `LONGEST_PHRASE`.

    Raises:
        CorruptDataError: the index is damaged; `fulltext.rebuild_fulltext` mends it.
    """
    if not 0 < len(tokens) <= LONGEST_PHRASE or not all(map(_is_indexable, tokens)):
        return []
    phrase = " + ".join(map(quoted, tokens))
    rows = connection.execute(
        "SELECT rowid FROM fts WHERE fts MATCH ? ORDER BY rowid LIMIT ?", (phrase, limit)
    ).fetchall()
    return [node_id for (node_id,) in rows]


def words_of(connection: sqlite3.Connection, ids: Sequence[int]) -> set[str]:
    """The analysed tokens of these memories, in any field."""
    rows = select_in(
        connection,
        "SELECT name, synonyms, key_nouns, bridges, body FROM node_text WHERE node_id IN {ids}",
        ids,
    )
    return {token for fields in rows for field in fields for token in field.split(" ") if token}


def quoted(token: str) -> str:
    """A token as FTS5 writes a string, so that nothing in it is syntax."""
    return '"' + token.replace('"', '""') + '"'


def _is_indexable(token: str) -> bool:
    """Whether a token can be in the index: not blank, and storable as text."""
    return (
        bool(token.strip())
        and "\0" not in token
        and not any("\ud800" <= character <= "\udfff" for character in token)
    )
