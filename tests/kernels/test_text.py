"""The native analysis against a slow one, and what a reader of texts may rely on."""

from __future__ import annotations

import unicodedata
from functools import cache

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from biorag._native import fold_accents_words, fold_case_words, stem_words
from biorag.errors import KernelInputError, ShapeError
from biorag.kernels.index import analyse_documents
from oracles import text as oracle

SPANISH = "áéíóúüñ¿¡"
PIECES = [
    "The",
    "boat's",
    "keys;",
    "OLD",
    "cellars",
    "de",
    "la",
    "canción",
    "STRASSE",
    "straße",
    "ORD-417",
    "shape::circle",
    "v2.3",
    "snake_case",
    "C++",
    "C#",
    "--dry-run",
    "step-by-step",
    "a.b@c.org",
    "/usr/bin",
    "x_1-",
    "3.14",
    "don\u2019t",
    "10%",
    "e-mail",
    "설정",
    "设备清单",
    "データ",
    "NAS設定",
    "İzmir",
    "ΟΔΟΣ",
    "año",
    "anos",
    "pingüino",
    "cómo",
    "té",
    "is",
    "not",
]
MARKS = "\u0301\u0303\u0308"

# Characters that every Unicode version knows alike: old, common scripts and punctuation.
characters = st.sampled_from(
    "aeinoxyzABNZ019 \n.,;:/\\@#+-_'\"()%"
    + SPANISH
    + "ßſＡ①½ⅣⒶ漢字かなカナ한글абвΓΔςאبت"
    + MARKS
    + "\u200b\u200d\u00ad\u202a\ufe0f\u2019—…"
)
pieces = st.one_of(st.sampled_from(PIECES), st.text(characters, max_size=6))
texts = st.one_of(st.text(characters, max_size=30), st.lists(pieces, max_size=12).map(" ".join))
languages = st.sampled_from(["en", "es"])


def terms(text: str, language: str) -> list[str]:
    document = ("", "", "", "", text)
    return analyse_documents([document], [language], "en", None).texts[0][4].split(" ")


@cache
def is_function_word(word: str, language: str) -> bool:
    """Whether a word goes when a content word stands beside it."""
    return len(terms(f"{word} heron", language)) == 1


@cache
def stem(word: str, language: str) -> str:
    if "ñ" in word:  # no English word has one, whatever the text's language
        language = "es"
    return stem_words([word], language)[0]


@given(texts, languages)
@example("cancio\u200d\u0301n", "es")
@example("to be or not to be", "en")
@example("設定ab12漢", "en")
@example("x" * 65 + "_1", "en")
def test_documents_are_analysed_as_the_slow_reader_does(text: str, language: str) -> None:
    expected = oracle.analyse(
        text, lambda word: is_function_word(word, language), lambda word: stem(word, language)
    )
    assert terms(text, language) == ([form.term for form in expected] or [""])


@given(texts, languages)
def test_composed_and_decomposed_texts_are_one_text(text: str, language: str) -> None:
    composed, decomposed = (unicodedata.normalize(form, text) for form in ("NFC", "NFD"))
    assert terms(composed, language) == terms(decomposed, language)


@given(texts, languages)
def test_capitals_make_no_other_words(text: str, language: str) -> None:
    assert terms(text.casefold(), language) == terms(text, language)


@given(st.lists(st.text(characters, max_size=8), max_size=4))
def test_folding_is_the_definition(words: list[str]) -> None:
    assert fold_accents_words(words) == [oracle.fold_accents(word) for word in words]
    folded = [unicodedata.normalize("NFC", word).casefold() for word in words]
    assert fold_case_words(words) == [unicodedata.normalize("NFC", word) for word in folded]


def test_the_language_of_a_text_is_found_in_its_words() -> None:
    bodies = ["the key of the cellar", "la llave del sótano", "4417 xyl"]
    documents = [("", "", "", "", body) for body in bodies]
    assert analyse_documents(documents, [None] * 3, "en", None).languages == ["en", "es", "en"]
    assert analyse_documents(documents, [None] * 3, "es", None).languages == ["en", "es", "es"]


def test_every_field_is_read_in_the_language_of_the_body() -> None:
    document = ("las casas", "casas viejas\nmuros", "casas", "¿casas?", "la casa de los muros")
    analysed = analyse_documents([document], [None], "en", None)
    name, synonyms, key_nouns, bridges, body = analysed.texts[0]
    assert name == key_nouns == bridges == stem("casas", "es")
    assert synonyms.split()[0] == name
    assert body.split()[0] == name


def test_languages_must_be_known_and_one_a_document() -> None:
    document = ("", "", "", "", "heron")
    with pytest.raises(ShapeError, match="languages"):
        analyse_documents([document], [], "en", None)
    with pytest.raises(KernelInputError, match="not one of en, es"):
        analyse_documents([document], ["fr"], "en", None)
    with pytest.raises(KernelInputError, match="not one of en, es"):
        analyse_documents([document], [None], "", None)
