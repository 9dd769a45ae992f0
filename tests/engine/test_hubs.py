"""Concept Hubs: what bridges must be, where they are kept, and that they go with their memory."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from biorag import Bridge, Memory, NewMemory
from biorag.engine.hub_intake import ANGLES
from biorag.errors import (
    BridgesError,
    HubNotFoundError,
    InvalidInputError,
    LimitExceededError,
    NodeNotFoundError,
)
from biorag.storage.health import counts
from biorag.storage.hubs import bridges_after

TEXTS = (
    "shutoff tap",
    "flooded cellar floor",
    "cutting the water supply",
    "plumber called at night",
    "that red wheel thing",
)
SPANISH = (
    "llave de paso",
    "sótano inundado",
    "cortar el suministro de agua",
    "fontanero de madrugada",
    "esa rueda roja",
)


def five(*texts: str) -> list[Bridge]:
    return [Bridge(text, angle) for text, angle in zip(texts, ANGLES, strict=False)]


def replaced(position: int, text: str) -> list[Bridge]:
    return five(*(text if nth == position else held for nth, held in enumerate(TEXTS)))


def learn_valve(memory: Memory, texts: tuple[str, ...] = TEXTS) -> None:
    memory.learn("boiler valve", "The stopcock sits behind a panel.", bridges=five(*texts))


def indexed_bridges(memory: Memory, name: str) -> str:
    query = "SELECT bridges FROM node_text WHERE node_id = ?"
    row = memory._store.reading().execute(query, (memory.get(name).id,))
    return str(row.fetchone()[0])


class TestFiveBridges:
    def test_five_of_five_angles_make_the_hub_of_the_memory(self, memory: Memory) -> None:
        learned = memory.learn(
            "boiler valve", "behind a panel", bridges=list(reversed(five(*TEXTS)))
        )
        assert learned.hub == "hub_boiler_valve"
        (hub,) = memory.hubs()
        assert (hub.name, hub.canonical) == ("hub_boiler_valve", "boiler valve")
        assert [(bridge.angle, bridge.text) for bridge in hub.bridges] == list(
            zip(ANGLES, TEXTS, strict=True)
        )

    @pytest.mark.parametrize(
        ("bridges", "said"),
        [
            (five(*TEXTS[:4]), "none of angle ingenuo"),
            ([*five(*TEXTS), Bridge("sixth bridge", "ingenuo")], "second one of angle ingenuo"),
            ([*five(*TEXTS[:4]), Bridge("plain words")], "has no angle"),
            (replaced(1, "flood"), "problema says only 'flood'"),
            (replaced(1, "it is what it is"), "says nothing"),
            (replaced(1, "a leaking valve"), "'valve' is a word of the memory's name"),
            (replaced(1, "two boilers burst"), "'boilers' is a word of the memory's name"),
            (replaced(4, "plumbers at work"), "'plumbers' is also a word of situacion"),
            (replaced(2, "cerrar el tap"), "'tap' is also a word of sinonimo"),
        ],
    )
    def test_what_leads_nowhere_of_its_own_is_refused_before_anything_is_written(
        self, memory: Memory, bridges: list[Bridge], said: str
    ) -> None:
        with pytest.raises(BridgesError, match=said) as caught:
            memory.learn("boiler_valve", "behind a panel", bridges=bridges)
        assert (caught.value.code, caught.value.field) == ("PUENTES_INVALIDOS", "bridges")
        assert memory.count() == 0
        assert memory.hubs() == ()

    def test_function_words_may_come_again(self, memory: Memory) -> None:
        texts = ("caja de internet", "la señal falla", "reiniciar el aparato", "sin wifi en casa")
        with pytest.raises(BridgesError, match="ingenuo says only 'luz'"):
            memory.learn("router", "x", bridges=five(*texts, "la luz"))
        memory.learn("router", "x", bridges=five(*texts, "la luz parpadea"))
        assert len(memory.hubs()[0].bridges) == 5

    def test_what_is_no_bridge_is_refused(self, memory: Memory) -> None:
        for wrong in ("a text", ["a text"], [Bridge("two words", "angle")]):  # type: ignore[arg-type]
            with pytest.raises(InvalidInputError, match="bridges="):
                memory.learn("n", "c", bridges=wrong)  # type: ignore[arg-type]

    def test_a_bridge_keeps_one_line_and_is_not_long(self, memory: Memory) -> None:
        learn_valve(memory, (*TEXTS[:4], "that red\n\twheel"))
        assert memory.hubs()[0].bridges[4].text == "that red wheel"
        with pytest.raises(LimitExceededError):
            learn_valve(memory, (*TEXTS[:4], "red " * 60))


class TestLearningAgain:
    def test_new_bridges_take_the_places_of_the_old(self, memory: Memory) -> None:
        learn_valve(memory)
        memory.add_bridges("hub_boiler_valve", [Bridge("brass lever"), Bridge("oil lantern")])
        learn_valve(memory, (*TEXTS[:4], "oil lantern"))
        (hub,) = memory.hubs()
        assert [bridge.text for bridge in hub.bridges] == ["brass lever", *TEXTS[:4], "oil lantern"]
        assert memory.recall("red wheel").hits == ()
        assert [hit.name for hit in memory.recall("oil lantern")] == ["boiler valve"]

    def test_without_bridges_the_old_stay(self, memory: Memory) -> None:
        learn_valve(memory)
        memory.learn("boiler valve", "It turns to the left.")
        assert len(memory.hubs("boiler valve")[0].bridges) == 5
        assert indexed_bridges(memory, "boiler valve").startswith("shutoff tap flood")

    def test_the_same_bridges_change_nothing(self, memory: Memory) -> None:
        learn_valve(memory)
        before = memory._store.reading().execute("SELECT * FROM revision").fetchall()
        learn_valve(memory)
        assert memory._store.reading().execute("SELECT * FROM revision").fetchall() == before

    def test_twice_in_one_batch(self, memory: Memory) -> None:
        memory.learn_many(
            NewMemory(name="boiler valve", content=f"text {n}", bridges=tuple(five(*texts)))
            for n, texts in enumerate((TEXTS, SPANISH))
        )
        assert [bridge.text for bridge in memory.hubs()[0].bridges] == list(SPANISH)
        assert "wheel" not in indexed_bridges(memory, "boiler valve")

    def test_an_update_replaces_them(self, memory: Memory) -> None:
        memory.learn("boiler valve", "behind a panel")
        memory.update("boiler_valve", bridges=five(*TEXTS))
        assert [hit.name for hit in memory.recall("flooded cellar")] == ["boiler valve"]
        with pytest.raises(BridgesError):
            memory.update("boiler valve", bridges=replaced(1, "my valve leaks"))

    def test_a_hub_of_the_same_name_that_leads_elsewhere_stays(self, memory: Memory) -> None:
        memory.learn("lamp", "hangs in the hall")
        memory.create_hub("hub boiler valve", "lamp", bridges=[Bridge("ceiling light")])
        learn_valve(memory)
        assert [(hub.name, hub.canonical) for hub in memory.hubs()] == [
            ("hub boiler valve", "lamp"),
            ("hub_boiler_valve_2", "boiler valve"),
        ]

    def test_the_longest_name_has_a_hub(self, memory: Memory) -> None:
        learned = memory.learn("n" * 200, "c", bridges=five(*TEXTS))
        assert learned.hub is not None
        assert memory.delete_hub(learned.hub).bridges == 5


class TestFreeHubs:
    def test_a_hub_is_made_grows_and_goes(self, memory: Memory) -> None:
        memory.learn("lamp", "hangs in the hall")
        made = memory.create_hub(
            "hub_light", "LAMP", description="light", bridges=[Bridge("it is dark in the corner")]
        )
        assert (made.canonical, made.description) == ("lamp", "light")
        grown = memory.add_bridges("Hub light", [Bridge("cannot read tonight", "problema")])
        assert [bridge.angle for bridge in grown.bridges] == [None, "problema"]
        assert [hit.name for hit in memory.recall("reading tonight")] == ["lamp"]
        gone = memory.delete_hub("HUB_LIGHT")
        assert (gone.hub, gone.canonical, gone.bridges) == ("hub_light", "lamp", 2)
        assert memory.hubs() == ()
        assert memory.recall("reading tonight").hits == ()
        assert memory.get("lamp").content == "hangs in the hall"

    @pytest.mark.parametrize(
        ("bridges", "said"),
        [
            ([Bridge("dark")], "a bridge says only 'dark'"),
            ([Bridge("deep dark corner"), Bridge("Deep  dark corner")], "repeats the bridge"),
        ],
    )
    def test_a_bridge_that_says_too_little_is_refused(
        self, memory: Memory, bridges: list[Bridge], said: str
    ) -> None:
        memory.learn("lamp", "hangs in the hall")
        with pytest.raises(BridgesError, match=said):
            memory.create_hub("light", "lamp", bridges=bridges)
        assert memory.hubs() == ()
        memory.create_hub("light", "lamp", bridges=[Bridge("deep dark corner")])
        with pytest.raises(BridgesError, match=said):
            memory.add_bridges("light", [Bridge("Deep dark corner"), *bridges])
        assert len(memory.hubs()[0].bridges) == 1

    def test_what_does_not_exist_is_said_with_what_is_near(self, memory: Memory) -> None:
        memory.learn("lamp", "hangs in the hall")
        memory.create_hub("hub_light", "lamp")
        with pytest.raises(NodeNotFoundError):
            memory.create_hub("other", "lamb chops")
        with pytest.raises(HubNotFoundError) as caught:
            memory.add_bridges("hub_lights", [Bridge("deep dark corner")])
        assert caught.value.nearest == ("hub_light",)
        with pytest.raises(HubNotFoundError):
            memory.delete_hub("qqq")
        with pytest.raises(InvalidInputError) as existing:
            memory.create_hub("Hub Light", "lamp")
        assert existing.value.code == "HUB_EXISTENTE"

    def test_a_hub_holds_a_hundred_bridges(self, memory: Memory) -> None:
        memory.learn("lamp", "hangs in the hall")
        memory.create_hub("light", "lamp", bridges=[Bridge(f"dark corner{n}") for n in range(100)])
        with pytest.raises(LimitExceededError):
            memory.add_bridges("light", [Bridge("one more corner")])


def test_hubs_are_forgotten_with_their_memory(memory: Memory) -> None:
    learn_valve(memory)
    memory.create_hub("water", "boiler valve", bridges=[Bridge("dripping pipe")])
    memory.forget("boiler valve")
    assert memory.hubs() == ()
    assert bridges_after(memory._store.reading(), 0) == []
    assert not memory.match_hubs("dripping pipe").match


def test_the_text_index_stays_whole(kept: Memory) -> None:
    learn_valve(kept)
    kept.create_hub("water", "boiler valve", bridges=[Bridge("dripping pipe")])
    before = indexed_bridges(kept, "boiler valve")
    kept.add_key_nouns("boiler valve", ["stopcock"])
    assert indexed_bridges(kept, "boiler valve") == before
    kept.delete_hub("hub_boiler_valve")
    assert indexed_bridges(kept, "boiler valve") == "drip pipe"
    assert counts(kept._store.reading()) == (1, 1, 1)
    assert all(check.ok for check in kept.check())


def test_an_index_that_is_built_anew_has_the_bridges(path: Path) -> None:
    with Memory.open(path) as memory:
        learn_valve(memory)
    with Memory.open(path) as again:
        assert again.recall("flooded cellar")[0].origin.startswith("hub")


ELSEWHERE = """
import sys
from biorag import Bridge, Memory
with Memory.open(sys.argv[1]) as memory:
    if sys.argv[2] == "create":
        memory.create_hub("water", "boiler valve", bridges=[Bridge("dripping copper pipe")])
    else:
        memory.delete_hub("water")
        memory.create_hub("fire", "lamp", bridges=[Bridge("burning oil smell")])
"""


def test_what_another_process_bridges_is_followed(path: Path) -> None:
    def elsewhere(action: str) -> None:
        subprocess.run(
            [sys.executable, "-c", ELSEWHERE, str(path), action],
            check=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )

    with Memory.open(path) as memory:
        memory.learn_many(
            [
                NewMemory(name="boiler valve", content="behind a panel"),
                NewMemory(name="lamp", content="hangs in the hall"),
            ]
        )
        assert memory.recall("dripping pipe").hits == ()
        elsewhere("create")
        assert memory.recall("dripping pipe")[0].name == "boiler valve"
        assert memory.match_hubs("dripping pipe").hub == "water"
        elsewhere("replace")
        assert memory.recall("dripping pipe").hits == ()
        assert not memory.match_hubs("dripping pipe").match
        assert memory.match_hubs("burning smell").canonical == ("lamp",)
