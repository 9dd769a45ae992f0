"""What each tool does to a real store, called as a client calls it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from biorag.engine.memory import Memory
from biorag.errors import InvalidInputError, NodeNotFoundError
from service.conftest import Call

KEY_NOUNS = "heron, lake"


def store(call: Call, name: str, content: str, **further: object) -> dict[str, object]:
    sent = {"sustantivos_clave": KEY_NOUNS, "busqueda_previa": True} | further
    return call("guardar", concepto=name, contenido=content, **sent)


def names(reply: dict[str, object]) -> list[str]:
    results = reply["resultados"]
    assert isinstance(results, list)
    return [result["concepto"] for result in results]


def test_a_question_finds_what_was_learnt(call: Call) -> None:
    store(call, "heron", "The heron nests on the north shore.")
    store(call, "boiler", "The boiler valve is in the cellar.", sustantivos_clave="boiler, valve")
    reply = call("recordar", query="where does the heron nest?", sustantivos_clave="heron")
    assert names(reply)[0] == "heron"
    assert reply["modo"] == "busqueda"
    assert reply["trazabilidad"]


def test_a_question_about_nothing_stored_is_answered_by_nothing(call: Call) -> None:
    store(call, "heron", "The heron nests on the north shore.")
    reply = call("buscar", query="zqxjk vwpqf", sustantivos_clave="zqxjk")
    assert reply["resultados"] == []
    assert "Nothing stored" in reply["mensaje"]


def test_without_a_query_the_newest_come_first(call: Call, memory: Memory) -> None:
    for day in (1, 3, 2):
        memory.learn(f"day {day}", f"Day {day}.", created_at=datetime(2026, 1, day, tzinfo=UTC))
    reply = call("recordar", limite=2)
    assert reply["modo"] == "cronologico"
    assert names(reply) == ["day 3", "day 2"]
    assert (reply["total"], reply["paginas_totales"]) == (3, 2)
    assert names(call("recordar", limite=2, pagina=2)) == ["day 1"]


def test_searching_needs_a_query(call: Call) -> None:
    with pytest.raises(InvalidInputError, match="recordar lists without them"):
        call("buscar", query="  ", sustantivos_clave="heron")


def test_a_listing_can_begin_with_the_oldest(call: Call, memory: Memory) -> None:
    for days in (1, 3, 2):
        memory.learn(f"day {days}", "text", created_at=datetime.now(UTC) - timedelta(days=days))
    assert names(call("recordar", ordenar_por="antiguedad")) == ["day 3", "day 2", "day 1"]


def test_a_recall_tells_what_was_known_and_held_then(call: Call) -> None:
    call(
        "guardar",
        concepto="office",
        contenido="The office is in Oslo.",
        sustantivos_clave="office, oslo",
        busqueda_previa=True,
        valido_hasta="2020-01-01",
    )
    (found,) = call("recordar", query="office", sustantivos_clave="office")["resultados"]
    assert found["valido_hasta"].startswith(("2020-01-01", "2019-12-31"))
    then = call("recordar", query="office", sustantivos_clave="office", a_fecha="2019-06-01")
    assert then["resultados"] == []  # it was learnt later than that
    call("actualizar", concepto="office", valido_desde="2010-01-01")
    with pytest.raises(InvalidInputError, match="a_fecha"):
        call("recordar", query="office", sustantivos_clave="office", a_fecha="once")


def test_an_explanation_tells_why_a_memory_is_not_first(call: Call, memory: Memory) -> None:
    memory.learn("valve", "The boiler valve is on the north wall.")
    memory.learn("lamp", "The lamp hangs on the wall.")
    told = call("explicar", query="boiler valve wall", concepto="lamp")
    assert told["lugar"] == 2
    assert told["faltan"] == ["boiler", "valve"]
    assert told["primera"]["concepto"] == "valve"
    assert told["memoria"]["senales"]["bm25_norm"]["peso"] > 0
    assert "It lacks: boiler, valve." in told["mensaje"]
    with pytest.raises(NodeNotFoundError):
        call("explicar", query="boiler", concepto="boat")


def test_filters_narrow_a_listing_and_a_search(call: Call, memory: Memory) -> None:
    now = datetime.now(UTC)
    for name, days, category, author in (
        ("old heron", 30, "Birds", "ana"),
        ("new heron", 0, "Birds", "luis"),
        ("other heron", 0, "Boats", "ana"),
    ):
        memory.learn(
            name,
            f"The {name} of the lake.",
            category=category,
            author=author,
            created_at=now - timedelta(days=days),
        )
    for query in ({}, {"query": "heron lake", "sustantivos_clave": "heron"}):
        assert set(names(call("recordar", cat="Birds", **query))) == {"old heron", "new heron"}
        assert set(names(call("recordar", autor="ana", **query))) == {"old heron", "other heron"}
        assert set(names(call("recordar", dias=7, **query))) == {"new heron", "other heron"}
        assert set(names(call("recordar", hasta="ayer", **query))) == {"old heron"}
        assert set(names(call("recordar", desde="hoy", **query))) == {"new heron", "other heron"}
        later = call("recordar", desde="2020-01-01", dias=7, **query)
        assert set(names(later)) == {"new heron", "other heron"}


def test_an_exact_name_with_completo_reads_that_memory_alone(call: Call) -> None:
    store(call, "heron", "The heron. " * 500)
    store(call, "heron nest", "Another heron.")
    reply = call("recordar", query="HERON", completo=True)
    assert reply["modo"] == "exacto"
    assert names(reply) == ["heron"]
    assert reply["resultados"][0]["contenido"] == "The heron. " * 500


def test_a_preview_has_the_length_that_was_asked_for(call: Call) -> None:
    store(call, "heron", "x" * 500)
    result = call("recordar", preview_chars="40")["resultados"][0]
    assert result["contenido"] == "x" * 40 + "…"
    assert result["longitud"] == 500


def test_a_strict_search_wants_every_word(call: Call) -> None:
    store(call, "heron", "The heron nests on the shore.")
    store(call, "otter", "The otter sleeps on the shore.", sustantivos_clave="otter, shore")
    asked = {"query": "heron shore", "sustantivos_clave": "shore"}
    assert set(names(call("recordar", **asked))) == {"heron", "otter"}
    assert names(call("recordar", modo_estricto="true", **asked)) == ["heron"]


def test_a_dormant_memory_is_found_by_a_deep_search_alone(call: Call) -> None:
    store(call, "heron", "The heron nests on the shore.")
    call("actualizar", concepto="heron", estado="dormido")
    asked = {"query": "where does the heron nest", "sustantivos_clave": "heron"}
    assert names(call("recordar", **asked)) == []
    assert names(call("recordar", deep=True, **asked)) == ["heron"]


def test_explaining_shows_every_signal(call: Call) -> None:
    store(call, "heron", "The heron nests on the shore.")
    reply = call("recordar", query="heron nests", sustantivos_clave="heron", explicar=True)
    signals = reply["resultados"][0]["senales"]
    assert signals
    assert all(set(signal) == {"valor", "peso", "aporte"} for signal in signals.values())


def test_learning_needs_dimensions_and_storing_does_not(call: Call) -> None:
    with pytest.raises(InvalidInputError, match="guardar stores without dimensions"):
        call(
            "aprender",
            concepto="heron",
            contenido="A heron.",
            dimensiones="{}",
            sustantivos_clave=KEY_NOUNS,
            busqueda_previa=True,
        )
    assert store(call, "heron", "A heron.")["estado"] == "creado"


def test_dimensions_are_kept_and_what_cannot_be_normalised_is_told(call: Call) -> None:
    learnt = call(
        "aprender",
        concepto="heron",
        contenido="A heron.",
        dimensiones='{"entidad": ["Garza Real", "!!"]}',
        sustantivos_clave=KEY_NOUNS,
        busqueda_previa=True,
    )
    assert len(learnt["dimensiones_invalidas"]) == 1
    found = call("recordar", query="heron", completo=True)["resultados"][0]
    assert found["dimensiones_semanticas"] == {"entidad": ["garza_real"]}


def test_the_same_text_twice_is_one_memory_and_a_new_text_is_added(call: Call) -> None:
    assert store(call, "heron", "A heron.")["estado"] == "creado"
    assert store(call, "HERON", "A heron.")["estado"] == "sin_cambios"
    assert store(call, "heron", "It is grey.")["estado"] == "ampliado"
    assert call("estado")["memorias"] == 1


def test_a_memory_that_is_learnt_keeps_author_category_and_valence(call: Call) -> None:
    store(call, "heron", "A heron.", autor="ana", cat="Birds", valencia_somatica="0.9", syn="egret")
    found = call("recordar", query="heron", completo=True)["resultados"][0]
    assert (found["autor"], found["categoria"]) == ("ana", "Birds")
    assert found["valencia_somatica"] == 0.9
    assert found["sinonimos"] == ["egret"]


def test_updating_changes_what_was_sent_and_nothing_else(call: Call) -> None:
    store(call, "heron", "A heron.", cat="Birds", syn="egret")
    reply = call("actualizar", concepto="heron", contenido="Two herons.", peso_sinaptico="0.25")
    assert reply["campos_modificados"] == ["contenido", "peso_sinaptico"]
    found = call("recordar", query="heron", completo=True)["resultados"][0]
    assert found["contenido"] == "Two herons."
    assert found["peso_sinaptico"] == 0.25
    assert (found["categoria"], found["sinonimos"]) == ("Birds", ["egret"])
    assert found["sustantivos_clave"] == ["heron", "lake"]


def test_updating_nothing_says_so(call: Call) -> None:
    store(call, "heron", "A heron.")
    assert call("actualizar", concepto="heron")["status"] == "sin_cambios"


def test_an_empty_list_clears_the_synonyms(call: Call) -> None:
    store(call, "heron", "A heron.", syn="egret")
    call("actualizar", concepto="heron", sinonimos="")
    assert call("recordar", query="heron", completo=True)["resultados"][0]["sinonimos"] == []


def test_added_key_nouns_are_told_apart_from_those_that_were_there(call: Call) -> None:
    store(call, "heron", "A heron.")
    reply = call("agregar_sustantivos", concepto="heron", sustantivos='["lake", "Reed"]')
    assert reply["agregados"] == ["reed"]
    assert reply["sustantivos_clave"] == ["heron", "lake", "reed"]


def test_a_forgotten_memory_is_gone_from_search_listing_and_count(call: Call) -> None:
    store(call, "heron", "A heron with the word zqxjk.")
    store(call, "otter", "An otter.")
    assert call("olvidar", concepto="heron", purgar="true")["purgado"] is True
    assert names(call("recordar", query="zqxjk", sustantivos_clave="zqxjk")) == []
    assert names(call("recordar")) == ["otter"]
    assert call("estado")["memorias"] == 1


def test_forgetting_with_one_unknown_name_forgets_nothing(call: Call) -> None:
    store(call, "heron", "A heron.")
    with pytest.raises(NodeNotFoundError):
        call("olvidar", concepto=["heron", "condor"])
    assert call("estado")["memorias"] == 1


@pytest.mark.parametrize("sent", ["", "[]", []])
def test_forgetting_no_name_is_refused(call: Call, sent: object) -> None:
    with pytest.raises(InvalidInputError, match="at least one name"):
        call("olvidar", concepto=sent)


def test_the_state_describes_the_store(call: Call, memory: Memory) -> None:
    store(call, "heron", "A heron.", cat="Birds")
    found = call("estado")
    assert found["memorias"] == found["activos"] == found["documentos_indice"] == 1
    assert found["categorias"] == {"Birds": 1}
    assert found["cobertura_sustantivos"] == 1.0
    assert found["ruta"] == str(memory.path)
    assert found["bytes_en_disco"] > 0
