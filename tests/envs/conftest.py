"""Fixtures for environment tests: the last blocks of 4th Down!, solved."""

from __future__ import annotations

from typing import Any

import pytest

from hashmark.engine import registry
from hashmark.values import coach, solution
from hashmark.values.solve_on_disk import solve
from hashmark.values.solved import SolvedGame

RULES = registry.load("fourth-down")
START = {"phase": "drive", "possession": "home", "spot": 20, "period": 2, "clock": 5}


@pytest.fixture(scope="module")
def solved(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Solve the last five blocks, for the coach `best` and the example."""
    m = RULES.new_match()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HASHMARK_DATA", str(tmp_path_factory.mktemp("data")))
        task = solution.SolveTask(RULES, m, start=RULES.new_position(m, START))
        found = SolvedGame(RULES, m, solve(task, threads=1))
        patch.setattr(coach, "_solved", lambda rules, options: found)
        patch.setattr(solution, "find", lambda rules, match: found)
        yield found
