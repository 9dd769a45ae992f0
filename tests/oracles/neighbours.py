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
    asks: Sequence[bool],
    when: bool = False,
) -> list[float]:
    """What each document borrows, in order of storage.

    Args:
        parts: Of each document the score of each word of the question.
        frequencies: Of each word its document frequency.
        lengths: Of each document its words.
        trust: How far the order of storage is believed, in [0, 1].
        question_words: Words of the question; one borrows nothing, two half.
        asks: Of each document whether it ends in a question, which lends more to the next.
        when: Whether a time is asked for, which such answers seldom tell.
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
                fading = 0.5 ** (step - 1)
                if at - step >= 0:
                    answers = step == 1 and asks[at - 1] and not asks[at] and not when
                    share = 1.4 if answers else 0.8
                    best = max(best, share * fading * parts[at - step][word])
                if at + step < n:
                    best = max(best, 0.5 * fading * parts[at + step][word])
            gain += max(0.0, best - parts[at][word])
        loans.append(whole * gain * 80 / (80 + lengths[at]))
    return loans
