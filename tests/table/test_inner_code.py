"""Inner functions that are left unfinished do no harm to anybody else's compiled code."""

from __future__ import annotations

import numba
import numpy as np

from hashmark.sim import simulate
from hashmark.table.inner_code import InnerCode, left_unfinished


def test_others_can_use_what_was_compiled_meanwhile() -> None:
    """Numba keeps its own helpers for everybody: here they are compiled as inner functions."""

    def place(values: np.ndarray, at: float) -> int:
        return int(np.searchsorted(values, at)) + int(values.sum())

    values = np.arange(4.0)
    with left_unfinished():
        assert numba.njit(place)(values, 2.5) == 9
    again = numba.njit(lambda values, at: np.searchsorted(values, at) + values.sum())
    assert again(values, 2.5) == 9


def test_the_usual_way_is_back_afterwards() -> None:
    codegen = numba.core.registry.cpu_target.target_context.codegen()
    simulate("fourth-down", 1, engine="compiled")
    assert codegen._library_class is not InnerCode
