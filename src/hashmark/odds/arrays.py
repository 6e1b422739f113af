"""Arrays of compiled loops: their types, positions as arrays, and arrays that grow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from hashmark.engine.record import PositionRecord
from hashmark.engine.rule_set import RuleSet

Ints: TypeAlias = NDArray[np.int64]
Bytes: TypeAlias = NDArray[np.int8]
Floats: TypeAlias = NDArray[np.float64]
Flags: TypeAlias = NDArray[np.bool_]
Records: TypeAlias = NDArray[np.void]  # matches, positions or rows of a table
ArrayT = TypeVar("ArrayT", bound=NDArray[Any])

if TYPE_CHECKING:

    class EnumeratedPosition(PositionRecord):
        """A position with the fields of `dispatch.enumerating_fields`."""

        _path: Ints
        _sizes: Ints
        _depth: int
        _known: int
        _chance: float
        _stats: Ints


def extended(array: ArrayT, length: int) -> ArrayT:
    """Return the array extended with zeros to this length, or unchanged if it is long enough."""
    if len(array) >= length:
        return array
    larger = np.zeros((length, *array.shape[1:]), array.dtype)
    larger[: len(array)] = array
    return cast(ArrayT, larger)


def positions_array(
    rules: RuleSet, positions: Sequence[PositionRecord], extra: Sequence[tuple[Any, ...]] = ()
) -> Records:
    """Return positions as an array, with a reader's extra fields."""
    array = np.zeros(len(positions), rules.position.dtype(extra))
    for row, g in zip(array, positions, strict=True):
        g.to_array(row)
    return array
