"""Settings of environments, and errors about invalid ones."""

from __future__ import annotations

from typing import Any

import pytest

from hashmark.engine import registry
from hashmark.engine.record import AWAY, HOME, NOBODY, TIE
from hashmark.envs import settings
from hashmark.envs.settings import make_setting
from hashmark.errors import HashmarkError


def test_the_default_opponent_is_the_book_coach() -> None:
    setting = make_setting("fourth-down")
    assert setting.opponent is not None
    assert setting.opponent.name == "book"
    assert (setting.seat, setting.viewer, setting.is_solo) == (HOME, HOME, False)
    assert make_setting("fourth-down", seat="away").viewer == AWAY


@pytest.mark.parametrize("name", ["bold", "coach:bold"])
def test_an_opponent_is_named_with_or_without_its_prefix(name: str) -> None:
    opponent = make_setting("fourth-down", opponent=name).opponent
    assert opponent is not None
    assert opponent.name == "bold"


def test_solo_games_and_both_seats_have_no_opponent() -> None:
    alone = make_setting("two-minute-drill")
    assert (alone.opponent, alone.seat, alone.teams) == (None, HOME, ("home",))
    both = make_setting("fourth-down", seat="both")
    assert (both.opponent, both.seat, both.viewer) == (None, NOBODY, HOME)
    assert make_setting("two-minute-drill", options={"reply": True}).teams == ("home", "away")


def test_the_game_may_be_a_rule_set_and_the_opponent_a_function() -> None:
    def runner(m: Any, g: Any) -> int:
        """Always run."""
        return 1

    setting = make_setting(registry.load("fourth-down"), opponent=runner)
    assert setting.opponent is not None
    assert setting.opponent.name == "runner"
    assert setting.rules.is_custom


def test_the_first_lead_is_that_of_the_start() -> None:
    start = {"phase": "drive", "possession": "away", "spot": 20, "score": {"home": 7, "away": 10}}
    assert make_setting("fourth-down", start=start).first_lead == -3
    assert make_setting("fourth-down", start=start, seat="away").first_lead == 3


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
        (
            "fourth-down",
            {"seat": "both", "opponent": "book"},
            "opponent: leave it out with seat 'both'",
        ),
        (
            "two-minute-drill",
            {"opponent": "book"},
            "two-minute-drill is a solo game: leave opponent out",
        ),
        ("two-minute-drill", {"seat": "away"}, "unknown seat of two-minute-drill 'away'"),
    ],
)
def test_invalid_settings_are_refused(game: str, given: dict[str, Any], said: str) -> None:
    with pytest.raises(HashmarkError, match=f"^{said}"):
        make_setting(game, **given)


def test_results_are_relative_to_the_team() -> None:
    assert [settings.game_result(won, HOME) for won in (HOME, AWAY, TIE)] == [1.0, -1.0, 0.0]
    assert settings.seed_from(None) == 0
    assert settings.seed_from(1 << 100 | 7) == 7
