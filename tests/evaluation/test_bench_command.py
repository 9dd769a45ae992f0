"""The command from end to end: real processes, the real engine, small corpora."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from biorag.evaluation.command import DEFAULT_RIVALS, run_bench

WriteCorpus = Callable[..., Path]


def _run(
    corpus: Path,
    json_file: Path,
    *,
    split: str = "all",
    rivals: tuple[str, ...] = DEFAULT_RIVALS,
    title: bool = False,
) -> dict[str, Any]:
    assert run_bench(corpus, split=split, rivals=rivals, json_file=json_file, title=title) == 0
    run: dict[str, Any] = json.loads(json_file.read_text(encoding="utf-8"))
    return run


def _quality_table(printed: str) -> str:
    return printed.partition("what it cost")[0]


def test_a_run_reports_biorag_and_every_rival(
    garden: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = _run(garden, tmp_path / "run.json", rivals=("fts5", "bm25s", "bm25s-default"))
    (part,) = run["quality"]
    groups = {group["category"]: group for group in part["groups"]}
    assert set(groups) == {"plain", "time", "all"}
    assert groups["all"]["questions"] == 3
    assert set(groups["all"]["means"]) == {"biorag", "fts5", "bm25s", "bm25s-default"}
    assert groups["all"]["means"]["biorag"]["R@5"] == 1.0
    assert set(groups["all"]["leads"]) == {"fts5", "bm25s", "bm25s-default"}
    assert part["unlabelled"] == 1
    for system in ("biorag", "fts5", "bm25s", "bm25s-default"):
        assert run["cost"][system]["memory_peak_bytes"] > run["cost"][system]["memory_before_bytes"]
        assert run["cost"][system]["search_p95_ms"] >= run["cost"][system]["search_p50_ms"] > 0
    assert run["cost"]["biorag"]["disk_bytes"] > 0
    assert run["cost"]["bm25s"]["disk_bytes"] is None
    printed = capsys.readouterr().out
    assert "garden: 4 documents in 1 store, split all" in printed
    assert "1 questions have no relevant document and are in no figure" in printed


def test_the_quality_table_is_the_same_byte_for_byte_at_every_run(
    garden: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    once = _run(garden, tmp_path / "once.json")
    printed_once = _quality_table(capsys.readouterr().out)
    again = _run(garden, tmp_path / "again.json")
    printed_again = _quality_table(capsys.readouterr().out)
    assert printed_once == printed_again
    assert json.dumps(once["quality"]) == json.dumps(again["quality"])


def test_questions_with_bent_evidence_are_reported_apart_and_left_out_of_the_overall(
    write_corpus: WriteCorpus, tmp_path: Path
) -> None:
    folder = write_corpus(
        [{"id": "a", "text": "Ana planted a lemon tree."}, {"id": "b", "text": "Rain on Monday."}],
        [
            {"id": "q", "text": "Who planted the lemon tree?", "category": "single_hop"},
            {"id": "r", "text": "Who cut the lemon tree?", "category": "adversarial"},
        ],
        [("q", "a", 1), ("r", "a", 1)],
    )
    (part,) = _run(folder, tmp_path / "run.json", rivals=("fts5",))["quality"]
    assert [(g["category"], g["questions"]) for g in part["groups"]] == [
        ("answerable", 1),
        ("adversarial", 1),
    ]


def test_two_languages_are_reported_apart_and_together(
    write_corpus: WriteCorpus, tmp_path: Path
) -> None:
    folder = write_corpus(
        [
            {"id": "es:1", "text": "El tren llega a las nueve.", "lang": "es"},
            {"id": "en:1", "text": "The train arrives at nine."},
        ],
        [{"id": "q", "text": "When does the train arrive?"}],
        [("q", "es:1", 1), ("q", "en:1", 1)],
    )
    parts = _run(folder, tmp_path / "run.json", rivals=("bm25s",))["quality"]
    assert [part["name"] for part in parts] == ["es", "en", "all"]
    assert [group["category"] for group in parts[2]["groups"]] == ["plain", "plain_cross", "all"]


def test_the_engine_is_given_names_that_tell_nothing(
    write_corpus: WriteCorpus, tmp_path: Path
) -> None:
    folder = write_corpus(
        [{"id": "gate", "title": "gate", "text": "It hangs there."}, {"id": "b", "text": "Rain."}],
        [{"id": "q", "text": "gate"}],
        [("q", "gate", 1)],
    )
    run = _run(folder, tmp_path / "run.json", rivals=("fts5",))
    assert run["quality"][0]["groups"][-1]["means"]["biorag"]["R@20"] == 0.0
    titled = _run(folder, tmp_path / "titled.json", rivals=("fts5",), title=True)
    assert titled["quality"][0]["groups"][-1]["means"]["biorag"]["R@1"] == 1.0


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"split": "dev"}, "split='dev': expected one of train, test, all"),
        ({"limit": 0}, "limit=0: expected at least one question"),
        ({"rivals": ("lucene",)}, "rivals='lucene': known are"),
        ({"small": True}, "marks no document as small"),
    ],
)
def test_what_cannot_be_measured_is_refused_before_anything_runs(
    garden: Path, options: dict[str, Any], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_bench(garden, **options) == 2
    captured = capsys.readouterr()
    assert told in captured.err
    assert captured.out == ""


@pytest.mark.corpora
@pytest.mark.parametrize(
    ("name", "part", "category", "expected"),
    [
        # Figures of the corpora's own BM25, test split; its stop lists differ a little from ours.
        ("locomo_turns", "", "answerable", {"nDCG@10": 0.487, "R@5": 0.544, "RR@10": 0.473}),
        ("xquad_es_en", "es", "question_cross", {"nDCG@10": 0.528}),
        ("cranfield", "", "all", {"nDCG@10": 0.292, "R@5": 0.243}),
    ],
)
def test_the_bm25_rival_is_as_strong_as_published(
    corpora: Path, tmp_path: Path, name: str, part: str, category: str, expected: dict[str, float]
) -> None:
    run = _run(corpora / name, tmp_path / "run.json", split="test", rivals=("bm25s",))
    (found,) = [p for p in run["quality"] if p["name"] == part]
    (group,) = [g for g in found["groups"] if g["category"] == category]
    figures = {measure: group["means"]["bm25s"][measure] for measure in expected}
    assert figures == pytest.approx(expected, abs=0.008)


def test_every_stage_that_is_off_can_be_switched_on_for_the_ablation() -> None:
    from biorag.evaluation.ablation import variants
    from biorag.retrieval.stages import all_stages

    tried = {variant.name: variant for variant in variants() if variant.kind == "stage"}
    assert tried.keys() == {stage.name for stage in all_stages()}
    for stage in all_stages():
        if tried[stage.name].change == "with":
            assert stage.is_on(tried[stage.name].settings)
