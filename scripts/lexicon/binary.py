"""The lexicon's file format: what `rust/kernels/lexicon/format.rs` reads.

Little-endian throughout. A 32-byte header (magic, two checksums of all that follows them, version,
number of sections), the section table (tag, offset, length as u32 each), then the sections.
Numbers in a section take three bytes: no count reaches 2^24, and a quarter of the file is saved.
A list of lists is two sections, the ends of the lists and their values one after another.
"""

from __future__ import annotations

import struct
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate

import numpy as np

from biorag.kernels.lexicon import Language, fold_accents_words, stem_words
from scripts.lexicon.merge import Dictionary, Vocabulary

MAGIC = b"BIORAGLX"
VERSION = 1
SIGNATURE = struct.Struct("<8sQQ")
CONTENTS = struct.Struct("<II")
TABLE_ENTRY = struct.Struct("<III")

# Section tags; a language's sections are these plus its base.
LANGUAGE_BASE: Mapping[Language, int] = {"en": 0, "es": 16}
LEMMA_TEXT, LEMMA_ENDS = 1, 2
STEM_TEXT, STEM_ENDS, STEM_LEMMA_ENDS, STEM_LEMMAS = 3, 4, 5, 6
SENSE_ENDS, SENSES = 7, 8
MEMBER_ENDS, MEMBERS, MEMBER_RANKS = 9, 10, 11
SYNSET_GROUPS = 32


def encode(dictionary: Dictionary) -> bytes:
    """The file's bytes; the same dictionary gives the same bytes."""
    sections = {SYNSET_GROUPS: bytes(dictionary.groups)}
    languages: dict[Language, Vocabulary] = {"en": dictionary.english, "es": dictionary.spanish}
    for language, vocabulary in languages.items():
        base = LANGUAGE_BASE[language]
        for kind, content in _vocabulary_sections(vocabulary, language).items():
            sections[base + kind] = content
    return assemble(sections)


def assemble(sections: dict[int, bytes]) -> bytes:
    """Header, table and sections as one file, padded to whole 8-byte words."""
    table = bytearray()
    body = bytearray()
    start = SIGNATURE.size + CONTENTS.size + TABLE_ENTRY.size * len(sections)
    for tag in sorted(sections):
        table += TABLE_ENTRY.pack(tag, start + len(body), len(sections[tag]))
        body += sections[tag]
    checked = CONTENTS.pack(VERSION, len(sections)) + bytes(table + body)
    checked += bytes(-len(checked) % 8)
    return SIGNATURE.pack(MAGIC, *checksums(checked)) + checked


def checksums(checked: bytes) -> tuple[int, int]:
    """Sum of the 64-bit words and sum of its running sums, modulo 2^64 (Fletcher 1982)."""
    words = np.frombuffer(checked, dtype="<u8")
    remaining = np.arange(len(words), 0, -1, dtype=np.uint64)
    return int(words.sum(dtype=np.uint64)), int((words * remaining).sum(dtype=np.uint64))


def _vocabulary_sections(vocabulary: Vocabulary, language: Language) -> dict[int, bytes]:
    words = list(vocabulary.senses)
    folded = dict(zip(words, fold_accents_words(words), strict=True))
    lemmas = sorted(words, key=lambda word: (folded[word].encode(), word.encode()))
    ids = {word: index for index, word in enumerate(lemmas)}
    members = [[ids[word] for word in synset] for synset in vocabulary.members]
    sections = {
        **_texts(lemmas, LEMMA_TEXT, LEMMA_ENDS),
        **_lists([vocabulary.senses[word] for word in lemmas], SENSE_ENDS, SENSES),
        **_lists(members, MEMBER_ENDS, MEMBERS),
        **_stem_sections(lemmas, language),
    }
    if language == "en":
        # Elsewhere a word's rank in a synset is its position, which needs no room.
        sections[MEMBER_RANKS] = bytes(rank for ranks in vocabulary.ranks for rank in ranks)
    return sections


def _stem_sections(lemmas: Sequence[str], language: Language) -> dict[int, bytes]:
    """Stems of the single words: a question is looked up word by word."""
    single = [(index, word) for index, word in enumerate(lemmas) if " " not in word]
    by_stem: dict[str, list[int]] = defaultdict(list)
    stems = stem_words([word for _, word in single], language)
    for (index, _), stem in zip(single, stems, strict=True):
        by_stem[stem].append(index)
    order = sorted(by_stem, key=str.encode)
    return {
        **_texts(order, STEM_TEXT, STEM_ENDS),
        **_lists([by_stem[stem] for stem in order], STEM_LEMMA_ENDS, STEM_LEMMAS),
    }


def _texts(texts: Sequence[str], text_tag: int, ends_tag: int) -> dict[int, bytes]:
    encoded = [text.encode() for text in texts]
    return {
        text_tag: b"".join(encoded),
        ends_tag: _packed(accumulate(len(text) for text in encoded)),
    }


def _lists(lists: Sequence[Sequence[int]], ends_tag: int, values_tag: int) -> dict[int, bytes]:
    return {
        ends_tag: _packed(accumulate(len(values) for values in lists)),
        values_tag: _packed(value for values in lists for value in values),
    }


def _packed(numbers: Iterable[int]) -> bytes:
    return b"".join(number.to_bytes(3, "little") for number in numbers)
