"""What memories stored beside a memory lend it: the formula, dense and obvious."""

from __future__ import annotations

from collections.abc import Sequence

RADIUS = 3


def lent(
    parts: Sequence[Sequence[float]],
    frequencies: Sequence[float],
    lengths: Sequence[int],
    *,
    trust: float,
    question_words: int,
) -> list[float]:
    """What each document borrows, in order of storage.

    Args:
        parts: Of each document the score of each word of the question.
        frequencies: Of each word its document frequency.
        lengths: Of each document its words.
        trust: How far the order of storage is believed, in [0, 1].
        question_words: Words of the question; one borrows nothing, two half.
    """
    n = len(parts)
    whole = trust * min(1.0, (question_words - 1) / 2)
    loans = []
    for at in range(n):
        gain = 0.0
        for word, frequency in enumerate(frequencies):
            if frequency > 0.2 * n:
                continue
            best = 0.0
            for step in range(1, RADIUS + 1):
                fading = 0.6 ** (step - 1)
                if at - step >= 0:
                    best = max(best, fading * parts[at - step][word])
                if at + step < n:
                    best = max(best, fading * 0.5 * parts[at + step][word])
            gain += max(0.0, 0.9 * best - parts[at][word])
        loans.append(whole * gain * 40 / (40 + lengths[at]))
    return loans
