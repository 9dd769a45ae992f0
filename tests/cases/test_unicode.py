"""The same text in other code points is the same text; nothing of it is lost or breaks the core."""

# ruff: noqa: RUF001, RUF002 - letters that look alike are what this file is about
from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asking import found, learn_texts
from biorag import Memory, NewMemory
from biorag.errors import InvalidInputError, NodeNotFoundError

SPANISH = re.findall(
    r"\w+",
    """niño pingüino canción ópera cápsula cajón río árbol ratón jardín
    corazón camión estación dirección café teléfono médico música película número
    página público rápido último único útil fácil difícil débil lápiz
    azúcar dólar cárcel túnel móvil plátano pájaro océano huésped vergüenza
    cigüeña paragüero montaña pestaña araña España señal otoño cabaña leña""",
)


def decomposed(text: str) -> str:
    return unicodedata.normalize("NFD", text)


def without_accents(text: str) -> str:
    """Accents dropped as hurried writers do; ñ is a letter of its own and stays."""
    kept = text.replace("ñ", "\0")
    bare = "".join(c for c in unicodedata.normalize("NFD", kept) if not unicodedata.combining(c))
    return bare.replace("\0", "ñ")


FORMS: dict[str, Callable[[str], str]] = {
    "composed": str,
    "decomposed": decomposed,
    "upper case": str.upper,
    "upper case, decomposed": lambda word: decomposed(word.upper()),
    "without accents": without_accents,
}


class TestOneWordInManyForms:
    """h7-025, h7-026, h7-028: every form of fifty Spanish words finds every other."""

    def test_there_are_fifty_words(self) -> None:
        assert len(set(SPANISH)) == 50

    @pytest.mark.parametrize("stored_as", FORMS)
    @pytest.mark.parametrize("asked_as", FORMS)
    def test_a_word_is_found_first_in_any_form(
        self, memory: Memory, stored_as: str, asked_as: str
    ) -> None:
        stored, asked = FORMS[stored_as], FORMS[asked_as]
        learn_texts(memory, (f"hablaron de {stored(word)} ayer" for word in SPANISH))
        missed = [
            word
            for word in SPANISH
            if found(memory, asked(word), limit=1) != [f"hablaron de {stored(word)} ayer"]
        ]
        assert missed == []

    def test_a_combining_mark_does_not_split_the_word(self, memory: Memory) -> None:
        """h7-026."""
        learn_texts(memory, ["La forêt noire", "La mer bleue"])
        page = memory.recall("fore\u0302t")
        assert page.trace.words == ("forêt",)
        assert page[0].content == "La forêt noire"

    def test_two_words_without_their_accents_are_found(self, memory: Memory) -> None:
        """h7-028."""
        learn_texts(memory, ["las cápsulas están en el cajón", "los vasos están en la mesa"])
        assert found(memory, "capsulas cajon")[0] == "las cápsulas están en el cajón"


class TestFormsThatMeanDifferentWords:
    def test_the_year_is_not_the_other_word(self, memory: Memory) -> None:
        """h7-027: ñ is a letter, not an n with an accent."""
        learn_texts(memory, ["feliz año nuevo", "el ano es parte del cuerpo"])
        year = memory.recall("año")
        assert year[0].content == "feliz año nuevo"
        assert all(hit.score < year[0].score for hit in year.hits[1:])
        assert found(memory, "ano")[0] == "el ano es parte del cuerpo"

    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ("papá", "papa"),
            ("bebé", "bebe"),
            ("inglés", "ingles"),
            ("término", "termino"),
            ("público", "publico"),
            ("sábana", "sabana"),
            ("pérdida", "perdida"),
            ("secretaría", "secretaria"),
        ],
    )
    def test_of_two_words_that_differ_by_an_accent_the_one_asked_comes_first(
        self, memory: Memory, one: str, other: str
    ) -> None:
        # Function words (él/el, sí/si) bring no memory that holds other words: see h7-020.
        learn_texts(memory, [f"dijo {one} otra vez", f"dijo {other} otra vez"])
        assert found(memory, one) == [f"dijo {one} otra vez", f"dijo {other} otra vez"]
        assert found(memory, other) == [f"dijo {other} otra vez", f"dijo {one} otra vez"]


class TestOtherScripts:
    def test_an_accented_name_is_found_and_an_unknown_script_is_not(self, memory: Memory) -> None:
        """h7-029."""
        learn_texts(memory, ["Lübeck pier 5", "lunch at noon"])
        assert found(memory, "Lübeck") == ["Lübeck pier 5"]
        page = memory.recall("мост")
        assert page.abstained
        assert page.trace.words == ("мост",)

    def test_part_of_a_chinese_run_is_found(self, memory: Memory) -> None:
        """h7-030."""
        learn_texts(memory, ["设备清单 NAS", "昨晚的会议"])
        assert found(memory, "设备") == ["设备清单 NAS"]
        assert found(memory, "清单") == ["设备清单 NAS"]

    def test_a_few_whole_matches_hide_no_match_inside_a_run(self, memory: Memory) -> None:
        """h7-031: two texts hold the word by itself, eight inside a longer run."""
        texts = [f"昨晚 {n}" for n in range(2)] + [f"我们昨晚去了{c}" for c in "东西南北上下左右"]
        learn_texts(memory, [*texts, "今天没有事"])
        assert set(found(memory, "昨晚", limit=20)) == set(texts)

    def test_japanese_and_korean_runs_are_found_by_parts(self, memory: Memory) -> None:
        learn_texts(memory, ["会議は東京駅の近くです", "회의는 서울역에서 합니다"])
        assert found(memory, "東京")[0].startswith("会議")
        assert found(memory, "서울")[0].startswith("회의")

    def test_the_turkish_capital_is_found_by_either_spelling(self, memory: Memory) -> None:
        """h7-032."""
        learn_texts(memory, ["İzmir limanı", "Ankara garı"])
        for question in ("izmir", "İzmir", "IZMIR", "I\u0307zmir"):
            assert found(memory, question)[0] == "İzmir limanı"

    def test_dotless_and_sharp_letters_match_themselves(self, memory: Memory) -> None:
        """h7-045: ß is ss by case folding; ı is a letter of its own, and matches itself."""
        learn_texts(memory, ["Ilık çay", "STRASSE 5", "die straße ist lang"])
        assert found(memory, "Ilık")[0] == "Ilık çay"
        assert found(memory, "ılık")[0] == "Ilık çay"
        assert set(found(memory, "straße")) == {"STRASSE 5", "die straße ist lang"}
        assert set(found(memory, "strasse")) == {"STRASSE 5", "die straße ist lang"}

    def test_signs_that_clean_to_nothing_are_not_alike(self, memory: Memory) -> None:
        """h7-036."""
        memory.learn("&", "the ampersand")
        assert memory.recall("%").abstained
        with pytest.raises(NodeNotFoundError) as caught:
            memory.get("%")
        assert caught.value.nearest == ()

    def test_vowel_signs_belong_to_their_word(self, memory: Memory) -> None:
        """h7-037."""
        memory.learn("नदी", "river")
        memory.learn("पत्थर", "stone")
        assert memory.recall("फूल").abstained
        with pytest.raises(NodeNotFoundError) as caught:
            memory.get("फूल")
        assert caught.value.nearest == ()
        assert memory.recall("नदी")[0].content == "river"


class TestCharactersThatBreakThings:
    def test_a_lone_surrogate_half_is_stored_as_the_replacement_character(
        self, kept: Memory
    ) -> None:
        """h7-033."""
        kept.learn("reply", "result \udc81 ok")
        assert kept.get("reply").content == "result \ufffd ok"
        assert found(kept, "result ok") == ["result \ufffd ok"]

    def test_one_repaired_text_does_not_hold_up_a_batch(self, kept: Memory) -> None:
        """h7-034."""
        texts = ["fine", "bad \ud83d", "also fine"]
        learned = kept.learn_many(
            NewMemory(name=f"m{nth}", content=text) for nth, text in enumerate(texts)
        )
        assert [item.status for item in learned] == ["created"] * 3
        assert kept.get("m1").content == "bad \ufffd"

    def test_two_halves_are_one_character(self, kept: Memory) -> None:
        """h7-035."""
        kept.learn("\ud83d\udccb plan", "\ud83d\udccb first the roof")
        (memory,) = kept.list()
        assert (memory.name, memory.content) == ("📋 plan", "📋 first the roof")

    @pytest.mark.parametrize("name", ["bad \ud83d", "\udc81", "key\0A", "\0"])
    def test_a_name_with_a_broken_character_is_refused(self, memory: Memory, name: str) -> None:
        """h7-033, h7-047: two names that a reader cannot tell apart could hit the wrong one."""
        with pytest.raises(InvalidInputError) as caught:
            memory.learn(name, "text")
        assert caught.value.field == "name"
        assert memory.count() == 0

    def test_a_nul_is_refused_and_nothing_is_stored(self, memory: Memory) -> None:
        """h7-038."""
        with pytest.raises(InvalidInputError, match="position 5"):
            memory.learn("letters", "alpha\0omega")
        assert memory.count() == 0

    def test_a_nul_in_a_question_only_parts_its_words(self, memory: Memory) -> None:
        """h7-038."""
        learn_texts(memory, ["alpha omega", "beta"])
        assert found(memory, "alpha\0") == ["alpha omega"]
        assert found(memory, "zeta\0omega") == ["alpha omega"]

    def test_a_broken_half_in_a_question_only_parts_its_words(self, memory: Memory) -> None:
        learn_texts(memory, ["alpha omega", "beta"])
        assert found(memory, "alpha \ud83d") == ["alpha omega"]

    @pytest.mark.parametrize(
        "text",
        [
            "first\u2028second\u2029third",  # h7-039
            "code \u202a4471\u202c",  # h7-042
            "family 👨\u200d👩\u200d👧\u200d👦 and flag 🏴\u200d☠️",
            "tab\tbreak\r\nnext\x0b\x0c\x85end",
            "\ufeffmarked",
            "e\u0301 stays apart",
            " blanks around ",
        ],
    )
    def test_a_text_comes_back_as_it_was_given(self, path: Path, text: str) -> None:
        with Memory.open(path) as memory:
            memory.learn("kept", text)
        with Memory.open(path) as memory:
            assert memory.get("kept").content == text
            assert memory.recall("kept")[0].content == text
            assert [item.content for item in memory.list()] == [text]

    def test_line_separators_part_words(self, memory: Memory) -> None:
        """h7-039."""
        learn_texts(memory, ["first\u2028second\u2029third"])
        for word in ("first", "second", "third"):
            assert len(memory.recall(word)) == 1

    def test_direction_marks_do_not_hide_a_number(self, memory: Memory) -> None:
        """h7-042."""
        learn_texts(memory, ["code \u202a4471\u202c", "code 4472"])
        assert found(memory, "4471")[0] == "code \u202a4471\u202c"
        assert found(memory, "\u200e4472\u200f")[0] == "code 4472"

    def test_a_text_that_only_looks_different_in_bytes_is_the_same_fact(
        self, memory: Memory
    ) -> None:
        """h7-042."""
        memory.learn("locker", "code \u202a4471\u202c, canción")
        again = memory.learn("locker", "code 4471, cancio\u0301n")
        assert again.status == "unchanged"
        assert memory.get("locker").content == "code \u202a4471\u202c, canción"

    def test_an_update_may_change_the_spelling_alone(self, memory: Memory) -> None:
        memory.learn("locker", "cancio\u0301n")
        assert memory.update("locker", content="canción").content == "canción"

    def test_white_space_in_a_name_is_one_space(self, memory: Memory) -> None:
        """h7-043."""
        memory.learn("water\n pump", "feeds the tank")
        learned = memory.learn(" water pump ", "is blue")
        assert (learned.name, learned.status) == ("water pump", "extended")
        assert memory.get("WATER_PUMP").content == "feeds the tank\nis blue"


class TestCutsFallBetweenCharacters:
    def test_long_runs_of_multi_byte_letters_are_kept_and_found(self, memory: Memory) -> None:
        """h7-040."""
        learn_texts(memory, ["a" * 199 + "≈ tail", "ñ" * 5000, "ñ" * 5000 + " end"])
        assert found(memory, "tail") == ["a" * 199 + "≈ tail"]
        assert found(memory, "end") == ["ñ" * 5000 + " end"]
        assert len(memory.recall("ñ" * 5000)) == 2

    def test_no_offset_of_a_multi_byte_run_breaks_the_core(self, memory: Memory) -> None:
        """h7-041: a limit counted in bytes may fall anywhere inside "é", "≈" or "🦊"."""
        texts = [f"{'x' * n}{c * 300} mark{n}" for n in range(1, 40) for c in "é≈🦊設"]
        learn_texts(memory, texts)
        for n in range(1, 40):
            assert len(memory.recall(f"mark{n}")) == 4
            memory.recall("x" * n + "é" * 300, explain=True)

    @settings(max_examples=60, deadline=None)
    @given(ascii=st.integers(0, 400), run=st.sampled_from("ñ≈🦊設\u0301"), long=st.integers(1, 900))
    def test_any_run_at_any_offset_is_found(self, ascii: int, run: str, long: int) -> None:
        with Memory.open(":memory:") as memory:
            memory.learn("x" * min(ascii, 100) + run * 90, f"{'y' * ascii}{run * long} needle")
            assert len(memory.recall("needle")) == 1
            memory.recall("y" * ascii + run * long)
            with pytest.raises(NodeNotFoundError):
                memory.get(run * 150 + "y" * min(ascii, 40))
