"""The statistic of abstention against its formula in double precision."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from biorag._native import stem_words
from biorag.kernels.index import FIELDS, TextIndex, analyse_documents, rank
from biorag.lexicon.wordnet import load_lexicon
from oracles import certainty as oracle
from oracles.text import Form, analyse

WORDS = ["heron", "herons", "nests", "nesting", "boat", "boats", "lake", "ORD-417", "lakeside"]
words = st.sampled_from(WORDS)
texts = st.tuples(
    st.lists(words, max_size=2).map(" ".join),
    st.just(""),
    st.just(""),
    st.just(""),
    st.lists(words, min_size=1, max_size=8).map(" ".join),
)
stores = st.lists(texts, min_size=1, max_size=12)
questions = st.lists(
    st.sampled_from([*WORDS, "zeppelin", "heronry"]), min_size=1, max_size=4, unique=True
).map(" ".join)

Texts = tuple[str, str, str, str, str]
Read = Mapping[str, list[Form]]


def built(store: Sequence[Texts], first_id: int = 1) -> TextIndex:
    index = TextIndex()
    put(index, list(range(first_id, first_id + len(store))), store)
    return index


def put(index: TextIndex, ids: list[int], store: Sequence[Texts]) -> None:
    index.put(ids, analyse_documents(list(store), ["en"] * len(store), "en", None))


def certainty(index: TextIndex, question: str, hidden: Sequence[int] = ()) -> float:
    prepared = index.prepare(question, None, protected=[], meanings=False, spellings=False)
    return index.certainty(prepared, list(hidden))


def forms(text: str) -> list[Form]:
    return list(analyse(text, {"the", "of"}.__contains__, lambda word: stem_words([word], "en")[0]))


def read(text: Texts) -> Read:
    return {field: forms(value) for field, value in zip(FIELDS, text, strict=True)}


def asked(question: str, store: Sequence[Read]) -> list[oracle.Word]:
    spelt = {(form.word, form.term) for document in store for f in document.values() for form in f}
    distinct = {form.word: form for form in forms(question) if not form.whole}
    found: list[oracle.Word] = []
    for form in distinct.values():
        stems = {form.term, *(stem_words([form.word], code)[0] for code in ("en", "es"))}
        stems |= {term for word, term in spelt if word == form.word}
        found.append((form.word, dict.fromkeys(sorted(stems), 1.0)))
    return found


@given(stores, questions)
def test_the_statistic_is_its_formula(store: list[Texts], question: str) -> None:
    documents = [read(text) for text in store]
    expected = oracle.certainty(documents, asked(question, documents))
    assert certainty(built(store), question) == pytest.approx(expected, rel=1e-4, abs=1e-6)


@given(stores, questions)
def test_the_cosine_of_each_candidate_is_that_of_its_trigrams(
    store: list[Texts], question: str
) -> None:
    documents = [read(text) for text in store]
    index = built(store)
    prepared = index.prepare(question, None, protected=[], meanings=False, spellings=False)
    found = rank(index, prepared, k1=0.9, b=0.4, trust_in_order=0.0, limit=100)
    expected = [
        oracle.cosine(documents, id - 1, asked(question, documents)) for id in found.ids.tolist()
    ]
    assert found.gram_cosine.tolist() == pytest.approx(expected, rel=1e-4, abs=1e-6)
    assert np.all((found.evidence >= 0.0) & (found.evidence <= 1.0))


@given(stores, questions, st.data())
def test_what_is_hidden_might_never_have_been_stored(
    store: list[Texts], question: str, data: st.DataObject
) -> None:
    hidden = data.draw(st.sets(st.integers(1, len(store))))
    kept = [at for at in range(1, len(store) + 1) if at not in hidden]
    left = TextIndex()
    put(left, kept, [store[at - 1] for at in kept])
    expected = oracle.certainty(
        [read(store[at - 1]) for at in kept],
        # The whole store's spellings stand for the question's words, hidden or not.
        asked(question, [read(text) for text in store]),
    )
    found = certainty(built(store), question, sorted(hidden))
    assert found == pytest.approx(expected, rel=1e-4, abs=1e-6)


@given(stores, st.lists(st.tuples(st.integers(1, 12), texts), max_size=6), questions)
def test_the_statistic_follows_every_change(
    store: list[Texts], changes: list[tuple[int, Texts]], question: str
) -> None:
    followed = built(store)
    certainty(followed, question)  # makes the table of trigrams, which must follow from here on
    state = dict(enumerate(store, start=1))
    for number, text in changes:
        if number not in state:
            followed.delete([number])
            continue
        put(followed, [number], [text])
        state[number] = text
    fresh = TextIndex()
    put(fresh, sorted(state), [state[number] for number in sorted(state)])
    saved, _ = TextIndex.from_bytes(followed.to_bytes("a stamp"))
    assert certainty(followed, question) == certainty(fresh, question)
    assert certainty(saved, question) == certainty(fresh, question)


def test_an_answer_in_the_other_language_is_evidence() -> None:
    store = [("", "", "", "", f"the {word} stands by the {word}") for word in ("house", "tree")]
    index = built([*store, ("", "", "", "", "the wind blows")])
    plain = index.prepare("la casa", None, protected=[], meanings=False, spellings=False)
    lexicon = load_lexicon()
    expanded = index.prepare("la casa", lexicon, protected=[], meanings=True, spellings=True)
    assert index.certainty(plain, []) == 0.0
    assert index.certainty(expanded, []) > 0.0


def test_a_slip_of_the_pen_is_forgiven() -> None:
    index = built([("", "", "", "", f"{word} harbour") for word in ("green", "lighthouse", "old")])
    lexicon = load_lexicon()

    def asked_as(question: str) -> float:
        prepared = index.prepare(question, lexicon, protected=[], meanings=True, spellings=True)
        return index.certainty(prepared, [])

    assert 0.0 < asked_as("lighthuose") <= asked_as("lighthouse")
    assert asked_as("xylophone") < asked_as("lighthuose")
