"""The analysed text of each memory, and exact phrases in it through the full-text index."""

from __future__ import annotations

import itertools
import math
import re
import sqlite3
from collections.abc import Sequence
from dataclasses import astuple, dataclass

from biorag.storage.bulk import insert_rows, select_in
from biorag.storage.changes import prune_changes
from biorag.storage.codes import mark_dirty

MOST_SPELLINGS = 8  # of a question in all that are searched; beyond, the first of each word
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


def holders_together(
    connection: sqlite3.Connection, words: Sequence[Sequence[str]], distance: int, limit: int
) -> list[int]:
    """Ids of memories with a field that holds all these words near each other, the newest first.

    Args:
        connection: A reading connection.
        words: Of each word its analysed spellings, any of which will do.
        distance: How many tokens may stand between the first and the last of the words.
        limit: How many ids at most.

    Raises:
        CorruptDataError: the index is damaged; `fulltext.rebuild_fulltext` mends it.
    """
    kept = [list(filter(_is_indexable, spellings)) for spellings in words]
    if math.prod(map(len, kept)) > MOST_SPELLINGS:
        kept = [spellings[:1] for spellings in kept]
    spelt = [tuple(dict.fromkeys(tokens)) for tokens in itertools.product(*kept)] if kept else []
    near = [f"NEAR({' '.join(map(quoted, tokens))}, {distance})" for tokens in spelt]
    return _matching(connection, " OR ".join(near), limit)


def holders_of_all(
    connection: sqlite3.Connection, words: Sequence[Sequence[str]], limit: int
) -> list[int]:
    """Ids of memories that hold all these words in any fields, the newest first.

    Args:
        connection: A reading connection.
        words: Of each word its analysed spellings, any of which will do.
        limit: How many ids at most.

    Raises:
        CorruptDataError: the index is damaged; `fulltext.rebuild_fulltext` mends it.
    """
    kept = [list(filter(_is_indexable, spellings)) for spellings in words]
    if not all(kept):
        return []
    every = [f"({' OR '.join(map(quoted, spellings))})" for spellings in kept]
    return _matching(connection, " AND ".join(every), limit)


def recent_holders(
    connection: sqlite3.Connection, beginnings: Sequence[str], since: float, limit: int
) -> list[int]:
    """Ids of memories written since a time with a token that begins so, the latest written first.

    Args:
        connection: A reading connection.
        beginnings: Of analysed tokens.
        since: Epoch seconds.
        limit: How many ids at most.

    Raises:
        CorruptDataError: the index is damaged; `fulltext.rebuild_fulltext` mends it.
    """
    terms = " OR ".join(f"{quoted(start)} *" for start in filter(_is_indexable, beginnings))
    if not terms:
        return []
    rows = connection.execute(
        "SELECT node.id FROM fts CROSS JOIN node ON node.id = fts.rowid WHERE fts MATCH ?"
        " AND max(created_at, updated_at) >= ?"
        " ORDER BY max(created_at, updated_at) DESC, node.id DESC LIMIT ?",
        (terms, since, limit),
    ).fetchall()
    return [node_id for (node_id,) in rows]


def holders_inside(
    connection: sqlite3.Connection, pieces: Sequence[Sequence[str]], least: int, limit: int
) -> list[int]:
    """Ids of memories with analysed tokens that contain these pieces, most pieces first.

    Reads every analysed text.

    Args:
        connection: A reading connection.
        pieces: Of each piece its spellings, any of which will do.
        least: How many pieces a memory must hold, from 1.
        limit: How many ids at most.
    """
    columns = ("body", "name", "synonyms", "key_nouns")
    # LIKE is four times as fast as instr, which counts characters.
    one = " OR ".join(f"{column} LIKE ? ESCAPE '\\'" for column in columns)
    kept = [spelt for spelt in (list(filter(_is_indexable, piece)) for piece in pieces) if spelt]
    held = [f"({' OR '.join([one] * len(spelt))})" for spelt in kept]
    if not held:
        return []
    patterns = [_containing(spelling) for spelt in kept for spelling in spelt for _ in columns]
    rows = connection.execute(
        f"SELECT node_id FROM (SELECT node_id, {' + '.join(held)} AS held FROM node_text)"
        " WHERE held >= ? ORDER BY held DESC, node_id LIMIT ?",
        (*patterns, least, limit),
    ).fetchall()
    return [node_id for (node_id,) in rows]


def holders_of_text(connection: sqlite3.Connection, text: str, limit: int) -> list[int]:
    """Ids of memories with a live text that holds this one literally, in ascending order.

    Letters A to Z match in either case. Reads every text.

    Args:
        connection: A reading connection.
        text: Of some five hundred characters at most; nothing in it is syntax.
        limit: How many ids at most.
    """
    if not _is_indexable(text):
        return []
    rows = connection.execute(
        "SELECT DISTINCT node_id FROM observation WHERE superseded_by IS NULL"
        " AND content LIKE ? ESCAPE '\\' ORDER BY node_id LIMIT ?",
        (_containing(text), limit),
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


def _containing(text: str) -> str:
    """A pattern of LIKE, with a backslash to escape, for whatever contains a text literally."""
    escaped = re.sub(r"([%_\\])", r"\\\1", text)
    return f"%{escaped}%"


def _matching(connection: sqlite3.Connection, expression: str, limit: int) -> list[int]:
    if not expression:
        return []
    rows = connection.execute(
        "SELECT rowid FROM fts WHERE fts MATCH ? ORDER BY rowid DESC LIMIT ?", (expression, limit)
    ).fetchall()
    return [node_id for (node_id,) in rows]


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
