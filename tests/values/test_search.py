"""The coach that searches: the same calls plain and compiled."""

from __future__ import annotations

import pytest

from hashmark.engine import registry
from hashmark.engine.dice import D6
from hashmark.engine.search_work import SearchHandler
from hashmark.errors import HashmarkError
from hashmark.sim.run import simulate
from hashmark.values.coach import COACH_NAME, best_coach
from hashmark.values.search import spec_of

RAPID_ROLL = registry.load("rapid-roll")


def test_only_a_game_with_a_search_has_the_coach() -> None:
    coach = best_coach(RAPID_ROLL)
    assert coach is not None
    assert coach.name == COACH_NAME
    assert coach in RAPID_ROLL.all_coaches()
    with pytest.raises(HashmarkError, match="data-driven has no search"):
        spec_of(registry.load("data-driven"))


def test_dice_that_a_search_does_not_know_come_up_as_their_first_outcome() -> None:
    g = RAPID_ROLL.position()
    assert SearchHandler().roll(g, D6, 0) == 1


@pytest.mark.heavy
def test_plain_and_compiled_games_are_the_same() -> None:
    options = {"records": {"home": [10, 6], "away": [7, 9]}, "numbers_per_quarter": 30}
    results = [
        simulate(RAPID_ROLL, 3, seed=4, home="best", away="reader", options=options, engine=engine)
        for engine in ("plain", "compiled")
    ]
    assert results[0].totals == results[1].totals
