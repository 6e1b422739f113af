"""The games that are solved whole, proved on the whole of them: minutes each, so only when asked.

A solution in the user's folder is used if there is one; else it is made there first.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hashmark.sim import simulate
from hashmark.table import registry
from hashmark.values import solution
from hashmark.values.solve_on_disk import solve
from hashmark.values.solved import Block, Solved

SOLVED = ("fourth-down", "roll-for-yardage")
SAMPLES = {"fourth-down": 1_000, "roll-for-yardage": 10_000}  # a drive has many more outcomes
CLOSE = 1e-12
GAMES = {"fourth-down": 10_000_000, "roll-for-yardage": 10_000_000}

pytestmark = pytest.mark.long


@pytest.fixture(scope="module", params=SOLVED)
def solved(request: pytest.FixtureRequest) -> Any:
    rules = registry.load(request.param)
    m = rules.new_match()
    if solution.find(rules, m) is None:
        solve(solution.Task(rules, m))
    return solution.find(rules, m)


def sampled(source: Solved, count: int) -> list[tuple[Block, int, int]]:
    """Blocks with their rows, members and leads, drawn at random among those that are kept."""
    luck = np.random.default_rng(1)
    blocks = [one for one in source.blocks.values() if one.kind.has_rows and one.has_values]
    made: list[tuple[Block, int, int]] = []
    while len(made) < count:
        block = blocks[luck.integers(len(blocks))]
        kept = np.flatnonzero(block.kept_of >= 0)
        lead = int(luck.integers(-block.width, block.width + 1)) if block.width >= 0 else 0
        made.append((block, int(luck.choice(kept)), lead))
    return made


def test_a_value_is_the_mean_of_the_values_after_and_no_call_beats_the_best(
    solved: Solved,
) -> None:
    for block, member, lead in sampled(solved, SAMPLES[solved.rules.name]):
        won, lost = solved.chances(block, member, lead)
        worth = won + solved.tie * (1 - won - lost)
        sums = solved._choice_sums(block, member, lead).values()
        worths = [one + solved.tie * (1 - one - other) for one, other in sums]
        assert min(won, lost) >= 0
        assert won + lost <= 1 + CLOSE
        assert max(worths) == pytest.approx(worth, abs=CLOSE)


def test_more_points_are_never_worse(solved: Solved) -> None:
    for block in solved.blocks.values():
        if block.values is not None and block.width >= 0:
            worth = block.values[:, 0] * (1 - solved.tie) - block.values[:, 1] * solved.tie
            assert np.diff(worth, axis=1).min(initial=0) > -CLOSE


def test_best_against_best_comes_out_as_the_value_says(solved: Solved) -> None:
    name = solved.rules.name
    played = simulate(name, GAMES[name], home="best", away="best", seed=2026)
    value = solved.value(solved.rules.new_position(solved.m))
    for won, chance in zip(played.totals.wins, (value.home, value.away), strict=True):
        error = (chance * (1 - chance) / GAMES[name]) ** 0.5
        assert abs(won / GAMES[name] - chance) < 3 * error
