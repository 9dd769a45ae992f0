"""The lexicon that ships: both directions, spelling, damage, one load a process."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biorag.errors import CorruptDataError, KernelInputError
from biorag.kernels.lexicon import Language, Lexicon, load, stem_words
from biorag.lexicon.wordnet import LEXICON_PATH, ShippedWordNet, load_lexicon
from oracles.lexicon import Meaning, folded, lemmas_of, osa_distance, synonyms, translations
from scripts.lexicon.binary import encode
from scripts.lexicon.merge import Dictionary, Vocabulary

# Few letters, some accented, so that words often differ by an accent or a plural only.
short_words = st.text(alphabet="aáonñs ", min_size=1, max_size=5).filter(
    lambda word: word.strip() == word and "  " not in word
)
meanings = st.lists(
    st.builds(
        Meaning,
        english=st.lists(
            st.tuples(short_words, st.integers(0, 9)),
            max_size=4,
            unique_by=lambda member: member[0],
        ).map(tuple),
        spanish=st.lists(short_words, max_size=4, unique=True).map(tuple),
    ),
    min_size=1,
    max_size=6,
)
languages: st.SearchStrategy[Language] = st.sampled_from(("en", "es"))


def small_file(held: list[Meaning]) -> bytes:
    def vocabulary(language: Language) -> Vocabulary:
        members = [meaning.words(language) for meaning in held]
        ranks = [
            [meaning.rank(language, word) for word in meaning.words(language)] for meaning in held
        ]
        words = {word for synset in members for word in synset}
        senses = {
            word: [index for index, synset in enumerate(members) if word in synset]
            for word in words
        }
        return Vocabulary(members, ranks, senses)

    return encode(Dictionary(vocabulary("en"), vocabulary("es"), groups=[5] * len(held)))


def texts(words: list[tuple[str, float]]) -> list[str]:
    return [text for text, _ in words]


@pytest.mark.parametrize(
    ("source", "word", "expected"),
    [
        ("es", "perro", "dog"),
        ("es", "canción", "song"),
        ("es", "llave", "key"),
        ("es", "año", "year"),
        ("en", "house", "casa"),
        ("en", "dog", "perro"),
        ("en", "song", "canción"),
        ("en", "year", "año"),
    ],
)
def test_everyday_words_find_their_translation(source: str, word: str, expected: str) -> None:
    assert expected in texts(load_lexicon().translations(source, word))


def test_a_word_without_its_accent_means_the_same() -> None:
    lexicon = load_lexicon()
    assert lexicon.translations("es", "cancion") == lexicon.translations("es", "canción")
    assert lexicon.translations("es", "CANCIO\u0301N") == lexicon.translations("es", "canción")


def test_the_tilde_of_the_enye_makes_another_word() -> None:
    lexicon = load_lexicon()
    assert lexicon.lemmas("es", "año", 6) == ["año"]
    assert lexicon.lemmas("es", "ano", 6) == ["ano"]
    assert "year" not in texts(lexicon.translations("es", "ano"))
    assert "ano" not in texts(lexicon.translations("en", "year"))


def test_an_accent_that_is_written_is_believed() -> None:
    lexicon = load_lexicon()
    assert lexicon.lemmas("es", "papá", 6) == ["papá"]
    assert lexicon.lemmas("es", "papa", 6) == ["papa", "papá"]


def test_an_inflected_word_is_found_by_its_stem() -> None:
    lexicon = load_lexicon()
    assert lexicon.lemmas("es", "canciones", 6)[0] == "canción"
    assert lexicon.knows("es", "canciones")
    assert not lexicon.knows_lemma("es", "canciones")
    assert lexicon.knows_lemma("en", "Running")


def test_an_unknown_word_has_no_relations() -> None:
    lexicon = load_lexicon()
    assert not lexicon.knows("es", "zxqwv")
    assert lexicon.translations("es", "zxqwv") == []
    assert lexicon.synonyms("en", "zxqwv", 2) == []
    assert lexicon.groups("en", "", 2) == []


def test_the_usual_sense_comes_first() -> None:
    lexicon = load_lexicon()
    assert lexicon.groups("en", "dog", 1) == ["noun.animal"]
    assert lexicon.groups("es", "perro", 1) == ["noun.animal"]
    assert lexicon.groups("en", "run", 1) == ["verb.motion"]
    assert "auto" in texts(lexicon.synonyms("en", "car", 1))
    assert "automóvil" in texts(lexicon.synonyms("es", "coche", 1))


def test_a_misspelt_word_is_near_the_right_one() -> None:
    lexicon = load_lexicon()
    assert lexicon.near("es", "canciom", 1) == [("canción", 1)]
    assert ("house", 1) in lexicon.near("en", "hosue", 1)  # a swap is one edit
    assert lexicon.near("en", "house", 0) == [("house", 0)]


def test_a_language_that_is_not_held_is_refused() -> None:
    with pytest.raises(KernelInputError, match='"fr" is not one of en, es'):
        load_lexicon().knows("fr", "chien")


def test_threads_that_ask_at_once_share_one_lexicon() -> None:
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: load_lexicon(), range(64)))
    assert all(lexicon is found[0] for lexicon in found)


def test_importing_the_package_reads_no_lexicon_and_no_nltk() -> None:
    program = (
        "import sys; from biorag.lexicon import wordnet\n"
        "assert wordnet._read_lexicon.cache_info().currsize == 0\n"
        "assert not {'nltk', 'numpy', 'importlib.resources'} & sys.modules.keys()"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_the_thesaurus_answers_for_its_languages_only() -> None:
    shipped = ShippedWordNet()
    assert shipped.translations("perro", "es", "en") == load_lexicon().translations("es", "perro")
    assert shipped.synonyms("car", "en", 1) == load_lexicon().synonyms("en", "car", 1)
    assert shipped.translations("perro", "es", "es") == []
    assert shipped.translations("chien", "fr", "en") == []
    assert not shipped.knows("chien", "fr")


@given(meanings, languages, short_words)
def test_translations_are_the_formula(held: list[Meaning], source: Language, word: str) -> None:
    lexicon = Lexicon(small_file(held))
    lemmas = lemmas_of(held, source, word, lambda text: stem_words([text], source)[0])
    expected = translations(held, source, lemmas)
    assert lexicon.lemmas(source, word, 6) == lemmas
    assert lexicon.knows(source, word) == bool(lemmas)
    assert dict(lexicon.translations(source, word)) == pytest.approx(dict(expected))


@given(meanings, languages, short_words, st.integers(0, 3))
def test_synonyms_are_the_formula(
    held: list[Meaning], language: Language, word: str, senses: int
) -> None:
    lexicon = Lexicon(small_file(held))
    first = lexicon.lemmas(language, word, 1)
    expected = synonyms(held, language, first[0], senses) if first else []
    assert dict(lexicon.synonyms(language, word, senses)) == pytest.approx(dict(expected))


@given(meanings, languages, short_words, st.integers(0, 3))
def test_near_lemmas_are_all_that_the_distance_allows(
    held: list[Meaning], language: Language, word: str, most: int
) -> None:
    known = {lemma for meaning in held for lemma in meaning.words(language) if " " not in lemma}
    distances = {lemma: osa_distance(folded(lemma), folded(word)) for lemma in known}
    found = Lexicon(small_file(held)).near(language, word, most)
    assert dict(found) == {lemma: d for lemma, d in distances.items() if d <= most}
    assert [distance for _, distance in found] == sorted(distance for _, distance in found)


def test_answers_are_ordered_by_weight_then_text() -> None:
    tied = Meaning(english=(("one", 0),), spanish=("b",))
    other = Meaning(english=(("one", 0),), spanish=("a", "c"))
    found = Lexicon(small_file([tied, other])).translations("en", "one")
    assert texts(found) == ["a", "b", "c"]


@given(meanings, st.data())
def test_a_damaged_file_is_refused(held: list[Meaning], data: st.DataObject) -> None:
    whole = small_file(held)
    at = data.draw(st.integers(0, len(whole) - 1))
    flipped = bytearray(whole)
    flipped[at] ^= data.draw(st.integers(1, 255))
    for damaged in (bytes(flipped), whole[:at], whole + b"\0" * 8):
        with pytest.raises(CorruptDataError):
            Lexicon(damaged)


def test_a_damaged_installation_is_named(tmp_path: Path) -> None:
    content = bytearray(LEXICON_PATH.read_bytes())
    content[len(content) // 2] ^= 1
    path = tmp_path / "lexicon.bin"
    path.write_bytes(content)
    with pytest.raises(CorruptDataError, match="checksum"):
        load(path)
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "none.bin")
