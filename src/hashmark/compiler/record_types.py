"""Types of what compiled code works on, for annotations: records, arrays, and code itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from hashmark.engine.record import PositionRecord, Record

Code: TypeAlias = Callable[..., Any]  # a function that Numba compiles
IntArray: TypeAlias = npt.NDArray[np.int64]
FloatArray: TypeAlias = npt.NDArray[np.float64]
RecordT = TypeVar("RecordT", bound=Record)


class RecordArray(Protocol[RecordT]):
    """A NumPy array of records, as compiled code sees it: their fields are attributes."""

    def __getitem__(self, index: int) -> RecordT: ...
    def __setitem__(self, index: int, record: RecordT) -> None: ...


class SamplingRecord(PositionRecord):
    """A position with what `dispatch.sampling_fields` adds, as compiled code sees it."""

    _dice: int  # state and stride of the generator of the dice, then of the coaches
    _dice_stride: int
    _luck: int
    _luck_stride: int
    _stats: npt.NDArray[np.int32]


class EnumeratingRecord(PositionRecord):
    """A position with what `dispatch.enumerating_fields` adds, as compiled code sees it."""

    _path: IntArray
    _sizes: IntArray
    _seen: IntArray  # for a lookup: which distinct cell, its row, the chance of all equal cells
    _row: IntArray
    _part: FloatArray
    _depth: int
    _known: int
    _chance: float
    _stats: npt.NDArray[np.int32]
