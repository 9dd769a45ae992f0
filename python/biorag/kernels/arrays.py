"""How arrays are made ready for the native kernels: one dtype, C order, read-only."""

from __future__ import annotations

from typing import TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from biorag.errors import ShapeError

FloatArray: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.int64]

_FLOAT64 = np.dtype(np.float64)
_INT64 = np.dtype(np.int64)
_Scalar = TypeVar("_Scalar", bound=np.generic)


def float_array(name: str, values: npt.ArrayLike, ndim: int = 1) -> FloatArray:
    """The values as a read-only C-contiguous float64 array; a view where they are one already.

    Raises:
        ShapeError: the array does not have `ndim` axes.
    """
    return _frozen(name, np.asarray(values, dtype=_FLOAT64, order="C"), ndim)


def int_array(name: str, values: npt.ArrayLike, ndim: int = 1) -> IntArray:
    """The values as a read-only C-contiguous int64 array; a view where they are one already.

    Raises:
        ShapeError: the array does not have `ndim` axes.
        TypeError: the values are not whole numbers of a type that int64 holds safely.
    """
    array = np.asarray(values, order="C")
    if array.dtype != _INT64:
        # An empty list has no type of its own, so numpy makes it float.
        array = array.astype(_INT64, casting="safe" if array.size else "unsafe")
    return _frozen(name, array, ndim)


def _frozen(name: str, array: npt.NDArray[_Scalar], ndim: int) -> npt.NDArray[_Scalar]:
    if array.ndim != ndim:
        raise ShapeError(f"{name}: expected {ndim} axes, found shape {array.shape}")
    view = array.view()
    view.setflags(write=False)
    return view
