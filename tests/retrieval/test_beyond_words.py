"""What a question wants beyond the words that it shares with a memory."""

from __future__ import annotations

from dataclasses import replace

import pytest

from biorag import Memory, NewMemory, Settings

NO_FIT = replace(Settings(), without=frozenset({"fit"}))


def order(memories: list[NewMemory], question: str, settings: Settings | None = None) -> list[str]:
    with Memory.open(":memory:", settings=settings) as memory:
        memory.learn_many(memories)
        return [hit.name for hit in memory.recall(question, limit=50)]


def dialogue() -> list[NewMemory]:
    """Two speakers who say the same of themselves, among enough turns to know them as speakers."""
    turns = [
        NewMemory(name=f"{who} {n}", content=f"{who}: {who.lower()}word{n} word{n}")
        for n in range(8)
        for who in ("Ana", "Luis")
    ]
    told = "{}: I painted the old harbour gate green."
    return [
        *turns,
        NewMemory(name="by luis", content=told.format("Luis")),
        NewMemory(name="by ana", content=told.format("Ana")),
    ]


@pytest.mark.parametrize("who", ["Ana", "Luis"])
def test_who_is_asked_about_is_who_should_speak(who: str) -> None:
    first = order(dialogue(), f"What colour did {who} paint the harbour gate?")[0]
    assert first == f"by {who.lower()}"


def test_a_question_that_names_both_prefers_neither() -> None:
    question = "What colour did Ana and Luis paint the harbour gate?"
    assert order(dialogue(), question) == order(dialogue(), question, NO_FIT)


def test_the_author_of_a_memory_speaks_in_it() -> None:
    memories = [
        NewMemory(name=f"{who} {n}", content=f"note{n} of {n}", author=who)
        for n in range(8)
        for who in ("Ana López", "Luis")
    ]
    told = "The harbour gate is green."
    memories += [
        NewMemory(name="by luis", content=told, author="Luis"),
        NewMemory(name="by ana", content=f"{told} ", author="Ana López"),
    ]
    assert order(memories, "what did Ana say of the harbour gate?")[0] == "by ana"
    assert order(memories, "what did Luis say of the harbour gate?")[0] == "by luis"


def test_a_name_that_few_memories_begin_with_is_no_speaker() -> None:
    memories = [
        NewMemory(name="long", content="The gate of Marta is green, the gate of Marta."),
        NewMemory(name="opens", content="Marta and a gate, seen by the old lake in the fog."),
        *(NewMemory(name=f"n{n}", content=f"page {n}") for n in range(30)),
    ]
    question = "Where is the gate of Marta?"
    assert order(memories, question) == order(memories, question, NO_FIT)


def test_who_asks_when_wants_a_time() -> None:
    memories = [
        NewMemory(name="why", content="The gate was mended because it squeaked so."),
        NewMemory(name="when", content="The gate was mended last week, at long last."),
    ]
    assert order(memories, "When was the gate mended?")[0] == "when"
    spanish = [
        NewMemory(name="why", content="La verja se arregló porque chirriaba mucho."),
        NewMemory(name="when", content="La verja se arregló la semana pasada, por fin."),
    ]
    assert order(spanish, "¿Cuándo se arregló la verja?")[0] == "when"


def test_who_asks_how_many_wants_a_number() -> None:
    memories = [
        NewMemory(name="some", content="The herons that nest here are grey birds."),
        NewMemory(name="count", content="The herons that nest here are seven pairs."),
    ]
    assert order(memories, "How many herons nest here?")[0] == "count"


def test_a_date_in_the_question_prefers_what_was_stored_then() -> None:
    memories = [
        NewMemory(name="march", content="We met at the gate.", created_at="2023-03-10"),
        NewMemory(name="june", content="We met at the gate. ", created_at="2023-06-10"),
    ]
    assert order(memories, "Where did we meet in June 2023?")[0] == "june"
    assert order(memories, "¿Dónde nos vimos, en la gate, en marzo de 2023?")[0] == "march"
    assert order(memories, "Where did we meet on March 9, 2023?")[0] == "march"


def test_the_answer_is_found_by_the_question_before_it() -> None:
    topics = ["lanterns", "violins", "glaciers", "orchards", "tunnels", "meteors"]
    turns = [
        NewMemory(name=f"{topic} {n}", content=f"{topic} {topic}word{n} {topic}word{n + 1}")
        for topic in topics
        for n in range(10)
    ]
    turns[35:35] = [
        NewMemory(name="question", content="Did you ever swim across the cold river?"),
        NewMemory(name="answer", content="Twice, and I would not do it again!"),
        NewMemory(name="after", content="Good for you."),
    ]
    found = order(turns, "who swam across the cold river?")
    assert found[0] == "answer"
    assert found.index("question") < found.index("after")
