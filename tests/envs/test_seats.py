"""Settings of environments, and errors about invalid ones."""

from __future__ import annotations

from typing import Any

import pytest

from hashmark.envs import seats
from hashmark.envs.seats import set_up
from hashmark.table import registry
from hashmark.table.errors import HashmarkError
from hashmark.table.record import AWAY, HOME, NOBODY, TIE


def test_the_default_opponent_is_the_book_coach() -> None:
    setting = set_up("fourth-down")
    assert setting.opponent is not None
    assert setting.opponent.name == "book"
    assert (setting.seat, setting.viewer, setting.alone) == (HOME, HOME, False)
    assert set_up("fourth-down", seat="away").viewer == AWAY


def test_solo_games_and_both_seats_have_no_opponent() -> None:
    alone = set_up("two-minute-drill")
    assert (alone.opponent, alone.seat, alone.teams) == (None, HOME, ("home",))
    both = set_up("fourth-down", seat="both")
    assert (both.opponent, both.seat, both.viewer) == (None, NOBODY, HOME)
    assert set_up("two-minute-drill", options={"reply": True}).teams == ("home", "away")


def test_the_game_may_be_a_rule_set_and_the_opponent_a_function() -> None:
    def runner(m: Any, g: Any) -> int:
        """Always run."""
        return 1

    setting = set_up(registry.load("fourth-down"), opponent=runner)
    assert setting.opponent is not None
    assert setting.opponent.name == "runner"
    assert setting.rules.custom


def test_the_first_lead_is_that_of_the_start() -> None:
    start = {"phase": "drive", "possession": "away", "spot": 20, "score": {"home": 7, "away": 10}}
    assert set_up("fourth-down", start=start).first_lead == -3
    assert set_up("fourth-down", start=start, seat="away").first_lead == 3


@pytest.mark.parametrize(
    ("game", "given", "said"),
    [
        ("fourth-dwn", {}, r"unknown rule set 'fourth-dwn': did you mean 'fourth-down'\?"),
        ("fourth-down", {"seat": "bench"}, "unknown seat of fourth-down 'bench'"),
        ("fourth-down", {"opponent": "bok"}, r"unknown coach of fourth-down 'bok': did you mean"),
        ("fourth-down", {"options": {"wind": 1}}, "unknown option of fourth-down 'wind'"),
        ("fourth-down", {"start": {"spot": 500}}, "position.spot: 500 is not between 1 and 99"),
        ("fourth-down", {"start": {"phase": "over"}}, "start: the game is over in this position"),
        ("fourth-down", {"opponent": "best"}, "coach best: the game is not solved"),
        ("fourth-down", {"seat": "both", "opponent": "book"}, "opponent: with both seats given"),
        ("two-minute-drill", {"opponent": "book"}, "two-minute-drill is played alone"),
        ("two-minute-drill", {"seat": "away"}, "unknown seat of two-minute-drill 'away'"),
    ],
)
def test_invalid_settings_are_refused(game: str, given: dict[str, Any], said: str) -> None:
    with pytest.raises(HashmarkError, match=f"^{said}"):
        set_up(game, **given)


def test_results_are_relative_to_the_team() -> None:
    assert [seats.result(won, HOME) for won in (HOME, AWAY, TIE)] == [1.0, -1.0, 0.0]
    assert seats.any_seed(None) == 0
    assert seats.any_seed(1 << 100 | 7) == 7
