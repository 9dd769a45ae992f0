"""How a corpus is asked: the stores it becomes, and which question is put to which of them.

A question with a scope is put to the documents of its scope alone (a LoCoMo question to its own
conversation). Documents in more than one language make one store a language, and every question
is put to each: in its own language, and across.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from biorag.errors import CorpusError
from biorag.evaluation.corpus import Corpus, Document, Question

CROSS = "_cross"

# Questions whose evidence was bent on purpose: the right reply is that nothing says so. What is
# found for them is worth knowing, and is no part of how well questions are answered.
REPORTED_APART = frozenset({"adversarial"})

SAMPLE_SEED = 20_240_608


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One question as it is put to one collection.

    Attributes:
        key: Unique within the run.
        category: The corpus' own, with `_cross` added where it is asked in another language than
            the collection's and the corpus does not say so already.
        grades: Document id to grade, of this collection's documents; empty: nothing answers it.
    """

    key: str
    text: str
    language: str
    category: str
    grades: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Collection:
    """Documents that live in one store, and the questions put to it.

    Attributes:
        part: Under which heading its figures are reported; collections of the same part (the
            conversations of LoCoMo) are reported together.
    """

    name: str
    part: str
    documents: tuple[Document, ...]
    questions: tuple[Asked, ...]


def collections_of(
    corpus: Corpus, *, split: str = "all", limit: int | None = None, with_titles: bool = False
) -> tuple[Collection, ...]:
    """Divide a corpus into the collections in which it is asked, in the order of its documents.

    Args:
        corpus: The corpus.
        split: `train`, `test` or `all`.
        limit: At most so many questions, drawn with a fixed seed; None asks all.
        with_titles: Store each title as the first line of its text. Some corpora's questions are
            their documents' titles: the figures then say nothing.

    Raises:
        CorpusError: the corpus has no such split, or a question belongs to no collection.
    """
    questions = _drawn(_of_split(corpus, split), limit)
    documents = tuple(map(_titled, corpus.documents)) if with_titles else corpus.documents
    if any(question.scope for question in corpus.questions):
        found = tuple(_by_scope(corpus, documents, questions))
    elif len({document.language for document in documents}) > 1:
        found = tuple(_by_language(corpus, documents, questions))
    else:
        found = (_collection(corpus, corpus.name, "", documents, questions),)
    return tuple(collection for collection in found if collection.questions)


def overall_name(categories: Sequence[str]) -> str:
    """What the figure over all questions is called: it leaves out what is reported apart."""
    return "answerable" if REPORTED_APART.intersection(categories) else "all"


def _of_split(corpus: Corpus, split: str) -> list[Question]:
    if split == "all":
        return list(corpus.questions)
    if not corpus.splits:
        raise CorpusError(f"{corpus.name} has no split.tsv: ask for the split 'all'")
    chosen = [question for question in corpus.questions if corpus.splits.get(question.id) == split]
    if not chosen:
        raise CorpusError(f"{corpus.name} has no question in the split {split!r}")
    return chosen


def _drawn(questions: list[Question], limit: int | None) -> list[Question]:
    """A seeded sample in the corpus' own order, so that a part of every category is in it."""
    if limit is None or limit >= len(questions):
        return questions
    places = sorted(random.Random(SAMPLE_SEED).sample(range(len(questions)), limit))
    return [questions[place] for place in places]


def _titled(document: Document) -> Document:
    if not document.title:
        return document
    return replace(document, text=f"{document.title}\n{document.text}")


def _by_scope(
    corpus: Corpus, documents: Sequence[Document], questions: Sequence[Question]
) -> list[Collection]:
    stored: dict[str, list[Document]] = {}
    for document in documents:
        stored.setdefault(document.scope, []).append(document)
    asked: dict[str, list[Question]] = {}
    for question in questions:
        if question.scope not in stored:
            raise CorpusError(
                f"{corpus.name}: question {question.id!r} is asked within the scope "
                f"{question.scope!r}, which has no documents"
            )
        asked.setdefault(question.scope, []).append(question)
    return [
        _collection(corpus, f"{corpus.name}/{scope}", "", inside, asked.get(scope, []))
        for scope, inside in stored.items()
    ]


def _by_language(
    corpus: Corpus, documents: Sequence[Document], questions: Sequence[Question]
) -> list[Collection]:
    stored: dict[str, list[Document]] = {}
    for document in documents:
        stored.setdefault(document.language, []).append(document)
    return [
        _collection(corpus, f"{corpus.name}/{language}", language, inside, questions)
        for language, inside in stored.items()
    ]


def _collection(
    corpus: Corpus,
    name: str,
    part: str,
    documents: Sequence[Document],
    questions: Sequence[Question],
) -> Collection:
    held = {document.id for document in documents}
    languages = {document.language for document in documents}
    return Collection(
        name=name,
        part=part,
        documents=tuple(documents),
        questions=tuple(
            Asked(
                key=f"{name}#{question.id}",
                text=question.text,
                language=question.language,
                category=_category(question, languages),
                grades={
                    document: grade
                    for document, grade in corpus.grades.get(question.id, {}).items()
                    if document in held
                },
            )
            for question in questions
        ),
    )


def _category(question: Question, languages: set[str]) -> str:
    crosses = question.language not in languages
    told = question.category.endswith(CROSS)
    return question.category + CROSS if crosses and not told else question.category
