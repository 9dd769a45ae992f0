"""Codes of memories by their definition, a bit at a time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

MASK = (1 << 64) - 1
SEGMENTS = ((0, 512, 10), (512, 256, 10), (768, 1024, 25), (1792, 128, 15), (1920, 128, 12))
"""Start, bits and weight in tenths of each segment."""

Features = tuple[str, str, Sequence[tuple[str, float]], str, Sequence[str]]


def hash64(text: str, seed: int) -> int:
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = (value ^ byte) * 0x100000001B3 & MASK
    value ^= seed * 0x9E3779B97F4A7C15 & MASK
    value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9 & MASK
    value = (value ^ value >> 27) * 0x94D049BB133111EB & MASK
    return value ^ value >> 31


def encode(features: Features) -> bytes:
    content, name, dimensions, category, neighbours = features
    words = [word for word in dict.fromkeys(content.split(" ")) if word][:50]
    bits = _scattered(0, words, 4)
    bits |= _scattered(1, (word for word in name.split(" ") if word), 4)
    start, length, _ = SEGMENTS[2]
    for value, idf in dimensions:
        run = 4 if idf <= 0.5 else 8 if idf <= 1.5 else 12 if idf <= 3.0 else 16
        first = hash64(value, 0) % length
        bits |= {start + (first + step) % length for step in range(run)}
    bits |= _scattered(3, [category] if category else [], 8)
    bits |= _scattered(4, neighbours, 4)
    return sum(1 << 2047 - bit for bit in bits).to_bytes(256, "big")


def likeness(one: bytes, other: bytes) -> float:
    a, b = (int.from_bytes(code, "big") for code in (one, other))
    shared = either = 0
    for start, length, tenths in SEGMENTS:
        mask = (1 << length) - 1 << 2048 - start - length
        shared += (a & b & mask).bit_count() * tenths
        either += ((a | b) & mask).bit_count() * tenths
    return shared / either if either else 0.0


def _scattered(segment: int, texts: Iterable[str], projections: int) -> set[int]:
    start, length, _ = SEGMENTS[segment]
    return {start + hash64(text, seed) % length for text in texts for seed in range(projections)}
