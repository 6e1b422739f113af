"""Fixtures of a league: round robins of any size, real weeks, and playoffs stage by stage."""

from __future__ import annotations

from collections import Counter

import pytest

from hashmark.league.data import schedule
from hashmark.league.data.schedule import STAGES, TEAMS
from hashmark.web.leagues import fixtures, standings


@pytest.mark.parametrize("count", range(2, 17))
@pytest.mark.parametrize("legs", [1, 2])
def test_every_pair_of_teams_meets_once_per_leg(count: int, legs: int) -> None:
    games = fixtures.round_robin_fixtures(count, legs)
    pairs = Counter(frozenset((game.home, game.away)) for game in games)
    assert set(pairs.values()) == {legs}
    assert len(pairs) == count * (count - 1) // 2
    for number in range(1, max(game.round for game in games) + 1):
        playing = [team for one in games if one.round == number for team in (one.home, one.away)]
        assert len(playing) == len(set(playing)) == count - count % 2


@pytest.mark.parametrize("count", range(2, 17))
def test_home_games_are_balanced(count: int) -> None:
    twice = Counter(game.home for game in fixtures.round_robin_fixtures(count, 2))
    assert {twice[team] for team in range(count)} == {count - 1}
    once = Counter(game.home for game in fixtures.round_robin_fixtures(count, 1))
    most = 1 if count % 2 == 0 else 2
    assert all(abs(2 * once[team] - (count - 1)) <= most for team in range(count))


def test_a_real_season_is_played_week_by_week() -> None:
    games = fixtures.real_fixtures(2008)
    assert len(games) == 256
    assert {game.round for game in games} == set(range(1, 18))
    first = schedule.load(2008).regular[0]
    assert (TEAMS[games[0].home], TEAMS[games[0].away]) == (first.home, first.away)
    assert fixtures.real_scores(2008)[games[0].home, games[0].away] == first.score
    assert [game for game in games if game.neutral]  # one was played on neutral ground abroad


@pytest.mark.parametrize("season", [2008, 2021])
def test_the_real_playoffs_come_out_of_the_real_results(season: int) -> None:
    """Given the real winners, the bracket yields exactly the real games of each stage."""
    pytest.importorskip("numpy")
    scores = fixtures.real_scores(season)
    played = tuple((home, away, *score) for (home, away), score in scores.items())
    seeds = standings.rank_real_season("any", season, played).seeds
    winners: dict[str, list[int]] = {}
    for stage in STAGES[1:]:
        really = {
            frozenset((game.home, game.away)): game
            for game in schedule.load(season).playoffs
            if game.stage == stage
        }
        games = fixtures.playoff_fixtures(season, seeds, winners, stage, 99)
        met = [frozenset((TEAMS[game.home], TEAMS[game.away])) for game in games]
        assert set(met) == set(really)
        assert {game.neutral for game in games} == {stage == STAGES[-1]}
        for game in games if stage != STAGES[-1] else ():
            assert really[frozenset((TEAMS[game.home], TEAMS[game.away]))].home == TEAMS[game.home]
        winners[stage] = [TEAMS.index(str(really[pair].winner)) for pair in met]
