"""Every signal keeps the one contract, and the table of them changes in sight only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from biorag.kernels.index import RankedCandidates, TextIndex, analyse_documents, rank
from biorag.kernels.ranking import Shares
from biorag.kernels.spaces import VectorSpace, quantised
from biorag.signals import Signal, all_signals
from biorag.signals.relevance import shares_of

# order, name, weight, seed weight, bonus
TABLE = [
    (0, "bm25_norm", 0.25, 0.25, 0.0),
    (1, "dim_score", 0.056, 0.14, 0.0),
    (2, "concept_ratio", 0.08, 0.08, 0.0),
    (3, "synonym_ratio", 0.08, 0.08, 0.0),
    (4, "latent_chain", 0.02, 0.1, 0.0),
    (5, "group_score", 0.04, 0.10, 0.0),
    (6, "thematic", 0.032, 0.08, 0.0),
    (7, "associations", 0.005, 0.02, 0.0),
    (8, "predicate_score", 0.25, 0.2, 0.0),
    (9, "ppmi_score", 0.06, 0.15, 0.0),
    (10, "hub_match", 0.08, 0.2, 0.0),
    (11, "ncd_score", 0.06, 0.0, 0.0),
    (12, "episode_score", 0.25, 0.0, 0.0),
    (13, "field_score", 0.015, 0.0, 0.0),
    (14, "jsd", 0.006, 0.04, 0.0),
    (15, "exact_match", 0.0, 0.0, 2.94),
    (16, "near_synonym", 0.0, 0.0, 0.85),
    (20, "ev_key_nouns", 0.05, 0.0, 0.0),
    (22, "weight", 0.02, 0.1, 0.0),
]

BESIDE: tuple[str, ...] = (
    "activation",
    "burst",
    "cosine",
    "degree",
    "dimensions",
    "embedding",
    "groups",
    "hub_match",
    "thematic",
    "weight",
)

DOCUMENTS = [
    ("boiler valve", "stopcock", "valve\nboiler", "", "The boiler valve is on the north wall."),
    ("boiler", "", "", "", "A red boiler; its two valves leak, and the valve is old."),
    ("la caldera", "boiler", "caldera", "", "La válvula de la caldera está en la pared norte."),
    ("empty", "", "", "", "!!!"),
    ("lamp", "boiler valve", "", "", "Hangs in the hall."),
    ("long", "", "", "", "the valve of the boiler " * 400),
    ("north", "", "north", "", "north"),
    ("asked", "", "", "", "Where does the heron nest?"),
    ("answered", "", "", "", "Among reeds beside the lake."),
    ("two birds", "", "", "", "A heron and an egret wade."),
    ("one bird", "", "", "", "An egret sleeps."),
    *((f"note {nth}", "", "", "", f"Page {nth} of the ledger {nth}.") for nth in range(14)),
]
SPACE = VectorSpace(
    ["boiler", "lamp", "valv"],
    np.ones(3, np.float32),
    *quantised(np.array([[1.0, 0.0], [0.0, 1.0], [0.8, 0.6]], np.float32)),
)
QUESTIONS = [
    "boiler valve",
    "where is the valve of the boiler?",
    "caldera",
    "stopcock",
    "how many valves?",
    "heron nest",
    "?",
]


@dataclass(frozen=True)
class Candidates:
    """What signals read, from a real index."""

    ranked: RankedCandidates
    query: str
    named_exactly: npt.NDArray[np.bool_]
    key_noun_share: npt.NDArray[np.float64]
    trust_in_order: float = 0.0
    beside: Mapping[str, npt.NDArray[np.float64]] = field(default_factory=dict)

    @property
    def relevance(self) -> Shares:
        return shares_of(self.ranked)

    def taken(self, rows: npt.NDArray[np.intp]) -> Candidates:
        """The candidates of these rows, in this order."""
        ranked = self.ranked
        return Candidates(
            ranked=replace(
                ranked,
                ids=ranked.ids[rows],
                bm25=ranked.bm25[rows],
                lent=ranked.lent[rows],
                relevance=ranked.relevance[rows],
                found=ranked.found[rows],
                counts=ranked.counts[rows],
                field_share=ranked.field_share[rows],
                coverage=ranked.coverage[rows],
                lengths=ranked.lengths[rows],
                named=ranked.named[rows],
                synonym=ranked.synonym[rows],
                fit=ranked.fit[rows],
                spelt=ranked.spelt[rows],
                pairs=ranked.pairs[rows],
                function_words=ranked.function_words[rows],
                feedback=ranked.feedback[rows],
                cosines=ranked.cosines[rows],
                gram_cosine=ranked.gram_cosine[rows],
                evidence=ranked.evidence[rows],
            ),
            query=self.query,
            named_exactly=self.named_exactly[rows],
            key_noun_share=self.key_noun_share[rows],
            beside={name: values[rows] for name, values in self.beside.items()},
        )


def candidates(question: str) -> Candidates:
    """Every document as a candidate of the question, those without a match too."""
    index = TextIndex()
    documents = analyse_documents(DOCUMENTS, [None] * len(DOCUMENTS), "en", None)
    ids = list(range(1, len(DOCUMENTS) + 1))
    index.put(ids, documents)
    prepared = index.prepare(question, None, protected=[], meanings=False, spellings=True)
    ranked = rank(
        index, prepared, k1=0.9, b=0.4, trust_in_order=1.0, limit=100, included=ids, space=SPACE
    )
    places = [int(number) - 1 for number in ranked.ids]
    return Candidates(
        ranked=ranked,
        query=question,
        named_exactly=np.array([DOCUMENTS[place][0] == question for place in places]),
        key_noun_share=np.array([len(DOCUMENTS[place][2]) / 20.0 for place in places]),
        beside={name: np.array([place % 3 / 2.0 for place in places]) for name in BESIDE},
    )


every_signal = pytest.mark.parametrize("signal", all_signals(), ids=lambda signal: signal.name)
every_question = pytest.mark.parametrize("question", QUESTIONS)


def test_the_table_of_signals_is_the_reviewed_one() -> None:
    assert [(s.order, s.name, s.weight, s.seed_weight, s.bonus) for s in all_signals()] == TABLE


@every_signal
def test_a_signal_names_its_source_and_says_something(signal: Signal) -> None:
    assert signal.source
    assert signal.score.__doc__
    assert (signal.weight > 0.0) != (signal.bonus > 0.0)


@every_question
@every_signal
def test_a_signal_gives_each_candidate_a_finite_value_in_its_range(
    signal: Signal, question: str
) -> None:
    pool = candidates(question)
    values = signal.score(pool)
    assert values.shape == (len(DOCUMENTS),)
    assert values.dtype == np.float64
    assert np.isfinite(values).all()
    assert not np.signbit(values).any()  # nor is a zero negative: it would be shown as -0.0
    assert values.max() <= 1.0


@every_question
@every_signal
def test_a_signal_takes_an_empty_batch(signal: Signal, question: str) -> None:
    nobody = candidates(question).taken(np.array([], dtype=np.intp))
    assert signal.score(nobody).shape == (0,)


@every_signal
@given(order=st.permutations(range(len(DOCUMENTS))), question=st.sampled_from(QUESTIONS))
def test_the_order_of_candidates_changes_no_value(
    signal: Signal, order: list[int], question: str
) -> None:
    pool = candidates(question)
    rows = np.array(order)
    assert signal.score(pool.taken(rows)).tolist() == signal.score(pool)[rows].tolist()


@every_signal
def test_a_signal_tells_some_candidates_from_others(signal: Signal) -> None:
    """One that says the same of all of them, whatever is asked, would be dead weight."""
    assert any(np.ptp(signal.score(candidates(question))) > 0.0 for question in QUESTIONS)
