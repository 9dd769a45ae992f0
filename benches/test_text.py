"""Text analysis, beside PyStemmer on the words that a regular expression finds.

The rival does less: it knows one language, no compound pieces and keeps function words.
"""

from __future__ import annotations

import re
import unicodedata

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from biorag.kernels.index import analyse_documents
from biorag.lexicon.wordnet import load_lexicon

Stemmer = pytest.importorskip("Stemmer")

DOCUMENTS = 5_000
WORD = re.compile(r"\w+")


@pytest.fixture
def bodies(benchmark: BenchmarkFixture, texts: list[str]) -> list[str]:
    held = texts[:DOCUMENTS]
    benchmark.group = f"analysis of {sum(map(len, held)) / 1e6:.2f} MB"
    return held


def test_analysis(benchmark: BenchmarkFixture, bodies: list[str]) -> None:
    documents = [("", "", "", "", body) for body in bodies]
    languages: list[str | None] = ["en"] * len(bodies)
    analysed = benchmark(lambda: analyse_documents(documents, languages, "en", None))
    assert analysed.texts[0][4]


def test_analysis_with_language_by_lexicon(benchmark: BenchmarkFixture, bodies: list[str]) -> None:
    documents = [("", "", "", "", body) for body in bodies]
    lexicon = load_lexicon()
    analysed = benchmark(lambda: analyse_documents(documents, [None] * len(bodies), "en", lexicon))
    assert analysed.languages.count("en") > 0.9 * len(bodies)


def test_regex_and_pystemmer(benchmark: BenchmarkFixture, bodies: list[str]) -> None:
    stemmer = Stemmer.Stemmer("english", 0)

    def analyse() -> list[list[str]]:
        folded = (unicodedata.normalize("NFC", body).casefold() for body in bodies)
        return [stemmer.stemWords(WORD.findall(text)) for text in folded]

    assert benchmark(analyse)[0]
