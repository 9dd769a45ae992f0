"""Words within two edits of 200 misspelt ones, beside rapidfuzz (batched) and symspellpy.

The words are the 82,765 English ones that symspellpy comes with, shuffled, then words made of them
with affixes. Each round answers all 200 questions, in one thread.
"""

from __future__ import annotations

import random
import string
from functools import cache, partial
from pathlib import Path

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from biorag.kernels.spelling import Metric, WordList

SIZES = [10_000, 100_000, 500_000]
QUESTIONS = 200
REACH = 2
PREFIXES = ["", "re", "un", "pre", "anti", "sub", "des", "in", "co", "sobre", "inter"]
SUFFIXES = ["", "s", "ed", "ing", "er", "ly", "ness", "able", "less", "mente", "os", "ito", "dad"]

symspellpy = pytest.importorskip("symspellpy")
process = pytest.importorskip("rapidfuzz.process")
rapidfuzz_distance = pytest.importorskip("rapidfuzz.distance")


@cache
def all_words() -> list[str]:
    path = Path(symspellpy.__file__).with_name("frequency_dictionary_en_82_765.txt")
    words = [line.split()[0] for line in path.read_text(encoding="utf-8-sig").splitlines()]
    rng = random.Random(7)
    rng.shuffle(words)
    made = dict.fromkeys(words)
    while len(made) < max(SIZES):
        made[rng.choice(PREFIXES) + rng.choice(words) + rng.choice(SUFFIXES)] = None
    return list(made)


def misspelt(word: str, rng: random.Random) -> str:
    """One or two edits: a letter dropped, added, replaced, or swapped with the next."""
    for _ in range(rng.choice([1, 2])):
        at = rng.randrange(len(word))
        before, letter, after = word[:at], word[at], word[at + 1 :]
        other = rng.choice(string.ascii_lowercase)
        word = (
            rng.choice(
                [
                    before + after,
                    before + other + letter + after,
                    before + other + after,
                    before + after[:1] + letter + after[1:],
                ]
            )
            or letter
        )
    return word


@cache
def questions() -> list[str]:
    rng = random.Random(8)
    return [misspelt(rng.choice(all_words()[: SIZES[0]]), rng) for _ in range(QUESTIONS)]


@pytest.fixture(params=SIZES)
def size(request: pytest.FixtureRequest, benchmark: BenchmarkFixture) -> int:
    count: int = request.param
    benchmark.group = f"{count:,} words"
    return count


def near(listed: WordList, metric: Metric) -> list[list[tuple[int, int]]]:
    return [listed.near(word, REACH, metric) for word in questions()]


@pytest.mark.parametrize("metric", Metric)
def test_word_list(benchmark: BenchmarkFixture, size: int, metric: Metric) -> None:
    listed = WordList(all_words()[:size])
    found = benchmark(near, listed, metric)
    benchmark.extra_info["bytes a word"] = round(listed.heap_bytes / size, 1)
    assert all(answer[0][1] <= REACH for answer in found if answer)
    assert sum(map(len, found)) > QUESTIONS


@pytest.mark.parametrize("metric", Metric)
def test_rapidfuzz(benchmark: BenchmarkFixture, size: int, metric: Metric) -> None:
    scorer = (
        rapidfuzz_distance.OSA if metric is Metric.OSA else rapidfuzz_distance.Levenshtein
    ).distance
    call = partial(process.cdist, scorer=scorer, score_cutoff=REACH, dtype=np.uint8, workers=1)
    table = benchmark(call, questions(), all_words()[:size])
    listed = WordList(all_words()[:size])
    assert np.count_nonzero(table <= REACH) == sum(map(len, near(listed, metric)))


def test_symspell(benchmark: BenchmarkFixture, size: int) -> None:
    speller = symspellpy.SymSpell(max_dictionary_edit_distance=REACH)
    for word in all_words()[:size]:
        speller.create_dictionary_entry(word, 1)
    look_up = partial(speller.lookup, verbosity=symspellpy.Verbosity.ALL, max_edit_distance=REACH)
    found = benchmark(lambda: [look_up(word) for word in questions()])
    words = all_words()[:size]
    answers = near(WordList(words), Metric.OSA)
    # Sets, since it gives some short words twice.
    assert [{item.term for item in items} for items in found] == [
        {words[index] for index, _ in answer} for answer in answers
    ]


def test_building_the_list(benchmark: BenchmarkFixture, size: int) -> None:
    words = all_words()[:size]
    assert len(benchmark(WordList, words)) == size
