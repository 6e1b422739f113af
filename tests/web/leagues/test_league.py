"""League values: created, started, played round by round, with and without due dates."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count
from random import Random
from typing import Any

import pytest

from hashmark.engine import registry
from hashmark.errors import HashmarkError
from hashmark.league.data.schedule import TEAMS
from hashmark.web.leagues import league as league_module
from hashmark.web.leagues.league import DAY_SECONDS, League, Terms, WrongStage


def table_ids() -> Iterator[str]:
    return (f"table-{number}" for number in count())


def friends(teams: int = 4, **more: Any) -> League:
    terms = Terms("fourth-down", **more)
    names = [f"Team {letter}" for letter in "ABCDEFGHIJKLMNOPQ"[:teams]]
    return League.create("key", "Ours", terms, names, "anna", table_ids(), 0.0)


def season(**more: Any) -> League:
    terms = Terms("data-driven", 2008, True, **more)
    return League.create("key", "2008", terms, (), "anna", table_ids(), 0.0)


def play_round(league: League, rng: Random, now: float = 1.0) -> League:
    """Play all games of the round at random without ties, and advance the league."""
    scores = {
        game.number: ((30, rng.randrange(30)) if rng.random() < 0.5 else (rng.randrange(30), 30))
        for game in league.games_in_round()
    }
    return league.with_results(scores).advance(now, table_ids())


def test_games_without_friends_go_to_coaches_at_once() -> None:
    league = friends().give_team(0, "anna").start(10.0)
    assert league.stage == league_module.PLAYING
    assert [game.ready for game in league.games_in_round()] == [
        "anna" not in league.holders(game) for game in league.games_in_round()
    ]
    assert league.next_game_for("anna") in league.games_in_round()
    assert league.next_game_for("ben") is None
    assert league.due is None


def test_overdue_games_go_to_coaches() -> None:
    league = friends(days=2).give_team(0, "anna").give_team(1, "ben", "Ben").start(0.0)
    assert league.due == 2 * DAY_SECONDS
    assert league.advance(2 * DAY_SECONDS - 1, table_ids()) == league
    overdue = league.advance(2 * DAY_SECONDS, table_ids())
    assert all(game.ready for game in overdue.games_in_round())
    assert overdue.next_game_for("anna") is None
    postponed = league.postpone(3 * DAY_SECONDS, 2 * DAY_SECONDS - 1)
    assert postponed.advance(2 * DAY_SECONDS, table_ids()) == postponed
    for until in (0.0, 1000 * DAY_SECONDS):
        with pytest.raises(HashmarkError, match="in the future"):
            league.postpone(until, 1.0)


def test_a_league_ends_after_its_rounds() -> None:
    league, rng = friends(5, legs=2).give_team(2, "anna").start(0.0), Random(3)
    for number in range(1, 11):
        assert league.round == number
        league = play_round(league, rng)
    assert league.stage == league_module.OVER
    assert league.champion == league.standings()[0].team
    assert sum(row.games for row in league.standings()) == 2 * len(league.games) == 40
    for act in (
        league.close,
        league.leave_to_coaches,
        lambda: league.give_team(0, "ben"),
        league.require_active,
    ):
        with pytest.raises(WrongStage, match="over"):
            act()


def test_a_season_continues_through_its_playoffs() -> None:
    pytest.importorskip("numpy")
    league, rng = season().give_team(TEAMS.index("PIT"), "anna").start(0.0), Random(8)
    assert league.last_round == 21
    while league.stage == league_module.PLAYING:
        if league.round > 17:
            playoff = league.game_options(league.games_in_round()[0])
            assert playoff["playoff"] is True
        league = play_round(league, rng)
    assert [len(league_round.games) for league_round in league.rounds()][-4:] == [4, 4, 2, 1]
    assert [league_round.title for league_round in league.rounds()][16:18] == [
        "Week 17",
        "Wild-card round",
    ]
    assert league.champion == league.games[-1].winner
    assert league.games[-1].neutral
    assert league.last_round == 21


def test_rounds_can_be_left_to_coaches_in_advance() -> None:
    league = friends().give_team(0, "anna").start(0.0).leave_to_coaches(2)
    assert all(game.ready for game in league.games_in_round())
    league = play_round(league, Random(1))
    assert league.round == 2
    assert all(game.ready for game in league.games_in_round())
    league = play_round(league, Random(1))
    assert league.next_game_for("anna") is not None


def test_real_teams_have_their_charts_and_plans() -> None:
    league = season(options={"quarter_seconds": 120})
    game = league.games[0]
    options = league.game_options(game)
    home, away = (league.entrants[team] for team in (game.home, game.away))
    assert options["home_team"] == f"{home.code}-2008"
    assert options["away_plan"] == f"2008:{away.code}"
    assert options["quarter_seconds"] == 120
    registry.load("data-driven").new_match(options)
    assert league.entrants[TEAMS.index("LV")].name == "Oakland Raiders"
    assert league_module.team_number("Steelers") == TEAMS.index("PIT")
    assert 2008 in league_module.playable_seasons()
    assert sum(len(members) for _, members in league_module.teams_by_division(2008)) == len(TEAMS)


def test_a_league_can_use_some_teams_of_a_season() -> None:
    terms = Terms("data-driven", 2008)
    league = League.create("k", "t", terms, ["PIT", "Giants"], "a", table_ids(), 0.0)
    assert [entrant.name for entrant in league.entrants] == [
        "Pittsburgh Steelers",
        "New York Giants",
    ]
    assert {entrant.coach for entrant in league.entrants} == {"coach:plan"}


def test_teams_can_be_taken_handed_over_and_released() -> None:
    league = friends().give_team(0, "anna", "Anna")
    with pytest.raises(WrongStage, match="already has a player"):
        league.give_team(0, "ben")
    assert league.give_team(0, "ben", present_holder="anna").entrants[0].holder == "ben"
    with pytest.raises(WrongStage, match="has no player"):
        league.release_team(1)
    started = league.start(0.0)
    game = started.next_game_for("anna")
    assert game is not None
    released = started.release_team(0)
    assert released.game(game.number).ready
    assert released.teams_of("anna") == released.teams_of("") == ()
    with pytest.raises(WrongStage, match="already started"):
        started.start(0.0)
    with pytest.raises(WrongStage, match="not started"):
        league.leave_to_coaches()
    with pytest.raises(WrongStage, match="closed"):
        started.close().give_team(1, "ben")


WRONG: list[tuple[Callable[[], Any], str]] = [
    (lambda: friends(1), "2 to 16 teams"),
    (lambda: friends(17), "2 to 16 teams"),
    (lambda: friends(legs=3), "expected 1 or 2 games"),
    (lambda: friends(days=0.0), "an hour"),
    (lambda: friends(days=61.0), "to 60"),
    (lambda: friends(days=float("nan")), "to 60"),
    (lambda: friends(hints="always"), "hints"),
    (lambda: friends(season=2008), "only data-driven"),
    (lambda: friends(real=True), "choose a season to play"),
    (lambda: Terms("two-minute-drill").validated(), "is a solo game"),
    (lambda: Terms("data-driven").validated(), "choose the season"),
    (lambda: Terms("data-driven", 1999).validated(), "expected one of 2006"),
    (lambda: Terms("checkers").validated(), "checkers"),
    (lambda: league_module.check_title(" "), "1 to 80"),
    (lambda: league_module.check_title("x" * 81), "1 to 80"),
    (lambda: league_module.check_title("a\x07b"), "unprintable characters"),
    (lambda: friends().give_team(0, "anna", "A\x1b[2J"), "printed"),
    (lambda: friends().give_team(4, "anna"), "0 to 3"),
    (lambda: friends().game(0), "1 to 6"),
]


@pytest.mark.parametrize(("act", "message"), WRONG)
def test_invalid_leagues_are_rejected(act: Callable[[], Any], message: str) -> None:
    with pytest.raises(HashmarkError, match=message):
        act()


@pytest.mark.parametrize("names", [["A", "a"], ["A", ""], ["A", "B\n"], ["A", "x" * 41]])
def test_invalid_team_names_are_rejected(names: list[str]) -> None:
    with pytest.raises(HashmarkError):
        League.create("k", "t", Terms("fourth-down"), names, "a", table_ids(), 0.0)


def test_a_result_cannot_be_overwritten() -> None:
    league = friends().start(0.0)
    once = league.with_results({1: (7, 3)})
    assert once.with_results({1: (0, 99)}) == once
    assert once.game(1).winner == once.game(1).home
    assert replace(once.game(1), score=(3, 3)).winner is None
    assert once.game(1).side_of(once.game(1).away) == 1
