"""A league as a value: made, begun, played round by round, with dates and without."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count
from random import Random
from typing import Any

import pytest

from hashmark.club import leagues
from hashmark.club.leagues import DAY, League, NotNow, Terms
from hashmark.league.facts.schedule import TEAMS
from hashmark.table import registry
from hashmark.table.errors import HashmarkError


def addresses() -> Iterator[str]:
    return (f"table-{number}" for number in count())


def friends(teams: int = 4, **more: Any) -> League:
    terms = Terms("fourth-down", **more)
    names = [f"Team {letter}" for letter in "ABCDEFGHIJKLMNOPQ"[:teams]]
    return League.planned("key", "Ours", terms, names, "anna", addresses(), 0.0)


def season(**more: Any) -> League:
    terms = Terms("data-driven", 2008, True, **more)
    return League.planned("key", "2008", terms, (), "anna", addresses(), 0.0)


def played(league: League, luck: Random, now: float = 1.0) -> League:
    """All games of the round, at random and without ties, and what follows."""
    scores = {
        game.number: ((30, luck.randrange(30)) if luck.random() < 0.5 else (luck.randrange(30), 30))
        for game in league.in_round()
    }
    return league.with_results(scores).moved_on(now, addresses())


def test_games_without_friends_are_for_coaches_at_once() -> None:
    league = friends().taken(0, "anna").begun(10.0)
    assert league.stage == leagues.PLAYING
    assert [game.ready for game in league.in_round()] == [
        "anna" not in league.holders(game) for game in league.in_round()
    ]
    assert league.next_for("anna") in league.in_round()
    assert league.next_for("ben") is None
    assert league.due is None


def test_a_date_leaves_games_to_coaches() -> None:
    league = friends(days=2).taken(0, "anna").taken(1, "ben", "Ben").begun(0.0)
    assert league.due == 2 * DAY
    assert league.moved_on(2 * DAY - 1, addresses()) == league
    late = league.moved_on(2 * DAY, addresses())
    assert all(game.ready for game in late.in_round())
    assert late.next_for("anna") is None
    later = league.put_off(3 * DAY, 2 * DAY - 1)
    assert later.moved_on(2 * DAY, addresses()) == later
    for until in (0.0, 1000 * DAY):
        with pytest.raises(HashmarkError, match="in the future"):
            league.put_off(until, 1.0)


def test_a_league_ends_after_its_rounds() -> None:
    league, luck = friends(5, legs=2).taken(2, "anna").begun(0.0), Random(3)
    for number in range(1, 11):
        assert league.round == number
        league = played(league, luck)
    assert league.stage == leagues.OVER
    assert league.champion == league.standings()[0].team
    assert sum(row.games for row in league.standings()) == 2 * len(league.games) == 40
    for act in (league.closed, league.let_play, lambda: league.taken(0, "ben"), league.must_go_on):
        with pytest.raises(NotNow, match="over"):
            act()


def test_a_season_goes_on_through_its_playoffs() -> None:
    pytest.importorskip("numpy")
    league, luck = season().taken(TEAMS.index("PIT"), "anna").begun(0.0), Random(8)
    assert league.last_round == 21
    while league.stage == leagues.PLAYING:
        if league.round > 17:
            playoff = league.options(league.in_round()[0])
            assert playoff["playoff"] is True
        league = played(league, luck)
    assert [len(one.games) for one in league.rounds()][-4:] == [4, 4, 2, 1]
    assert [one.title for one in league.rounds()][16:18] == ["Week 17", "Wild cards"]
    assert league.champion == league.games[-1].winner
    assert league.games[-1].neutral
    assert league.last_round == 21


def test_rounds_ahead_are_left_to_coaches() -> None:
    league = friends().taken(0, "anna").begun(0.0).let_play(2)
    assert all(game.ready for game in league.in_round())
    league = played(league, Random(1))
    assert league.round == 2
    assert all(game.ready for game in league.in_round())
    league = played(league, Random(1))
    assert league.next_for("anna") is not None


def test_real_teams_have_their_charts_and_plans() -> None:
    league = season(options={"quarter_seconds": 120})
    game = league.games[0]
    options = league.options(game)
    home, away = (league.entrants[team] for team in (game.home, game.away))
    assert options["home_team"] == f"{home.code}-2008"
    assert options["away_plan"] == f"2008:{away.code}"
    assert options["quarter_seconds"] == 120
    registry.load("data-driven").new_match(options)
    assert league.entrants[TEAMS.index("LV")].name == "Oakland Raiders"
    assert leagues.number_of("Steelers") == TEAMS.index("PIT")
    assert 2008 in leagues.seasons()
    assert sum(len(found) for _, found in leagues.divisions(2008)) == len(TEAMS)


def test_teams_of_a_season_may_be_few() -> None:
    terms = Terms("data-driven", 2008)
    league = League.planned("k", "t", terms, ["PIT", "Giants"], "a", addresses(), 0.0)
    assert [one.name for one in league.entrants] == ["Pittsburgh Steelers", "New York Giants"]
    assert {one.coach for one in league.entrants} == {"coach:plan"}


def test_friends_come_and_go() -> None:
    league = friends().taken(0, "anna", "Anna")
    with pytest.raises(NotNow, match="has a friend already"):
        league.taken(0, "ben")
    assert league.taken(0, "ben", by="anna").entrants[0].holder == "ben"
    with pytest.raises(NotNow, match="nobody holds"):
        league.freed(1)
    on = league.begun(0.0)
    mine = on.next_for("anna")
    assert mine is not None
    left = on.freed(0)
    assert left.game(mine.number).ready
    assert left.teams_of("anna") == left.teams_of("") == ()
    with pytest.raises(NotNow, match="begun already"):
        on.begun(0.0)
    with pytest.raises(NotNow, match="not begun"):
        league.let_play()
    with pytest.raises(NotNow, match="closed"):
        on.closed().taken(1, "ben")


WRONG: list[tuple[Callable[[], Any], str]] = [
    (lambda: friends(1), "2 to 16 teams"),
    (lambda: friends(17), "2 to 16 teams"),
    (lambda: friends(legs=3), "once or twice"),
    (lambda: friends(days=0.0), "an hour"),
    (lambda: friends(days=61.0), "to 60"),
    (lambda: friends(days=float("nan")), "to 60"),
    (lambda: friends(hints="always"), "hints"),
    (lambda: friends(season=2008), "only data-driven"),
    (lambda: friends(real=True), "must be named"),
    (lambda: Terms("two-minute-drill").checked(), "alone"),
    (lambda: Terms("data-driven").checked(), "name the season"),
    (lambda: Terms("data-driven", 1999).checked(), "can be played: 2006"),
    (lambda: Terms("checkers").checked(), "checkers"),
    (lambda: leagues.check_title(" "), "1 to 80"),
    (lambda: leagues.check_title("x" * 81), "1 to 80"),
    (lambda: leagues.check_title("a\x07b"), "printed"),
    (lambda: friends().taken(0, "anna", "A\x1b[2J"), "printed"),
    (lambda: friends().taken(4, "anna"), "0 to 3"),
    (lambda: friends().game(0), "1 to 6"),
]


@pytest.mark.parametrize(("act", "said"), WRONG)
def test_what_cannot_be_is_refused_in_a_sentence(act: Callable[[], Any], said: str) -> None:
    with pytest.raises(HashmarkError, match=said):
        act()


@pytest.mark.parametrize("names", [["A", "a"], ["A", ""], ["A", "B\n"], ["A", "x" * 41]])
def test_names_of_teams_are_checked(names: list[str]) -> None:
    with pytest.raises(HashmarkError):
        League.planned("k", "t", Terms("fourth-down"), names, "a", addresses(), 0.0)


def test_a_result_counts_once() -> None:
    league = friends().begun(0.0)
    once = league.with_results({1: (7, 3)})
    assert once.with_results({1: (0, 99)}) == once
    assert once.game(1).winner == once.game(1).home
    assert replace(once.game(1), score=(3, 3)).winner is None
    assert once.game(1).side_of(once.game(1).away) == 1
