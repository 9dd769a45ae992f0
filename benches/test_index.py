"""The best 100 of any-word questions from the native index, beside FTS5 and tantivy.

Each time is the whole call from Python, for ids alone; once more for what recall asks for: ids,
scores, and where each word stands in each candidate. The question is prepared before, as it is for
the rivals (FTS5 gets its OR, tantivy its query object). `BIORAG_BENCH_LARGE=1` adds a million
documents.
"""

from __future__ import annotations

import itertools
import os
import random
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from biorag.evaluation.synthetic import synthetic_texts
from biorag.kernels.index import PreparedQuestion, TextIndex, analyse_documents, rank

tantivy = pytest.importorskip("tantivy")

PAGE = 100
QUESTIONS = 100
BATCH = 10_000
LARGE = os.environ.get("BIORAG_BENCH_LARGE") == "1"  # noqa: TID251 - an entry point of its own
SIZES = [100_000, *([1_000_000] if LARGE else [])]

# How many of the documents hold each of a question's four words: (least, most) as shares.
RARE, MIDDLE, FREQUENT = (0.0, 0.0005), (0.0005, 0.01), (0.02, 0.4)
KINDS = {
    "rare": [RARE] * 4,
    "mixed": [RARE, MIDDLE, MIDDLE, FREQUENT],
    "frequent": [FREQUENT] * 4,
}

Ask = Callable[[str], list[int]]


@pytest.fixture(scope="module", params=SIZES)
def documents(request: pytest.FixtureRequest) -> list[str]:
    return synthetic_texts(request.param)


@pytest.fixture(scope="module")
def index(documents: list[str]) -> TextIndex:
    built = TextIndex()
    for start in range(0, len(documents), BATCH):
        _put(built, documents[start : start + BATCH], start + 1)
    built.shrink()
    return built


@pytest.fixture(scope="module")
def fts5(documents: list[str]) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE VIRTUAL TABLE texts USING fts5(body, tokenize = 'porter unicode61')")
    connection.executemany(
        "INSERT INTO texts (rowid, body) VALUES (?, ?)", enumerate(documents, start=1)
    )
    connection.execute("INSERT INTO texts (texts) VALUES ('optimize')")
    yield connection
    connection.close()


@pytest.fixture(scope="module")
def searcher(documents: list[str]) -> tuple[Any, Any]:  # tantivy has no types
    schema = tantivy.SchemaBuilder()
    schema.add_integer_field("id", stored=False, fast=True)
    schema.add_text_field("body", stored=False, tokenizer_name="en_stem")
    held = tantivy.Index(schema.build())
    writer = held.writer(heap_size=200_000_000, num_threads=1)
    for id, body in enumerate(documents, start=1):
        writer.add_document(tantivy.Document(id=id, body=body))
    writer.commit()
    writer.wait_merging_threads()
    held.reload()
    return held, held.searcher()


@dataclass(frozen=True, slots=True)
class Asked:
    """Questions of one kind, and the group of their bench."""

    group: str
    questions: list[str]


@pytest.fixture(scope="module", params=list(KINDS))
def asked(request: pytest.FixtureRequest, documents: list[str], index: TextIndex) -> Asked:
    held = Counter(word for text in documents for word in set(text.lower().rstrip(".").split()))
    # Function words are not searched by us and are by the rivals: the questions have none.
    for word in [word for word, count in held.items() if count > 0.01 * len(documents)]:
        if not word.isalpha() or index.document_frequency(_term(word)) == 0:
            del held[word]
    draw = random.Random(3)
    bands = [
        sorted(word for word, count in held.items() if low < count / len(documents) <= high)
        for low, high in KINDS[request.param]
    ]
    questions = [" ".join(draw.choice(band) for band in bands) for _ in range(QUESTIONS)]
    return Asked(f"{len(documents):,} documents, {request.param} words", questions)


@pytest.fixture(scope="module")
def prepared(index: TextIndex, asked: Asked) -> dict[str, PreparedQuestion]:
    return {
        question: index.prepare(question, None, protected=[], meanings=False, spellings=False)
        for question in asked.questions
    }


def test_index(
    benchmark: BenchmarkFixture,
    index: TextIndex,
    fts5: sqlite3.Connection,
    asked: Asked,
    prepared: dict[str, PreparedQuestion],
) -> None:
    def ask(question: str) -> list[int]:
        return index.best(prepared[question], PAGE)

    # Another stemmer and other constants: the page agrees, not each place of it.
    agreeing = 0
    for question in asked.questions[:10]:
        ours, theirs = ask(question), _ask_fts5(fts5, question)
        assert len(set(ours)) == len(ours) == PAGE or len(theirs) < PAGE
        agreeing += ours[0] in theirs
    assert agreeing >= 8
    _run(benchmark, ask, asked)


def test_index_with_evidence(
    benchmark: BenchmarkFixture,
    index: TextIndex,
    asked: Asked,
    prepared: dict[str, PreparedQuestion],
) -> None:
    def ask(question: str) -> list[int]:
        found = rank(index, prepared[question], k1=0.9, b=0.4, trust_in_order=0.0, limit=PAGE)
        ids: list[int] = found.ids.tolist()
        return ids

    # The quick look-up has constants of its own, so here too the page agrees, not each place of it.
    first = asked.questions[0]
    assert ask(first)[0] in index.best(prepared[first], PAGE)
    _run(benchmark, ask, asked)


def test_fts5(benchmark: BenchmarkFixture, fts5: sqlite3.Connection, asked: Asked) -> None:
    _run(benchmark, lambda question: _ask_fts5(fts5, question), asked)


@pytest.mark.parametrize("counting", [False, True])
def test_tantivy(
    benchmark: BenchmarkFixture, searcher: tuple[Any, Any], asked: Asked, counting: bool
) -> None:
    """With the number of all matches, which our ranking gives too, and without."""
    held, reader = searcher
    parsed = {question: held.parse_query(question, ["body"]) for question in asked.questions}

    def ask(question: str) -> list[int]:
        found = reader.search(parsed[question], PAGE, count=counting)
        return [address.doc for _, address in found.hits]

    _run(benchmark, ask, asked)


def test_building(benchmark: BenchmarkFixture, documents: list[str]) -> None:
    """From analysed texts to a searchable index, and what it takes of memory."""
    benchmark.group = f"build, {len(documents):,} documents"
    batches = [
        analyse_documents(_fields(documents[at : at + BATCH]), ["en"] * BATCH, "en", None)
        for at in range(0, len(documents), BATCH)
    ]

    def build() -> TextIndex:
        built = TextIndex()
        for at, batch in enumerate(batches):
            built.put(list(range(at * BATCH + 1, (at + 1) * BATCH + 1)), batch)
        built.shrink()
        return built

    built = benchmark.pedantic(build, rounds=1)
    assert len(built) == len(documents)
    benchmark.extra_info["heap_bytes_per_document"] = built.heap_bytes() / len(documents)


def _run(benchmark: BenchmarkFixture, ask: Ask, asked: Asked) -> None:
    benchmark.group = asked.group
    turn = itertools.cycle(asked.questions)
    benchmark.pedantic(lambda: ask(next(turn)), rounds=QUESTIONS, warmup_rounds=5)


def _term(word: str) -> str:
    """What a word is indexed under; a function word beside others is not."""
    analysed = analyse_documents([("", "", "", "", f"{word} xylem")], ["en"], "en", None)
    first, _, last = analysed.texts[0][4].partition(" ")
    return first if last else ""


def _ask_fts5(connection: sqlite3.Connection, question: str) -> list[int]:
    match = " OR ".join(f'"{word}"' for word in question.split())
    rows = connection.execute(
        "SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY bm25(texts) LIMIT ?", (match, PAGE)
    )
    return [row[0] for row in rows]


def _put(index: TextIndex, bodies: Sequence[str], first: int) -> None:
    analysed = analyse_documents(_fields(bodies), ["en"] * len(bodies), "en", None)
    index.put(list(range(first, first + len(bodies))), analysed)


def _fields(bodies: Sequence[str]) -> list[tuple[str, str, str, str, str]]:
    return [("", "", "", "", body) for body in bodies]
