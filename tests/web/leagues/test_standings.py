"""Standings: leagues among friends checked by hand, and real seasons against the real outcome."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from hashmark.league.data import schedule
from hashmark.league.data.schedule import TEAMS
from hashmark.league.seasons import tiebreak_explanations
from hashmark.web.leagues import fixtures, standings
from hashmark.web.leagues.standings import GameResult


def order(count: int, *played: GameResult) -> list[int]:
    return [row.team for row in standings.rank_league("a league", count, played)]


def test_a_loss_does_not_rank_above_a_team_that_has_not_played() -> None:
    ranked = order(4, (0, 1, 20, 10))
    assert ranked[0] == 0
    assert ranked[-1] == 1
    season = standings.rank_real_season("x", 2025, ((0, 1, 20, 10),))
    (rows,) = (rows for _, rows in season.divisions if any(row.team == 1 for row in rows))
    assert rows[-1].team == 1


def test_the_better_record_is_first() -> None:
    rows = standings.rank_league("a league", 3, ((0, 1, 7, 3), (1, 2, 6, 6), (2, 0, 9, 10)))
    assert [(row.team, row.record, row.scored, row.allowed) for row in rows] == [
        (0, "2-0", 17, 12),
        (2, "0-1-1", 15, 16),
        (1, "0-1-1", 9, 13),
    ]
    assert rows[1].games == 2


def test_head_to_head_breaks_a_tie() -> None:
    """Both are 2-1; team 1 has more points, but team 0 has beaten it."""
    played = ((0, 1, 3, 0), (1, 2, 50, 0), (1, 3, 50, 0), (0, 2, 3, 0), (3, 0, 9, 0), (2, 3, 9, 0))
    rows = standings.rank_league("a league", 4, played)
    assert [row.team for row in rows][:2] == [0, 1]
    assert rows[0].tiebreaker == "head-to-head record"


def test_points_break_a_tie_and_the_coin_toss_comes_last() -> None:
    """Two teams that never met, each with a win over the same team: points decide."""
    rows = standings.rank_league("a league", 3, ((0, 2, 20, 0), (1, 2, 9, 0)))
    assert [row.team for row in rows] == [0, 1, 2]
    assert rows[0].tiebreaker == "combined ranking in points scored and points allowed"
    level = standings.rank_league("a league", 3, ((0, 2, 9, 0), (1, 2, 9, 0)))
    assert level[0].tiebreaker == "coin toss, made when the league was created"
    coins = standings.coin_tosses("a league")
    assert [row.team for row in level][:2] == sorted((0, 1), key=lambda team: -coins[team])


def test_coin_tosses_are_fixed_and_differ_between_leagues() -> None:
    assert standings.coin_tosses("a") == standings.coin_tosses("a") != standings.coin_tosses("b")
    assert order(4) == sorted(range(4), key=lambda team: -standings.coin_tosses("a league")[team])


@pytest.mark.parametrize("season", [2008, 2011, 2020])
def test_real_results_give_the_real_playoffs(season: int) -> None:
    scores = fixtures.real_scores(season)
    played = tuple((home, away, *score) for (home, away), score in scores.items())
    places = standings.rank_real_season("any", season, played)
    seeded = {team for seeds in places.seeds for team in seeds}
    in_playoffs = {
        TEAMS.index(team)
        for game in schedule.load(season).playoffs
        for team in (game.home, game.away)
    }
    assert in_playoffs <= seeded
    assert all(len(seeds) == schedule.playoff_seeds(season) for seeds in places.seeds)
    records = {row.team: row.record for _, rows in places.divisions for row in rows}
    assert all(
        records[index] == schedule.load(season).record(team) for index, team in enumerate(TEAMS)
    )


@pytest.mark.parametrize("weeks", [1, 4, 9, 17])
def test_every_tie_of_a_running_season_names_winner_and_tiebreaker(weeks: int) -> None:
    """After some weeks with random results, the winner of a tie is ranked before the others."""
    rng = Random(weeks)
    played = tuple(
        (TEAMS.index(game.home), TEAMS.index(game.away), rng.randrange(5), rng.randrange(5))
        for game in schedule.load(2008).regular
        if game.week <= weeks
    )
    places = standings.rank_real_season("a league", 2008, played)
    ranks = {row.team: rank for _, rows in places.divisions for rank, row in enumerate(rows)}
    records = {row.team: row for _, rows in places.divisions for row in rows}
    assert places.ties
    for tie in places.ties:
        assert tie.by in tiebreak_explanations.TIEBREAKER_NAMES.values()
        for other in tie.over:
            first, second = records[tie.winner], records[other]
            share = [(row.won + row.tied / 2) / row.games for row in (first, second)]
            assert share[0] == share[1]
            if tie.for_seed:
                order = next(seeds for seeds in places.seeds if tie.winner in seeds)
                assert other not in order or order.index(tie.winner) < order.index(other)
            else:
                assert ranks[tie.winner] < ranks[other]
    level = [  # neighbors in a division that only a tiebreaker can have ordered
        (first.team, second.team)
        for _, rows in places.divisions
        for first, second in pairwise(rows)
        if (first.won - first.lost) * second.games == (second.won - second.lost) * first.games
    ]
    explained = {(tie.winner, other) for tie in places.ties for other in tie.over}
    assert set(level) <= explained


def test_before_the_first_game_no_tie_is_broken() -> None:
    assert standings.rank_real_season("a league", 2008, ()).ties == ()
