"""What stands for the words of a question, with the lexicon that ships."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biorag.kernels.index import PreparedQuestion, TextIndex, analyse_documents, rank
from biorag.kernels.lexicon import Lexicon
from biorag.lexicon.wordnet import load_lexicon

ENGLISH = ["the heron nests by the lake", "a boat in the harbour", "keys of the old cellar"]
SPANISH = ["la garza anida junto al lago", "un barco en el puerto", "las llaves del sótano viejo"]


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    return load_lexicon()


def built(bodies: list[str], language: str | None = None) -> TextIndex:
    index = TextIndex()
    documents = [("", "", "", "", body) for body in bodies]
    analysed = analyse_documents(documents, [language] * len(bodies), "en", None)
    index.put(list(range(1, len(bodies) + 1)), analysed)
    return index


def prepared(
    index: TextIndex, question: str, lexicon: Lexicon | None, protected: tuple[str, ...] = ()
) -> PreparedQuestion:
    return index.prepare(
        question, lexicon, protected=list(protected), meanings=True, spellings=True
    )


def best(index: TextIndex, question: PreparedQuestion) -> list[int]:
    found = rank(index, question, k1=0.9, b=0.4, trust_in_order=0.0, limit=10)
    return [int(id) for id in found.ids]


@pytest.mark.parametrize(
    ("question", "answer"),
    [("where is the boat", 2), ("old keys", 3), ("the heron of the lake", 1)],
)
def test_an_english_question_finds_a_spanish_memory(
    lexicon: Lexicon, question: str, answer: int
) -> None:
    index = built(SPANISH, "es")
    assert best(index, prepared(index, question, lexicon))[0] == answer


@pytest.mark.parametrize(
    ("question", "answer"), [("¿dónde está el barco?", 2), ("llaves del sótano", 3)]
)
def test_a_spanish_question_finds_an_english_memory(
    lexicon: Lexicon, question: str, answer: int
) -> None:
    index = built(ENGLISH, "en")
    assert best(index, prepared(index, question, lexicon))[0] == answer


@given(st.data())
def test_one_slip_in_a_long_word_still_finds_its_memory(data: st.DataObject) -> None:
    index = built(["harbour", "cellar", "pantry", "meadow"])
    word = data.draw(st.sampled_from(["harbour", "cellar", "pantry", "meadow"]))
    at = data.draw(st.integers(1, len(word) - 1))
    letter = data.draw(st.sampled_from("abcdefghijklmnopqrstuvwxyz"))
    slip = data.draw(st.sampled_from([word[:at] + letter + word[at:], word[:at] + word[at + 1 :]]))
    answer = ["harbour", "cellar", "pantry", "meadow"].index(word) + 1
    assert best(index, prepared(index, slip, None))[0] == answer


@given(
    st.lists(
        st.sampled_from(["boat", "heron", "key", "lake", "barco", "llave", "4417", "ORD-417", "xq"])
    )
)
def test_alternatives_weigh_less_than_the_users_word_and_tell_where_they_come_from(
    words: list[str],
) -> None:
    index = built(ENGLISH + SPANISH)
    question = prepared(index, " ".join(words), load_lexicon())
    for alternatives in question.alternatives:
        weights = {
            origin: [w for _, w, o in alternatives if o == origin] for _, _, origin in alternatives
        }
        assert set(weights.pop("literal")) == {1.0}
        for shares in weights.values():
            assert all(0 < weight < 1 for weight in shares)
            assert sum(shares) <= 1 + 1e-6


def test_the_same_store_expands_alike_however_it_came_about(lexicon: Lexicon) -> None:
    bodies = ENGLISH + SPANISH
    fresh = built(bodies)
    grown = built([*reversed(bodies)])
    grown.put(
        list(range(1, len(bodies) + 1)),
        analyse_documents([("", "", "", "", b) for b in bodies], [None] * len(bodies), "en", None),
    )
    for text in ("boat keys", "barco viejo", "haron lakw", "la garza"):
        one, other = (prepared(index, text, lexicon) for index in (fresh, grown))
        assert one.alternatives == other.alternatives


def test_a_protected_term_is_searched_as_it_is(lexicon: Lexicon) -> None:
    index = built(SPANISH, "es")
    free = prepared(index, "the boat", lexicon)
    held = prepared(index, "the boat", lexicon, protected=("boat",))
    assert {origin for _, _, origin in free.alternatives[0]} == {"literal", "translation"}
    assert {origin for _, _, origin in held.alternatives[0]} == {"literal"}


def test_a_long_text_is_asked_by_its_rarest_words() -> None:
    index = built(["common words fill this text", "common words again", "rareword"])
    text = " ".join(f"filler{n}" for n in range(60)) + " common rareword"
    question = prepared(index, text, None)
    assert len(question.words) == 48
    assert {"common", "rareword"} <= set(question.words)
