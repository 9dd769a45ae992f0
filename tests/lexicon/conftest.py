"""What several tests of the lexicon need."""

from __future__ import annotations

from pathlib import Path

import pytest

PARTS = ("noun", "verb", "adj", "adv")


@pytest.fixture
def nltk_data(tmp_path: Path) -> Path:
    """A WordNet of one noun, `dog` with the synonym `domestic dog`, and its two French words."""
    wordnet = tmp_path / "corpora" / "wordnet"
    french = tmp_path / "corpora" / "omw-2.0" / "fra"
    wordnet.mkdir(parents=True)
    french.mkdir(parents=True)
    for part in PARTS:
        for name in (f"index.{part}", f"data.{part}", f"{part}.exc"):
            (wordnet / name).write_text("")
    header = "  1 WordNet 3.0 Copyright 2006 by Princeton University.  All rights reserved.\n"
    (wordnet / "data.adj").write_text(header)
    offset = f"{len(header):08d}"
    entry = f"{offset} 05 n 02 dog 0 domestic_dog 0 000 | a common animal\n"
    (wordnet / "data.noun").write_text(header + entry)
    (wordnet / "index.noun").write_text(
        f"dog n 1 0 1 1 {offset}  \ndomestic_dog n 1 0 1 0 {offset}  \n"
    )
    (wordnet / "index.sense").write_text(f"dog%1:05:00:: {offset} 1 1\n")
    (wordnet / "cntlist.rev").write_text("dog%1:05:00:: 1 1\n")
    (wordnet / "lexnames").write_text("".join(f"{n:02d}\tgroup.{n}\t1\n" for n in range(45)))
    (french / "wn-data-fra.tab").write_text(
        "# Wordnet\tfra\turl\tlicence\n"
        f"{offset}-n\tfra:lemma\tchien\n{offset}-n\tfra:lemma\tchien domestique\n"
    )
    return tmp_path
