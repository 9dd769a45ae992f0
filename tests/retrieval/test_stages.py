"""Stages after the score: what each moves, and that none takes anything away."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biorag import Memory, NewMemory, Settings
from biorag.errors import SettingsError
from biorag.retrieval.stages import Stage, all_stages

EVERY_STAGE_ON = Settings(
    coverage_gate=True,
    hub_promotion=True,
    inhibition=True,
    jaccard=True,
    convergence=True,
    working_memory=True,
)
ALL_OFF = Settings(
    coverage_gate=False, hub_promotion=False, inhibition=False, jaccard=False, convergence=False
)

WORDS = ["heron", "reeds", "lake", "nest", "boat", "oar", "winter"]


def filled(settings: Settings) -> Memory:
    memory = Memory.open(":memory:", settings=settings)
    bodies = [
        "heron nest reeds lake winter",
        "boat oar lake",
        "heron boat heron boat heron boat",
        "nest winter winter winter of the old boat and its many oars",
        "lake",
        "reeds beyond the winter lake where the heron nests",
    ]
    memory.learn_many(NewMemory(name=f"m{n}", content=body) for n, body in enumerate(bodies))
    memory.learn("heron", "A bird.", synonyms=["grey heron"], key_nouns=["heron"])
    return memory


@pytest.fixture(scope="module")
def stores() -> Iterator[tuple[Memory, Memory]]:
    with filled(EVERY_STAGE_ON) as on, filled(ALL_OFF) as off:
        yield on, off


@given(words=st.lists(st.sampled_from(WORDS), min_size=1, max_size=5))
def test_stages_lose_nothing_and_keep_scores_falling(
    stores: tuple[Memory, Memory], words: list[str]
) -> None:
    on, off = (memory.recall(" ".join(words), limit=50) for memory in stores)
    assert sorted(hit.name for hit in on) == sorted(hit.name for hit in off)
    assert on.total == off.total
    scores = [hit.score for hit in on]
    assert scores == sorted(scores, reverse=True)


def test_the_coverage_gate_puts_what_says_little_behind() -> None:
    with filled(replace(ALL_OFF, coverage_gate=True)) as memory:
        page = memory.recall("heron nest reeds lake winter", limit=50)
        evidenced = [len(hit.evidence) >= 3 for hit in page if hit.name != "heron"]
        assert evidenced == sorted(evidenced, reverse=True)
        assert False in evidenced


def test_the_coverage_gate_keeps_all_places_when_nobody_passes() -> None:
    gate = replace(ALL_OFF, coverage_gate=True)
    with (
        Memory.open(":memory:", settings=gate) as on,
        Memory.open(":memory:", settings=ALL_OFF) as off,
    ):
        for memory in (on, off):
            memory.learn("a", "heron and a boat")
            memory.learn("b", "heron")
        question = "heron xylophone quartz zebra"
        assert [h.name for h in on.recall(question)] == [h.name for h in off.recall(question)]


def test_inhibition_quietens_without_reordering() -> None:
    with filled(replace(ALL_OFF, inhibition=True)) as on, filled(ALL_OFF) as off:
        quiet, loud = on.recall("heron", limit=50), off.recall("heron", limit=50)
        assert [hit.name for hit in quiet] == [hit.name for hit in loud]
        best = loud[0].score
        assert best >= 0.8
        for low, high in zip(quiet, loud, strict=True):
            share = 0.6 if high.score < 0.7 * best else 1.0
            assert low.score == pytest.approx(share * high.score, abs=2e-6)


def test_convergence_lifts_what_several_fields_speak_for() -> None:
    def order(settings: Settings) -> list[str]:
        with Memory.open(":memory:", settings=settings) as memory:
            memory.learn("one", "pantry wall lamp pantry stairs", key_nouns=["wall", "boiler"])
            memory.learn("two", "pantry valve pantry boiler")
            memory.learn("three", "boiler lamp garden")
            return [hit.name for hit in memory.recall("valve boiler wall", limit=3)]

    assert order(ALL_OFF) == ["two", "one", "three"]
    assert order(replace(ALL_OFF, convergence=True, convergence_bonus=0.12)) == [
        *("one", "two", "three")
    ]


def test_an_explained_page_says_what_each_stage_moved() -> None:
    with Memory.open(":memory:", settings=replace(ALL_OFF, coverage_gate=True)) as memory:
        # One rare word outweighs four common ones, and is under half of the question.
        memory.learn("rare", "zebra")
        memory.learn_many(
            NewMemory(name=f"m{n}", content=f"lake winter nest boat {n}") for n in range(20)
        )
        page = memory.recall("zebra lake winter nest boat", limit=50, explain=True)
        moved = {hit.name: hit.moves["qcr"] for hit in page}
        assert moved.pop("rare") == -20
        assert set(moved.values()) == {1}
        assert not any(hit.moves for hit in memory.recall("zebra lake", limit=50))


@pytest.mark.parametrize("stage", all_stages(), ids=lambda stage: stage.name)
def test_a_stage_left_out_by_name_does_nothing(stage: Stage) -> None:
    without = replace(EVERY_STAGE_ON, without=frozenset({stage.name}))
    switched = {
        "qcr": replace(EVERY_STAGE_ON, coverage_gate=False),
        "promocion_hub": replace(EVERY_STAGE_ON, hub_promotion=False),
        "gaba": replace(EVERY_STAGE_ON, inhibition=False),
        "jaccard": replace(EVERY_STAGE_ON, jaccard=False),
        "convergencia": replace(EVERY_STAGE_ON, convergence=False),
        "memoria_trabajo": replace(EVERY_STAGE_ON, working_memory=False),
    }[stage.name]
    with filled(without) as memory, filled(switched) as expected:
        one, other = (m.recall("heron nest lake boat", limit=50) for m in (memory, expected))
        assert [(h.name, h.score) for h in one] == [(h.name, h.score) for h in other]


def test_a_part_that_does_not_exist_is_refused_with_the_nearest() -> None:
    wrong = replace(ALL_OFF, without=frozenset({"translations"}))
    with (
        filled(wrong) as memory,
        pytest.raises(SettingsError, match="'translations', which is none of translation"),
    ):
        memory.recall("heron")


def test_a_kind_of_expansion_can_be_left_out() -> None:
    without = replace(ALL_OFF, without=frozenset({"translation"}))
    with filled(without) as memory:
        assert memory.recall("garza").trace.expansions == ()
    with filled(ALL_OFF) as memory:
        assert memory.recall("garza")[0].name
