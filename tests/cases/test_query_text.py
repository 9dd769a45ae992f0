"""Every string is a legal question: no syntax, no error, and never a failure shown as silence."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from asking import found, learn_texts
from biorag import Memory

NOTHING_TO_SEARCH = ['"()*"', "***", "---", "\\", "\U0001f98a", "", "   ", "\t\n", "*", "%", "¿?"]


class TestSignsAreNoSyntax:
    @pytest.mark.parametrize(
        ("text", "question"),
        [
            ("Order ORD-417 shipped", "ORD-417"),  # h7-001
            ("Don't water the ferns on Sunday", "don't water"),  # h7-002
            ("Don't water the ferns on Sunday", "don\u2019t water"),
            ("Sketches live in notes/garden/2024", "notes/garden"),  # h7-003
            ("Use shape::circle for the icon", "shape::circle"),  # h7-004
            ("The door colour is green", "colour:green"),  # h7-005
            ("The door colour is green", 'say "green'),
            ("The door colour is green", "(green"),
            ("The door colour is green", "green AND"),
            ("The door colour is green", "green NEAR/3"),
            ("The door colour is green", "{body} : green^"),
            ("Never prune the roses in July", "DO NOT PRUNE THE ROSES /"),  # h7-006
            ("The cellar key is under the blue pot", "blue key"),  # h7-007
            ("The boat is in the harbour", "harbour."),  # h7-008
            ("Upgrade the pump to release 7.12", "7.12"),  # h7-011
            ("Follow the guide step-by-step", "step-by-step"),  # h7-014
            ("Run it with --dry-run first", '"--dry-run"'),  # h7-016
            ("La reunión es el lunes", "¿cuándo es la reunión?"),
            ("The quote is «poder» in Spanish", '"«poder»"'),
        ],
    )
    def test_a_question_with_signs_finds_the_memory_first(
        self, memory: Memory, text: str, question: str
    ) -> None:
        learn_texts(memory, ["A lamp hangs in the hall", text, "The shed was painted last week"])
        assert found(memory, question)[0] == text

    def test_both_apostrophes_give_the_same_answer(self, memory: Memory) -> None:
        """h7-002."""
        learn_texts(memory, ["Don't water the ferns", "Don\u2019t move the ferns", "No ferns here"])
        straight, curly = (memory.recall(f"don{sign}t move the ferns") for sign in "'\u2019")
        assert [(hit.name, hit.score) for hit in straight] == [
            (hit.name, hit.score) for hit in curly
        ]

    def test_shouting_changes_nothing(self, memory: Memory) -> None:
        """h7-006: NOT, AND and OR in capitals are words like others."""
        learn_texts(memory, ["Never prune the roses in July", "The roses are red or white"])
        quiet = memory.recall("do not prune the roses or /")
        loud = memory.recall("DO NOT PRUNE THE ROSES OR /")
        assert [hit.name for hit in loud] == [hit.name for hit in quiet] == ["zq0", "zq1"]

    def test_a_label_with_signs_is_found_first_by_itself(self, memory: Memory) -> None:
        """h7-009."""
        label = "tubes, copper, drawn (t=2%), cut"
        learn_texts(memory, ["tubes, copper", "tubes, drawn, cut", label, "copper (t=3%)"])
        assert found(memory, label)[0] == label

    def test_a_leading_hyphen_excludes_nothing(self, memory: Memory) -> None:
        """h7-012."""
        learn_texts(memory, ["Locker 7ab is mine"])
        assert found(memory, "-7ab") == ["Locker 7ab is mine"]

    def test_a_letter_with_signs_is_a_name(self, memory: Memory) -> None:
        """h7-013."""
        learn_texts(memory, ["The panel is written in C#", "The driver is written in C++"])
        assert found(memory, "C++")[0] == "The driver is written in C++"
        assert found(memory, "C#")[0] == "The panel is written in C#"

    def test_a_hyphenated_word_takes_the_normal_path(self, memory: Memory) -> None:
        """h7-014: the source that answered is named."""
        learn_texts(memory, ["Follow the guide step-by-step"])
        (hit,) = memory.recall("step-by-step")
        assert hit.origin == "full_text"

    def test_two_words_need_not_stand_together(self, memory: Memory) -> None:
        """h7-007: only words in double quotes are a phrase, and even they do not exclude."""
        learn_texts(memory, ["The cellar key is under the blue pot", "The blue key opens the shed"])
        assert len(memory.recall("blue key")) == 2
        assert found(memory, '"blue key"')[0] == "The blue key opens the shed"


class TestNothingToSearch:
    @pytest.mark.parametrize("question", NOTHING_TO_SEARCH)
    def test_a_question_without_words_says_that_it_has_none(
        self, memory: Memory, question: str
    ) -> None:
        """h7-010, h7-017: the reply tells "nothing asked" from "nothing known"."""
        learn_texts(memory, ["one thing", "another thing", "a third"])
        page = memory.recall(question)
        assert page.abstained
        assert page.hits == ()
        assert page.total == 0
        assert page.trace.words == ()

    def test_an_unknown_word_is_told_from_no_word(self, memory: Memory) -> None:
        learn_texts(memory, ["one thing"])
        page = memory.recall("zzxqv")
        assert page.abstained
        assert page.trace.words == ("zzxqv",)

    @pytest.mark.parametrize("question", [*NOTHING_TO_SEARCH, "anything"])
    def test_an_empty_store_answers_too(self, memory: Memory, question: str) -> None:
        assert memory.recall(question).abstained


class TestSpokenQuestions:
    def test_a_filler_word_that_no_memory_holds_hides_nothing(self, memory: Memory) -> None:
        """h7-018."""
        learn_texts(memory, ["The boiler valve is on the north wall", "The oven is new"])
        best = found(memory, "why is the boiler valve not where I left it", limit=3)
        assert "The boiler valve is on the north wall" in best

    def test_a_spanish_question_with_fillers_finds_its_fact(self, memory: Memory) -> None:
        """h7-019."""
        learn_texts(memory, ["El riego del huerto va los martes", "La llave está en el cajón"])
        assert found(memory, "¿qué dijimos aquella vez sobre el riego?")[0].startswith("El riego")

    def test_function_words_alone_bring_no_memory(self, memory: Memory) -> None:
        """h7-020: fifty texts hold "in" or "the"; none is about camels, tides or attics."""
        rooms = ["kitchen", "cellar", "garden", "office", "garage"]
        things = ["lamp", "clock", "ladder", "mirror", "carpet"]
        learn_texts(
            memory, (f"The {t} is in the {r}, {n}" for r in rooms for t in things for n in "AB")
        )
        assert len(memory.recall("the best camel for a tide in the attic")) == 0

    def test_small_talk_brings_nothing_with_confidence(self, memory: Memory) -> None:
        """h7-021."""
        learn_texts(memory, ["That rule covers the bins", "The ferry leaves at nine"])
        assert all(hit.confidence < 0.5 for hit in memory.recall("yes well can we have that"))

    def test_shared_function_words_do_not_outrank_shared_meaning(self, memory: Memory) -> None:
        """h7-022."""
        plant = "The north plant is run from Oslo"
        learn_texts(memory, ["It is windy at the harbour today", plant])
        assert found(memory, "Where is the north plant run from")[0] == plant

    def test_words_that_were_not_searched_are_shown(self, memory: Memory) -> None:
        """h7-023."""
        learn_texts(memory, ["The harbour is calm"])
        trace = memory.recall("where is the harbour").trace
        assert trace.words == ("harbour",)
        assert set(trace.ignored) == {"where", "is", "the"}

    def test_more_words_never_lose_the_memory(self, memory: Memory) -> None:
        learn_texts(memory, ["The boiler valve is on the north wall", "The oven door is loose"])
        question = "valve please tell me kindly again about that old brass thing on the wall"
        for end in (match.end() for match in re.finditer(r"\w+", question)):
            assert found(memory, question[:end])[0].startswith("The boiler valve")


DISTRACTORS = [
    "The ferry to the island leaves at nine",
    "Las llaves de la bodega están bajo la maceta azul",
    'ORD-418 AND (shape::square OR "quoted") NEAR/2 *',
    "Ünïcödé çafé naïve 设备清单",
    "7.13 C# --wet-run notes/garden/2023",
]

signs = st.sampled_from(
    ['"', "'", "(", ")", "*", "^", ":", "-", "+", "{", "}", "/", "\\", "%", "~"]
)
words = st.sampled_from(
    [
        "AND",
        "NOT",
        "OR",
        "NEAR",
        "SELECT",
        "body",
        "green",
        "año",
        "I\u0307zmir",
        "設備",
        "C++",
        "a",
    ]
)
anything = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=60)
texts = st.one_of(
    anything,
    st.lists(st.one_of(signs, words, st.just(" ")), max_size=25).map("".join),
    st.lists(words, min_size=50, max_size=300).map(" ".join),
).filter(bool)


@pytest.fixture(scope="module")
def crowded() -> Memory:
    memory = Memory.open(":memory:")
    learn_texts(memory, DISTRACTORS)
    return memory


@settings(max_examples=250, deadline=None)
@given(text=texts)
@example(text="AND")
@example(text="(" * 500 + "x")
@example(text='"' * 501)
@example(text="\u0301\u0301")
@example(text="\ufdfa")
@example(text="ﬁ ŉ ǰ ΐ")
@example(text="\U0001d160" * 500 + "x")
def test_any_text_is_found_first_by_itself(crowded: Memory, text: str) -> None:
    crowded.learn("the one", text)
    try:
        page = crowded.recall(text)
        if any(letter.isalnum() for letter in text):
            assert page[0].name == "the one"
    finally:
        crowded.forget("the one")


@settings(max_examples=150, deadline=None)
@given(question=st.text(st.characters(exclude_categories=["Cs"]), max_size=200))
@example(question="\0")
@example(question="green\0door")
def test_no_question_raises(crowded: Memory, question: str) -> None:
    page = crowded.recall(question, explain=True)
    assert page.abstained == all(hit.confidence == 0.0 for hit in page)
