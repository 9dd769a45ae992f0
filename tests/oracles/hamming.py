"""Distances between binary codes by their definition, a bit at a time."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction


def hamming_distance(a: bytes, b: bytes) -> int:
    return sum((x ^ y).bit_count() for x, y in zip(a, b, strict=True))


def weighted_distance(a: bytes, b: bytes, segments: Sequence[tuple[int, float]]) -> Fraction:
    """Exact: weights are read as the tenths that they are written as."""
    total = Fraction(0)
    start = 0
    for bits, weight in segments:
        differing = sum(
            (a[bit // 8] ^ b[bit // 8]) >> (bit % 8) & 1 for bit in range(start, start + bits)
        )
        total += differing * Fraction(str(weight))
        start += bits
    return total


def nearest(
    query: bytes, rows: Sequence[bytes], k: int, segments: Sequence[tuple[int, float]]
) -> list[tuple[int, Fraction]]:
    """Row and distance of the k nearest, ties by row."""
    distances = [weighted_distance(query, row, segments) for row in rows]
    order = sorted(range(len(rows)), key=lambda row: (distances[row], row))
    return [(row, distances[row]) for row in order[:k]]
