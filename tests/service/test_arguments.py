"""What models really send, and what each parameter takes of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from biorag.errors import (
    InvalidInputError,
    LimitExceededError,
    MissingParameterError,
    UnknownParameterError,
)
from biorag.service.arguments import About, CommaWords, Names, Words, bind, parameters_of
from biorag.service.registry import published_tools


def _handler(
    context: object,
    text: Annotated[str, About("A text.")],
    k: Annotated[int, About("A count.", 1, 200)] = 10,
    weight: Annotated[float, About("A weight.", 0, 1)] = 0.5,
    flag: Annotated[bool, About("A flag.")] = False,
    order: Annotated[Literal["up", "down"], About("An order.")] = "up",
    tags: Annotated[Words, About("Tags.")] = (),
    nouns: Annotated[CommaWords, About("Nouns.")] = (),
    names: Annotated[Names, About("Names.")] = (),
    edge: Annotated[Mapping[str, object] | None, About("An object.")] = None,
    author: Annotated[str | None, About("An author.")] = None,
) -> Mapping[str, Any]:
    return {}


PARAMETERS = parameters_of(_handler)
LISTS = ("tags", "nouns", "names")
# What a word may be: no separators or notation of lists, no blank ends.
words = st.text(
    st.characters(blacklist_categories=("Cs", "Cc", "Z"), blacklist_characters=",[]\"'"), min_size=1
)


def read(name: str, value: object) -> object:
    return bind(PARAMETERS, {"text": "x", name: value})[name]


@pytest.mark.parametrize("value", [5, 5.0, "5", "5.0", " 5 ", "+5", "05"])
def test_a_whole_number_is_understood_however_it_is_sent(value: object) -> None:
    assert read("k", value) == 5
    assert type(read("k", value)) is int


@pytest.mark.parametrize(
    "value", ["ten", "", True, False, -3, 0, "0", 2.7, "2.7", float("nan"), float("inf"), [5], {}]
)
def test_what_is_no_count_is_refused(value: object) -> None:
    with pytest.raises(InvalidInputError, match="whole number from 1 to 200") as caught:
        read("k", value)
    assert caught.value.field == "k"


@pytest.mark.parametrize("value", [201, 500, 1e9, 2**70, "9" * 30, 1e300])
def test_a_count_above_the_bound_is_refused_as_too_large(value: object) -> None:
    with pytest.raises(LimitExceededError, match="from 1 to 200"):
        read("k", value)


@given(st.integers(1, 200), st.sampled_from([str, float, int, "{}.0".format, " {} ".format]))
def test_every_form_of_a_count_within_the_bounds_is_that_count(
    number: int, form: Callable[[int], object]
) -> None:
    assert read("k", form(number)) == number


@pytest.mark.parametrize(("value", "expected"), [("0.7", 0.7), (1, 1.0), (0, 0.0), ("1e-1", 0.1)])
def test_a_number_is_understood_as_text_too(value: object, expected: float) -> None:
    assert read("weight", value) == expected


@pytest.mark.parametrize("value", ["nan", "inf", float("nan"), "heavy", "", True, [0.5], "1_0"])
def test_what_is_no_finite_number_is_refused(value: object) -> None:
    with pytest.raises(InvalidInputError, match="number from 0 to 1"):
        read("weight", value)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        *((value, True) for value in (True, "true", "TRUE", "1", 1, "sí")),
        *((value, False) for value in (False, "false", "0", 0, "no")),
    ],
)
def test_a_flag_is_understood_as_text_too(value: object, expected: bool) -> None:
    assert read("flag", value) is expected


@pytest.mark.parametrize("value", ["", "maybe", 2, 1.0, [], {}])
def test_what_is_no_flag_is_refused(value: object) -> None:
    with pytest.raises(InvalidInputError, match="true or false"):
        read("flag", value)


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("value", [["lake", "heron"], '["lake", "heron"]', ' ["lake","heron"] '])
def test_a_list_is_understood_natively_and_as_json_text(name: str, value: object) -> None:
    assert read(name, value) == ("lake", "heron")


@pytest.mark.parametrize("name", ["tags", "nouns"])
@pytest.mark.parametrize(
    "value", ["lake,heron", "lake, heron", " lake , heron ,", ["lake, heron"], "['lake', 'heron']"]
)
def test_words_are_separated_at_commas_and_keep_no_brackets(name: str, value: object) -> None:
    assert read(name, value) == ("lake", "heron")


@pytest.mark.parametrize("name", LISTS)
def test_one_text_is_one_element_and_never_one_a_letter(name: str) -> None:
    assert read(name, "leaks") == ("leaks",)


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("value", ["", "  ", [], "[]", [""]])
def test_an_empty_text_is_an_empty_list(name: str, value: object) -> None:
    assert read(name, value) == ()


def test_a_comma_belongs_to_a_name() -> None:
    assert read("names", "Lagos, Portugal") == ("Lagos, Portugal",)


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("value", [{"a": 1}, True, [["a"]], [{"a": 1}], [None], 2.5])
def test_what_is_no_list_of_texts_is_refused(name: str, value: object) -> None:
    with pytest.raises(InvalidInputError, match="list of texts"):
        read(name, value)


@given(st.lists(words, min_size=1))
def test_every_spelling_of_a_list_of_words_gives_the_same_words(listed: list[str]) -> None:
    expected = tuple(listed)
    assert read("tags", listed) == expected
    assert read("tags", json.dumps(listed)) == expected
    assert read("tags", ", ".join(listed)) == expected


@given(st.text())
@example('{"a": 1}')
@example("[1,2]")
@example("123")
@example("true")
@example("null")
@example(" padded\n")
def test_a_text_is_kept_character_for_character(text: str) -> None:
    assert bind(PARAMETERS, {"text": text})["text"] == text


@pytest.mark.parametrize("value", [{"a": 1}, ["a"], True, 1.5])
def test_what_is_no_text_is_refused(value: object) -> None:
    with pytest.raises(InvalidInputError, match="expected text"):
        bind(PARAMETERS, {"text": value})


@pytest.mark.parametrize("value", [{"axis": ["a"]}, '{"axis": ["a"]}', ' {"axis":["a"]} '])
def test_an_object_is_understood_as_json_text_too(value: object) -> None:
    assert read("edge", value) == {"axis": ["a"]}


@pytest.mark.parametrize("value", ["axis", "[1]", ["a"], 3, "{axis}"])
def test_what_is_no_object_is_refused_with_an_example(value: object) -> None:
    with pytest.raises(InvalidInputError, match=r'\{"axis": \["value"\]\}'):
        read("edge", value)


@pytest.mark.parametrize(("value", "expected"), [("down", "down"), (" DOWN ", "down"), ("", "up")])
def test_a_choice_is_understood_in_any_case(value: str, expected: str) -> None:
    assert read("order", value) == expected


def test_what_is_no_choice_is_refused_with_the_choices() -> None:
    with pytest.raises(InvalidInputError, match="one of up, down"):
        read("order", "sideways")


@pytest.mark.parametrize("name", [p.name for p in PARAMETERS if not p.needed])
def test_null_is_the_default(name: str) -> None:
    assert bind(PARAMETERS, {"text": "x", name: None}) == {"text": "x"}


@pytest.mark.parametrize("name", ["k", "weight", "flag", "edge"])
def test_null_as_text_is_the_default_where_no_text_is_meant(name: str) -> None:
    default = next(p.default for p in PARAMETERS if p.name == name)
    assert read(name, "null") == default


def test_a_host_that_turns_everything_into_text_is_understood() -> None:
    sent = {"text": "x", "tags": "", "weight": "0.7", "flag": "true", "k": "3", "edge": "{}"}
    expected = {"text": "x", "tags": (), "weight": 0.7, "flag": True, "k": 3, "edge": {}}
    assert bind(PARAMETERS, sent) == expected


def test_unknown_names_are_told_with_the_missing_and_the_known_ones() -> None:
    guarded = published_tools()["guardar"]
    with pytest.raises(UnknownParameterError) as caught:
        guarded.bind({"name": "pump", "content": ["leaks"]})
    message = str(caught.value)
    assert "unknown: 'name', 'content'" in message
    assert "missing: concepto, contenido" in message
    assert "known: concepto, contenido, sustantivos_clave" in message
    assert caught.value.nearest == ("concepto", "contenido")


@pytest.mark.parametrize(
    ("sent", "meant"),
    [
        ("texto", "query"),
        ("limit", "limite"),
        ("sustantivos-clave", "sustantivos_clave"),
        ("paginas", "pagina"),
        ("modoEstricto", "modo_estricto"),
    ],
)
def test_a_misspelt_name_is_answered_with_the_nearest(sent: str, meant: str) -> None:
    with pytest.raises(UnknownParameterError) as caught:
        published_tools()["recordar"].bind({sent: "x"})
    assert caught.value.nearest == (meant,)


def test_a_needed_parameter_that_is_null_is_missing() -> None:
    with pytest.raises(MissingParameterError) as caught:
        bind(PARAMETERS, {"text": None})
    assert caught.value.field == "text"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)


@given(st.sampled_from([p.name for p in PARAMETERS]), json_values)
def test_whatever_is_sent_is_understood_or_refused_by_name(name: str, value: object) -> None:
    try:
        bind(PARAMETERS, {"text": "x"} | {name: value})
    except InvalidInputError as error:
        assert error.field == name  # noqa: PT017  both outcomes are right; this is about the one
