"""The lexicon beside nltk's WordNet: loading, and what a question of six words asks of each.

nltk's side runs where nltk_data holds `wordnet` and the Spanish of `omw-2.0`, and is skipped
elsewhere.
"""

from __future__ import annotations

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from biorag.kernels.lexicon import Lexicon, load
from biorag.lexicon.wordnet import LEXICON_PATH, NltkWordNet, load_lexicon

QUESTION = ("perro", "llave", "cancion", "casa", "mercado", "lluvia")
ANSWERS = ("dog", "key", "song", "house", "market", "rain")
MISSPELT = "mercdo"


def translate(lexicon: Lexicon) -> list[set[str]]:
    return [{text for text, _ in lexicon.translations("es", word)} for word in QUESTION]


def test_load(benchmark: BenchmarkFixture) -> None:
    lexicon = benchmark(load, LEXICON_PATH)
    assert lexicon.lemma_count("en") > 147_000


def test_translate_a_question(benchmark: BenchmarkFixture) -> None:
    found = benchmark(translate, load_lexicon())
    assert all(answer in texts for answer, texts in zip(ANSWERS, found, strict=True))


# nltk warns of entries in a user's data whose synset it does not find.
@pytest.mark.filterwarnings("ignore:.*invalid offset")
def test_translate_a_question_with_nltk(benchmark: BenchmarkFixture) -> None:
    words = NltkWordNet(("en", "es"))
    if not words.translations("perro", "es", "en"):
        pytest.skip(f"nltk has no Spanish WordNet here: {words.reduced}")
    found = benchmark(
        lambda: [{text for text, _ in words.translations(word, "es", "en")} for word in QUESTION]
    )
    assert "dog" in found[0]


def test_know_a_word(benchmark: BenchmarkFixture) -> None:
    assert benchmark(load_lexicon().knows, "es", "canciones")


def test_find_lemmas_near_a_misspelt_word(benchmark: BenchmarkFixture) -> None:
    load_lexicon().near("es", MISSPELT, 2)  # the first question builds the list of words
    found = benchmark(load_lexicon().near, "es", MISSPELT, 2)
    assert found[0] == ("mercado", 1)
