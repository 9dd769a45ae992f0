"""Binary codes of memories, those most alike, and who fills which role of a statement."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from biorag import _native
from biorag._native import CodeTable
from biorag.errors import KernelInputError

__all__ = [
    "CODE_BYTES",
    "DIMENSIONS",
    "WEIGHTS",
    "CodeTable",
    "bind",
    "bundle",
    "filler_code",
    "fills",
    "most_alike",
    "permute",
    "role_code",
    "sdm_codes",
    "statement_code",
]

CODE_BYTES = 256

Features: TypeAlias = tuple[str, str, Sequence[tuple[str, float]], str, Sequence[str]]
"""Terms of the content and of the name, each joined by spaces; values of dimensions with the idf
of each; the category, empty for none; names of neighbours."""

Role = Literal["subject", "action", "object", "context"]

WEIGHTS = (1.0, 1.0, 2.5, 1.5, 1.2)
"""What a bit counts: of the content's words, the name's, dimensions, the category, neighbours."""

DIMENSIONS = 2
"""Place of the dimensions among the segments."""


def sdm_codes(documents: Sequence[Features]) -> bytes:
    """The codes of documents, 256 bytes each, one after another.

    Words of the content (the first 50 different ones) set bits 0 to 511 of a code, those of the
    name 512 to 767, four each; dimensions set a run of 4, 8, 12 or 16 bits by idf (up to .5, 1.5,
    3.0, above) of 768 to 1,791; the category eight of 1,792 to 1,919; neighbours four each of 1,920
    to 2,047. The first bit of a byte is its highest. The places are hashes that never change.
    """
    return _native.sdm_codes(
        [
            (content, name, list(dimensions), category, list(neighbours))
            for content, name, dimensions, category, neighbours in documents
        ]
    )


def most_alike(
    table: CodeTable,
    code: bytes,
    k: int,
    *,
    floor: float = 0.0,
    weights: tuple[float, float, float, float, float] = WEIGHTS,
    excluded: Sequence[int] = (),
) -> list[tuple[int, float]]:
    """The memories most alike a code by weighted Jaccard: shared bits over bits of either.

    Args:
        table: The codes of all memories.
        code: 256 bytes.
        k: How many at most.
        floor: Nothing less alike than this is returned.
        weights: What a bit of each segment counts, multiples of 0.1.
        excluded: Ids that are left out.

    Returns:
        Ids and likeness in [0, 1], most alike first, ties by id.

    Raises:
        ShapeError: the code has not 256 bytes.
        KernelInputError: k is negative, or a weight breaks its rule.
    """
    if k < 0:
        raise KernelInputError(f"k: {k} is negative")
    return table.most_alike(code, k, floor, weights, list(excluded))


def role_code(role: Role) -> bytes:
    """The random code that stands for a role.

    Raises:
        KernelInputError: there is no such role.
    """
    return _native.hdc_role(role)


def filler_code(text: str) -> bytes:
    """The random code that stands for what fills a role; always the same for a text."""
    return _native.hdc_filler(text)


def bind(one: bytes, other: bytes) -> bytes:
    """One code bound to another (XOR); bound again to the same, it is the first again.

    Raises:
        ShapeError: a code has not 256 bytes.
    """
    return _native.hdc_bind(one, other)


def permute(code: bytes, places: int) -> bytes:
    """The code with its bits moved on by so many places, the last ones to the front.

    Raises:
        ShapeError: the code has not 256 bytes.
    """
    return _native.hdc_permute(code, places % (8 * CODE_BYTES))


def bundle(codes: Sequence[bytes]) -> bytes:
    """The code that is like each of these: the majority of each bit, a fixed code where none is.

    Raises:
        ShapeError: the codes have not 256 bytes each.
    """
    return _native.hdc_bundle(b"".join(codes))


def statement_code(fillers: Sequence[tuple[Role, str]]) -> bytes:
    """The code of a statement: each filler bound to its role, all of them bundled.

    Raises:
        KernelInputError: there is no such role.
    """
    return _native.hdc_statement(list(fillers))


def fills(statement: bytes, role: Role, candidates: Sequence[str]) -> list[float]:
    """How well each candidate fills a role of a statement, in [0, 1].

    Strangers stay near 0 (standard deviation .022), a filler of one of four roles is near .375.

    Raises:
        ShapeError: the statement has not 256 bytes.
        KernelInputError: there is no such role.
    """
    return _native.hdc_fills(statement, role, list(candidates))
