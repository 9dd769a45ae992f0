"""The codes of memories: against their definition, and what a search needs of them."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biorag.errors import KernelInputError, ShapeError
from biorag.kernels.sdm import (
    CODE_BYTES,
    CodeTable,
    Role,
    bind,
    bundle,
    filler_code,
    fills,
    most_alike,
    permute,
    role_code,
    sdm_codes,
    statement_code,
)
from oracles.sdm import Features, encode, likeness

words = st.text("abcñé", min_size=1, max_size=3)
features = st.tuples(
    st.lists(words, max_size=70).map(" ".join),
    st.lists(words, max_size=5).map(" ".join),
    st.lists(st.tuples(words, st.sampled_from([0.0, 0.5, 0.6, 1.5, 1.6, 3.0, 3.1])), max_size=4),
    st.sampled_from(["", "General", "Principio"]),
    st.lists(words, max_size=4),
)
codes = st.sets(st.integers(0, 2047), max_size=40).map(
    lambda bits: sum(1 << bit for bit in bits).to_bytes(CODE_BYTES, "big")
)
dense = st.binary(min_size=CODE_BYTES, max_size=CODE_BYTES)
ROLES: tuple[Role, ...] = ("subject", "action", "object", "context")


def table_of(rows: list[bytes]) -> CodeTable:
    """Row r under the id 10 r."""
    table = CodeTable()
    table.put([10 * row for row in range(len(rows))], b"".join(rows))
    return table


@given(st.lists(features, max_size=5))
def test_codes_are_what_their_definition_says(documents: list[Features]) -> None:
    assert sdm_codes(documents) == b"".join(map(encode, documents))


def test_codes_do_not_depend_on_the_process() -> None:
    script = (
        "from biorag.kernels.sdm import sdm_codes, statement_code\n"
        "code = sdm_codes([('boiler valv', 'casa', [('emocion:calma', 1.0)], 'Hogar', ['boat'])])\n"
        "print((code + statement_code([('subject', 'ana')])).hex())"
    )
    seen = {
        subprocess.run(
            [sys.executable, "-c", script],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
        ).stdout
        for seed in ("1", "2")
    }
    assert len(seen) == 1


@given(codes, st.lists(codes, max_size=40), st.integers(0, 20))
def test_the_most_alike_are_those_of_the_definition(
    query: bytes, rows: list[bytes], k: int
) -> None:
    found = most_alike(table_of(rows), query, k)
    expected = sorted(
        ((10 * row, likeness(query, code)) for row, code in enumerate(rows)),
        key=lambda pair: (-pair[1], pair[0]),
    )[:k]
    assert [number for number, _ in found] == [number for number, _ in expected]
    assert [value for _, value in found] == pytest.approx(
        [value for _, value in expected], abs=1e-6
    )


@given(codes, codes)
def test_likeness_is_symmetric_and_whole_with_itself(one: bytes, other: bytes) -> None:
    table = table_of([one, other])
    of_one, of_other = (dict(most_alike(table, code, 2)) for code in (one, other))
    assert of_one[10] == of_other[0]
    assert 0.0 <= of_one[10] <= 1.0
    assert of_one[0] == (1.0 if any(one) else 0.0)


def test_a_floor_leaves_out_what_is_less_alike_and_nothing_else() -> None:
    rows = sdm_codes(
        [(text, "", (), "", ()) for text in ("a b c d", "a b c e", "a f g h", "i j k l")]
    )
    table = CodeTable()
    table.put([1, 2, 3, 4], rows)
    everything = most_alike(table, rows[:CODE_BYTES], 9)
    floor = everything[1][1]
    assert most_alike(table, rows[:CODE_BYTES], 9, floor=floor) == everything[:2]


def test_excluded_memories_do_not_take_the_place_of_others() -> None:
    table = table_of([b"\x01" * CODE_BYTES] * 5)
    found = most_alike(table, b"\x01" * CODE_BYTES, 2, excluded=[0, 20, 999])
    assert [number for number, _ in found] == [10, 30]


def test_a_table_follows_changes_and_deletions() -> None:
    table = table_of([b"\x01" * CODE_BYTES, b"\x02" * CODE_BYTES])
    table.put([10, 5], b"\x04" * CODE_BYTES + b"\x08" * CODE_BYTES)
    assert [table.code(n) for n in (0, 5, 10)] == [bytes([byte]) * CODE_BYTES for byte in (1, 8, 4)]
    assert table.delete([0, 7]) == 1
    assert (len(table), table.code(0)) == (2, None)
    assert [number for number, _ in most_alike(table, b"\x04" * CODE_BYTES, 1)] == [10]


def test_codes_that_come_at_once_take_no_more_room_than_they_need() -> None:
    assert table_of([b"\x01" * CODE_BYTES] * 3_000).heap_bytes() == 3_000 * (CODE_BYTES + 8 + 10)


def test_what_does_not_fit_is_refused() -> None:
    table = table_of([b"\x01" * CODE_BYTES])
    with pytest.raises(ShapeError):
        most_alike(table, b"\x01", 1)
    with pytest.raises(ShapeError):
        table.put([1, 2], b"\x01" * CODE_BYTES)
    with pytest.raises(KernelInputError, match="-1"):
        most_alike(table, b"\x01" * CODE_BYTES, -1)
    with pytest.raises(KernelInputError):
        most_alike(table, b"\x01" * CODE_BYTES, 1, weights=(0.25, 1.0, 1.0, 1.0, 1.0))
    with pytest.raises(ShapeError):
        bind(b"\x01", b"\x01")
    with pytest.raises(KernelInputError, match="verb"):
        role_code("verb")  # type: ignore[arg-type]


@given(dense, dense)
def test_binding_undoes_itself(one: bytes, other: bytes) -> None:
    assert bind(bind(one, other), other) == one


@given(dense, st.integers(-3000, 3000))
def test_permuting_is_a_rotation_of_the_bits(code: bytes, places: int) -> None:
    bits = f"{int.from_bytes(code, 'big'):02048b}"
    cut = -places % 2048
    rotated = int(bits[cut:] + bits[:cut], 2).to_bytes(CODE_BYTES, "big")
    assert permute(code, places) == rotated


@given(st.lists(dense, min_size=1, max_size=7).filter(lambda rows: len(rows) % 2 == 1))
def test_an_odd_bundle_is_the_majority_of_each_bit(rows: list[bytes]) -> None:
    numbers = [int.from_bytes(row, "big") for row in rows]
    majority = sum(
        1 << bit for bit in range(2048) if sum(n >> bit & 1 for n in numbers) > len(rows) // 2
    )
    assert bundle(rows) == majority.to_bytes(CODE_BYTES, "big")


@given(st.lists(words, min_size=8, max_size=8, unique=True))
def test_a_statement_tells_who_fills_which_role(texts: list[str]) -> None:
    said = statement_code(list(zip(ROLES, texts[:4], strict=True)))
    for role, filler in zip(ROLES, texts[:4], strict=True):
        scores = dict(zip(texts, fills(said, role, texts), strict=True))
        assert max(scores, key=lambda text: scores[text]) == filler
        assert all(0.0 <= score <= 1.0 for score in scores.values())


def test_roles_and_fillers_are_unlike_each_other() -> None:
    every = [*map(role_code, ROLES), *map(filler_code, ("subject", "ana", "anb"))]
    pairs = [(a, b) for nth, a in enumerate(every) for b in every[:nth]]
    differing = [int.from_bytes(bind(a, b), "big").bit_count() for a, b in pairs]
    assert all(1024 - 150 < bits < 1024 + 150 for bits in differing)
