"""Whether the engine knows when it does not know: what it answers and what it refuses, by kind.

Unanswerable are the questions of other domains, those that the corpus calls out of scope or bent,
and the corpus' own with every relevant document hidden. The last kind is the hardest and not quite
true: what is left may still answer. Beside the engine stands what is mostly done: a threshold on
the BM25 score, tuned with labels on the train half, which the engine never sees.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from biorag.engine.index_keeper import analyse_texts
from biorag.engine.memory import Memory
from biorag.errors import CorpusError
from biorag.evaluation.biorag_system import UNDATED_NOW, HeldClock
from biorag.evaluation.collections import CROSS, Asked, Collection
from biorag.kernels.index import TextIndex, rank
from biorag.lexicon.wordnet import load_lexicon
from biorag.model import NewMemory
from biorag.settings import Settings
from biorag.storage.documents import Document as StoredDocument

ALPHAS = (0.05, 0.10, 0.20)
GOOD_DEPTH = 5  # a gold among so many is an answer that an abstention would take away
BATCH = 500
NEGATIVES = "negatives"  # the folder beside a corpus that holds questions of other domains

OUT_OF_DOMAIN = "out of domain"
OUT_OF_SCOPE = "out of scope"
ADVERSARIAL = "adversarial"
GOLD_HIDDEN = "gold hidden"
UNANSWERABLE = (OUT_OF_DOMAIN, OUT_OF_SCOPE, ADVERSARIAL, GOLD_HIDDEN)

ANSWERABLE = "answerable"
GOOD = "good answers"
GOOD_CROSS = "good, across languages"
GOOD_TYPO = "good, misspelt"


@dataclass(frozen=True, slots=True)
class Judged:
    """One question to one store.

    Attributes:
        kinds: The rows of the table that it counts in.
        certainty: The statistic C.
        spared: Answered whatever C is: it names a memory, or one holds all of it.
        bm25: The best plain BM25 score, for the rival.
    """

    kinds: tuple[str, ...]
    certainty: float
    spared: bool
    bm25: float


@dataclass(frozen=True, slots=True)
class JudgedStore:
    """All questions to one store, and from which certainty on it answers at each alpha."""

    name: str
    questions: tuple[Judged, ...]
    abstain_at: Mapping[float, float]
    direct_above: Mapping[float, float]


def foreign_questions(corpus_dir: Path, split: str) -> list[str]:
    """The questions of the `negatives` folder beside a corpus that are meant for it.

    Returns:
        Their texts; empty when there is no such folder.

    Raises:
        CorpusError: the folder cannot be read.
    """
    folder = corpus_dir.resolve().parent / NEGATIVES
    if not (folder / "queries.jsonl").exists():
        return []
    splits = dict(_tabbed(folder / "split.tsv"))
    # A corpus of two languages is named once for each.
    name = corpus_dir.resolve().name
    names = {name, *(f"{name.removesuffix('_es_en')}_{code}" for code in ("es", "en"))}
    texts = []
    for place, line in enumerate(_lines(folder / "queries.jsonl"), start=1):
        try:
            row = json.loads(line)
            meant = names & set(row["negative_for"])
            inside = split == "all" or splits.get(row["id"]) == split
        except (json.JSONDecodeError, KeyError, TypeError) as error:
            raise CorpusError(f"{folder / 'queries.jsonl'}:{place}: {error!r}") from error
        if meant and inside:
            texts.append(str(row["text"]))
    return texts


def judge_store(collection: Collection, foreign: Sequence[str]) -> JudgedStore:
    """Stores a collection, calibrates it at each alpha, and asks everything.

    Args:
        collection: Documents and the questions put to them.
        foreign: Questions of other domains.
    """
    names = [f"d{place:06}" for place in range(len(collection.documents))]
    place_of = {document.id: place for place, document in enumerate(collection.documents)}
    bare = _bare_index(collection)
    lexicon = load_lexicon()
    # One moment for all: its calibrations must not be told apart by when they were made.
    with Memory.open(":memory:", settings=Settings(), clock=HeldClock(UNDATED_NOW)) as memory:
        memory.learn_many(
            NewMemory(name=name, content=document.text, created_at=document.created_at)
            for name, document in zip(names, collection.documents, strict=True)
        )
        abstain_at: dict[float, float] = {}
        direct_above: dict[float, float] = {}
        for alpha in sorted(ALPHAS, reverse=True):
            found = memory.calibrate(alpha=alpha).calibration
            # Too few memories to calibrate: nothing that matches is refused.
            abstain_at[alpha] = found.abstain_at if found else 0.0
            direct_above[alpha] = found.direct_above if found else 0.0

        def judged(text: str, kinds: tuple[str, ...], golds: frozenset[str]) -> Judged:
            page = memory.recall(text, limit=GOOD_DEPTH)
            good = any(hit.name in golds for hit in page.hits)
            # The last calibration is the strictest, so what it spares is spared at every alpha.
            spared = not page.abstained and page.certainty_value <= abstain_at[min(ALPHAS)]
            held = (ANSWERABLE, *(kinds if good else ())) if golds else kinds
            return Judged(held, page.certainty_value, spared, _plain_bm25(bare, text))

        def without_gold(text: str, golds: Sequence[int]) -> Judged:
            question = bare.prepare(text, lexicon, protected=[], meanings=True, spellings=True)
            hidden = [place + 1 for place in golds]
            certainty = bare.certainty(question, hidden)
            return Judged((GOLD_HIDDEN,), certainty, False, _plain_bm25(bare, text, hidden))

        questions = [judged(text, (OUT_OF_DOMAIN,), frozenset()) for text in foreign]
        for asked in collection.questions:
            kind = _unanswerable_kind(asked)
            if kind is not None:
                questions.append(judged(asked.text, (kind,), frozenset()))
            elif asked.grades:
                golds = [place_of[document] for document in asked.grades]
                kinds = _good_kinds(asked)
                questions.append(judged(asked.text, kinds, frozenset(names[g] for g in golds)))
                questions.append(without_gold(asked.text, golds))
    return JudgedStore(collection.name, tuple(questions), abstain_at, direct_above)


def bm25_thresholds(stores: Sequence[JudgedStore]) -> dict[float, float]:
    """The BM25 scores that alpha of the unanswerable questions of these stores pass.

    What has its gold hidden is left out: nobody who tunes a threshold has such labels.
    """
    scores = sorted(
        question.bm25
        for store in stores
        for question in store.questions
        if set(question.kinds) & {OUT_OF_DOMAIN, OUT_OF_SCOPE}
    )
    if not scores:
        return {}
    n = len(scores)
    return {alpha: scores[min(math.ceil(n * (1.0 - alpha)), n) - 1] for alpha in ALPHAS}


def _bare_index(collection: Collection) -> TextIndex:
    """The texts alone, numbered from 1 in their order; here a document can be hidden."""
    index = TextIndex()
    for start in range(0, len(collection.documents), BATCH):
        batch = collection.documents[start : start + BATCH]
        stored = [
            StoredDocument(
                id=start + nth + 1,
                language=document.language,
                created_at=UNDATED_NOW,
                author=None,
                name=f"d{start + nth:06}",
                synonyms="",
                key_nouns="",
                bridges="",
                body=document.text,
            )
            for nth, document in enumerate(batch)
        ]
        index.put([document.id for document in stored], analyse_texts(stored))
    return index


def _plain_bm25(index: TextIndex, text: str, hidden: Sequence[int] = ()) -> float:
    question = index.prepare(text, None, protected=[], meanings=False, spellings=False)
    found = rank(
        index,
        question,
        k1=0.9,
        b=0.4,
        trust_in_order=0.0,
        fit=False,
        limit=1,
        excluded=sorted(hidden),
    )
    return float(found.bm25.max(initial=0.0))


def _unanswerable_kind(asked: Asked) -> str | None:
    if asked.category == "adversarial":
        return ADVERSARIAL
    return OUT_OF_SCOPE if asked.category.startswith("out_of_scope") else None


def _good_kinds(asked: Asked) -> tuple[str, ...]:
    if asked.category.endswith(CROSS):
        return (GOOD_CROSS,)
    return (GOOD, GOOD_TYPO) if "typo" in asked.category else (GOOD,)


def _tabbed(path: Path) -> Iterator[tuple[str, str]]:
    for line in _lines(path):
        first, _, second = line.partition("\t")
        yield first, second


def _lines(path: Path) -> Iterator[str]:
    try:
        yield from (line for line in path.read_text(encoding="utf-8").splitlines() if line)
    except OSError as error:
        raise CorpusError(f"{path} cannot be read: {error}") from error
