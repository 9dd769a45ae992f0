"""Word vectors trained on a store: the formula, the decomposition, what a recall gains."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from biorag import Memory, NewMemory
from biorag.kernels.index import TextIndex, analyse_documents
from biorag.kernels.spaces import VectorSpace, quantised, term_matrix
from biorag.learning.ppmi import _orthonormal, ppmi, train, truncated_svd
from oracles import ppmi as oracle

LETTERS = "bcdfgklmnprstvz"


def words(subject: str) -> list[str]:
    """Forty made-up words of one subject; `vessel` and `sailor` are of the sea."""
    made = [f"{subject}{one}{other}" for one in LETTERS for other in LETTERS][:38]
    return [*made, *(["vessel", "sailor"] if subject == "sea" else ["dough", "crust"])]


SUBJECTS = [words("sea"), words("bread"), words("land")]


def texts(count: int, seed: int = 7) -> list[str]:
    """Texts of three subjects, each of words that go together."""
    draw = random.Random(seed)
    return [" ".join(draw.sample(draw.choice(SUBJECTS), 6)) for _ in range(count)]


def index_of(bodies: list[str], batches: int = 1) -> TextIndex:
    index = TextIndex()
    size = -(-len(bodies) // batches)
    for start in range(0, len(bodies), size):
        batch = bodies[start : start + size]
        analysed = analyse_documents(
            [("", "", "", "", b) for b in batch], ["en"] * len(batch), "en", None
        )
        index.put(list(range(start + 1, start + len(batch) + 1)), analysed)
    return index


def dense(index: TextIndex) -> np.ndarray:
    counts = term_matrix(index, fewest=1).counts
    table = np.zeros((counts.rows, counts.columns))
    for row in range(counts.rows):
        for at in range(counts.starts[row], counts.starts[row + 1]):
            table[row, counts.positions[at]] = counts.values[at]
    return table


def test_the_weights_are_the_formula() -> None:
    index = index_of(texts(40))
    weighted = ppmi(term_matrix(index, fewest=1))
    expected = oracle.ppmi(dense(index))
    for row in range(weighted.rows):
        for at in range(weighted.starts[row], weighted.starts[row + 1]):
            assert weighted.values[at] == pytest.approx(
                expected[row, weighted.positions[at]], rel=1e-5
            )


def test_the_decomposition_spans_the_leading_directions() -> None:
    index = index_of(texts(300))
    left, strength = truncated_svd(ppmi(term_matrix(index, fewest=1)), 3)
    expected_left, expected_strength = oracle.leading(oracle.ppmi(dense(index)), 3)
    assert strength == pytest.approx(expected_strength, rel=1e-3)
    # Cosines of the principal angles between the two subspaces.
    cosines = np.linalg.svd(left.T @ expected_left, compute_uv=False)
    assert cosines.min() > 0.99


def test_training_does_not_depend_on_how_the_store_came_about() -> None:
    bodies = texts(200)
    one, other = train(index_of(bodies)), train(index_of(bodies, batches=9))
    assert one is not None
    assert other is not None
    assert one.terms == other.terms == sorted(one.terms)
    assert np.array_equal(one.vectors, other.vectors)
    assert np.array_equal(one.weights, other.weights)


def test_every_word_of_a_question_that_two_memories_hold_has_a_vector() -> None:
    bodies = ["The vessels were anchored", "an anchored vessel", *texts(60)]
    index = index_of(bodies)
    training = train(index)
    assert training is not None
    space = VectorSpace(training.terms, training.weights, *quantised(training.vectors))
    question = index.prepare(
        "Are vessels anchored?", None, protected=[], meanings=False, spellings=False
    )
    for terms in question.terms:
        assert any(space.knows(term) for term in terms)


def test_words_that_go_together_lie_together() -> None:
    training = train(index_of(texts(300)))
    assert training is not None
    row = {term: training.vectors[nth] for nth, term in enumerate(training.terms)}
    # Terms are stems; any other word of the sea is one letter pair away from none of another's.
    stems = [term for term in training.terms if term.startswith(("sea", "bread"))]
    near = np.mean([row["vessel"] @ row[term] for term in stems if term.startswith("sea")])
    far = np.mean([row["vessel"] @ row[term] for term in stems if term.startswith("bread")])
    assert near > far + 0.1


def test_a_store_too_small_for_a_space_says_so_and_works() -> None:
    with Memory.open(":memory:") as memory:
        memory.learn("boat", "The vessel lies at anchor.")
        trained = memory.retrain_vectors()
        assert (trained.terms, trained.dims, trained.memories) == (0, 0, 1)
        assert memory.recall("vessel")[0].name == "boat"


class TestRecall:
    """The space in use: another process's, a later memory's, a switched-off one's."""

    @pytest.fixture
    def path(self, tmp_path: Path) -> Path:
        path = tmp_path / "memory.db"
        with Memory.open(path) as memory:
            bodies = texts(300)
            random.Random(3).shuffle(bodies)
            memory.learn_many(
                NewMemory(name=f"note {nth}", content=body) for nth, body in enumerate(bodies)
            )
            assert memory.retrain_vectors().terms > 100
        return path

    def test_another_process_takes_up_a_new_space(self, path: Path) -> None:
        with Memory.open(path) as reader, Memory.open(path) as writer:
            before = reader.recall("vessel", explain=True)[0].signals["ppmi_score"].value
            assert before > 0.0
            writer.learn_many(
                NewMemory(name=f"more {n}", content=b) for n, b in enumerate(texts(90, 9))
            )
            writer.retrain_vectors()
            pages = [memory.recall("vessel", explain=True) for memory in (reader, writer)]
            assert [hit.signals for hit in pages[0]] == [hit.signals for hit in pages[1]]

    def test_a_memory_learnt_after_the_training_takes_part(self, path: Path) -> None:
        with Memory.open(path) as memory:
            memory.learn("late", "The sailor and a vessel.")
            hits = memory.recall("vessel sailor late", limit=100, explain=True)
            late = next(hit for hit in hits if hit.name == "late")
            assert late.signals["ppmi_score"].value > 0.5

    def test_the_same_question_has_the_same_signals_in_any_process(self, path: Path) -> None:
        with Memory.open(path) as one:
            first = [(hit.name, hit.signals) for hit in one.recall("vessel", explain=True)]
        with Memory.open(path) as other:
            assert [
                (hit.name, hit.signals) for hit in other.recall("vessel", explain=True)
            ] == first


@pytest.mark.parametrize("directions", [1, 9, 60])
def test_a_basis_of_fewer_directions_than_columns_spans_them(directions: int) -> None:
    random = np.random.default_rng(3)
    few, many = (400, directions), (directions, 70)
    product = random.standard_normal(few) @ random.standard_normal(many)
    matrix: npt.NDArray[np.float32] = product.astype(np.float32)
    basis = _orthonormal(_orthonormal(matrix))
    assert np.isfinite(basis).all()
    rest = matrix - basis @ (basis.T @ matrix)
    assert np.linalg.norm(rest) < 1e-3 * np.linalg.norm(matrix)
