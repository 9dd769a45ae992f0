"""WordNet in the user's nltk_data: used when it is there, told when it is not.

nltk keeps one WordNet a process, so each case runs in a process of its own.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

# Every case but the last line: only the given nltk_data, and no way out to a network.
PREAMBLE = """
import logging, socket, sys
import nltk
nltk.data.path[:] = [sys.argv[1]]
def refuse(*_):
    raise AssertionError("something tried to reach the network")
socket.socket.connect = refuse
logging.basicConfig(level=logging.WARNING, stream=sys.stdout, format="%(message)s")
from biorag.lexicon.wordnet import NltkWordNet
"""


def run(program: str, nltk_data: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-c", PREAMBLE + program, str(nltk_data)],
        check=False,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_language_of_nltk_data_is_translated_both_ways(nltk_data: Path) -> None:
    told = run(
        "words = NltkWordNet(('fr', 'en'))\n"
        "print([text for text, _ in words.translations('Chien', 'fr', 'en')])\n"
        "print([text for text, _ in words.translations('dog', 'en', 'fr')])\n"
        "print([text for text, _ in words.synonyms('chien', 'fr', 1)])\n"
        "print(words.knows('chien', 'fr'), words.knows('dogs', 'en'), words.knows('x', 'fr'))\n"
        "print(words.reduced)\n",
        nltk_data,
    )
    assert told.splitlines() == [
        "['dog', 'domestic dog']",
        "['chien', 'chien domestique']",
        "['chien domestique']",
        "True True False",
        "()",
    ]


def test_missing_data_is_told_once_and_nothing_is_downloaded(tmp_path: Path) -> None:
    told = run(
        "words = NltkWordNet(('fr',))\n"
        "assert words.translations('chien', 'fr', 'en') == []\n"
        "assert words.synonyms('chien', 'fr', 1) == []\n"
        "assert not words.knows('chien', 'fr')\n"
        "assert words.languages == frozenset()\n"
        "assert len(words.reduced) == 1\n",
        tmp_path,
    )
    assert told.strip() == (
        "WordNet for 'fr' is not in nltk_data: words in that language are searched as they are, "
        "without translations and synonyms"
    )


def test_one_missing_language_leaves_the_others(nltk_data: Path) -> None:
    told = run(
        "words = NltkWordNet(('fr', 'it', 'en'))\n"
        "assert words.translations('dog', 'en', 'it') == []\n"
        "assert words.languages == {'fr', 'en'}\n"
        "assert words.translations('dog', 'en', 'fr')[0][0] == 'chien'\n",
        nltk_data,
    )
    assert told.startswith("WordNet for 'it' is not in nltk_data")


def test_a_provider_that_is_not_asked_reads_nothing() -> None:
    program = (
        "import sys; from biorag.lexicon.wordnet import NltkWordNet\n"
        "NltkWordNet(('fr',))\n"
        "assert 'nltk' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
