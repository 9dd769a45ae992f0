"""The input contract: what is stored is what was meant, what cannot be meant is refused."""

from __future__ import annotations

import json
import math
import unicodedata
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biorag.errors import InvalidInputError, KeyNounsError, LimitExceededError
from biorag.inputs import (
    check_content,
    check_limit,
    check_page,
    check_query,
    check_valence,
    check_weight,
    moment_to_epoch,
    name_key,
    normalise_dimension_value,
    normalise_name,
    parse_key_nouns,
)

# Python refuses to print integers of more than 4,300 digits, also in an error's message.
LONG = pytest.param(10**5000, id="5001 digits")
LONG_NEGATIVE = pytest.param(-(10**5000), id="minus 5001 digits")

NAMES = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=60)


def nouns(value: object, minimum: int = 2, maximum: int = 10) -> tuple[str, ...]:
    return parse_key_nouns(
        value, minimum=minimum, maximum=maximum, missing_code="SUSTANTIVOS_CLAVE_AUSENTES"
    )


class TestNames:
    def test_line_breaks_and_runs_of_blanks_become_one_space(self) -> None:
        """h7-043"""
        assert normalise_name("  water\n pump\t") == "water pump"
        assert name_key(normalise_name("water\n pump")) == name_key("water pump")

    def test_composed_and_decomposed_names_are_stored_alike(self) -> None:
        """h7-025"""
        assert normalise_name("cancio\u0301n") == "canci\u00f3n"
        assert name_key("CANCIO\u0301N") == name_key("canci\u00f3n")

    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ("STRASSE 5", "straße 5"),  # h7-045
            ("İzmir", "izmir"),  # h7-032
            ("water_pump", "Water  Pump"),
            ("code \u202a4471\u202c", "code 4471"),  # h7-042
            ("\ufeffplan", "plan"),
        ],
    )
    def test_names_that_differ_in_nothing_seen_have_one_key(self, one: str, other: str) -> None:
        assert name_key(one) == name_key(other)

    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ("año", "ano"),  # h7-027
            ("él", "el"),
            ("&", "%"),  # h7-036
            ("key A", "key B"),  # h7-047
            ("नदी", "पत्थर"),  # h7-037
            ("\u0131l\u0131k", "ilik"),  # h7-045: a dotless i is another letter
            ("👨\u200d👩\u200d👧", "👨👩👧"),
        ],
    )
    def test_names_that_differ_in_a_letter_have_two_keys(self, one: str, other: str) -> None:
        assert name_key(one) != name_key(other)

    def test_direction_marks_stay_in_the_name_that_is_shown(self) -> None:
        assert normalise_name("code \u202a4471\u202c") == "code \u202a4471\u202c"

    @pytest.mark.parametrize("name", ["../../etc/passwd", "C:\\x", "a'b\"c", "%_*", "🫠", "_", "0"])
    def test_any_visible_characters_make_a_name(self, name: str) -> None:
        assert normalise_name(name) == name
        assert name_key(name)

    @pytest.mark.parametrize("name", ["", "   ", "\n\t", "\u200b", "\u202a\u202c", "\u3000"])
    def test_a_name_with_nothing_to_see_is_refused(self, name: str) -> None:
        with pytest.raises(InvalidInputError, match="visible"):
            normalise_name(name)

    @pytest.mark.parametrize("name", ["key\x00A", "bell\x07", "del\x7f", "csi\x9b", "esc\x1b[0m"])
    def test_control_characters_are_refused(self, name: str) -> None:
        """h7-047: a name cut at a NUL would make a delete hit the wrong memory."""
        with pytest.raises(InvalidInputError, match="control characters"):
            normalise_name(name)

    def test_half_a_surrogate_pair_is_refused_and_two_halves_are_joined(self) -> None:
        with pytest.raises(InvalidInputError, match="surrogate"):
            normalise_name("bad \ud83d")
        assert normalise_name("\ud83d\udccb plan") == "📋 plan"

    def test_two_hundred_characters_fit_and_one_more_does_not(self) -> None:
        assert len(normalise_name(" " + "ñ" * 200 + " ")) == 200
        with pytest.raises(LimitExceededError, match="200 characters, not 201"):
            normalise_name("ñ" * 201)

    @pytest.mark.parametrize("name", [None, 7, b"bytes", ["list"], True, LONG])
    def test_what_is_no_text_is_refused(self, name: object) -> None:
        with pytest.raises(InvalidInputError) as caught:
            normalise_name(name, "concepto")
        assert caught.value.field == "concepto"

    @given(NAMES)
    def test_a_stored_name_stays_what_it_is_when_stored_again(self, text: str) -> None:
        try:
            name = normalise_name(text)
        except InvalidInputError:
            return
        assert normalise_name(name) == name
        assert unicodedata.is_normalized("NFC", name)
        assert name_key(name_key(name)) == name_key(name)
        assert name_key(unicodedata.normalize("NFD", name)) == name_key(name)
        assert name_key(name).strip() == name_key(name) != ""

    @given(NAMES)
    def test_case_never_makes_another_key(self, text: str) -> None:
        assert name_key(text.casefold()) == name_key(text)


class TestContent:
    @pytest.mark.parametrize(
        "content", ["a", " ", "first\u2028second\u2029third", "e\u0301", "\ttab\r\n", "\x07"]
    )
    def test_text_comes_back_unchanged(self, content: str) -> None:
        """h7-039: and nothing is trimmed, composed or cut."""
        assert check_content(content) == content

    def test_two_halves_of_a_pair_become_the_character_they_mean(self) -> None:
        """h7-035"""
        assert check_content("\ud83d\udccb plan") == "📋 plan"

    @pytest.mark.parametrize(
        ("content", "stored"),
        [
            ("result \udc81 ok", "result \ufffd ok"),
            ("bad \ud83d", "bad \ufffd"),
            ("\udccb\ud83d", "\ufffd\ufffd"),
            ("\ud83d\ud83d\udccb", "\ufffd📋"),
        ],
    )
    def test_half_a_pair_becomes_the_replacement_character(self, content: str, stored: str) -> None:
        """h7-033, h7-034: the rest of a model's broken output is worth keeping."""
        assert check_content(content) == check_query(content) == stored

    def test_a_nul_is_refused_with_its_place(self) -> None:
        """h7-038"""
        with pytest.raises(InvalidInputError, match=r"NUL.*position 5"):
            check_content("alpha\x00omega")

    def test_two_hundred_thousand_characters_fit_and_one_more_does_not(self) -> None:
        assert len(check_content("ñ" * 200_000)) == 200_000
        with pytest.raises(LimitExceededError, match="200,001"):
            check_content("ñ" * 200_001)

    @pytest.mark.parametrize("content", ["", None, 3, b"x", {"a": 1}, LONG])
    def test_what_holds_no_text_is_refused(self, content: object) -> None:
        with pytest.raises(InvalidInputError):
            check_content(content)


class TestKeyNouns:
    @pytest.mark.parametrize(
        "given_nouns",
        [
            "Casa, perro ,casa,,PERRO",
            ["Casa", " perro", "casa"],
            ("casa", "perro"),
            '["Casa", "perro"]',
            ' [ "casa" , "perro" ] ',
            ["casa,perro"],
        ],
    )
    def test_every_shape_that_agents_send_means_the_same_words(self, given_nouns: object) -> None:
        assert nouns(given_nouns) == ("casa", "perro")

    def test_order_is_kept_and_accents_are_composed(self) -> None:
        assert nouns("zorro,n\u0303u\u0301,zorro,an\u0303o,a_1") == ("zorro", "ñú", "año", "a_1")

    @pytest.mark.parametrize("value", [None, "", "  ", [], "[]", ",,", [""]])
    def test_none_at_all_has_the_code_of_the_caller(self, value: object) -> None:
        with pytest.raises(KeyNounsError) as caught:
            nouns(value)
        assert caught.value.code == "SUSTANTIVOS_CLAVE_AUSENTES"
        with pytest.raises(KeyNounsError) as caught:
            parse_key_nouns(
                value, minimum=1, maximum=10, missing_code="SUSTANTIVOS_CLAVE_REQUERIDOS"
            )
        assert caught.value.code == "SUSTANTIVOS_CLAVE_REQUERIDOS"

    def test_none_is_fine_where_none_is_needed(self) -> None:
        assert nouns(None, minimum=0) == ()

    @pytest.mark.parametrize("value", ["one", "one,one", ",".join(f"word{i}" for i in range(11))])
    def test_too_few_or_too_many_different_words_have_the_code_of_the_count(
        self, value: str
    ) -> None:
        with pytest.raises(KeyNounsError) as caught:
            nouns(value)
        assert caught.value.code == "SUSTANTIVOS_CLAVE_CANTIDAD_INVALIDA"

    @pytest.mark.parametrize(
        "value",
        [
            "casa,x",
            "casa,dos palabras",
            "casa,pe-rro",
            "casa,abcdefghijklmnop",
            ["casa", 7],
            ["casa", ["perro"]],
            "[casa, perro]",
            '["casa", "perro"',
            '["casa", null]',
            {"casa": 1, "perro": 2},
            b"casa,perro",
            7,
            "casa,per\x00ro",
            "casa,\ud83d\ud83d",
        ],
    )
    def test_what_is_no_word_has_the_code_of_the_format(self, value: object) -> None:
        with pytest.raises(KeyNounsError) as caught:
            nouns(value)
        assert caught.value.code == "SUSTANTIVOS_CLAVE_FORMATO_INVALIDO"

    def test_a_list_nested_too_deep_for_json_is_refused_like_any_other(self) -> None:
        with pytest.raises(KeyNounsError):
            nouns("[" * 100_000)

    @given(
        st.lists(st.from_regex(r"[a-zñáéíóú0-9_]{2,15}", fullmatch=True), min_size=2, max_size=9)
    )
    def test_parsing_what_was_parsed_changes_nothing(self, words: list[str]) -> None:
        parsed = nouns(words, minimum=1)
        assert nouns(parsed, minimum=1) == parsed
        assert nouns(",".join(parsed), minimum=1) == parsed
        assert nouns(json.dumps(parsed), minimum=1) == parsed


class TestDimensionValues:
    @pytest.mark.parametrize(
        ("value", "expected"),
        [
            ("Alegría", "alegria"),
            ("  Dominio Técnico ", "dominio_tecnico"),
            ("pingüino-azul", "pinguino_azul"),
            ("a__b--c", "a_b_c"),
            ("Straße", "strasse"),
            ("a" * 80, "a" * 80),
        ],
    )
    def test_values_become_snake_case_without_marks(self, value: str, expected: str) -> None:
        assert normalise_dimension_value(value) == expected

    @pytest.mark.parametrize(
        "value", ["", "a", "a" * 81, "2024", "1a", "год", "¡!", "a日本", None, 3]
    )
    def test_what_has_no_such_form_is_none(self, value: object) -> None:
        assert normalise_dimension_value(value) is None

    @given(st.text(max_size=100))
    def test_a_normal_value_is_its_own_normal_form(self, text: str) -> None:
        value = normalise_dimension_value(text)
        if value is not None:
            assert normalise_dimension_value(value) == value
            assert value.isascii()
            assert not value[0].isdigit()


class TestNumbers:
    @pytest.mark.parametrize("check", [check_valence, check_weight])
    def test_the_whole_interval_is_accepted(self, check: Callable[[object], float]) -> None:
        assert [check(value) for value in (0, 0.0, 0.5, 1)] == [0.0, 0.0, 0.5, 1.0]

    @pytest.mark.parametrize("value", [-0.1, 1.1, math.nan, math.inf, True, "0.5", None, 10**400])
    def test_what_is_outside_the_interval_is_refused(self, value: object) -> None:
        with pytest.raises(InvalidInputError):
            check_valence(value)

    @pytest.mark.parametrize("value", [0, -1, -5, True, False, "5", 5.0, None, LONG_NEGATIVE])
    def test_a_limit_below_one_is_an_error_and_never_everything(self, value: object) -> None:
        """h7-140, h7-141"""
        with pytest.raises(InvalidInputError):
            check_limit(value)
        with pytest.raises(InvalidInputError):
            check_page(value)

    def test_a_limit_may_be_a_thousand_at_most(self) -> None:
        assert (check_limit(1), check_limit(1000)) == (1, 1000)
        with pytest.raises(LimitExceededError):
            check_limit(1001)

    @pytest.mark.parametrize("value", [2**63, 10**30, LONG])
    def test_a_page_that_no_store_reaches_is_refused_in_words(self, value: int) -> None:
        with pytest.raises(LimitExceededError):
            check_page(value)
        with pytest.raises(LimitExceededError):
            check_limit(value)


class TestMoments:
    @pytest.mark.parametrize(
        "moment",
        [
            datetime(2026, 5, 1, 10, 30, tzinfo=UTC),
            datetime(2026, 5, 1, 10, 30),
            datetime(2026, 5, 1, 12, 30, tzinfo=timezone(timedelta(hours=2))),
            "2026-05-01T10:30:00Z",
            "2026-05-01T12:30:00+02:00",
            " 2026-05-01 10:30 ",
            1777631400,
            1777631400.0,
        ],
    )
    def test_every_way_to_write_a_time_is_the_same_second(self, moment: object) -> None:
        assert moment_to_epoch(moment) == 1777631400.0

    def test_a_day_is_its_midnight_and_times_before_1970_are_negative(self) -> None:
        assert moment_to_epoch("1969-12-31") == -86400.0

    @pytest.mark.parametrize(
        "moment",
        ["", "yesterday", "2026-13-01", "1777631400", math.nan, math.inf, True, None, [], 1e300,
         10**400, 1777631400000],
    )  # fmt: skip
    def test_what_is_no_time_is_refused(self, moment: object) -> None:
        with pytest.raises(InvalidInputError) as caught:
            moment_to_epoch(moment, "desde")
        assert caught.value.field == "desde"

    @given(st.datetimes(max_value=datetime(9999, 12, 31), timezones=st.just(UTC)))
    def test_epoch_seconds_lead_back_to_the_time(self, moment: datetime) -> None:
        seconds = moment_to_epoch(moment)
        back = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)
        assert abs(back - moment) <= timedelta(milliseconds=1)
