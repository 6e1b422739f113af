"""Where a game plan lies in a match: each of the four has a room of its own.

Plain matches and compiled records are filled by the same function.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hashmark.games.data_driven.plans.plan import MOST_ROWS, WIDTH, Plan
from hashmark.table.errors import HashmarkError


def laid_out(plan: Plan) -> dict[str, list[int]]:
    """A plan as the fields of a match hold it, as long as its room in each."""
    if len(plan.rows) > MOST_ROWS:
        raise HashmarkError(f"{plan.name}: more than {MOST_ROWS} entries")
    rows = [number for entry in plan.rows for number in entry]
    return {
        "plan_rows": rows + [0] * (MOST_ROWS * WIDTH - len(rows)),
        "plan_starts": [*plan.starts],
        "plan_numbers": [*plan.numbers],
    }


def seat(m: Any, room: int, laid: Mapping[str, Sequence[int]]) -> None:
    """Put a plan that is laid out into its room."""
    for name, values in laid.items():
        size = len(values)
        getattr(m, name)[room * size : (room + 1) * size] = values
