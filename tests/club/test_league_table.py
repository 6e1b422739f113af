"""Standings: the order of a league among friends by hand, and real seasons as they were."""

from __future__ import annotations

import pytest

from hashmark.club import league_schedule, league_table
from hashmark.club.league_table import Played
from hashmark.league.facts import schedule
from hashmark.league.facts.schedule import TEAMS


def order(count: int, *played: Played) -> list[int]:
    return [row.team for row in league_table.among_friends("a league", count, played)]


def test_the_better_record_is_first() -> None:
    rows = league_table.among_friends("a league", 3, ((0, 1, 7, 3), (1, 2, 6, 6), (2, 0, 9, 10)))
    assert [(row.team, row.record, row.scored, row.allowed) for row in rows] == [
        (0, "2-0", 17, 12),
        (2, "0-1-1", 15, 16),
        (1, "0-1-1", 9, 13),
    ]
    assert rows[1].games == 2


def test_who_won_their_game_is_before_the_other() -> None:
    """Both are 2-1; 1 has more points, 0 has beaten it."""
    played = ((0, 1, 3, 0), (1, 2, 50, 0), (1, 3, 50, 0), (0, 2, 3, 0), (3, 0, 9, 0), (2, 3, 9, 0))
    rows = league_table.among_friends("a league", 4, played)
    assert [row.team for row in rows][:2] == [0, 1]
    assert rows[0].by == "the games among those who are level"


def test_net_points_come_late_and_the_coin_last() -> None:
    """Two who never met, each with a win over the same team: points decide."""
    rows = league_table.among_friends("a league", 3, ((0, 2, 20, 0), (1, 2, 9, 0)))
    assert [row.team for row in rows] == [0, 1, 2]
    assert rows[0].by == "places in points scored and points allowed, added up"
    level = league_table.among_friends("a league", 3, ((0, 2, 9, 0), (1, 2, 9, 0)))
    assert level[0].by == "a coin, tossed when the league was made"
    coins = league_table.coins("a league")
    assert [row.team for row in level][:2] == sorted((0, 1), key=lambda team: -coins[team])


def test_the_coin_of_a_league_stays_and_those_of_others_differ() -> None:
    assert league_table.coins("a") == league_table.coins("a") != league_table.coins("b")
    assert order(4) == sorted(range(4), key=lambda team: -league_table.coins("a league")[team])


@pytest.mark.parametrize("season", [2008, 2011, 2020])
def test_real_results_give_the_real_playoffs(season: int) -> None:
    scores = league_schedule.real_scores(season)
    played = tuple((home, away, *score) for (home, away), score in scores.items())
    places = league_table.of_season("any", season, played)
    asked = {team for seeds in places.seeds for team in seeds}
    really = {
        TEAMS.index(team)
        for game in schedule.load(season).playoffs
        for team in (game.home, game.away)
    }
    assert really <= asked
    assert all(len(seeds) == schedule.seeds(season) for seeds in places.seeds)
    records = {row.team: row.record for _, rows in places.divisions for row in rows}
    assert all(records[at] == schedule.load(season).record(team) for at, team in enumerate(TEAMS))
