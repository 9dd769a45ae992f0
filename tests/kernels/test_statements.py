"""Who does what, read by rules: on sentences that they were written with, and on others."""

from __future__ import annotations

from pathlib import Path

import pytest

from biorag.errors import ShapeError
from biorag.kernels.roles import Statement, statements_of, verb_bases
from biorag.lexicon.wordnet import load_lexicon

HERE = Path(__file__).parent


def accuracy(file: str) -> tuple[float, float]:
    """Share of sentences whose action, and whose every role, is the expected one."""
    lines = (HERE / file).read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines]
    found = statements_of([row[1] for row in rows], [row[0] for row in rows], load_lexicon())
    first = [said[0] if said else Statement("", "", "", "") for said in found]
    actions = sum(said.action == row[3] for said, row in zip(first, rows, strict=True))
    whole = sum(
        [role.casefold() for role in said] == [role.casefold() for role in row[2:6]]
        for said, row in zip(first, rows, strict=True)
    )
    return actions / len(rows), whole / len(rows)


def test_the_sentences_that_the_rules_were_written_with() -> None:
    actions, whole = accuracy("role_sentences.tsv")
    assert actions == 1.0
    assert whole >= 0.95


def test_sentences_that_were_not_looked_at_while_writing() -> None:
    actions, whole = accuracy("role_sentences_held_out.tsv")
    assert actions >= 0.95
    assert whole >= 0.8


@pytest.mark.parametrize("text", ["Who moved the meeting?", "¿Quién abrió la puerta?", "", "42."])
def test_questions_and_fragments_state_nothing(text: str) -> None:
    assert statements_of([text], ["es" if "¿" in text else "en"], load_lexicon()) == [[]]


def test_what_is_read_of_a_text_is_bounded() -> None:
    text = "Ana moved the chair and Ben opened the door. " * 40
    assert len(statements_of([text], ["en"], load_lexicon())[0]) == 8


def test_a_denial_is_an_action_of_its_own() -> None:
    (said,) = statements_of(["The museum does not open on Mondays."], ["en"], load_lexicon())[0]
    assert said.action == "not open"


@pytest.mark.parametrize(
    ("word", "base"),
    [("bought", "buy"), ("murió", "morir"), ("vendió", "vender"), ("hosts", "host")],
)
def test_a_verb_is_brought_to_its_base(word: str, base: str) -> None:
    assert base in verb_bases([word], load_lexicon())[0]


def test_each_text_needs_a_language() -> None:
    with pytest.raises(ShapeError, match="languages"):
        statements_of(["a", "b"], ["en"], None)
