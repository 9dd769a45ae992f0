"""The full-text index: exact phrases, never syntax; always what the texts make of it."""

from __future__ import annotations

import random
import sqlite3
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biorag.errors import CorruptDataError
from biorag.storage import health, nodes
from biorag.storage.connection import Store
from biorag.storage.deletion import delete_many
from biorag.storage.fulltext import (
    fulltext_problem,
    optimise_fulltext,
    rebuild_fulltext,
    write_repairing,
)
from biorag.storage.search_text import NodeText, phrase_matches, set_text
from storage.drafts import new_draft

SHADOW_TABLES = ("fts_data", "fts_idx", "fts_docsize", "fts_config")


def problem(store: Store) -> str | None:
    with store.atomic() as connection:
        return fulltext_problem(connection)


def insert(store: Store, *texts: str) -> list[int]:
    first = len(nodes.fetch(store.reading(), range(1, 10_000)))
    drafts = [new_draft(f"name {first + i}", text) for i, text in enumerate(texts)]
    with store.atomic() as connection:
        return nodes.insert_many(connection, drafts, now=1.0)


class TestPhrases:
    def test_words_next_to_each_other_in_one_field_are_a_phrase(self, store: Store) -> None:
        insert(store, "the red fox jumps", "fox the red", "red fox", "foxred")
        assert phrase_matches(store.reading(), ["red", "fox"], 9) == [1, 3]
        assert phrase_matches(store.reading(), ["red", "fox"], 1) == [1]
        assert phrase_matches(store.reading(), ["3", "foxred"], 9) == []

    @pytest.mark.parametrize(
        "token",
        ["ord-417", "c++", "c#", "año", "a\"b", "it's", "(x)", "x*", "^x", "a:b", "and", "near",
         "🫠", "設備清單", "col.name", "\\", "-x", "{a}", "100%", "naïve",
         "'", '"', "a\u00a0b"],
    )  # fmt: skip
    def test_a_token_is_found_whole_and_is_never_syntax(self, store: Store, token: str) -> None:
        insert(store, f"before {token} after", "before after", f"be{token}fore")
        for phrase in ([token], ["before", token], [token, "after"], ["before", token, "after"]):
            assert phrase_matches(store.reading(), phrase, 9) == [1]

    def test_letters_with_marks_are_other_letters(self, store: Store) -> None:
        insert(store, "año", "ano")
        assert phrase_matches(store.reading(), ["ano"], 9) == [2]

    @pytest.mark.parametrize("tokens", [[], [""], [" "], ["a", ""], ["\0"], ["a\0b"], ["\ud83d"]])
    def test_what_cannot_be_a_token_finds_nothing(self, store: Store, tokens: list[str]) -> None:
        insert(store, "a b")
        assert phrase_matches(store.reading(), tokens, 9) == []

    def test_a_page_of_words_is_no_phrase(self, store: Store) -> None:
        """h7-146"""
        insert(store, "a " * 100)
        assert phrase_matches(store.reading(), ["a"] * 64, 9) == [1]
        assert phrase_matches(store.reading(), ["a"] * 10_000, 9) == []
        assert phrase_matches(store.reading(), ["a" * 5_000_000], 9) == []

    @given(st.lists(st.text(min_size=1, max_size=8), min_size=1, max_size=5))
    @settings(max_examples=150, deadline=None)
    def test_any_words_are_a_question_that_can_be_asked(self, words: list[str]) -> None:
        with Store.open(":memory:") as store:
            assert phrase_matches(store.reading(), words, 9) == []


def test_only_a_changed_text_touches_the_index_and_the_log_of_changes(store: Store) -> None:
    """h7-155, h7-156"""
    [node_id] = insert(store, "some text")
    before = store.reading().execute("SELECT max(seq), count(*) FROM change").fetchone()
    index = store.reading().execute("SELECT * FROM fts_data ORDER BY id").fetchall()
    with store.atomic() as connection:
        for number in range(50):
            nodes.update_fields(connection, node_id, 2.0, successes=number, last_access=2.0)
        set_text(connection, node_id, NodeText("name 0", "", "", "", "some text"))
    assert store.reading().execute("SELECT max(seq), count(*) FROM change").fetchone() == before
    assert store.reading().execute("SELECT * FROM fts_data ORDER BY id").fetchall() == index
    with store.atomic() as connection:
        set_text(connection, node_id, NodeText("name 0", "", "", "", "other text"))
    assert phrase_matches(store.reading(), ["some"], 9) == []
    assert phrase_matches(store.reading(), ["other", "text"], 9) == [node_id]
    assert problem(store) is None


def test_after_any_mix_of_writes_the_index_is_what_a_new_one_would_be(store: Store) -> None:
    """h7-104, and the eighth of the priorities on a smaller scale."""
    rng = random.Random(3)
    words = "agua sol luna mar río monte pan vino".split()  # noqa: SIM905
    alive: list[int] = []
    for step in range(400):
        action = rng.random()
        with store.atomic() as connection:
            if action < 0.5 or not alive:
                texts = [" ".join(rng.choices(words, k=5)) for _ in range(rng.randint(1, 4))]
                drafts = [new_draft(f"{step} {i}", text) for i, text in enumerate(texts)]
                alive += nodes.insert_many(connection, drafts, now=1.0)
            elif action < 0.75:
                text = NodeText("renamed", "", "", "", " ".join(rng.choices(words, k=5)))
                set_text(connection, rng.choice(alive), text)
            elif action < 0.85:
                nodes.update_fields(connection, rng.choice(alive), 1.0, weight=rng.random())
            else:
                gone = rng.sample(alive, k=min(3, len(alive)))
                assert delete_many(connection, gone) == len(gone)
                alive = [node_id for node_id in alive if node_id not in gone]
        if step % 100 == 99:
            assert problem(store) is None
            found = {word: phrase_matches(store.reading(), [word], 10_000) for word in words}
            rebuild_fulltext(store)
            with store.atomic() as connection:
                optimise_fulltext(connection)
            assert found == {
                word: phrase_matches(store.reading(), [word], 10_000) for word in words
            }
    assert health.check(store).healthy
    assert health.counts(store.reading()) == (len(alive),) * 3


class TestDamage:
    @pytest.mark.parametrize(
        "damage",
        [
            "DELETE FROM fts_data",  # h7-124
            "DELETE FROM fts_data WHERE id > 10",
            "UPDATE fts_data SET block = zeroblob(100) WHERE id > 10",  # h7-106
            "UPDATE fts_data SET block = x'ff00ff00' WHERE id < 11",
            "DELETE FROM fts_docsize WHERE id % 2 = 0",  # h7-105
            "DELETE FROM fts_idx",
            "INSERT INTO fts (fts) VALUES ('delete-all')",
        ],
    )
    def test_a_damaged_index_is_noticed_and_made_anew(self, path: Path, damage: str) -> None:
        with Store.open(path) as store:
            insert(store, *(f"word{i} text" for i in range(3000)))
        plain = sqlite3.connect(path)
        plain.execute(damage)
        plain.commit()
        plain.close()
        with Store.open(path) as store:
            report = health.check(store)
            assert not report.healthy
            assert any("index" in text for text in report.problems)
            rebuild_fulltext(store)
            assert health.check(store).problems == ()
            assert len(nodes.fetch(store.reading(), range(1, 3001))) == 3000
            assert phrase_matches(store.reading(), ["word77", "text"], 9) == [78]
            assert len(phrase_matches(store.reading(), ["text"], 5000)) == 3000

    @pytest.mark.parametrize("table", ["fts_data", "fts_idx", "fts_docsize"])
    def test_a_destroyed_page_of_the_index_blocks_no_write(self, path: Path, table: str) -> None:
        """h7-106, with the page itself gone: FTS5's own rebuild stumbles over it."""
        with Store.open(path) as store:
            insert(store, *(f"word{i} text" for i in range(3000)))
        destroy_pages(path, table)
        with Store.open(path) as store:
            assert not health.check(store).healthy
            for node_id in (5, 6, 7):
                text = NodeText("x", "", "", "", f"changed {node_id}")
                write_repairing(store, partial(set_text, node_id=node_id, text=text))
            assert write_repairing(store, lambda c: delete_many(c, [1, 2, 3])) == 3
            rebuild_fulltext(store)
            assert len(nodes.fetch(store.reading(), range(1, 3001))) == 2997
            assert phrase_matches(store.reading(), ["changed", "6"], 9) == [6]
            assert phrase_matches(store.reading(), ["word2999", "text"], 9) == [3000]
            assert health.check(store).problems == ()

    def test_damage_outside_the_index_is_not_taken_for_damage_in_it(self, path: Path) -> None:
        with Store.open(path) as store:
            insert(store, *(f"word{i} text" for i in range(3000)))
        destroy_pages(path, "node_text")
        with Store.open(path) as store, pytest.raises(CorruptDataError):
            write_repairing(store, lambda connection: delete_many(connection, range(1, 3001)))


def destroy_pages(path: Path, table: str) -> None:
    """Overwrite pages of one table with zeros, its root page left alone where there is another."""
    plain = sqlite3.connect(path)
    size = plain.execute("PRAGMA page_size").fetchone()[0]
    root = plain.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (table,)).fetchone()
    pages = plain.execute("SELECT pageno FROM dbstat WHERE name = ?", (table,)).fetchall()
    plain.close()
    inner = [number for (number,) in pages if number != root[0]] or [root[0]]
    with path.open("r+b") as file:
        for number in inner[: max(1, len(inner) // 2)]:
            file.seek((number - 1) * size)
            file.write(bytes(size))
