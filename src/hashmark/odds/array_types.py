"""Types of the arrays and records that compiled loops work on, for annotations."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hashmark.engine.record import PositionRecord

Ints: TypeAlias = NDArray[np.int64]
Bytes: TypeAlias = NDArray[np.int8]
Floats: TypeAlias = NDArray[np.float64]
Flags: TypeAlias = NDArray[np.bool_]
Records: TypeAlias = NDArray[np.void]  # matches, positions or rows of a table

if TYPE_CHECKING:

    class EnumeratedPosition(PositionRecord):
        """A position with the fields of `dispatch.enumerating_fields`."""

        _path: Ints
        _sizes: Ints
        _depth: int
        _known: int
        _chance: float
        _stats: Ints
