"""A folder of public documents, questions and relevance grades, read into checked values.

The folder holds `corpus.jsonl`, `queries.jsonl`, `qrels.tsv` and, where questions are split,
`split.tsv`: the layout that BEIR made common, with three more optional keys on a line (`scope`,
`created_at`, `small`).
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from biorag.errors import CorpusError

# These three lie sorted by topic. Stored in that order, a memory that reads meaning into what was
# learnt one after the other would be handed the answer, so their documents are shuffled.
SORTED_BY_TOPIC = frozenset({"banking77", "clinc150_oos", "cranfield"})
SHUFFLE_SEED = 20_240_607

Identified = TypeVar("Identified", "Document", "Question")

HIGHEST_GRADE = 10  # nDCG's gain is 2**grade - 1: beyond this a grade is a mistake, not a judgement


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One text to store.

    Attributes:
        scope: The conversation or tenant that it belongs to; empty when the corpus has none.
        created_at: ISO 8601, where the source dates its texts.
        small: Belongs to the subset that the corpus names for quick runs.
    """

    id: str
    title: str
    text: str
    language: str
    scope: str = ""
    created_at: str | None = None
    small: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One question, and the kind of question it is."""

    id: str
    text: str
    language: str
    category: str
    scope: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """Documents, questions and the judgements that join them.

    Attributes:
        grades: Question id to document id to grade, grades from 1 up; a question that nothing
            answers has no entry.
        splits: Question id to `train` or `test`; empty when the folder has no `split.tsv`.
    """

    name: str
    documents: tuple[Document, ...]
    questions: tuple[Question, ...]
    grades: Mapping[str, Mapping[str, int]]
    splits: Mapping[str, str]


def load_corpus(directory: Path, *, small: bool = False) -> Corpus:
    """Read a corpus folder.

    Args:
        directory: The folder; its name is the corpus' name.
        small: Keep only the documents that the corpus marks `small`.

    Raises:
        CorpusError: a file is missing, a line cannot be read, an id is used twice or is not
            known, or nothing is marked small.
    """
    documents = _unique(_documents(directory), directory / "corpus.jsonl")
    questions = _unique(_questions(directory), directory / "queries.jsonl")
    if not documents:
        raise CorpusError(
            f"{directory / 'corpus.jsonl'} holds no documents: its questions are meant for others"
        )
    known = {document.id for document in documents}
    grades = _grades(directory, known, {question.id for question in questions})
    if small:
        documents = tuple(document for document in documents if document.small)
        if not documents:
            raise CorpusError(f"{directory / 'corpus.jsonl'} marks no document as small")
        kept = {document.id for document in documents}
        grades = {
            question: inside
            for question, judged in grades.items()
            if (inside := {doc: grade for doc, grade in judged.items() if doc in kept})
        }
    if directory.name in SORTED_BY_TOPIC:
        documents = _shuffled(documents)
    return Corpus(
        name=directory.name,
        documents=documents,
        questions=questions,
        grades=grades,
        splits=_splits(directory),
    )


def _documents(directory: Path) -> Iterator[Document]:
    for place, line in _json_lines(directory / "corpus.jsonl"):
        created_at = line.get("created_at")
        yield Document(
            id=_text(line, "id", place),
            title=str(line.get("title", "")),
            text=_text(line, "text", place),
            language=_text(line, "lang", place),
            scope=str(line.get("scope", "")),
            created_at=None if created_at is None else str(created_at),
            small=line.get("small") is True,
        )


def _questions(directory: Path) -> Iterator[Question]:
    for place, line in _json_lines(directory / "queries.jsonl"):
        yield Question(
            id=_text(line, "id", place),
            text=_text(line, "text", place),
            language=_text(line, "lang", place),
            category=_text(line, "category", place),
            scope=str(line.get("scope", "")),
        )


def _grades(directory: Path, documents: set[str], questions: set[str]) -> dict[str, dict[str, int]]:
    grades: dict[str, dict[str, int]] = {}
    for place, (question, document, text) in _rows(directory / "qrels.tsv", columns=3):
        if question not in questions:
            raise CorpusError(f"{place}: no question has the id {question!r}")
        if document not in documents:
            raise CorpusError(f"{place}: no document has the id {document!r}")
        try:
            grade = int(text)
        except ValueError:
            raise CorpusError(f"{place}: the grade {text!r} is not a whole number") from None
        if grade > HIGHEST_GRADE:
            raise CorpusError(f"{place}: the grade {grade} is above {HIGHEST_GRADE}")
        if grade > 0:
            grades.setdefault(question, {})[document] = grade
    return grades


def _splits(directory: Path) -> dict[str, str]:
    path = directory / "split.tsv"
    if not path.exists():
        return {}
    splits = {}
    for place, (question, split) in _rows(path, columns=2):
        if split not in {"train", "test"}:
            raise CorpusError(f"{place}: the split {split!r} is neither train nor test")
        splits[question] = split
    return splits


def _shuffled(documents: tuple[Document, ...]) -> tuple[Document, ...]:
    order = list(documents)
    random.Random(SHUFFLE_SEED).shuffle(order)
    return tuple(order)


def _json_lines(path: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for place, text in _lines(path):
        try:
            line = json.loads(text)
        except json.JSONDecodeError as error:
            raise CorpusError(f"{place}: not JSON: {error}") from error
        if not isinstance(line, dict):
            raise CorpusError(f"{place}: expected an object, found {type(line).__name__}")
        yield place, line


def _rows(path: Path, *, columns: int) -> Iterator[tuple[str, list[str]]]:
    for place, text in _lines(path):
        row = text.split("\t")
        if len(row) != columns:
            raise CorpusError(f"{place}: expected {columns} columns, found {len(row)}")
        yield place, row


def _lines(path: Path) -> Iterator[tuple[str, str]]:
    """Each line that is not blank, with the place to name when it cannot be read."""
    try:
        with path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                if text := line.rstrip("\r\n"):
                    yield f"{path}:{number}", text
    except FileNotFoundError as error:
        raise CorpusError(
            f"{path} does not exist: a corpus is a folder with corpus.jsonl, queries.jsonl and "
            "qrels.tsv"
        ) from error
    except UnicodeDecodeError as error:
        raise CorpusError(f"{path} is not UTF-8: {error}") from error


def _text(line: Mapping[str, Any], key: str, place: str) -> str:
    value = line.get(key)
    if not isinstance(value, str) or not value:
        raise CorpusError(f"{place}: {key!r} must be a text that is not empty")
    return value


def _unique(items: Iterator[Identified], path: Path) -> tuple[Identified, ...]:
    by_id: dict[str, Identified] = {}
    for item in items:
        if item.id in by_id:
            raise CorpusError(f"{path}: the id {item.id!r} is used twice")
        by_id[item.id] = item
    return tuple(by_id.values())
