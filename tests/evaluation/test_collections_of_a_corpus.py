from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from biorag.errors import CorpusError
from biorag.evaluation.collections import collections_of
from biorag.evaluation.corpus import load_corpus

WriteCorpus = Callable[..., Path]


def test_a_question_with_a_scope_is_put_to_the_documents_of_its_scope_alone(
    write_corpus: WriteCorpus,
) -> None:
    folder = write_corpus(
        [
            {"id": "a1", "text": "one", "scope": "a"},
            {"id": "b1", "text": "two", "scope": "b"},
            {"id": "a2", "text": "three", "scope": "a"},
        ],
        [{"id": "q", "text": "?", "scope": "a"}, {"id": "r", "text": "?", "scope": "b"}],
        [("q", "a2", 1), ("r", "b1", 1)],
    )
    first, second = collections_of(load_corpus(folder))
    assert [document.id for document in first.documents] == ["a1", "a2"]
    assert [asked.grades for asked in first.questions] == [{"a2": 1}]
    assert [document.id for document in second.documents] == ["b1"]
    assert first.part == second.part == ""


def test_a_scope_without_documents_is_refused(write_corpus: WriteCorpus) -> None:
    folder = write_corpus(
        [{"id": "a1", "text": "one", "scope": "a"}], [{"id": "q", "text": "?", "scope": "z"}]
    )
    with pytest.raises(CorpusError, match="'z', which has no documents"):
        collections_of(load_corpus(folder))


def test_documents_in_two_languages_make_two_stores_and_questions_cross_between_them(
    write_corpus: WriteCorpus,
) -> None:
    folder = write_corpus(
        [{"id": "es:1", "text": "uno", "lang": "es"}, {"id": "en:1", "text": "one"}],
        [
            {"id": "q", "text": "¿uno?", "lang": "es", "category": "question"},
            {"id": "t", "text": "onne?", "category": "question_typo"},
        ],
        [("q", "es:1", 1), ("q", "en:1", 1), ("t", "en:1", 1), ("t", "es:1", 1)],
    )
    spanish, english = collections_of(load_corpus(folder))
    assert (spanish.part, english.part) == ("es", "en")
    assert [q.category for q in spanish.questions] == ["question", "question_typo_cross"]
    assert [q.category for q in english.questions] == ["question_cross", "question_typo"]
    assert [q.grades for q in english.questions] == [{"en:1": 1}, {"en:1": 1}]
    keys = [question.key for question in (*spanish.questions, *english.questions)]
    assert len(set(keys)) == 4


def test_a_category_that_says_cross_already_is_not_told_twice(write_corpus: WriteCorpus) -> None:
    folder = write_corpus(
        [{"id": "d", "text": "uno", "lang": "es"}],
        [{"id": "q", "text": "one?", "category": "faq_cross"}],
        [("q", "d", 1)],
    )
    (collection,) = collections_of(load_corpus(folder))
    assert [question.category for question in collection.questions] == ["faq_cross"]


def test_a_split_asks_only_its_questions_of_all_documents(garden: Path) -> None:
    (collection,) = collections_of(load_corpus(garden), split="train")
    assert [question.text for question in collection.questions] == ["Where is the key of the gate?"]
    assert len(collection.documents) == 4


def test_a_split_that_the_corpus_does_not_have_is_refused(write_corpus: WriteCorpus) -> None:
    folder = write_corpus([{"id": "d", "text": "one"}], [{"id": "q", "text": "?"}])
    with pytest.raises(CorpusError, match=r"has no split\.tsv"):
        collections_of(load_corpus(folder), split="test")


def test_a_limit_draws_the_same_questions_each_time_in_the_corpus_order(
    write_corpus: WriteCorpus,
) -> None:
    questions = [{"id": f"q{n:02}", "text": f"question {n:02}"} for n in range(50)]
    corpus = load_corpus(write_corpus([{"id": "d", "text": "one"}], questions))
    (once,) = collections_of(corpus, limit=10)
    (again,) = collections_of(corpus, limit=10)
    drawn = [question.text for question in once.questions]
    assert drawn == [question.text for question in again.questions]
    assert drawn == sorted(drawn)
    assert len(drawn) == 10
    assert drawn != [f"question {n:02}" for n in range(10)]


def test_titles_are_stored_only_when_asked_for(write_corpus: WriteCorpus) -> None:
    folder = write_corpus(
        [{"id": "d", "title": "Gate", "text": "The key."}], [{"id": "q", "text": "?"}]
    )
    corpus = load_corpus(folder)
    (plain,) = collections_of(corpus)
    (titled,) = collections_of(corpus, with_titles=True)
    assert plain.documents[0].text == "The key."
    assert titled.documents[0].text == "Gate\nThe key."
