"""The edit distances: against the textbook, as metrics, and as a corrector needs them."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biorag.errors import KernelInputError
from biorag.kernels.spelling import Metric, WordList, edit_distances
from oracles.levenshtein import edit_distance, near

metrics = st.sampled_from(Metric)
# Few letters of several scripts and widths, so that words are near and swaps are common.
words = st.text(alphabet="abcñжщ日😀", max_size=9)
# Either side of the 64 characters that fit one machine word.
long_words = st.text(alphabet="abñ", min_size=58, max_size=72)
any_texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)


@given(words | long_words | any_texts, st.lists(words | long_words | any_texts), metrics)
def test_distances_are_those_of_the_textbook(query: str, others: list[str], metric: Metric) -> None:
    transpositions = metric is Metric.OSA
    assert edit_distances(query, others, metric).tolist() == [
        edit_distance(query, other, transpositions=transpositions) for other in others
    ]


@given(words, words, metrics)
def test_distance_is_symmetric_and_zero_for_equal_texts_only(
    a: str, b: str, metric: Metric
) -> None:
    (there,), (back,) = edit_distances(a, [b], metric), edit_distances(b, [a], metric)
    assert there == back
    assert (there == 0) == (a == b)


@given(words, words, words)
def test_levenshtein_keeps_the_triangle_inequality(a: str, b: str, c: str) -> None:
    direct, first_leg = edit_distances(a, [c, b], Metric.LEVENSHTEIN)
    (second_leg,) = edit_distances(b, [c], Metric.LEVENSHTEIN)
    assert direct <= first_leg + second_leg


@given(words, st.lists(words, max_size=60), st.integers(0, 4), metrics)
def test_near_misses_no_word_and_adds_none(
    word: str, listed: list[str], max_distance: int, metric: Metric
) -> None:
    expected = near(word, listed, max_distance, transpositions=metric is Metric.OSA)
    assert WordList(listed).near(word, max_distance, metric) == expected


@given(long_words, st.lists(long_words, max_size=8), st.integers(0, 255), metrics)
def test_near_holds_for_words_longer_than_a_machine_word(
    word: str, listed: list[str], max_distance: int, metric: Metric
) -> None:
    expected = near(word, listed, max_distance, transpositions=metric is Metric.OSA)
    assert WordList(listed).near(word, max_distance, metric) == expected


@given(st.lists(words, max_size=20), st.lists(words, max_size=20), words)
def test_a_list_that_grew_answers_like_one_built_at_once(
    first: list[str], second: list[str], word: str
) -> None:
    grown = WordList(first)
    grown.near(word, 2)
    grown.extend(second)
    assert len(grown) == len(first) + len(second)
    assert grown.near(word, 2) == WordList([*first, *second]).near(word, 2)


def test_a_misspelt_word_finds_its_neighbours_nearest_first() -> None:
    listed = ["conciencia", "ciencia", "consciencia", "conveniencia", "conciencia"]
    assert WordList(listed).near("concienica", 2) == [(0, 1), (4, 1), (2, 2)]


@pytest.mark.parametrize("max_distance", [-1, 256])
def test_a_distance_that_no_list_measures_is_refused(max_distance: int) -> None:
    with pytest.raises(KernelInputError, match=str(max_distance)):
        WordList().near("a", max_distance)


def test_half_a_surrogate_pair_is_refused_and_nothing_is_added() -> None:
    listed = WordList(["a"])
    with pytest.raises(UnicodeEncodeError):
        listed.extend(["b", "\ud800"])
    assert len(listed) == 1


def test_a_hundred_thousand_words_take_less_memory_than_their_python_objects() -> None:
    listed = [f"palabra{i}" for i in range(100_000)]
    assert WordList(listed).heap_bytes < sum(map(sys.getsizeof, listed))


def test_threads_can_ask_while_another_adds() -> None:
    listed = WordList(["casa"])
    with ThreadPoolExecutor(4) as pool:
        answers = [pool.submit(listed.near, "cosa", 1) for _ in range(200)]
        pool.submit(listed.extend, ["cosas"] * 1_000).result()
        found = [answer.result() for answer in answers]
    assert all(answer[0] == (0, 1) for answer in found)
    assert len(listed.near("cosa", 1)) == 1_001
