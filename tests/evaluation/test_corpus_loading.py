from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from biorag.errors import CorpusError
from biorag.evaluation.corpus import load_corpus

WriteCorpus = Callable[..., Path]


def test_a_folder_is_read_whole(garden: Path) -> None:
    corpus = load_corpus(garden)
    assert corpus.name == "garden"
    assert [document.id for document in corpus.documents] == ["tomato", "bees", "gate", "frost"]
    assert corpus.questions[2].category == "time"
    assert corpus.grades == {"q1": {"gate": 1}, "q2": {"frost": 1}, "q3": {"tomato": 1}}
    assert corpus.splits["q1"] == "train"


def test_a_grade_of_zero_is_no_relevance(write_corpus: WriteCorpus) -> None:
    folder = write_corpus(
        [{"id": "a", "text": "one"}, {"id": "b", "text": "two"}],
        [{"id": "q", "text": "two?"}],
        [("q", "a", 0), ("q", "b", 2)],
    )
    assert load_corpus(folder).grades == {"q": {"b": 2}}


def test_the_small_subset_keeps_only_its_documents_and_their_grades(
    write_corpus: WriteCorpus,
) -> None:
    folder = write_corpus(
        [{"id": "a", "text": "one", "small": True}, {"id": "b", "text": "two"}],
        [{"id": "q", "text": "two?"}, {"id": "r", "text": "one?"}],
        [("q", "b", 1), ("r", "a", 1), ("r", "b", 1)],
    )
    corpus = load_corpus(folder, small=True)
    assert [document.id for document in corpus.documents] == ["a"]
    assert corpus.grades == {"r": {"a": 1}}


@pytest.mark.parametrize("name", ["cranfield", "banking77", "clinc150_oos"])
def test_documents_sorted_by_topic_are_shuffled_the_same_way_each_time(
    write_corpus: WriteCorpus, name: str
) -> None:
    documents = [{"id": f"d{n:03}", "text": "text"} for n in range(100)]
    folder = write_corpus(documents, [{"id": "q", "text": "?"}], name=name)
    once = [document.id for document in load_corpus(folder).documents]
    again = [document.id for document in load_corpus(folder).documents]
    assert once == again
    assert once != sorted(once)
    assert sorted(once) == [f"d{n:03}" for n in range(100)]


@pytest.mark.parametrize(
    ("file", "line", "told"),
    [
        ("corpus.jsonl", "{", "corpus.jsonl:5: not JSON"),
        ("corpus.jsonl", "[1]", "corpus.jsonl:5: expected an object, found list"),
        ("corpus.jsonl", '{"id": "x", "lang": "en"}', "corpus.jsonl:5: 'text' must be a text"),
        ("corpus.jsonl", '{"id": "bees", "text": "y", "lang": "en"}', "'bees' is used twice"),
        ("qrels.tsv", "q1\tgate", "qrels.tsv:4: expected 3 columns, found 2"),
        ("qrels.tsv", "q9\tgate\t1", "qrels.tsv:4: no question has the id 'q9'"),
        ("qrels.tsv", "q1\tpond\t1", "qrels.tsv:4: no document has the id 'pond'"),
        ("qrels.tsv", "q1\tgate\thigh", "qrels.tsv:4: the grade 'high' is not a whole number"),
        ("qrels.tsv", "q1\tgate\t11", "qrels.tsv:4: the grade 11 is above 10"),
        ("split.tsv", "q1\tdev", "split.tsv:5: the split 'dev' is neither train nor test"),
    ],
)
def test_a_line_that_cannot_be_read_is_named(garden: Path, file: str, line: str, told: str) -> None:
    with (garden / file).open("a", encoding="utf-8") as lines:
        lines.write(f"{line}\n")
    with pytest.raises(CorpusError) as raised:
        load_corpus(garden)
    assert told in str(raised.value)


def test_a_folder_without_documents_says_so(write_corpus: WriteCorpus) -> None:
    folder = write_corpus([], [{"id": "q", "text": "?"}])
    with pytest.raises(CorpusError, match="holds no documents"):
        load_corpus(folder)


def test_a_folder_that_is_no_corpus_says_what_one_is(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"corpus\.jsonl does not exist"):
        load_corpus(tmp_path)


def test_asking_for_a_small_subset_that_is_not_marked_is_refused(garden: Path) -> None:
    with pytest.raises(CorpusError, match="marks no document as small"):
        load_corpus(garden, small=True)
