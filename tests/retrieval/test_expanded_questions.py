"""What is searched beside the question's own words, and the settings that change a recall."""

from __future__ import annotations

import pytest

from asking import found, learn_texts
from biorag import Memory, NewMemory, Settings
from biorag.signals import all_signals

SPANISH = {
    "caldera": "La caldera está en el sótano de la casa",
    "llave": "La llave de la puerta está bajo la maceta",
    "perro": "El perro duerme en la cocina",
    "reunión": "La reunión con el médico es el martes",
    "tren": "El tren para la playa sale a las nueve",
}
ENGLISH = {
    "ladder": "The ladder stands behind the garage",
    "spoon": "The silver spoon lies in the upper drawer",
    "bicycle": "The bicycle needs a new wheel",
    "bread": "The bread is bought on Saturday morning",
    "window": "The kitchen window does not close",
}


class TestLanguagesAndSpelling:
    @pytest.fixture
    def bilingual(self, memory: Memory) -> Memory:
        memory.learn_many(
            NewMemory(name=f"zq{nth}", content=text)
            for nth, text in enumerate([*SPANISH.values(), *ENGLISH.values()])
        )
        return memory

    @pytest.mark.parametrize(
        ("question", "text"),
        [
            ("where is the boiler in the basement?", SPANISH["caldera"]),
            ("where is the key to the door?", SPANISH["llave"]),
            ("where does the dog sleep?", SPANISH["perro"]),
            ("when is the meeting with the doctor?", SPANISH["reunión"]),
            ("¿dónde está la escalera?", ENGLISH["ladder"]),
            ("¿en qué cajón está la cuchara de plata?", ENGLISH["spoon"]),
            ("¿qué necesita la bicicleta?", ENGLISH["bicycle"]),
            ("¿cuándo se compra el pan?", ENGLISH["bread"]),
            ("¿qué ventana no cierra?", ENGLISH["window"]),
        ],
    )
    def test_a_question_finds_its_fact_in_the_other_language(
        self, bilingual: Memory, question: str, text: str
    ) -> None:
        page = bilingual.recall(question)
        assert page[0].content == text
        assert "translation" in page[0].origin

    @pytest.mark.parametrize(
        ("question", "text"),
        [
            ("the bycicle", ENGLISH["bicycle"]),
            ("silver sppon", ENGLISH["spoon"]),
            ("kitchen windwo", ENGLISH["window"]),
            ("la caldrea del sotano", SPANISH["caldera"]),
            ("la maseta", SPANISH["llave"]),
            ("reunion con el medico", SPANISH["reunión"]),
        ],
    )
    def test_a_slip_of_the_pen_finds_its_fact(
        self, bilingual: Memory, question: str, text: str
    ) -> None:
        assert found(bilingual, question)[0] == text

    def test_a_word_that_the_store_holds_is_not_corrected(self, bilingual: Memory) -> None:
        assert [
            e for e in bilingual.recall("the bread").trace.expansions if e.origin == "typo"
        ] == []

    def test_the_beginning_of_a_word_is_found(self, memory: Memory) -> None:
        learn_texts(memory, ["the zorblattian engine", "the other engine"])
        page = memory.recall("zorbla")
        assert [hit.content for hit in page] == ["the zorblattian engine"]
        assert page[0].origin == "prefix"


def opened(**settings: bool | str) -> Memory:
    return Memory.open(":memory:", settings=Settings(**settings))  # type: ignore[arg-type]


class TestSwitches:
    def test_without_expansion_no_translation_and_no_synonym_is_searched(self) -> None:
        with opened() as usual, opened(expansion=False) as plain:
            for memory in (usual, plain):
                learn_texts(memory, [*SPANISH.values(), *ENGLISH.values()])
            question = "where is the boiler in the basement?"
            assert found(usual, question)[0] == SPANISH["caldera"]
            page = plain.recall(question)
            assert page.abstained
            assert {e.origin for e in page.trace.expansions} <= {"typo", "prefix"}

    def test_without_typos_a_word_is_searched_as_it_is(self) -> None:
        with opened() as usual, opened(typos=False) as plain:
            for memory in (usual, plain):
                learn_texts(memory, ENGLISH.values())
            assert found(usual, "bycicle") == [ENGLISH["bicycle"]]
            assert plain.recall("bycicle").abstained

    def test_without_neighbours_the_order_of_storage_means_nothing(self) -> None:
        """A conversation: the answer to a question stands next to it and shares no word with it."""
        with opened() as usual, opened(neighbours=False) as plain:
            for memory in (usual, plain):
                learn_texts(memory, conversation())
            question = "which lighthouses were mentioned?"
            lent = usual.recall(question, limit=100)
            assert "neighbours" in lent.trace.sources
            assert lent.total > plain.recall(question).total
            assert "neighbours" not in plain.recall(question).trace.sources

    def test_unrelated_texts_lend_each_other_nothing(self, memory: Memory) -> None:
        learn_texts(memory, (f"w{n}x w{n}y w{n}z" for n in range(120)))
        page = memory.recall("w50x")
        assert [hit.content for hit in page] == ["w50x w50y w50z"]
        assert "neighbours" not in page.trace.sources

    def test_the_seed_profile_weighs_as_the_original_did(self) -> None:
        with opened(formula="semilla") as seed:
            learn_texts(seed, ENGLISH.values())
            signals = seed.recall("the silver spoon", explain=True)[0].signals
        weights = {s.name: s.seed_weight for s in all_signals() if signals[s.name].weight > 0.0}
        total = sum(weights.values())
        assert "ncd_score" not in weights
        assert {name: signals[name].weight for name in weights} == pytest.approx(
            {name: weight / total for name, weight in weights.items()}, abs=1e-6
        )

    def test_bm25_constants_are_settings(self) -> None:
        """With b = 0 the length of a text counts for nothing."""
        texts = ["tide", "tide " + "filler " * 50]
        with opened() as usual, Memory.open(":memory:", settings=Settings(bm25_b=0.0)) as flat:
            for memory in (usual, flat):
                learn_texts(memory, texts)
            one, two = (
                [hit.signals["bm25_norm"].value for hit in memory.recall("tide", explain=True)]
                for memory in (usual, flat)
            )
        assert one[0] > one[1]
        assert two[0] == two[1]


def conversation() -> list[str]:
    """Twelve topics of ten turns; turns of a topic share words, and topics do not."""
    topics = ["lighthouses", "beehives", "violins", "glaciers", "markets", "bridges"]
    topics += ["orchards", "tunnels", "lanterns", "meteors", "harbours", "deserts"]
    return [
        f"{topic if turn in (0, 4, 9) else ''} {topic[:4]}word{turn} {topic[:4]}word{turn + 1} said"
        for topic in topics
        for turn in range(10)
    ]


class TestBareWordsOfTheOtherLanguage:
    def test_a_bare_english_word_finds_a_spanish_memory(self, memory: Memory) -> None:
        memory.learn("llave", "La llave está bajo la maceta azul.")
        memory.learn("reloj", "El reloj de la cocina está roto.")
        for question in ("blue", "blue pot", "the blue key"):
            assert memory.recall(question)[0].name == "llave", question

    def test_a_bare_spanish_word_finds_an_english_memory(self, memory: Memory) -> None:
        memory.learn("key", "The key is under the blue pot.")
        memory.learn("clock", "The kitchen clock is broken.")
        for question in ("azul", "llave azul"):
            assert memory.recall(question)[0].name == "key", question
