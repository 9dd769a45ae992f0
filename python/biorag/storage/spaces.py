"""Rows of the vector spaces: plain arrays, a byte a dimension."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator
from dataclasses import dataclass

CHUNK = 4_096  # terms in a row of the table


@dataclass(frozen=True, slots=True, kw_only=True)
class SpaceRow:
    """One trained space.

    Attributes:
        documents: How many memories it was trained on.
        created_at: When, in epoch seconds.
    """

    id: int
    name: str
    dims: int
    documents: int
    created_at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenChunk:
    """Some terms of a space with their numbers as bytes.

    Attributes:
        terms: The terms, in the space's order.
        weights: float32, one a term.
        scales: float32, one a term.
        vectors: int8, `dims` a term; times the scale gives the vector.
    """

    terms: tuple[str, ...]
    weights: bytes
    scales: bytes
    vectors: bytes


def space(connection: sqlite3.Connection, name: str) -> SpaceRow | None:
    """The space of a name, if it was trained."""
    row = connection.execute(
        "SELECT id, name, dims, documents, created_at FROM vector_space WHERE name = ?", (name,)
    ).fetchone()
    if row is None:
        return None
    return SpaceRow(id=row[0], name=row[1], dims=row[2], documents=row[3], created_at=row[4])


def newest_space(connection: sqlite3.Connection) -> int:
    """The id of the space that was trained last; 0 when there is none."""
    newest: int = connection.execute("SELECT coalesce(max(id), 0) FROM vector_space").fetchone()[0]
    return newest


def replace_space(
    connection: sqlite3.Connection,
    name: str,
    *,
    dims: int,
    documents: int,
    created_at: float,
    chunks: Iterator[TokenChunk],
) -> int:
    """Puts a space in the place of the one of this name, within the caller's transaction.

    Returns:
        Its id; a reader sees the old space or the new one, whole.
    """
    delete_space(connection, name)
    cursor = connection.execute(
        "INSERT INTO vector_space (name, dims, documents, created_at) VALUES (?, ?, ?, ?)",
        (name, dims, documents, created_at),
    )
    number = int(cursor.lastrowid or 0)
    connection.executemany(
        "INSERT INTO token_vector (space_id, chunk, terms, weights, scales, vectors)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        (
            (number, nth, "\n".join(chunk.terms), chunk.weights, chunk.scales, chunk.vectors)
            for nth, chunk in enumerate(chunks)
        ),
    )
    return number


def delete_space(connection: sqlite3.Connection, name: str) -> None:
    """Forgets a space; nothing happens when there is none of this name."""
    connection.execute("DELETE FROM vector_space WHERE name = ?", (name,))


def drop_terms(connection: sqlite3.Connection, terms: Collection[str]) -> None:
    """Forgets terms of every space, within the caller's transaction.

    A space that knew one of them gets a new id, so that every process takes up what is left.
    """
    if not terms:
        return
    for (name,) in connection.execute("SELECT name FROM vector_space").fetchall():
        held = space(connection, name)
        if held is None:
            continue
        chunks = chunks_of(connection, held.id)
        kept = [_without(chunk, held.dims, terms) for chunk in chunks]
        if kept != chunks:
            replace_space(
                connection,
                name,
                dims=held.dims,
                documents=held.documents,
                created_at=held.created_at,
                chunks=(chunk for chunk in kept if chunk.terms),
            )


def _without(chunk: TokenChunk, dims: int, terms: Collection[str]) -> TokenChunk:
    kept = [nth for nth, term in enumerate(chunk.terms) if term not in terms]
    if len(kept) == len(chunk.terms):
        return chunk

    def rows(column: bytes, size: int) -> bytes:
        return b"".join(column[nth * size : (nth + 1) * size] for nth in kept)

    return TokenChunk(
        terms=tuple(chunk.terms[nth] for nth in kept),
        weights=rows(chunk.weights, 4),
        scales=rows(chunk.scales, 4),
        vectors=rows(chunk.vectors, dims),
    )


def chunks_of(connection: sqlite3.Connection, space_id: int) -> list[TokenChunk]:
    """The terms of a space in order."""
    rows = connection.execute(
        "SELECT terms, weights, scales, vectors FROM token_vector WHERE space_id = ?"
        " ORDER BY chunk",
        (space_id,),
    )
    return [
        TokenChunk(terms=tuple(terms.split("\n")), weights=weights, scales=scales, vectors=vectors)
        for terms, weights, scales, vectors in rows
    ]
