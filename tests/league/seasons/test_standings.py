"""Standings and playoffs: the real seasons, and a reference implementation of the same rules."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hashmark.league.data import schedule
from hashmark.league.data.schedule import CONFERENCES, DIVISIONS, TEAMS, ScheduledGame
from hashmark.league.seasons import playoffs, standings
from league.seasons.reference_standings import ReferenceSeason

SEASONS = schedule.available_seasons()
RNG = np.random.default_rng(2008)


def names(numbers: Any) -> list[str]:
    return [TEAMS[number] for number in numbers]


def real_standings(season: int) -> standings.Standings:
    """Return the standings of a real season, without compiling."""
    games = schedule.load(season).regular
    points = np.array([[game.score] for game in games], np.int16)
    toss = standings.coin_tosses(0, [0])
    return standings.rank_seasons(
        games, points, toss, schedule.playoff_seeds(season), compiled=False
    )


@pytest.mark.parametrize("season", SEASONS)
def test_real_results_give_the_real_playoffs(season: int) -> None:
    """Seeds are right if and only if every real playoff game and host comes out."""
    season_schedule = schedule.load(season)
    played = []

    def decide(stage: str, slot: int, home: Any, away: Any) -> Any:
        pair = (stage, TEAMS[home[0]], TEAMS[away[0]])
        matches = [
            game for game in season_schedule.playoffs if (game.stage, game.home, game.away) == pair
        ]
        assert len(matches) == 1, pair
        played.append(matches[0])
        return np.array([TEAMS.index(str(matches[0].winner))])

    reached = playoffs.play_bracket(
        real_standings(season).seeds, schedule.final_home_conference(season), decide
    )
    assert sorted(game.id for game in played) == sorted(
        game.id for game in season_schedule.playoffs
    )
    assert season_schedule.champion == TEAMS[int(reached[0].argmax())]
    counts = np.bincount(reached[0]).tolist()
    places = 2 * schedule.playoff_seeds(season)
    assert counts == [32 - places, places - 8, 4, 2, 1, 1]


def test_known_seeds_of_real_seasons() -> None:
    assert names(real_standings(2007).seeds[0, 0]) == ["NE", "IND", "LAC", "PIT", "JAX", "TEN"]
    assert names(real_standings(2010).seeds[0, 1])[3] == "SEA"  # division winner with seven wins
    assert names(real_standings(2022).seeds[0, 0])[:3] == [
        "KC",
        "BUF",
        "CIN",
    ]  # each played one game fewer


def random_points(games: int, runs: int, coarse: bool) -> Any:
    """Return scores with many ties: in games, in records and in points."""
    if coarse:
        return RNG.integers(0, 3, (games, runs, 2)).astype(np.int16) * 7
    return RNG.poisson(3.2, (games, runs, 2)).astype(np.int16) * 7


@pytest.mark.parametrize("season", [2008, 2022, 2024])
@pytest.mark.parametrize("coarse", [False, True])
def test_standings_agree_with_the_reference_implementation(season: int, coarse: bool) -> None:
    games = schedule.load(season).regular
    points = random_points(len(games), 6, coarse)
    toss = standings.coin_tosses(5, range(6))
    places = schedule.playoff_seeds(season)
    fast = standings.rank_seasons(games, points, toss, places, compiled=False)
    for run in range(points.shape[1]):
        results = [
            (game.home, game.away, int(points[index, run, 0]), int(points[index, run, 1]))
            for index, game in enumerate(games)
        ]
        slow = ReferenceSeason(results, dict(zip(TEAMS, toss[run].tolist(), strict=True)))
        for division, teams in DIVISIONS.items():
            order = sorted(teams, key=lambda team: fast.ranks[run, TEAMS.index(team)])
            assert order == slow.division(division)
        for index, conference in enumerate(CONFERENCES):
            assert names(fast.seeds[run, index]) == slow.seeds(conference, places)


def test_compiled_standings_equal_plain_ones() -> None:
    games = schedule.load(2008).regular
    points = random_points(len(games), 40, True)
    toss = standings.coin_tosses(1, range(40))
    plain = standings.rank_seasons(games, points[:, :10], toss[:10], 6, compiled=False)
    fast = standings.rank_seasons(games, points, toss, 6)
    assert (fast.seeds[:10] == plain.seeds).all()
    assert (fast.ranks[:10] == plain.ranks).all()
    assert (fast.won[:10] == plain.won).all()
    assert (
        standings.rank_seasons(games, points[:, 10:], toss[10:], 6).seeds == fast.seeds[10:]
    ).all()


def make_games(*results: tuple[str, str, int, int]) -> tuple[list[ScheduledGame], Any]:
    """Return a few games with their scores."""
    games = [
        ScheduledGame(f"g{index}", 1, "2008-09-07", "REG", home, away, False, (scored, allowed))
        for index, (home, away, scored, allowed) in enumerate(results)
    ]
    return games, np.array([[game.score] for game in games], np.int16)


def division_winner(division: str, *results: tuple[str, str, int, int]) -> str:
    """Return the winner of a division with these results only."""
    games, points = make_games(*results)
    ranked = standings.rank_seasons(games, points, standings.coin_tosses(0, [0]), 6, compiled=False)
    return next(t for t in DIVISIONS[division] if ranked.ranks[0, TEAMS.index(t)] == 0)


def test_head_to_head_comes_before_the_division_record() -> None:
    winner = division_winner(
        "AFC East",
        ("BUF", "MIA", 10, 7),
        ("MIA", "NE", 30, 0),
        ("MIA", "NYJ", 30, 0),
        ("NE", "BUF", 7, 3),
        ("BUF", "DAL", 7, 3),
    )
    assert winner == "BUF"


def test_strength_of_victory_counts_only_beaten_opponents() -> None:
    """With all earlier steps equal, the team that beat better opponents is first."""
    winner = division_winner(
        "AFC East",
        ("BUF", "DAL", 7, 0),
        ("BUF", "SEA", 0, 7),
        ("MIA", "SEA", 7, 0),
        ("MIA", "DAL", 0, 7),
        ("SEA", "ATL", 7, 0),
        ("DAL", "NO", 0, 7),
    )
    assert winner == "MIA"


def test_coin_tosses_depend_only_on_seed_and_season() -> None:
    together = standings.coin_tosses(3, range(50))
    assert (standings.coin_tosses(3, [20, 21]) == together[20:22]).all()
    assert (standings.coin_tosses(4, range(50)) != together).any()
    assert len(np.unique(together)) == together.size
    share = (together[:, :16].max(axis=1) > together[:, 16:].max(axis=1)).mean()
    assert 0.2 < share < 0.8


def test_number_of_first_round_byes() -> None:
    assert [playoffs.first_round_byes(seeds) for seeds in (6, 7)] == [2, 1]
