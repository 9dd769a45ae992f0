"""Edit distances by the textbook recurrence, every cell of the table."""

from __future__ import annotations


def edit_distance(a: str, b: str, *, transpositions: bool) -> int:
    cells = [
        [i + j if i == 0 or j == 0 else 0 for j in range(len(b) + 1)] for i in range(len(a) + 1)
    ]
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            cells[i][j] = min(
                cells[i - 1][j] + 1,
                cells[i][j - 1] + 1,
                cells[i - 1][j - 1] + (a[i - 1] != b[j - 1]),
            )
            if (
                transpositions
                and a[max(i - 2, 0) : i] == b[max(j - 2, 0) : j][::-1]
                and min(i, j) > 1
            ):
                cells[i][j] = min(cells[i][j], cells[i - 2][j - 2] + 1)
    return cells[-1][-1]


def near(
    word: str, words: list[str], max_distance: int, *, transpositions: bool
) -> list[tuple[int, int]]:
    """Index and distance of the words within reach, by distance, then index."""
    distances = [edit_distance(word, other, transpositions=transpositions) for other in words]
    within = [(i, distance) for i, distance in enumerate(distances) if distance <= max_distance]
    return sorted(within, key=lambda pair: (pair[1], pair[0]))
