"""What the index says of its candidates beside their words, against the plain formulas."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biorag.kernels.index import RankedCandidates, TextIndex, analyse_documents, rank
from oracles import likeness as oracle

K1, B = 0.9, 0.4
CONTENT = ["heron", "lake", "boat", "oar", "reed", "mud", "fog", "gull", "pier", "rope"]
SMALL = ["the", "of", "with", "and"]

words = st.sampled_from(CONTENT)
texts = st.lists(
    st.lists(st.sampled_from([*CONTENT, *SMALL]), max_size=9), min_size=20, max_size=30
)
questions = st.lists(words, min_size=1, max_size=4, unique=True)
small = st.lists(st.sampled_from(SMALL), max_size=3)


def ranked(bodies: list[list[str]], question: list[str]) -> RankedCandidates:
    index = TextIndex()
    ids = list(range(1, len(bodies) + 1))
    documents = [("", "", "", "", " ".join(body)) for body in bodies]
    index.put(ids, analyse_documents(documents, ["en"] * len(bodies), "en", None))
    prepared = index.prepare(
        " ".join(question), None, protected=[], meanings=False, spellings=False
    )
    return rank(index, prepared, k1=K1, b=B, trust_in_order=0.0, limit=len(bodies), included=ids)


def split(bodies: list[list[str]]) -> tuple[list[list[str]], list[list[str]], list[list[str]]]:
    """Bodies that hold a content word each, and their content and function words."""
    whole = [[*body, CONTENT[at % len(CONTENT)]] for at, body in enumerate(bodies)]
    return (
        whole,
        [[word for word in body if word in CONTENT] for body in whole],
        [[word for word in body if word in SMALL] for body in whole],
    )


@settings(max_examples=60, deadline=None)
@given(bodies=texts, question=questions, asked=small)
def test_pairs_and_function_words_are_the_formulas(
    bodies: list[list[str]], question: list[str], asked: list[str]
) -> None:
    whole, content, function = split(bodies)
    found = ranked(whole, [*asked, *question])
    places = [int(number) - 1 for number in found.ids]
    pairs = oracle.pairs(content, question, k1=K1, b=B)
    little = oracle.function_words(content, function, asked, k1=K1, b=B)
    assert found.pairs.tolist() == pytest.approx([pairs[p] for p in places], rel=1e-4, abs=1e-6)
    assert found.function_words.tolist() == pytest.approx(
        [little[p] for p in places], rel=1e-4, abs=1e-6
    )


@settings(max_examples=60, deadline=None)
@given(data=st.data(), question=questions)
def test_feedback_is_the_formula(data: st.DataObject, question: list[str]) -> None:
    # Words of few documents, so that some lie between two and a tenth of the store.
    rare = [f"{a}{b}x" for a in "bcdfg" for b in "klmnp"]
    bodies = [
        [CONTENT[at % len(CONTENT)], *data.draw(st.lists(st.sampled_from(rare), max_size=4))]
        for at in range(40)
    ]
    found = ranked(bodies, question)
    ranking = [
        (int(number) - 1, float(relevance))
        for number, relevance in zip(found.ids, found.relevance, strict=True)
    ]
    expected = oracle.feedback(bodies, question, ranking, k1=K1, b=B)
    assert found.feedback.tolist() == pytest.approx(expected, rel=1e-3, abs=1e-5)
