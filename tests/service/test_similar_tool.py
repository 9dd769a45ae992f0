"""similares_a as a client calls it."""

from __future__ import annotations

import pytest

from biorag import Memory, NewMemory
from biorag.errors import InvalidInputError, NodeNotFoundError
from biorag.service.json_text import size_of
from biorag.service.presenters_similar import present_similar
from service.conftest import Call


def learn(memory: Memory) -> None:
    memory.learn("heron", "A heron nests in the reeds.", category="Birds", key_nouns=["heron"])
    memory.learn("egret", "An egret nests in the reeds." + "." * 600, category="Birds")
    memory.learn("tax", "Declare before June.", category="House")


def test_it_answers_with_what_is_like_the_memory(call: Call, memory: Memory) -> None:
    learn(memory)
    reply = call("similares_a", concepto="heron", limite="5")
    assert reply["concepto"] == "heron"
    results = reply["resultados"]
    assert [result["concepto"] for result in results] == ["egret"]
    assert results[0]["categoria"] == "Birds"
    assert 0.3 < results[0]["similitud"] < 1.0
    assert results[0]["recortado"] is True
    assert results[0]["longitud"] > 600


def test_a_memory_that_is_like_nothing_says_so(call: Call, memory: Memory) -> None:
    learn(memory)
    reply = call("similares_a", concepto="tax")
    assert reply["resultados"] == []
    assert "in common" in reply["mensaje"]


def test_an_unknown_name_and_a_bad_limit_are_refused(call: Call, memory: Memory) -> None:
    learn(memory)
    with pytest.raises(NodeNotFoundError) as error:
        call("similares_a", concepto="herron")
    assert "heron" in error.value.nearest
    with pytest.raises(InvalidInputError, match="limite"):
        call("similares_a", concepto="heron", limite=0)


def test_a_long_answer_is_cut_to_its_budget(memory: Memory) -> None:
    memory.learn_many(NewMemory(name=f"m{n}", content="same words here. " * 200) for n in range(50))
    found = memory.similar_to("m0", limit=49)
    assert len(found) == 49
    reply = present_similar("m0", found, preview_chars=500, budget_bytes=4_000)
    assert size_of(reply) <= 4_000
    assert reply["omitidos"] == 49 - len(reply["resultados"])
    assert "left out" in reply["mensaje"]
