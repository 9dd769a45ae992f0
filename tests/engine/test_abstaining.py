"""A memory that says when it does not know, and offers what is near as no more than that."""

from __future__ import annotations

from pathlib import Path

import pytest

from biorag import Bridge, Memory, NewMemory, Settings
from biorag.errors import InvalidInputError, LimitExceededError
from biorag.storage.calibration import read_calibration

PLACES = ("harbour", "cellar", "orchard", "bridge", "kitchen", "tower", "garden", "market")
OBJECTS = (
    "rowing boat",
    "iron key",
    "oak ladder",
    "brass lantern",
    "cider barrel",
    "hemp rope",
    "willow basket",
    "claw hammer",
    "copper kettle",
)
PEOPLE = ("Marta", "Olaf", "Inés", "Piotr", "Yusuf", "Greta")


def memories(count: int) -> list[NewMemory]:
    return [
        NewMemory(
            name=f"note {n}",
            content=f"{PEOPLE[n % 6]} keeps the {OBJECTS[n % 9]} number {n} in the"
            f" {PLACES[n % 8]}, next to the {OBJECTS[(n + 4) % 9]}.",
        )
        for n in range(count)
    ]


@pytest.fixture
def house(memory: Memory) -> Memory:
    memory.learn_many(memories(120))
    return memory


class TestPages:
    def test_a_question_about_what_is_stored_is_answered(self, house: Memory) -> None:
        page = house.recall("Where does Marta keep the rowing boat number 54?")
        assert not page.abstained
        assert page.certainty == "evidencia_directa"
        assert page.related == ()
        assert page[0].name == "note 54"
        assert page[0].certainty == "evidencia_directa"
        assert page[0].calibrated_confidence is not None
        assert page[0].calibrated_confidence > 0.5

    def test_a_question_about_nothing_stored_is_not(self, house: Memory) -> None:
        page = house.recall("How do volcanoes next to the ocean change the climate of a planet?")
        assert page.abstained
        assert page.certainty == "sin_evidencia_directa"
        assert page.related

    def test_an_abstaining_page_still_ranks(self, house: Memory) -> None:
        question = "Which planet is next to the brightest comet in november?"
        page = house.recall(question)
        alone = house.recall(question, answer_only=True)
        assert page.abstained
        assert alone.abstained
        assert page.hits == page.related == alone.related != ()
        assert alone.hits == ()
        assert page.hits[0].certainty == "sin_evidencia_directa"

    def test_answers_alone_are_the_hits_of_a_page_that_answers(self, house: Memory) -> None:
        question = "Where is the copper kettle of Yusuf?"
        plain = house.recall(question)
        assert not plain.abstained
        assert house.recall(question, answer_only=True).hits == plain.hits

    def test_a_spanish_question_is_answered_by_an_english_memory(self, house: Memory) -> None:
        page = house.recall("¿Dónde está la escalera de roble?")
        assert not page.abstained
        assert "ladder" in page[0].content

    def test_a_slip_of_the_pen_is_answered(self, house: Memory) -> None:
        assert not house.recall("Where is the coppr ketle?").abstained

    def test_who_asks_by_name_is_answered(self, memory: Memory) -> None:
        memory.learn_many(memories(60))
        memory.learn("volcano", "Nothing in it says so.")
        page = memory.recall("volcano")
        assert not page.abstained
        assert page[0].certainty == "evidencia_directa"

    def test_a_common_word_that_every_memory_holds_is_answered(self, house: Memory) -> None:
        page = house.recall("number")
        assert not page.abstained

    def test_the_level_never_rises_down_the_certainties(self, house: Memory) -> None:
        page = house.recall("Where does Olaf keep the iron key?", limit=50)
        calibration = page.calibration
        assert calibration is not None
        sure = [hit for hit in page if hit.certainty == "evidencia_directa"]
        rest = [hit for hit in page if hit.certainty == "sin_evidencia_directa"]
        assert sure
        assert rest
        least = min(hit.calibrated_confidence or 0.0 for hit in sure)
        assert least >= max(hit.calibrated_confidence or 0.0 for hit in rest)


class TestWhen:
    def test_a_store_of_less_than_thirty_abstains_only_when_nothing_matches(
        self, memory: Memory
    ) -> None:
        memory.learn_many(memories(29))
        page = memory.recall("Which planet is next to the comet?")
        assert page.calibration is None
        assert not page.abstained
        assert page[0].calibrated_confidence is None
        assert memory.recall("xylophone").abstained
        memory.learn("one more", "A thirtieth memory about the orchard.")
        assert memory.recall("Which planet is next to the comet?").calibration is not None

    def test_a_fifth_more_memories_calibrate_again(self, house: Memory) -> None:
        first = house.recall("boat").calibration
        assert first is not None
        assert first.memories == 120
        house.learn_many(memories(144)[120:])
        assert house.recall("boat").calibration == first
        house.learn("the 145th", "It tips the balance.")
        again = house.recall("boat").calibration
        assert again is not None
        assert again.memories == 145

    def test_candidates_that_hold_no_word_of_the_question_are_no_answer(
        self, memory: Memory
    ) -> None:
        memory.learn("tool", "A counterclockwise screwdriver.", dimensions={"emocion": ["calma"]})
        for page in (
            memory.recall("clockwise"),  # letters inside a word
            memory.recall("xylophone", dimensions={"emocion": ["calma"]}),
            memory.recall("xylophone", burst_words=["screwdriver", "hammer", "nail"]),
        ):
            assert page.calibration is None
            assert page.abstained
            assert page.certainty == "sin_evidencia_directa"
            assert [hit.name for hit in page.related] == ["tool"]

    def test_in_a_small_store_a_word_a_name_a_phrase_or_a_hub_is_enough(
        self, memory: Memory
    ) -> None:
        memory.learn("volcano", "A counterclockwise screwdriver.")
        memory.learn("lamp", "It hangs in the hall.")
        memory.create_hub("light", "lamp", bridges=[Bridge("illumination of a corridor")])
        for question in (
            "screwdriver of the xylophone",
            "volcano",
            '"counterclockwise screwdriver"',
            "illumination corridor",
        ):
            page = memory.recall(question)
            assert page.calibration is None
            assert page.hits
            assert not page.abstained, question

    def test_it_can_be_switched_off(self) -> None:
        with Memory.open(":memory:", settings=Settings(calibration=False)) as memory:
            memory.learn_many(memories(60))
            page = memory.recall("Which planet is next to the comet?")
            assert page.calibration is None
            assert not page.abstained

    def test_closing_keeps_what_a_question_found_and_a_question_writes_nothing(
        self, path: Path
    ) -> None:
        with Memory.open(path) as memory:
            memory.learn_many(memories(60))
            found = memory.recall("boat").calibration
            assert read_calibration(memory._store.reading()) is None
        with Memory.open(path) as memory:
            assert read_calibration(memory._store.reading()) == found
            assert memory.recall("boat").calibration == found

    def test_what_another_process_calibrated_is_taken_over(self, path: Path) -> None:
        with Memory.open(path) as one, Memory.open(path) as other:
            one.learn_many(memories(60))
            one.recall("boat")
            by_hand = other.calibrate(alpha=0.3).calibration
            assert one.recall("boat").calibration == by_hand


class TestCalibrate:
    def test_it_says_why_it_did_or_did_not(self, house: Memory) -> None:
        assert house.calibrate().reason == "first"
        kept = house.calibrate()
        assert (kept.done, kept.reason) == (False, "current")
        assert house.calibrate(force=True).reason == "forced"
        assert house.calibrate(alpha=0.3).reason == "alpha"

    def test_too_few_memories_are_told(self, memory: Memory) -> None:
        memory.learn_many(memories(29))
        outcome = memory.calibrate(force=True)
        assert (outcome.calibration, outcome.done, outcome.reason) == (None, False, "too_few")

    def test_a_larger_alpha_answers_more(self, house: Memory) -> None:
        strict = house.calibrate(alpha=0.02).calibration
        lax = house.calibrate(alpha=0.4).calibration
        assert strict is not None
        assert lax is not None
        assert strict.abstain_at > lax.abstain_at

    def test_an_alpha_by_hand_survives_a_drift(self, house: Memory) -> None:
        house.calibrate(alpha=0.3)
        house.learn_many(memories(200)[120:])
        found = house.recall("boat").calibration
        assert found is not None
        assert (found.memories, found.requested_alpha) == (200, 0.3)

    @pytest.mark.parametrize("alpha", [0.0, 0.6, float("nan"), "much", True])
    def test_an_alpha_out_of_range_is_refused(self, house: Memory, alpha: float) -> None:
        with pytest.raises(InvalidInputError, match="alpha"):
            house.calibrate(alpha=alpha)

    def test_too_few_or_too_many_questions_are_refused(self, house: Memory) -> None:
        with pytest.raises(InvalidInputError, match="questions"):
            house.calibrate(questions=19)
        with pytest.raises(LimitExceededError, match="questions"):
            house.calibrate(questions=5_001)
