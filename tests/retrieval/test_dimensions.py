"""Searching by semantic axes: what is a candidate, what is lifted, what is let through."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pytest

from biorag import Memory, NewMemory, Page
from biorag.errors import DimensionsError, LimitExceededError
from biorag.retrieval.sources.dimensional import SHARING
from biorag.settings import Settings

TECHNICAL = {"dominio": ["dominio_tecnico"]}


def learn(memory: Memory, name: str, content: str, **dimensions: str) -> None:
    given = {axis: (value,) for axis, value in dimensions.items()}
    memory.learn(name, content, dimensions=given or None)


def names(page: Page) -> list[str]:
    return [hit.name for hit in page]


def signal(page: Page, name: str, of: str) -> float:
    hit = next(hit for hit in page if hit.name == name)
    return hit.signals[of].value


@pytest.fixture
def house() -> Iterator[Memory]:
    # Without links of its own, so that only dimensions bring what words do not.
    with Memory.open(":memory:", settings=Settings(auto_link=False)) as memory:
        yield furnished(memory)


def furnished(memory: Memory) -> Memory:
    learn(memory, "one", "The boiler leaks in the cellar.", dominio="dominio_personal")
    learn(memory, "two", "The boiler leaks in the garage.", dominio="dominio_tecnico")
    learn(memory, "three", "The boiler leaks in the office.", emocion="alegria")
    learn(memory, "four", "A heron nests by the lake.", dominio="dominio_tecnico")
    learn(memory, "five", "An egret wades.")
    return memory


class TestEvidence:
    def test_what_shares_the_dimensions_ranks_first(self, house: Memory) -> None:
        for place, value in ((0, "dominio_personal"), (1, "dominio_tecnico")):
            page = house.recall("boiler leaks", dimensions={"dominio": [value]})
            assert names(page)[0] == ("one", "two")[place]

    def test_what_holds_no_word_but_shares_them_is_a_candidate(self, house: Memory) -> None:
        assert "four" not in names(house.recall("boiler leaks"))
        page = house.recall("boiler leaks", dimensions=TECHNICAL)
        assert names(page)[-1] == "four"
        assert page[-1].origin == "dimensional_fallback"
        assert page.trace.sources["dimensional_fallback"] == 2

    def test_they_are_no_evidence_that_anything_answers(self, house: Memory) -> None:
        page = house.recall("zqxjk", dimensions=TECHNICAL)
        assert names(page) == ["four", "two"]
        assert page.certainty == "sin_evidencia_directa"
        assert page.certainty_value == 0.0

    def test_the_overlap_is_the_share_of_squared_weights(self, memory: Memory) -> None:
        learn(memory, "own", "boiler", dominio="dominio_tecnico")
        learn(memory, "brought", "boiler", entidad="sqlite")
        asked = {"dominio": ["dominio_tecnico"], "entidad": ["sqlite"], "emocion": ["nunca_visto"]}
        page = memory.recall("boiler", dimensions=asked, explain=True)
        total = math.sqrt(1.0 + 0.7**2 + 0.7**2)  # what an agent brings weighs .7, known or not
        assert signal(page, "own", "dim_score") == pytest.approx(1.0 / total, abs=1e-6)
        assert signal(page, "brought", "dim_score") == pytest.approx(0.7 / total, abs=1e-6)

    def test_a_value_is_read_in_any_spelling(self, house: Memory) -> None:
        page = house.recall("boiler", dimensions={"Dominio": "Dominio Técnico"})
        assert names(page)[0] == "two"

    def test_dormant_memories_do_not_come_by_their_dimensions(self, house: Memory) -> None:
        house.update("four", state="dormido")
        assert names(house.recall("zqxjk", dimensions=TECHNICAL)) == ["two"]
        assert names(house.recall("zqxjk", dimensions=TECHNICAL, deep=True)) == ["four", "two"]

    def test_dormant_memories_do_not_use_the_budget_up(self, memory: Memory) -> None:
        for nth in range(SHARING):
            learn(memory, f"asleep {nth}", "An otter.", dominio="dominio_tecnico")
            memory.update(f"asleep {nth}", state="dormido")
        learn(memory, "awake", "An otter.", dominio="dominio_tecnico")
        memory.update("awake", weight=0.5)
        assert names(memory.recall("zqxjk", dimensions=TECHNICAL)) == ["awake"]

    def test_filters_hold_for_what_comes_by_its_dimensions(self, house: Memory) -> None:
        house.learn("six", "An otter.", category="Lesson", dimensions=TECHNICAL)
        page = house.recall("zqxjk", dimensions=TECHNICAL, category="Lesson")
        assert names(page) == ["six"]

    def test_a_value_learnt_after_a_recall_counts_at_once(self, house: Memory) -> None:
        house.recall("boiler", dimensions=TECHNICAL)
        learn(house, "late", "The boiler hums.", entidad="caldera")
        page = house.recall("boiler", dimensions={"entidad": ["caldera"]}, explain=True)
        assert signal(page, "late", "dim_score") == 1.0

    def test_without_the_evidence_dimensions_lift_nothing(self) -> None:
        settings = Settings(without=frozenset({"dimensions", "dimensional_fallback"}))
        with Memory.open(":memory:", settings=settings) as memory:
            learn(memory, "own", "boiler", dominio="dominio_tecnico")
            page = memory.recall("boiler", dimensions=TECHNICAL, explain=True)
            assert signal(page, "own", "dim_score") == 0.0


class TestPseudoRelevance:
    def test_what_two_of_the_best_share_is_taken_as_asked(self, memory: Memory) -> None:
        for nth in range(2):
            learn(memory, f"best {nth}", "The boiler boils.", dominio="dominio_tecnico")
        learn(memory, "odd", "The boiler boils.", emocion="miedo")
        page = memory.recall("boiler boils", explain=True)
        assert signal(page, "best 0", "dim_score") == 1.0
        assert signal(page, "odd", "dim_score") == 0.0
        assert names(page)[-1] == "odd"

    def test_two_candidates_are_too_few(self, memory: Memory) -> None:
        for nth in range(2):
            learn(memory, f"best {nth}", "The boiler boils.", dominio="dominio_tecnico")
        page = memory.recall("boiler boils", explain=True)
        assert signal(page, "best 0", "dim_score") == 0.0

    def test_given_dimensions_replace_those_of_the_best(self, memory: Memory) -> None:
        for nth in range(3):
            learn(memory, f"best {nth}", "The boiler boils.", dominio="dominio_tecnico")
        page = memory.recall("boiler boils", dimensions={"emocion": ["miedo"]}, explain=True)
        assert {signal(page, f"best {nth}", "dim_score") for nth in range(3)} == {0.0}


class TestTheme:
    def test_it_is_the_mean_weighted_jaccard_with_the_others(self, memory: Memory) -> None:
        memory.learn("a", "boiler", dimensions={"entidad": ["pump", "tank", "pipe", "tap"]})
        memory.learn("b", "boiler", dimensions={"entidad": ["pump", "hose", "sink"]})
        learn(memory, "c", "boiler", dominio="dominio_tecnico")
        for nth in range(4):
            learn(memory, f"other {nth}", "lamp")
        page = memory.recall("boiler", explain=True)
        shared, single = math.log(7 / 2), math.log(7 / 1)
        expected = shared / (shared + 5 * single) / 2 * 3.0  # of two others, tripled
        assert signal(page, "a", "thematic") == pytest.approx(expected, abs=1e-6)
        assert signal(page, "b", "thematic") == pytest.approx(expected, abs=1e-6)
        assert signal(page, "c", "thematic") == 0.0

    def test_hardly_alike_is_not_alike(self, memory: Memory) -> None:
        for name in "ab":
            values = ["pump", *(f"{name}_part_{nth}" for nth in range(6))]
            memory.learn(name, "boiler", dimensions={"entidad": values})
        for nth in range(4):
            learn(memory, f"other {nth}", "lamp")
        assert signal(memory.recall("boiler", explain=True), "a", "thematic") == 0.0

    def test_what_everything_has_says_nothing(self, memory: Memory) -> None:
        for nth in range(3):
            learn(memory, f"same {nth}", "boiler", dominio="dominio_tecnico")
        page = memory.recall("boiler", explain=True)
        assert signal(page, "same 0", "thematic") == 0.0

    def test_a_memory_without_a_word_of_the_question_has_no_theme(self, house: Memory) -> None:
        page = house.recall("garage boiler", dimensions=TECHNICAL, explain=True)
        assert signal(page, "two", "thematic") > 0.0
        assert signal(page, "four", "thematic") == 0.0


class TestStrict:
    def test_every_axis_must_match_in_one_of_its_values(self, memory: Memory) -> None:
        learn(memory, "both", "boiler", dominio="dominio_tecnico", emocion="miedo")
        learn(memory, "one", "boiler", dominio="dominio_tecnico")
        learn(memory, "neither", "boiler")
        asked = {"dominio": ["dominio_tecnico", "dominio_salud"], "emocion": ["miedo"]}
        assert names(memory.recall("boiler", dimensions=asked, strict=True)) == ["both"]
        assert {hit.name for hit in memory.recall("boiler", dimensions=asked)} == {
            *("both", "one", "neither")
        }

    def test_it_still_asks_for_every_word(self, house: Memory) -> None:
        assert names(house.recall("boiler lake", dimensions=TECHNICAL, strict=True)) == []


class TestListing:
    def test_those_that_share_most_come_first_then_the_heavier_then_the_newer(
        self, memory: Memory
    ) -> None:
        asked = {"dominio": ["dominio_tecnico"], "emocion": ["miedo"]}
        memory.learn_many(
            NewMemory(name=name, content=name, dimensions=held, created_at=time)
            for name, held, time in (
                ("old", {"emocion": ("miedo",)}, 1.0),
                ("new", {"emocion": ("miedo",)}, 2.0),
                ("light", {"dominio": ("dominio_tecnico",)}, 3.0),
                ("both", {"dominio": ("dominio_tecnico",), "emocion": ("miedo",)}, 0.0),
                ("none", {"cualia": ("telica_funcion",)}, 9.0),
            )
        )
        memory.update("light", weight=0.5)
        listed = memory.list(dimensions=asked)
        assert [held.name for held in listed] == ["both", "new", "old", "light"]
        assert listed.total == 4
        second = memory.list(dimensions=asked, limit=3, page=2)
        assert [held.name for held in second] == ["light"]
        strict = memory.list(dimensions=asked, strict=True)
        assert ([held.name for held in strict], strict.total) == (["both"], 1)


class TestRefusals:
    def test_an_unknown_axis_is_named_with_the_known_ones(self, memory: Memory) -> None:
        with pytest.raises(DimensionsError, match=r"'domino'.*emocion, entidad") as caught:
            memory.recall("boiler", dimensions={"domino": ["tecnico"]})
        assert caught.value.invalid == ("domino:tecnico",)
        assert caught.value.code == "DIMENSIONES_INVALIDAS"

    def test_an_unknown_axis_is_refused_without_values_too(self, memory: Memory) -> None:
        with pytest.raises(DimensionsError, match="domino"):
            memory.list(dimensions={"domino": []})

    def test_what_cannot_be_a_value_is_refused(self, memory: Memory) -> None:
        with pytest.raises(DimensionsError) as caught:
            memory.recall("boiler", dimensions={"dominio": ["dominio_tecnico", "9"]})
        assert caught.value.invalid == ("dominio:9",)

    def test_a_question_has_a_bounded_number_of_values(self, memory: Memory) -> None:
        with pytest.raises(LimitExceededError):
            memory.recall("x", dimensions={"entidad": [f"value_{nth}" for nth in range(101)]})


def test_forgetting_a_memory_changes_how_rare_its_dimensions_are(memory: Memory) -> None:
    learn(memory, "a", "boiler", dominio="dominio_tecnico")
    learn(memory, "b", "boiler", dominio="dominio_tecnico")
    learn(memory, "c", "lamp", dominio="dominio_tecnico")
    learn(memory, "d", "lamp")
    before = memory.axes()
    memory.recall("boiler")
    memory.forget("c")
    page = memory.recall("boiler", explain=True)
    assert signal(page, "a", "thematic") == 1.0
    technical = {axis.name: axis for axis in memory.axes()}["dominio"].values[0]
    assert technical.memories == 2
    assert {axis.name: axis for axis in before}["dominio"].values[0].memories == 3
