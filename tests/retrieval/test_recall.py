"""Recall as a caller sees it: what comes first, why, and what each option changes."""

from __future__ import annotations

import math

import pytest

from asking import found, learn_texts
from biorag import Hit, Memory, NewMemory, Page
from biorag.errors import InvalidInputError, KeyNounsError
from biorag.retrieval.candidates import POOL, SOURCES
from biorag.signals import all_signals

ROOMS = ["kitchen", "cellar", "garden", "office", "garage", "attic"]
THINGS = ["lamp", "clock", "ladder", "mirror", "carpet", "boiler", "window"]


@pytest.fixture
def house(memory: Memory) -> Memory:
    """Forty-two things in rooms, each once."""
    memory.learn_many(
        NewMemory(name=f"{thing} {room}", content=f"The {thing} in the {room} was mended.")
        for room in ROOMS
        for thing in THINGS
    )
    return memory


def names(page: Page) -> list[str]:
    return [hit.name for hit in page]


def mean_before_bonuses(hit: Hit) -> float:
    return sum(signal.contribution for signal in hit.signals.values())


class TestExplanation:
    QUESTIONS = ("mend the boiler of the cellar", "lamp", "the mended mirror", "attic windw")

    @pytest.mark.parametrize("question", QUESTIONS)
    def test_contributions_add_up_to_the_score_before_bonuses(
        self, house: Memory, question: str
    ) -> None:
        page = house.recall(question, limit=50, explain=True)
        assert page.hits
        for hit in page:
            # Numbers are shown with six digits: the error of a sum of eight is below 5e-6.
            assert hit.signals["exact_match"].value == hit.signals["near_synonym"].value == 0.0
            assert mean_before_bonuses(hit) == pytest.approx(hit.score, abs=5e-6)

    def test_a_bonus_lifts_the_score_in_logit_space(self, house: Memory) -> None:
        hit = house.recall("boiler cellar", explain=True)[0]
        assert hit.signals["exact_match"].value == 1.0
        mean = mean_before_bonuses(hit)
        lifted = 1.0 / (1.0 + math.exp(-math.log(mean / (1.0 - mean)) - 2.94))
        assert hit.score == pytest.approx(lifted, abs=1e-4)

    @pytest.mark.parametrize("question", QUESTIONS)
    def test_every_signal_is_shown_in_its_range_and_weights_add_up_to_one(
        self, house: Memory, question: str
    ) -> None:
        for hit in house.recall(question, explain=True):
            assert list(hit.signals) == [signal.name for signal in all_signals()]
            assert all(0.0 <= signal.value <= 1.0 for signal in hit.signals.values())
            assert sum(s.weight for s in hit.signals.values()) == pytest.approx(1.0, abs=5e-6)
            assert 0.0 <= hit.score <= 1.0
            assert 0.0 <= hit.confidence <= 1.0

    def test_a_signal_that_is_silent_for_all_has_no_weight(self, house: Memory) -> None:
        """No memory has synonyms and no key noun was asked: nobody is punished for it."""
        silent = house.recall("boiler cellar", explain=True)[0].signals
        assert silent["synonym_ratio"].weight == silent["ev_key_nouns"].weight == 0.0
        house.update("lamp attic", synonyms=["boiler light"])
        heard = house.recall("boiler cellar", explain=True)[0].signals
        assert heard["synonym_ratio"].weight > 0.0
        assert heard["bm25_norm"].weight < silent["bm25_norm"].weight

    def test_without_an_explanation_only_what_speaks_is_shown(self, house: Memory) -> None:
        hit = house.recall("mended")[0]
        assert hit.signals
        assert all(signal.value > 0.0 for signal in hit.signals.values())

    def test_explaining_changes_no_score(self, house: Memory) -> None:
        plain, told = (house.recall("attic lamp", limit=50, explain=e) for e in (False, True))
        assert [(h.id, h.score) for h in plain] == [(h.id, h.score) for h in told]


class TestOrder:
    @pytest.mark.parametrize("question", ["Boiler valve", "BOILER_VALVE", "boiler  valve", "válve"])
    def test_who_asks_by_name_gets_that_memory_first(self, memory: Memory, question: str) -> None:
        memory.learn("válve", "brass")
        memory.learn("valve notes", "boiler valve, boiler valve, boiler valve, válve")
        memory.learn("boiler valve", "on the wall")
        assert memory.recall(question)[0].name.casefold() == " ".join(
            question.casefold().replace("_", " ").split()
        )

    def test_a_name_in_another_word_order_is_that_name(self, house: Memory) -> None:
        hit = house.recall("cellar boiler")[0]
        assert hit.name == "boiler cellar"
        assert hit.origin.startswith("name")

    def test_a_synonym_is_nearly_as_good_as_the_name(self, memory: Memory) -> None:
        memory.learn("boiler", "hangs on the wall", synonyms=["water heater"])
        memory.learn("water notes", "the heater takes water, and the water takes the heater")
        first = memory.recall("water heater", explain=True)[0]
        assert first.name == "boiler"
        assert first.signals["near_synonym"].value == 1.0

    def test_the_name_counts_more_than_a_synonym(self, memory: Memory) -> None:
        memory.learn("heater", "warms the room")
        memory.learn("stove", "warms the room", synonyms=["heater"])
        assert names(memory.recall("heater")) == ["heater", "stove"]

    def test_a_quoted_phrase_lifts_those_who_hold_it(self, memory: Memory) -> None:
        learn_texts(memory, ["pot blue pot blue pot", "a lid for the blue pot of Ana", "blue"])
        assert found(memory, "blue pot")[0] == "pot blue pot blue pot"
        page = memory.recall('the "pot of Ana"')
        assert page[0].content == "a lid for the blue pot of Ana"
        assert "phrase" in page[0].origin

    def test_a_quoted_word_is_searched_as_it_is_written(self, memory: Memory) -> None:
        memory.learn("nota", "La caldera pierde agua en el sótano")
        memory.learn("note", "An English note to make the store speak both")
        assert names(memory.recall("where is the boiler"))[0] == "nota"
        assert memory.recall('where is the "boiler"').abstained

    def test_key_nouns_of_the_question_count_beside_its_words(self, house: Memory) -> None:
        plain = house.recall("what was mended", limit=42)
        helped = house.recall("what was mended", key_nouns=["mirror", "attic"], explain=True)
        assert plain[0].name != "mirror attic"
        assert helped[0].name == "mirror attic"
        assert helped[0].signals["ev_key_nouns"].value == 1.0
        assert helped[0].evidence == {"mended": "mended", "mirror": "mirror", "attic": "attic"}

    def test_a_key_noun_of_the_memory_is_searched(self, house: Memory) -> None:
        house.update("lamp attic", key_nouns=["chandelier"])
        assert names(house.recall("chandelier")) == ["lamp attic"]

    def test_bad_options_are_refused(self, house: Memory) -> None:
        with pytest.raises(KeyNounsError):
            house.recall("lamp", key_nouns=["two words"])
        with pytest.raises(InvalidInputError, match="order_by"):
            house.recall("lamp", order_by="random")  # type: ignore[arg-type]
        with pytest.raises(InvalidInputError, match="query"):
            house.recall(7)  # type: ignore[arg-type]


class TestSelection:
    @pytest.fixture
    def diary(self, memory: Memory) -> Memory:
        for day in range(1, 10):
            memory.learn(
                f"day {day}",
                f"a calm note of day {day}" + (" at sea" if day % 2 else ""),
                author="ana" if day < 5 else "leo",
                category="diary" if day % 3 else "log",
                created_at=f"2026-01-0{day}T12:00:00Z",
            )
        return memory

    def test_filters_leave_out_what_they_name(self, diary: Memory) -> None:
        everyone = diary.recall("calm note", limit=20)
        assert everyone.total == 9
        for author, category, since, until, days in [
            ("ana", None, None, None, {1, 2, 3, 4}),
            (None, "log", None, None, {3, 6, 9}),
            ("leo", "log", None, None, {6, 9}),
            (None, None, "2026-01-03", "2026-01-04", {3, 4}),
            ("nobody", None, None, None, set()),
        ]:
            page = diary.recall(
                "calm note", author=author, category=category, since=since, until=until, limit=20
            )
            assert set(names(page)) == {f"day {day}" for day in days}
            assert page.total == len(days)

    def test_a_filtered_name_is_left_out_too(self, diary: Memory) -> None:
        assert "day 1" not in names(diary.recall("day 1", author="leo"))

    def test_strict_keeps_those_with_every_word(self, diary: Memory) -> None:
        page = diary.recall("calm note at sea", strict=True, limit=20)
        assert set(names(page)) == {f"day {day}" for day in (1, 3, 5, 7, 9)}
        assert page.total == 5
        assert diary.recall("calm note zzxq", strict=True).abstained

    def test_the_order_may_be_that_of_time(self, diary: Memory) -> None:
        days = [f"day {day}" for day in range(1, 10)]
        assert names(diary.recall("calm note", order_by="oldest", limit=20)) == days
        assert names(diary.recall("calm note", order_by="newest", limit=20)) == days[::-1]
        assert names(diary.recall("calm note", order_by="newest", limit=4, page=2)) == [
            f"day {day}" for day in (5, 4, 3, 2)
        ]

    def test_a_sleeping_memory_is_found_by_deep_recall_only(self, diary: Memory) -> None:
        diary.update("day 2", state="dormido")
        for question in ("calm note", "day 2"):
            assert "day 2" not in names(diary.recall(question, limit=20))
            assert "day 2" in names(diary.recall(question, limit=20, deep=True))
        assert diary.recall("calm note").total == 8
        diary.update("day 2", state="activo")
        assert "day 2" in names(diary.recall("calm note", limit=20))

    def test_a_memory_in_quarantine_is_never_found(self, diary: Memory) -> None:
        diary.update("day 2", state="cuarentena")
        for question in ("calm note", "day 2", '"day 2"'):
            assert "day 2" not in names(diary.recall(question, limit=20, deep=True))
        assert diary.get("day 2").content == "a calm note of day 2"


class TestPages:
    def test_pages_follow_the_pool_without_repeats_or_rising_scores(self, memory: Memory) -> None:
        size = POOL + 130
        learn_texts(memory, (f"tide {'and wind ' * (n % 7)}{n}" for n in range(size)))
        whole = memory.recall("tide wind", limit=1_000)
        paged = [
            hit for page in range(1, 12) for hit in memory.recall("tide wind", limit=33, page=page)
        ]
        assert whole.total == len(whole) == size
        assert [(h.id, h.score) for h in paged] == [(h.id, h.score) for h in whole]
        assert len({hit.id for hit in paged}) == size
        scores = [hit.score for hit in paged]
        assert scores == sorted(scores, reverse=True)
        assert all(0.0 <= score <= 1.0 for score in scores)

    def test_a_memory_found_by_its_name_alone_is_counted_and_hides_none(
        self, memory: Memory
    ) -> None:
        size = POOL + 30
        learn_texts(memory, (f"tide {n}" for n in range(size)))
        memory.learn("¡tide!", "nothing of the kind")
        memory.update("zq0", synonyms=["ebb"])
        pages = [memory.recall("tide", limit=77, page=page) for page in range(1, 5)]
        seen = [hit.id for page in pages for hit in page]
        assert {page.total for page in pages} == {size + 1}
        assert len(seen) == len(set(seen)) == size + 1

    def test_the_number_of_pages_is_told(self, house: Memory) -> None:
        page = house.recall("mended", limit=10, page=5)
        assert (page.total, page.pages, len(page)) == (42, 5, 2)
        assert len(house.recall("mended", limit=10, page=6)) == 0
        assert not house.recall("mended", limit=10, page=6).abstained


class TestTrace:
    def test_the_trace_tells_how_the_page_came_about(self, house: Memory) -> None:
        trace = house.recall("where is the boilr of the cellar?").trace
        assert trace.language == "en"
        assert trace.words == ("boilr", "cellar")
        assert set(trace.ignored) == {"where", "is", "the", "of"}
        (typo,) = [e for e in trace.expansions if e.word == "boilr"]
        assert (typo.alternative, typo.origin) == ("boiler", "typo")
        assert 0.0 < typo.weight < 1.0
        assert trace.sources["typo"] == 6
        assert set(trace.sources) <= set(SOURCES)
        assert list(trace.timings_ms) == ["analyse", "gather", "score", "page"]
        assert all(lap >= 0.0 for lap in trace.timings_ms.values())

    def test_evidence_tells_the_form_in_which_a_word_was_found(self, house: Memory) -> None:
        hit = house.recall("the boilr of the cellar")[0]
        assert hit.evidence == {"boilr": "boiler", "cellar": "cellar"}
        assert hit.origin == "full_text+typo"
        assert hit.confidence < house.recall("the boiler of the cellar")[0].confidence == 1.0

    def test_nothing_stored_speaks_to_it(self, house: Memory) -> None:
        page = house.recall("zebra quagga")
        assert page.abstained
        assert (page.total, page.pages, page.hits) == (0, 0, ())
        assert page.trace.words == ("zebra", "quagga")

    @pytest.mark.parametrize("question", ["lamp", "zebra", "???", "el reloj", '"in the attic"'])
    def test_an_abstention_is_an_empty_first_page_and_no_other(
        self, house: Memory, question: str
    ) -> None:
        page = house.recall(question)
        assert page.abstained == (len(page) == 0) == (page.total == 0)
