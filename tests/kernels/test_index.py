"""The ranked index against textbook formulas in double precision."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biorag._native import stem_words
from biorag.errors import CorruptDataError, KernelInputError, ShapeError
from biorag.kernels.index import FIELDS, RankedCandidates, TextIndex, analyse_documents, rank
from oracles import bm25 as oracle
from oracles import neighbours
from oracles.text import Form, analyse

K1, B = 0.9, 0.4

# Few words, so that every kind of overlap is common; among them inflections, codes and stop words.
WORDS = [
    "heron",
    "herons",
    "nesting",
    "nests",
    "boat",
    "lake",
    "cellar",
    "ORD-417",
    "417",
    "grey",
    "wader",
    "running",
    "the",
    "of",
]
words = st.sampled_from(WORDS)
phrases = st.lists(words, max_size=3).map(" ".join)
values = st.lists(phrases, max_size=2).map("\n".join)
documents = st.tuples(phrases, values, values, values, st.lists(words, max_size=8).map(" ".join))
stores = st.lists(documents, min_size=1, max_size=12)
questions = st.lists(words, min_size=1, max_size=4).map(" ".join)

Texts = tuple[str, str, str, str, str]


def built(texts: list[Texts], first_id: int = 1) -> TextIndex:
    index = TextIndex()
    ids = list(range(first_id, first_id + len(texts)))
    index.put(ids, analyse_documents(texts, ["en"] * len(texts), "en", None))
    return index


def ranked(index: TextIndex, question: str, **changes: object) -> RankedCandidates:
    prepared = index.prepare(question, None, protected=[], meanings=False, spellings=False)
    options: dict[str, object] = {"k1": K1, "b": B, "trust_in_order": 0.0, "limit": 100}
    return rank(index, prepared, **(options | changes))  # type: ignore[arg-type]


@cache
def forms(text: str) -> tuple[Form, ...]:
    found = analyse(text, {"the", "of"}.__contains__, lambda word: stem_words([word], "en")[0])
    return tuple(found)


def fields(texts: Texts) -> Mapping[str, list[Form]]:
    return {
        field: [form for line in text.split("\n") for form in forms(line)]
        for field, text in zip(FIELDS, texts, strict=True)
    }


def groups_of(question: str, store: list[Mapping[str, list[Form]]]) -> list[dict[str, float]]:
    """Each word's stems in both languages, and the terms under which the store spells it so."""
    spelt = {(form.word, form.term) for document in store for f in document.values() for form in f}
    groups: dict[str, dict[str, float]] = {}
    for form in forms(question):
        stems = {form.term}
        if not form.whole:
            # A question's words are kept as they were asked; `forms` gives the folded spelling.
            stems |= {stem_words([form.word], language)[0] for language in ("en", "es")}
        stems |= {term for word, term in spelt if word == form.word}
        groups[form.word] = dict.fromkeys(sorted(stems), 1.0)
    return list(groups.values())


def boosts_of(question: str) -> list[float]:
    asked = [form.word for form in forms(question)]
    return [float(asked.count(word)) for word in dict.fromkeys(asked)]


@given(stores, questions)
def test_scores_are_textbook_bm25_over_weighted_fields(store: list[Texts], question: str) -> None:
    read = [fields(texts) for texts in store]
    groups = groups_of(question, read)
    parts = oracle.bm25(read, groups, k1=K1, b=B, boosts=boosts_of(question))
    expected = [sum(row) for row in parts]
    found = ranked(built(store), question)
    matching = {at + 1 for at, score in enumerate(expected) if score > 0}
    assert set(found.ids.tolist()) == matching
    assert found.matched == len(matching)
    scores = [expected[id - 1] for id in found.ids.tolist()]
    assert found.bm25.tolist() == pytest.approx(scores, rel=1e-4)
    # Best first; documents whose scores agree in single precision may change places.
    assert all(one >= other * (1 - 1e-5) for one, other in itertools.pairwise(scores))
    assert found.relevance.tolist() == pytest.approx(found.bm25 / max(found.bm25, default=1))


@given(stores, questions, st.floats(0, 1))
@settings(max_examples=200)
def test_neighbours_lend_by_the_formula(store: list[Texts], question: str, trust: float) -> None:
    read = [fields(texts) for texts in store]
    groups = groups_of(question, read)
    parts = oracle.bm25(read, groups, k1=K1, b=B, boosts=boosts_of(question))
    pooled = [
        sum(sum(oracle.count(document, term) > 0 for document in read) for term in group)
        for group in groups
    ]
    # A compound piece stands beside its parts: it is no further word of the question.
    asked = len({form.word for form in forms(question) if not form.whole})
    lengths = [oracle.length(document) for document in read]
    expected = neighbours.lent(
        parts, pooled, lengths, trust=trust, question_words=asked, asks=[False] * len(store)
    )
    found = ranked(built(store), question, trust_in_order=trust)
    by_id = dict(zip(found.ids.tolist(), found.lent.tolist(), strict=True))
    for at, loan in enumerate(expected):
        assert by_id.get(at + 1, 0.0) == pytest.approx(loan, rel=1e-4, abs=1e-6)


@given(stores, questions, st.data())
def test_a_page_is_the_head_of_the_whole_ranking(
    store: list[Texts], question: str, data: st.DataObject
) -> None:
    index = built(store)
    whole = ranked(index, question).ids.tolist()
    limit = data.draw(st.integers(0, len(store)))
    assert ranked(index, question, limit=limit).ids.tolist() == whole[:limit]
    hidden = data.draw(st.sets(st.integers(1, len(store))))
    shown = sorted(set(range(1, len(store) + 1)) - hidden)
    rest = [id for id in whole if id not in hidden]
    assert ranked(index, question, excluded=sorted(hidden)).ids.tolist() == rest
    assert ranked(index, question, allowed=shown).ids.tolist() == rest


@given(stores, questions)
def test_a_saved_index_answers_as_before(store: list[Texts], question: str) -> None:
    index = built(store)
    loaded, stamp = TextIndex.from_bytes(index.to_bytes("state 7"))
    assert stamp == "state 7"
    for name in RankedCandidates.__slots__:
        before, after = (getattr(ranked(held, question), name) for held in (index, loaded))
        np.testing.assert_array_equal(before, after)


@given(st.binary(max_size=200))
def test_bytes_that_are_no_index_are_refused(content: bytes) -> None:
    with pytest.raises(CorruptDataError):
        TextIndex.from_bytes(content)


@given(stores, st.data())
def test_coverage_is_the_share_of_the_questions_rarity(
    store: list[Texts], data: st.DataObject
) -> None:
    question = data.draw(questions)
    read = [fields(texts) for texts in store]
    asked = {form.word: form.whole for form in forms(question)}
    groups = groups_of(question, read)
    weights = [
        0.0
        if whole
        else boost
        * oracle.idf(
            len(read),
            sum(sum(oracle.count(held, term) > 0 for held in read) for term in group),
        )
        for group, boost, whole in zip(groups, boosts_of(question), asked.values(), strict=True)
    ]
    found = ranked(built(store), question)
    for id, coverage in zip(found.ids.tolist(), found.coverage.tolist(), strict=True):
        held = [any(oracle.count(read[id - 1], t) for t in group) for group in groups]
        mass = sum(weight for weight, has in zip(weights, held, strict=True) if has)
        assert coverage == pytest.approx(mass / sum(weights), rel=1e-4)


def test_evidence_has_a_row_a_candidate_and_a_column_a_word() -> None:
    index = built([("heron", "", "", "", "grey boat"), ("", "", "", "", "heron heron lake")])
    found = ranked(index, "heron boat unheard")
    n = found.ids.size
    assert found.found.shape == found.counts.shape == (n, 3)
    assert found.field_share.shape == (n, len(FIELDS))
    rows = dict(zip(found.ids.tolist(), found.counts.tolist(), strict=True))
    assert rows == {1: [1.0, 1.0, 0.0], 2: [2.0, 0.0, 0.0]}
    assert (found.found[:, 2] == -1).all()


def test_a_document_is_forgotten_once() -> None:
    index = built([("", "", "", "", "heron"), ("", "", "", "", "boat")])
    assert index.delete([2, 7, 2]) == 1
    assert len(index) == 1
    assert 2 not in index
    assert ranked(index, "boat").ids.size == 0


def test_ids_must_rise_and_be_one_a_document() -> None:
    index = built([("", "", "", "", "heron")], first_id=5)
    analysed = analyse_documents([("", "", "", "", "boat")], ["en"], "en", None)
    with pytest.raises(KernelInputError, match="document id"):
        index.put([4], analysed)
    with pytest.raises(ShapeError, match="ids"):
        index.put([6, 7], analysed)
    assert len(index) == 1


@pytest.mark.parametrize(
    ("option", "value"), [("k1", -1.0), ("b", 1.5), ("trust_in_order", float("nan"))]
)
def test_options_out_of_range_are_refused(option: str, value: float) -> None:
    index = built([("", "", "", "", "heron")])
    with pytest.raises(KernelInputError, match=option.replace("_", " ")):
        ranked(index, "heron", **{option: value})
