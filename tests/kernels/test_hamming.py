"""The binary code kernels: against their definitions, and what a search needs of them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from biorag.errors import KernelInputError, ShapeError
from biorag.kernels.vectors import hamming_distances, nearest_codes
from oracles.hamming import hamming_distance, nearest

SDM_SEGMENTS = [(512, 1.0), (256, 1.0), (1024, 2.5), (128, 1.5), (128, 1.2)]

lengths = st.integers(1, 20).map(lambda words: 8 * words)
tables = lengths.flatmap(
    lambda length: st.lists(st.binary(min_size=length, max_size=length), min_size=1, max_size=60)
)
# Few bits set, so that equal distances are common.
sparse_codes = st.integers(0, 2047).map(lambda bit: (1 << bit).to_bytes(256, "little"))
segment_lists = st.lists(
    st.tuples(
        st.integers(1, 4).map(lambda words: 64 * words), st.integers(0, 40).map(lambda t: t / 10)
    ),
    min_size=1,
    max_size=5,
)


def code(content: bytes) -> npt.NDArray[np.uint8]:
    return np.frombuffer(content, dtype=np.uint8)


def table(rows: list[bytes], length: int) -> npt.NDArray[np.uint8]:
    return code(b"".join(rows)).reshape(len(rows), length)


@given(tables)
def test_distances_are_the_differing_bits(codes: list[bytes]) -> None:
    query, *rows = codes
    found = hamming_distances(code(query), table(rows, len(query)))
    assert found.tolist() == [hamming_distance(query, row) for row in rows]


@given(sparse_codes, st.lists(sparse_codes, max_size=70), st.integers(0, 30))
def test_nearest_codes_weigh_the_segments_of_an_sdm_code(
    query: bytes, rows: list[bytes], k: int
) -> None:
    found_rows, found_distances = nearest_codes(code(query), table(rows, 256), k)
    expected = nearest(query, rows, k, SDM_SEGMENTS)
    assert found_rows.tolist() == [row for row, _ in expected]
    assert found_distances.tolist() == [np.float32(distance) for _, distance in expected]


@given(segment_lists, st.data(), st.integers(0, 30))
def test_nearest_codes_weigh_any_segments(
    segments: list[tuple[int, float]], data: st.DataObject, k: int
) -> None:
    length = sum(bits for bits, _ in segments) // 8
    codes = st.binary(min_size=length, max_size=length)
    query, rows = data.draw(codes), data.draw(st.lists(codes, max_size=40))
    found_rows, found_distances = nearest_codes(code(query), table(rows, length), k, segments)
    expected = nearest(query, rows, k, segments)
    assert found_rows.tolist() == [row for row, _ in expected]
    assert found_distances.tolist() == [np.float32(distance) for _, distance in expected]


def test_rows_of_a_wider_table_are_read_in_place_of_their_neighbours() -> None:
    wide = np.arange(40 * 32, dtype=np.uint8).reshape(40, 32)
    left = wide[:, :8]
    assert hamming_distances(left[3], left).tolist() == [
        hamming_distance(left[3].tobytes(), row.tobytes()) for row in left
    ]


@pytest.mark.parametrize(
    ("query_shape", "rows_shape"),
    [((8,), (3, 16)), ((16,), (16,)), ((2, 8), (3, 8))],
)
def test_shapes_that_do_not_fit_are_refused(
    query_shape: tuple[int, ...], rows_shape: tuple[int, ...]
) -> None:
    with pytest.raises(ShapeError):
        hamming_distances(np.zeros(query_shape, np.uint8), np.zeros(rows_shape, np.uint8))


def test_arrays_that_are_not_bytes_are_refused() -> None:
    with pytest.raises(ShapeError, match="int64"):
        hamming_distances(np.zeros(8, np.int64), np.zeros((3, 8), np.uint8))


def test_a_code_of_another_length_than_its_segments_is_refused() -> None:
    with pytest.raises(ShapeError):
        nearest_codes(np.zeros(8, np.uint8), np.zeros((3, 8), np.uint8), 1)


@pytest.mark.parametrize("segment", [(0, 1.0), (-64, 1.0), (63, 1.0), (64, -0.1), (64, 0.25)])
def test_segments_that_break_a_rule_are_refused(segment: tuple[int, float]) -> None:
    with pytest.raises(KernelInputError):
        nearest_codes(np.zeros(8, np.uint8), np.zeros((3, 8), np.uint8), 1, [segment])


def test_a_negative_number_of_neighbours_is_refused() -> None:
    with pytest.raises(KernelInputError, match="-1"):
        nearest_codes(np.zeros(256, np.uint8), np.zeros((3, 256), np.uint8), -1)
