"""`BIORAG_WORDNET=nltk`: a store in a language of the user's nltk_data answers, too.

nltk keeps one WordNet a process, so the memory is asked in a process of its own.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PROGRAM = """
import sys
import nltk
nltk.data.path[:] = [sys.argv[1]]
from biorag import Memory, Settings
with Memory.open(":memory:", settings=Settings(wordnet=sys.argv[2])) as memory:
    memory.learn("voisin", "Le chien du voisin aboie chaque nuit.")
    memory.learn("jardin", "Le jardin est au sud de la maison.")
    print([hit.name for hit in memory.recall(sys.argv[3])])
"""


def recalled(nltk_data: Path, wordnet: str, question: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(nltk_data), wordnet, question],
        check=False,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_a_french_store_answers_an_english_question(nltk_data: Path) -> None:
    assert recalled(nltk_data, "nltk:fr", "where is the dog?") == "['voisin']"


def test_without_the_setting_it_does_not(nltk_data: Path) -> None:
    assert recalled(nltk_data, "propio", "where is the dog?") == "[]"


def test_missing_data_leaves_what_ships(tmp_path: Path) -> None:
    assert recalled(tmp_path, "nltk:fr", "where is the dog?") == "[]"
    assert recalled(tmp_path, "nltk:fr", "jardin") == "['jardin']"
