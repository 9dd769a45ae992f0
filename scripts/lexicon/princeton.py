"""WordNet 3.0 from its database files: synsets, glosses, and each word's senses in order.

The format is that of the manual page wndb(5WN).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

SynsetId = tuple[str, int]
"""Part of speech (`n`, `v`, `a`, `r`) and Princeton's byte offset."""

PARTS_OF_SPEECH: Mapping[str, str] = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}

# Debian corrected two entries, which moved every later entry of the file: first and last offset
# as Debian's files say it, and how far it lies beyond Princeton's.
DEBIAN_DRIFT: Mapping[str, tuple[int, int, int]] = {
    "v": (613_036, 2_422_681, 18),
    "a": (1_681_608, 99_999_999, 1),
}

# An adjective's lemma may end in its syntactic position: (a) attributive, (p) predicative, (ip)
# immediately postnominal.
_SYNTACTIC_MARKER = re.compile(r"\((?:a|p|ip)\)$")

# Sense keys say the part of speech as a number; 5 is a satellite adjective.
_KEY_PARTS = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "a"}


@dataclass(frozen=True, slots=True)
class Synset:
    """One meaning.

    Attributes:
        words: Its English words in WordNet's order, as spelt there, spaces for underscores.
        gloss: Definition and examples.
        lexicographer_file: Number of its semantic group, 0 to 44, see lexnames(5WN).
    """

    words: tuple[str, ...]
    gloss: str
    lexicographer_file: int


@dataclass(frozen=True, slots=True)
class WordNet:
    """All of WordNet that the lexicon needs.

    Attributes:
        synsets: Every synset by its Princeton id.
        ranks: Of (lower-case word, synset): 0 for the word's first sense in that part of speech.
        counts: Of the same pairs: how often the sense occurs in the tagged corpora, 0 left out.
    """

    synsets: dict[SynsetId, Synset]
    ranks: dict[tuple[str, SynsetId], int]
    counts: dict[tuple[str, SynsetId], int]


def parse_wordnet(files: Mapping[str, bytes]) -> WordNet:
    """Reads the `data.*`, `index.*` and `cntlist.rev` files, as text."""
    synsets: dict[SynsetId, Synset] = {}
    ranks: dict[tuple[str, SynsetId], int] = {}
    for name, part in PARTS_OF_SPEECH.items():
        synsets.update(_data_lines(files[f"data.{name}"], part))
        for word, offsets in _index_lines(files[f"index.{name}"]):
            for rank, offset in enumerate(offsets):
                ranks[word, (part, princeton_offset(part, offset))] = rank
    return WordNet(synsets, ranks, _sense_counts(files["cntlist.rev"], ranks))


def princeton_offset(part: str, debian_offset: int) -> int:
    """The offset that Princeton's own release gives to an entry of Debian's files."""
    first, last, drift = DEBIAN_DRIFT.get(part, (0, -1, 0))
    return debian_offset - drift if first <= debian_offset <= last else debian_offset


def _entries(content: bytes) -> Iterator[str]:
    """The lines of a database file without its licence, whose lines begin with a space."""
    for line in content.decode("ascii").splitlines():
        if not line.startswith(" "):
            yield line.rstrip()


def _data_lines(content: bytes, part: str) -> Iterator[tuple[SynsetId, Synset]]:
    for line in _entries(content):
        head, _, gloss = line.partition(" | ")
        fields = head.split(" ")
        word_count = int(fields[3], 16)
        words = fields[4 : 4 + 2 * word_count : 2]
        yield (
            (part, princeton_offset(part, int(fields[0]))),
            Synset(tuple(map(_spelt, words)), gloss.strip(), int(fields[1])),
        )


def _spelt(word: str) -> str:
    return _SYNTACTIC_MARKER.sub("", word).replace("_", " ")


def _index_lines(content: bytes) -> Iterator[tuple[str, list[int]]]:
    for line in _entries(content):
        fields = line.split(" ")
        senses = int(fields[2])
        yield fields[0].replace("_", " "), [int(offset) for offset in fields[-senses:]]


def _sense_counts(
    content: bytes, ranks: Mapping[tuple[str, SynsetId], int]
) -> dict[tuple[str, SynsetId], int]:
    """Turns `sense_key sense_number count` lines into counts by word and synset."""
    by_rank: dict[tuple[str, str, int], int] = defaultdict(int)
    for line in content.decode("ascii").splitlines():
        key, number, count = line.split(" ")
        word, _, rest = key.partition("%")
        by_rank[word.replace("_", " "), _KEY_PARTS[rest[0]], int(number) - 1] += int(count)
    counts = (
        (sense, by_rank.get((sense[0], sense[1][0], rank), 0)) for sense, rank in ranks.items()
    )
    return {sense: count for sense, count in counts if count}
