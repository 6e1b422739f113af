"""Best calls and solutions from Python."""

from __future__ import annotations

import pytest

import hashmark as hm
from api.looks import check_looks
from hashmark.api.best import CALL_COLUMNS
from hashmark.engine import registry
from hashmark.values.solution import SolveTask
from hashmark.values.solve_on_disk import solve as solve_on_disk

LATE = {
    "phase": "fourth-down", "possession": "home", "spot": 75, "to_go": 2, "period": 2, "clock": 0,
    "score": {"home": 7, "away": 9},
}  # fmt: skip


@pytest.fixture(scope="module")
def late() -> hm.BestCall:
    return hm.best("fourth-down", LATE, games=200)


@pytest.mark.heavy
def test_the_last_kick_wins_the_game(late: hm.BestCall) -> None:
    assert late.call == "field-goal"
    assert late.loss["field-goal"] == 0
    assert late.loss["punt"] > 0.3
    assert late.frame()["call"][0] == "field-goal"
    assert late.frame()["loss"].is_sorted()
    assert late.frame().columns == list(CALL_COLUMNS)
    assert "value function" in late.method


@pytest.mark.heavy
def test_a_best_call_is_shown_and_drawn(late: hm.BestCall) -> None:
    check_looks(late)
    assert repr(late).startswith("<BestCall fourth-down: field-goal, home WP")
    assert "field-goal" in str(late)
    assert len(late.plot().get_yticks()) == len(late.loss)


@pytest.mark.heavy
def test_without_a_position_the_first_decision_is_judged() -> None:
    first = hm.best("fourth-down", games=20)
    assert first.call in hm.Game("fourth-down").legal
    assert 0.3 < first.value.home < 0.7


@pytest.mark.heavy
def test_where_the_dice_decide_there_is_a_value_but_no_call() -> None:
    toss = hm.best("fourth-down", {}, games=20)
    assert toss.call is None
    assert "the dice decide" in repr(toss)
    check_looks(toss)
    with pytest.raises(hm.HashmarkError, match="no call is pending"):
        toss.frame()


def test_a_finished_game_and_a_wrong_tie_are_refused() -> None:
    over = hm.Game("fourth-down", seed=1).play_out()
    with pytest.raises(hm.HashmarkError, match="the game is over"):
        hm.best("fourth-down", over)
    with pytest.raises(hm.HashmarkError, match="tie 2: expected a number from 0 to 1"):
        hm.best("fourth-down", tie=2)
    with pytest.raises(hm.HashmarkError, match="tie -1: expected"):
        hm.solve("fourth-down", tie=-1)


def test_games_without_a_solution_are_refused() -> None:
    with pytest.raises(hm.HashmarkError, match="data-driven"):
        hm.solve("data-driven")


def test_solve_uses_the_solver_of_the_command() -> None:
    assert SolveTask.__module__ == "hashmark.values.solution"
    assert callable(solve_on_disk)
    assert registry.load("fourth-down").name == "fourth-down"
