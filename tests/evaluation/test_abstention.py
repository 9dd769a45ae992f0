"""The abstention bench from end to end, on a corpus small enough to know."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from biorag.evaluation.abstention import foreign_questions
from biorag.evaluation.abstention_report import auroc
from biorag.evaluation.command import run_abstention

WriteCorpus = Callable[..., Path]

THINGS = ("boat", "key", "ladder", "lantern", "barrel", "rope", "basket", "hammer", "kettle")
PLACES = ("harbour", "cellar", "orchard", "bridge", "kitchen", "tower", "garden")
ALIEN = ("Which planet has the reddest storms?", "Who composed the opera about a flying ship?")


@pytest.fixture
def house(write_corpus: WriteCorpus) -> Path:
    """Sixty notes, six questions that one of them answers, two out of scope; ten of elsewhere."""
    documents = [
        {"id": f"n{n}", "text": f"The {THINGS[n % 9]} number {n} is kept in the {PLACES[n % 7]}."}
        for n in range(60)
    ]
    questions = [
        {"id": f"q{n}", "text": f"Where is the {THINGS[n % 9]} number {n} kept?"}
        for n in range(0, 60, 10)
    ]
    scope = [
        {"id": f"o{n}", "text": text, "category": "out_of_scope"} for n, text in enumerate(ALIEN)
    ]
    grades = [(f"q{n}", f"n{n}", 1) for n in range(0, 60, 10)]
    halves = {row["id"]: ("train", "test")[n % 2] for n, row in enumerate([*questions, *scope])}
    folder = write_corpus(documents, [*questions, *scope], grades, halves, name="house")
    foreign = [
        {"id": f"f{n}", "text": f"{ALIEN[n % 2]} Say it {n} times.", "negative_for": meant}
        for n, meant in enumerate([["house"]] * 10 + [["castle"]] * 3)
    ]
    negatives = write_corpus([], foreign, name="negatives")
    text = "".join(f"f{n}\t{('train', 'test')[n % 2]}\n" for n in range(13))
    (negatives / "split.tsv").write_text(text, encoding="utf-8")
    return folder


def run(corpus: Path, json_file: Path, split: str = "all") -> dict[str, Any]:
    assert run_abstention(corpus, split=split, json_file=json_file) == 0
    found: dict[str, Any] = json.loads(json_file.read_text(encoding="utf-8"))
    return found


def test_each_kind_of_question_is_a_row(
    house: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = {row["kind"]: row for row in run(house, tmp_path / "run.json")["rows"]}
    counts = {kind: row["questions"] for kind, row in rows.items()}
    assert counts == {
        "out of domain": 10,
        "out of scope": 2,
        "gold hidden": 6,
        "answerable": 6,
        "good answers": 6,
    }
    assert rows["out of domain"]["wrong"]["0.10"] == 0.0
    assert rows["good answers"]["wrong"]["0.10"] == 0.0
    assert rows["out of domain"]["auroc"] == 1.0
    assert set(rows["out of domain"]["bm25_threshold"]) == {"0.05", "0.10", "0.20"}
    printed = capsys.readouterr().out
    assert "house, split all: abstention" in printed
    assert "out of domain" in printed


def test_two_runs_are_the_same_byte_for_byte(house: Path, tmp_path: Path) -> None:
    run(house, tmp_path / "once.json")
    run(house, tmp_path / "again.json")
    assert (tmp_path / "once.json").read_bytes() == (tmp_path / "again.json").read_bytes()


def test_foreign_questions_are_those_meant_for_the_corpus_and_the_half(house: Path) -> None:
    assert len(foreign_questions(house, "all")) == 10
    assert len(foreign_questions(house, "train")) == 5
    assert foreign_questions(house.parent / "nowhere" / "else", "all") == []


def test_a_folder_that_is_no_corpus_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_abstention(tmp_path) == 2
    assert "corpus.jsonl does not exist" in capsys.readouterr().err


@given(
    st.lists(st.integers(0, 5), min_size=1, max_size=20),
    st.lists(st.integers(0, 5), min_size=1, max_size=20),
)
def test_auroc_is_the_share_of_pairs_in_order(high: list[int], low: list[int]) -> None:
    pairs = [(h > n) + 0.5 * (h == n) for h in high for n in low]
    found = auroc(np.array(high, dtype=float), np.array(low, dtype=float))
    assert found == pytest.approx(sum(pairs) / len(pairs))
