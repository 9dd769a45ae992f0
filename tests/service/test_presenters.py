"""Answers: strict JSON, bounded, and honest about what was cut."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biorag.errors import (
    BioragError,
    DatabaseBusyError,
    InvalidInputError,
    KeyNounsError,
    NodeNotFoundError,
    UnknownParameterError,
)
from biorag.model import Hit, Listing, Page, SignalValue, StoredMemory, Trace
from biorag.model_upkeep import StoreState
from biorag.service.bounding import bounded
from biorag.service.json_text import size_of, to_json
from biorag.service.presenters import (
    present_error,
    present_listing,
    present_page,
    present_state,
    present_text_page,
    text_pages,
)

NOW = datetime(2026, 3, 4, tzinfo=UTC).timestamp()


def hit(number: int, content: str) -> Hit:
    return Hit(
        id=number,
        name=f"memory_{number}",
        content=content,
        score=1 / number,
        confidence=0.5,
        origin="lexical",
        category="Concept",
        author=None,
        created_at=datetime(2026, 3, 1, tzinfo=UTC),
        key_nouns=("lake", "heron"),
        signals={"bm25": SignalValue(value=0.5, weight=0.25, contribution=0.125)},
        evidence={"lake": "lakes"},
    )


def page(*hits: Hit, total: int | None = None) -> Page:
    trace = Trace(
        language="en",
        words=("lake",),
        ignored=(),
        expansions=(),
        sources={"lexical": len(hits)},
        timings_ms={"rank": 0.1234567},
    )
    return Page(
        query="lake",
        hits=hits,
        page=1,
        limit=10,
        total=len(hits) if total is None else total,
        abstained=not hits,
        trace=trace,
    )


def stored(content: str, *, links: tuple[str, ...] = ()) -> StoredMemory:
    moment = datetime(2026, 3, 1, tzinfo=UTC)
    return StoredMemory(
        id=1,
        name="memory_1",
        content=content,
        category="Concept",
        state="activo",
        tier="corto",
        weight=0.5,
        valence=0.0,
        author=None,
        synonyms=(),
        key_nouns=("lake", "heron"),
        dimensions={},
        links=links,
        created_at=moment,
        updated_at=moment,
    )


def test_json_is_strict() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        to_json({"score": float("nan")})


def test_no_character_of_an_answer_ends_its_line() -> None:
    text = to_json({"text": "first\u2028second\u2029third\x85fourth\nfifth"})
    assert len(text.splitlines()) == 1
    assert json.loads(text)["text"] == "first\u2028second\u2029third\x85fourth\nfifth"


@given(st.text(max_size=300), st.integers(60, 400))
def test_the_pages_of_a_text_are_bounded_and_join_to_the_whole(text: str, budget: int) -> None:
    pages = text_pages(text, budget)
    assert "".join(pages) == text
    assert all(size_of(part) <= budget for part in pages)
    assert all(pages) or text == ""


def test_short_results_are_given_whole() -> None:
    reply = bounded(present_page(page(hit(1, "a lake")), now=NOW), 25_000)
    assert reply["resultados"][0]["contenido"] == "a lake"
    assert "recortado" not in reply["resultados"][0]
    assert "mensaje" not in reply


def test_a_preview_is_marked_as_cut_with_its_true_length() -> None:
    reply = present_page(page(hit(1, "heron " * 500)), now=NOW, preview_chars=100)
    result = bounded(reply, 25_000)["resultados"][0]
    assert result["recortado"] is True
    assert result["longitud"] == 3_000
    assert result["contenido"] == ("heron " * 500)[:100] + "…"
    assert "completo=true" in reply["mensaje"]


@pytest.mark.parametrize("text", ["x" * 7_000, "ñ" * 7_000, "📋" * 200_000, "\x01" * 50_000])
@pytest.mark.parametrize("count", [1, 10, 200])
@pytest.mark.parametrize("budget", [2_000, 25_000])
def test_no_answer_is_larger_than_its_bound(text: str, count: int, budget: int) -> None:
    hits = [hit(number, text) for number in range(1, count + 1)]
    reply = bounded(present_page(page(*hits), now=NOW, explain=True), budget)
    assert size_of(reply) <= budget
    for result in reply["resultados"]:
        assert result.get("recortado", False) == (result["contenido"] != text)
    shown = len(reply["resultados"])
    assert reply.get("omitidos", 0) == count - shown


def test_texts_shrink_before_results_are_left_out() -> None:
    reply = bounded(
        present_page(page(*(hit(n, "x" * 7_000) for n in range(1, 11))), now=NOW), 25_000
    )
    assert len(reply["resultados"]) == 10
    assert "omitidos" not in reply


def test_what_was_left_out_is_said_with_the_call_that_gets_it() -> None:
    hits = [hit(number, "x" * 900) for number in range(1, 201)]
    reply = bounded(present_page(page(*hits), now=NOW), 9_000)
    shown = len(reply["resultados"])
    assert f"{200 - shown} of 200 results were left out" in reply["mensaje"]
    assert f"limite={shown}" in reply["mensaje"]


def test_one_memory_is_read_whole_over_as_many_pages_as_it_takes() -> None:
    memory = stored("heron ñ 📋 " * 9_000 + "MARKER")
    first = present_text_page(memory, 1, now=NOW, budget_bytes=25_000)
    count = first["paginas_totales"]
    replies = [
        present_text_page(memory, number, now=NOW, budget_bytes=25_000)
        for number in range(1, count + 1)
    ]
    assert count > 1
    assert all(size_of(reply) <= 25_000 for reply in replies)
    assert "".join(r["resultados"][0]["contenido"] for r in replies) == memory.content
    with pytest.raises(InvalidInputError, match=f"has {count} pages"):
        present_text_page(memory, count + 1, now=NOW, budget_bytes=25_000)


def test_a_text_of_one_page_is_not_marked_as_cut() -> None:
    reply = present_text_page(stored("a lake"), 1, now=NOW, budget_bytes=25_000)
    assert reply["paginas_totales"] == 1
    assert "recortado" not in reply["resultados"][0]


def test_a_hub_states_its_true_degree_and_a_few_neighbours() -> None:
    listing = Listing(
        memories=(stored("hub", links=tuple(f"n{i}" for i in range(5_000))),),
        page=1,
        limit=10,
        total=1,
    )
    links = present_listing(listing, now=NOW)["resultados"][0]["asociaciones"]
    assert links["total"] == 5_000
    assert links["truncada"] is True
    assert len(links["items"]) < 20


def test_explaining_adds_signals_and_times() -> None:
    plain = present_page(page(hit(1, "x")), now=NOW)
    explained = present_page(page(hit(1, "x")), now=NOW, explain=True)
    assert "senales" not in plain["resultados"][0]
    assert explained["resultados"][0]["senales"]["bm25"] == {
        "valor": 0.5,
        "peso": 0.25,
        "aporte": 0.125,
    }
    assert explained["trazabilidad"]["tiempos_ms"] == {"rank": 0.123}


def test_an_abstention_is_an_empty_page_that_says_so() -> None:
    reply = present_page(page(), now=NOW)
    assert reply["resultados"] == []
    assert "Nothing stored" in reply["mensaje"]


def test_a_page_past_the_last_is_not_called_an_abstention() -> None:
    late = page(total=30)
    object.__setattr__(late, "abstained", False)
    assert "past the last of 3" in present_page(late, now=NOW)["mensaje"]


def test_an_age_is_never_negative() -> None:
    early = present_page(page(hit(1, "x")), now=NOW - 10 * 86_400)
    assert early["resultados"][0]["edad_dias"] == 0


def test_many_categories_are_cut_to_the_largest() -> None:
    state = StoreState(
        path=Path("memory.db"),
        memories=5_050,
        active=5_050,
        dormant=0,
        short_term=0,
        long_term=0,
        energy=0.5,
        categories={f"c{i}": i for i in range(1, 101)},
        languages={},
        key_noun_coverage=1.0,
        bytes_on_disk=1,
        schema_version=1,
        journal_mode="wal",
        index_documents=5_050,
    )
    reply = present_state(state)
    assert next(iter(reply["categorias"])) == "c100"
    assert reply["omitidos"] == 100 - len(reply["categorias"])


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (
            InvalidInputError("limite", 0, "from 1"),
            {"codigo": "ENTRADA_INVALIDA", "campo": "limite", "valor": "0", "regla": "from 1"},
        ),
        (
            KeyNounsError("sustantivos_clave", "", "needed", code="SUSTANTIVOS_CLAVE_AUSENTES"),
            {"codigo": "SUSTANTIVOS_CLAVE_AUSENTES", "campo": "sustantivos_clave"},
        ),
        (
            NodeNotFoundError("pmp", ("pump",)),
            {"codigo": "CONCEPTO_NO_ENCONTRADO", "valor": "pmp", "sugerencias": ["pump"]},
        ),
        (
            UnknownParameterError(("k",), missing=(), known=("limite",), nearest=("limite",)),
            {"codigo": "PARAMETRO_DESCONOCIDO", "campo": "k", "sugerencias": ["limite"]},
        ),
        (DatabaseBusyError("busy"), {"codigo": "BASE_OCUPADA", "mensaje": "busy"}),
    ],
)
def test_an_error_is_one_payload_with_a_stable_code(
    error: BioragError, expected: dict[str, object]
) -> None:
    payload = present_error(error)
    assert payload.items() >= expected.items()


def test_a_field_of_the_engine_is_told_by_the_name_of_the_parameter() -> None:
    error = InvalidInputError("synonyms", "", "a name")
    assert present_error(error, ["concepto", "syn"])["campo"] == "syn"
    assert present_error(error, ["concepto", "sinonimos"])["campo"] == "sinonimos"
    assert present_error(error)["campo"] == "synonyms"
    assert present_error(error, ["syn"])["mensaje"].startswith("syn=")


@given(st.lists(st.text(max_size=300), min_size=1, max_size=200))
def test_an_error_is_short_whatever_was_sent(names: list[str]) -> None:
    error = UnknownParameterError(tuple(names), missing=(), known=("query",), nearest=())
    assert len(to_json(present_error(error))) < 20_000
