"""English and Spanish words side by side, spelt and ordered as the lexicon serves them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from biorag.kernels.lexicon import fold_accents_words, fold_case_words
from scripts.lexicon.princeton import SynsetId, WordNet

# The order of the files in WordNet, and of part-of-speech ties in a word's senses.
_PART_ORDER = "nvar"


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """One language's words.

    Attributes:
        members: Of each synset, its words in order, case-folded, no word twice.
        ranks: Parallel to `members`: which of the word's senses this is, 0 for the first.
        senses: Of each word, the synsets that hold it, the most usual meaning first.
    """

    members: list[list[str]]
    ranks: list[list[int]]
    senses: dict[str, list[int]]


@dataclass(frozen=True, slots=True)
class Dictionary:
    """What the binary file holds.

    Attributes:
        english: English words.
        spanish: Spanish words.
        groups: Of each synset, the number of its lexicographer file.
    """

    english: Vocabulary
    spanish: Vocabulary
    groups: list[int]

    def summary(self) -> str:
        """The counts that a reader of the build's output checks."""
        both = sum(1 for words in self.spanish.members if words)
        return (
            f"{len(self.groups):,} synsets, {both:,} with Spanish; "
            f"{len(self.english.senses):,} English and {len(self.spanish.senses):,} Spanish lemmas"
        )


def merge(wordnet: WordNet, spanish: Mapping[SynsetId, Sequence[str]]) -> Dictionary:
    """Puts both languages on one numbering of the synsets: by part of speech, then offset."""
    order = sorted(wordnet.synsets, key=lambda synset: (_PART_ORDER.index(synset[0]), synset[1]))
    english_members = [_spelt(wordnet.synsets[synset].words) for synset in order]
    spanish_members = [_without_lost_tildes(_spelt(spanish.get(synset, ()))) for synset in order]
    return Dictionary(
        english=_english(wordnet, order, english_members),
        spanish=_spanish(spanish_members, _usage(wordnet, order, english_members)),
        groups=[wordnet.synsets[synset].lexicographer_file for synset in order],
    )


def _spelt(words: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(fold_case_words(list(words))))


def _without_lost_tildes(words: Sequence[str]) -> list[str]:
    """The Spanish words but those that another one spells with the ñ which they lack.

    The source gives `ano` beside `año` for a year: a slip, and another word altogether.
    """
    folded = fold_accents_words(list(words))
    slips = {key.replace("ñ", "n") for key in folded if "ñ" in key}
    return [word for word, key in zip(words, folded, strict=True) if key not in slips]


def _english(wordnet: WordNet, order: Sequence[SynsetId], members: list[list[str]]) -> Vocabulary:
    ranks = [
        [wordnet.ranks[word, synset] for word in words]
        for synset, words in zip(order, members, strict=True)
    ]
    found: dict[str, list[int]] = defaultdict(list)
    for index, words in enumerate(members):
        for word in words:
            found[word].append(index)
    senses = {word: _by_usage(word, indices, order, wordnet) for word, indices in found.items()}
    return Vocabulary(members, ranks, senses)


def _by_usage(
    word: str, indices: Sequence[int], order: Sequence[SynsetId], wordnet: WordNet
) -> list[int]:
    """The word's synsets in sense order, its parts of speech merged by how often each is used.

    WordNet numbers senses within a part of speech only. At each step the part whose next sense
    occurs more often goes first, so that `run` begins with the verb and `dog` with the animal.
    """
    queues: dict[str, list[int]] = defaultdict(list)
    for index in sorted(indices, key=lambda index: wordnet.ranks[word, order[index]]):
        queues[order[index][0]].append(index)
    merged: list[int] = []
    while queues:
        part = min(
            queues,
            key=lambda part: (
                -wordnet.counts.get((word, order[queues[part][0]]), 0),
                wordnet.ranks[word, order[queues[part][0]]],
                _PART_ORDER.index(part),
            ),
        )
        merged.append(queues[part].pop(0))
        if not queues[part]:
            del queues[part]
    return merged


def _usage(
    wordnet: WordNet, order: Sequence[SynsetId], members: Sequence[Sequence[str]]
) -> list[int]:
    """How often each meaning occurs in the tagged English corpora."""
    return [
        sum(wordnet.counts.get((word, synset), 0) for word in words)
        for synset, words in zip(order, members, strict=True)
    ]


def _spanish(members: list[list[str]], usage: Sequence[int]) -> Vocabulary:
    """Spanish words have no sense numbers: their rank is their position in the synset.

    Their synsets come most used first, for the meaning that English texts use most is the best
    evidence there is of the usual one.
    """
    found: dict[str, list[tuple[int, int, int]]] = defaultdict(list)
    for index, words in enumerate(members):
        for position, word in enumerate(words):
            found[word].append((-usage[index], position, index))
    senses = {word: [index for _, _, index in sorted(entries)] for word, entries in found.items()}
    return Vocabulary(members, [list(range(len(words))) for words in members], senses)
