"""Questions that meet a memory over bridges alone, and questions that only seem to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biorag import Bridge, Memory, NewMemory, Settings
from biorag.engine.hub_intake import ANGLES
from biorag.retrieval.hubs import Hubs, read_hubs
from engine.test_abstaining import memories
from engine.test_hubs import TEXTS, five

WITHOUT_TEXT = Settings(without=frozenset({"hubs"}))


@pytest.fixture
def house(memory: Memory) -> Memory:
    """A hundred and twenty memories, and one that only bridges lead to."""
    memory.learn_many(memories(120))
    memory.learn("boiler valve", "The stopcock sits behind a panel.", bridges=five(*TEXTS))
    return memory


class TestFinding:
    @pytest.mark.parametrize(
        "question",
        [
            "the cellar floor is flooded",
            "we called a plumber last night",
            "how do I cut the water supply?",
            "what is the red wheel for?",
            "el suelo del sótano está inundado",
            "cortar el suministro de agua",
        ],
    )
    def test_a_question_finds_over_a_bridge_what_shares_no_word_with_it(
        self, house: Memory, question: str
    ) -> None:
        page = house.recall(question)
        assert page[0].name == "boiler valve"
        assert "hub" in page[0].origin.split("+")
        assert page[0].signals["hub_match"].value > 0.5

    def test_what_bridges_say_is_evidence(self, house: Memory) -> None:
        for question in ("the cellar floor is flooded", "how do I cut the water supply?"):
            assert not house.recall(question).abstained

    def test_a_spanish_bridge_leads_an_english_question(self, memory: Memory) -> None:
        memory.learn_many(memories(120))
        memory.learn("stopcock", "Está detrás del panel.", bridges=five(*SPANISH_FIVE))
        for question in ("flooded basement", "el sótano se ha inundado", "sotanos inundados"):
            assert memory.recall(question)[0].name == "stopcock", question

    def test_a_question_about_nothing_stored_is_still_not_answered(self, house: Memory) -> None:
        for question in (
            "How do volcanoes next to the ocean change the climate of a planet?",
            "who won the football championship in Brazil?",
            "¿quién escribió la novela más vendida del siglo?",
            "the red planet and its two moons",
        ):
            page = house.recall(question)
            assert page.abstained, question
            assert house.match_hubs(question).confidence < 0.5

    def test_a_dormant_memory_is_brought_by_a_deep_recall_alone(self, house: Memory) -> None:
        house.update("boiler valve", state="dormido")
        assert "boiler valve" not in [hit.name for hit in house.recall("flooded cellar floor")]
        assert house.recall("flooded cellar floor", deep=True)[0].name == "boiler valve"

    def test_what_the_agent_linked_to_it_is_lent_some(self, house: Memory) -> None:
        house.learn(
            "pump", "It is painted blue and stands behind a panel.", link_to=["boiler_valve"]
        )
        asked = "flooded cellar floor, painted blue panel"
        hits = {hit.name: hit for hit in house.recall(asked, explain=True)}
        assert hits["boiler valve"].signals["hub_match"].value == pytest.approx(1.0)
        assert hits["pump"].signals["hub_match"].value == pytest.approx(0.4)

    def test_without_the_evidence_the_signal_is_silent(self) -> None:
        with Memory.open(":memory:", settings=WITHOUT_TEXT) as memory:
            memory.learn("boiler valve", "behind a panel", bridges=five(*TEXTS))
            assert "hub_match" not in memory.recall("flooded cellar")[0].signals


SPANISH_FIVE = (
    "llave de paso",
    "sótano inundado",
    "cortar el suministro de agua",
    "fontanero de madrugada",
    "esa rueda roja",
)


class TestConfidence:
    def test_all_words_of_a_bridge_are_certain(self, house: Memory) -> None:
        found = house.match_hubs("the cellar's floors were flooded")
        assert found.match
        assert found.hub == "hub_boiler_valve"
        assert found.confidence == pytest.approx(1.0)
        assert found.bridges == ("flooded cellar floor",)
        assert found.canonical == ("boiler valve",)

    def test_two_words_of_three_are_two_thirds(self, house: Memory) -> None:
        found = house.match_hubs("a cellar floor")
        assert found.confidence == pytest.approx(2 / 3, abs=0.01)
        assert found.expanded_terms == ("flooded",)

    def test_one_word_alone_counts_half_of_its_share(self, house: Memory) -> None:
        assert house.match_hubs("tap").confidence == pytest.approx(0.25, abs=0.01)
        assert house.match_hubs("cellar").confidence == 0.0

    def test_each_further_bridge_adds_a_little(self, house: Memory) -> None:
        one, two = (house.match_hubs(q) for q in ("cellar floor", "cellar floor, red wheel"))
        assert two.confidence - one.confidence == pytest.approx(0.05)
        assert set(two.bridges) == {"flooded cellar floor", "that red wheel thing"}

    def test_a_word_that_many_bridges_have_says_less(self, memory: Memory) -> None:
        for n in range(20):
            memory.learn(f"m{n}", f"text {n}")
            memory.create_hub(f"h{n}", f"m{n}", bridges=[Bridge(f"broken item{n}")])
        assert not memory.match_hubs("broken").match
        assert memory.match_hubs("item7").hub == "h7"

    def test_the_older_of_two_that_are_as_sure_comes_first(self, memory: Memory) -> None:
        for name in ("b", "a"):
            memory.learn(name, name)
            memory.create_hub(name, name, bridges=[Bridge("broken lamp")])
        assert memory.match_hubs("broken lamp").canonical == ("b", "a")


class TestPromotion:
    @pytest.fixture
    def promoting(self) -> Iterator[Memory]:
        with Memory.open(":memory:", settings=replace(Settings(), hub_promotion=True)) as memory:
            memory.learn("boiler valve", "behind a panel " * 60, bridges=five(*TEXTS))
            memory.learn("flooded", "flooded cellar floor, flooded cellar floor")
            memory.learn("cellar floor flooded", "See there.")
            yield memory

    def test_a_sure_hub_puts_its_memory_first(self, promoting: Memory) -> None:
        question = "plumber night flooded cellar floor"
        page = promoting.recall(question, explain=True)
        assert page[0].name == "boiler valve"
        scores = [hit.score for hit in page]
        assert scores == sorted(scores, reverse=True)

    def test_a_memory_that_is_named_stays_first(self, promoting: Memory) -> None:
        assert promoting.recall("cellar floor flooded")[0].name == "cellar floor flooded"


@settings(deadline=None)
@given(
    steps=st.lists(
        st.tuples(st.sampled_from(["add", "free", "drop", "again"]), st.integers(0, 3)), max_size=8
    )
)
def test_following_step_by_step_is_reading_anew(steps: list[tuple[str, int]]) -> None:
    """Whatever was added, replaced and deleted, in whatever order, ids that come again too."""
    words = [f"{angle}{n} word{n}{angle}" for n in range(9) for angle in ANGLES]
    with Memory.open(":memory:") as memory:
        memory.learn_many(NewMemory(name=f"m{n}", content=f"text {n}") for n in range(4))
        connection = memory._store.reading()
        followed: Hubs | None = None
        for turn, (step, n) in enumerate(steps):
            if step == "add":
                memory.learn(f"m{n}", f"text {n}", bridges=five(*words[5 * turn : 5 * turn + 5]))
            elif step == "free":
                memory.create_hub(f"free {turn}", f"m{n}", bridges=[Bridge(f"old thing{turn}")])
            elif step == "again":
                memory.learn(f"m{n}", f"text {n}", bridges=five(*words[:5]))
            elif memory.hubs():
                memory.delete_hub(memory.hubs()[-1].name)
            followed = read_hubs(connection, followed)
        if followed is None:
            return
        anew = read_hubs(connection, None)
        for one, other in (
            (followed.ids, anew.ids),
            (followed.hubs, anew.hubs),
            (followed.nodes, anew.nodes),
            (followed.starts, anew.starts),
            (followed.terms, anew.terms),
            (followed.idf, anew.idf),
        ):
            assert np.array_equal(one, other)
        assert followed.postings == anew.postings
        assert followed.read == anew.read
