from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import pytest

from biorag.errors import InvalidInputError
from biorag.evaluation.bm25s_rival import LIBRARY_DEFAULT, TUNED, Bm25s, Constants, stems
from biorag.evaluation.corpus import Document
from biorag.evaluation.fts5_rival import any_word
from biorag.evaluation.systems import RIVALS, open_system


def _documents(*texts: str, language: str = "en") -> list[Document]:
    return [
        Document(id=f"d{place}", title="", text=text, language=language)
        for place, text in enumerate(texts)
    ]


def _bm25_oracle(
    documents: Sequence[Sequence[str]], question: Sequence[str], constants: Constants
) -> list[float]:
    """Robertson's BM25 with Lucene's idf, word for word."""
    n = len(documents)
    mean_length = sum(map(len, documents)) / n
    scores = []
    for words in documents:
        norm = constants.k1 * (1 - constants.b + constants.b * len(words) / mean_length)
        score = 0.0
        for word in question:
            df = sum(word in other for other in documents)
            tf = words.count(word)
            score += math.log(1 + (n - df + 0.5) / (df + 0.5)) * tf / (tf + norm)
        scores.append(score)
    return scores


@pytest.mark.parametrize("name", RIVALS)
def test_a_rival_puts_the_text_that_speaks_to_the_question_first(name: str, tmp_path: Path) -> None:
    rival = open_system(name, tmp_path)
    rival.build(_documents("the garden gate", "a river crossing", "bees and hives"))
    assert rival.search("Which bees, which hives?", "en", 3)[0] == "d2"
    assert rival.search("¿?", "es", 3) == []
    rival.close()


@pytest.mark.parametrize("name", RIVALS)
def test_a_rival_returns_at_most_k(name: str, tmp_path: Path) -> None:
    rival = open_system(name, tmp_path)
    rival.build(_documents(*["bees"] * 9))
    assert rival.search("bees", "en", 4) == ["d0", "d1", "d2", "d3"]
    rival.close()


@pytest.mark.parametrize("constants", [TUNED, LIBRARY_DEFAULT])
def test_bm25s_ranks_as_the_textbook_formula_does(constants: Constants) -> None:
    texts = (
        "bees bees honey",
        "bees in the long grass by the river under the old bridge",
        "honey honey honey river",
        "bridge river bees honey grass",
        "nothing here speaks",
    )
    rival = Bm25s(constants)
    rival.build(_documents(*texts))
    question = "honey from river bees"
    scores = _bm25_oracle([stems(t, "en") for t in texts], stems(question, "en"), constants)
    best_first = sorted(
        (place for place in range(len(texts)) if scores[place] > 0),
        key=lambda place: -scores[place],
    )
    assert rival.search(question, "en", 10) == [f"d{place}" for place in best_first]


def test_words_are_stemmed_in_the_language_told_and_accents_fold() -> None:
    assert stems("Las canciones de los árboles", "es") == ["cancion", "arbol"]
    assert stems("The songs of the trees", "en") == ["song", "tree"]


def test_fts5_is_asked_for_any_word_once_and_never_for_syntax() -> None:
    assert any_word('bees AND "honey" bees NEAR(x)') == (
        '"bees" OR "and" OR "honey" OR "near" OR "x"'
    )
    assert any_word("¿?") == ""


def test_fts5_finds_words_whatever_their_accents(tmp_path: Path) -> None:
    rival = open_system("fts5", tmp_path)
    rival.build(_documents("El árbol del jardín", language="es"))
    assert rival.search("jardin", "es", 5) == ["d0"]
    rival.close()


def test_fts5_says_what_it_takes_on_disk_and_bm25s_that_it_takes_nothing(tmp_path: Path) -> None:
    fts5, bm25s = open_system("fts5", tmp_path), open_system("bm25s", tmp_path)
    for system in (fts5, bm25s):
        system.build(_documents("the garden gate"))
    size = fts5.disk_bytes()
    assert size is not None
    assert size > 0
    assert bm25s.disk_bytes() is None
    fts5.close()
    bm25s.close()


def test_a_system_that_does_not_exist_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match=r"rivals='lucene': known are fts5, bm25s"):
        open_system("lucene", tmp_path)
