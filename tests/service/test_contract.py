"""The input contract of the Spanish tools: key nouns, the prior search, dimensions."""

from __future__ import annotations

import pytest

from biorag.errors import InvalidInputError, KeyNounsError, PriorSearchError
from biorag.service.contract import (
    dimension_values,
    key_nouns_to_add,
    key_nouns_to_search,
    key_nouns_to_write,
    require_prior_search,
)


def test_key_nouns_are_lower_cased_trimmed_and_unique_in_order() -> None:
    assert key_nouns_to_search((" Heron", "lake", "HERON")) == ("heron", "lake")


def test_a_decomposed_accent_is_a_letter() -> None:
    assert key_nouns_to_search(("cancio\u0301n",)) == ("canción",)


@pytest.mark.parametrize("noun", ["a", "x" * 16, "two words", "a-b", "c++", "[lake", '"lake"'])
def test_what_is_no_word_has_the_wrong_format(noun: str) -> None:
    with pytest.raises(KeyNounsError) as caught:
        key_nouns_to_search((noun,))
    assert caught.value.code == "SUSTANTIVOS_CLAVE_FORMATO_INVALIDO"


@pytest.mark.parametrize("noun", ["ab", "x" * 15, "año", "sqlite_3", "река"])
def test_letters_digits_and_underscores_are_a_word(noun: str) -> None:
    assert key_nouns_to_search((noun,)) == (noun,)


def test_a_search_without_key_nouns_has_its_own_code() -> None:
    with pytest.raises(KeyNounsError) as caught:
        key_nouns_to_search(())
    assert caught.value.code == "SUSTANTIVOS_CLAVE_REQUERIDOS"


def test_a_write_without_key_nouns_has_its_own_code() -> None:
    with pytest.raises(KeyNounsError) as caught:
        key_nouns_to_write(())
    assert caught.value.code == "SUSTANTIVOS_CLAVE_AUSENTES"


@pytest.mark.parametrize("count", [1, 11])
def test_a_write_takes_two_to_ten(count: int) -> None:
    with pytest.raises(KeyNounsError) as caught:
        key_nouns_to_write(tuple(f"noun{n}" for n in range(count)))
    assert caught.value.code == "SUSTANTIVOS_CLAVE_CANTIDAD_INVALIDA"


def test_repeated_key_nouns_count_once() -> None:
    with pytest.raises(KeyNounsError, match="not 1"):
        key_nouns_to_write(("lake", "Lake"))


def test_a_search_takes_one_to_ten() -> None:
    assert len(key_nouns_to_search(tuple(f"noun{n}" for n in range(10)))) == 10
    with pytest.raises(KeyNounsError) as caught:
        key_nouns_to_search(tuple(f"noun{n}" for n in range(11)))
    assert caught.value.code == "SUSTANTIVOS_CLAVE_CANTIDAD_INVALIDA"


def test_at_least_one_is_to_be_added() -> None:
    with pytest.raises(KeyNounsError) as caught:
        key_nouns_to_add(())
    assert (caught.value.field, caught.value.code) == ("sustantivos", "SUSTANTIVOS_CLAVE_AUSENTES")


def test_learning_without_a_prior_search_has_its_own_code() -> None:
    with pytest.raises(PriorSearchError) as caught:
        require_prior_search(False)
    assert caught.value.code == "BUSQUEDA_PREVIA_REQUERIDA"


def test_one_value_of_an_axis_is_a_list_of_one() -> None:
    assert dimension_values({"entidad": "sqlite", "tiempo": ["2026"]}) == {
        "entidad": ("sqlite",),
        "tiempo": ("2026",),
    }


def test_a_value_that_is_no_text_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="axis 'entidad'"):
        dimension_values({"entidad": [3]})
