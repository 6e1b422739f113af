"""Standings and playoffs: the real seasons, and the same rules written a second time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hashmark.league.facts import schedule
from hashmark.league.facts.schedule import CONFERENCES, DIVISIONS, TEAMS, Game
from hashmark.league.seasons import playoffs, standings
from league.seasons.slow_standings import SlowSeason

SEASONS = schedule.seasons()
RNG = np.random.default_rng(2008)


def names(numbers: Any) -> list[str]:
    return [TEAMS[number] for number in numbers]


def real(season: int) -> standings.Standings:
    """The standings of a real season, without compiling."""
    games = schedule.load(season).regular
    points = np.array([[game.score] for game in games], np.int16)
    toss = standings.tosses(0, [0])
    return standings.rank(games, points, toss, schedule.seeds(season), compiled=False)


@pytest.mark.parametrize("season", SEASONS)
def test_real_results_give_the_real_playoffs(season: int) -> None:
    """Seeds are right if and only if every real playoff game, with its host, comes out."""
    told = schedule.load(season)
    seen = []

    def decide(stage: str, slot: int, home: Any, away: Any) -> Any:
        pair = (stage, TEAMS[home[0]], TEAMS[away[0]])
        found = [game for game in told.playoffs if (game.stage, game.home, game.away) == pair]
        assert len(found) == 1, pair
        seen.append(found[0])
        return np.array([TEAMS.index(str(found[0].winner))])

    reached = playoffs.bracket(real(season).seeds, schedule.final_home(season), decide)
    assert sorted(game.id for game in seen) == sorted(game.id for game in told.playoffs)
    assert told.champion == TEAMS[int(reached[0].argmax())]
    counts = np.bincount(reached[0]).tolist()
    places = 2 * schedule.seeds(season)
    assert counts == [32 - places, places - 8, 4, 2, 1, 1]


def test_first_seeds_that_everybody_knows() -> None:
    assert names(real(2007).seeds[0, 0]) == ["NE", "IND", "LAC", "PIT", "JAX", "TEN"]
    assert names(real(2010).seeds[0, 1])[3] == "SEA"  # a division winner with seven wins
    assert names(real(2022).seeds[0, 0])[:3] == ["KC", "BUF", "CIN"]  # a game short each


def random_points(games: int, runs: int, coarse: bool) -> Any:
    """Scores with many ties: in games, in records and in points."""
    if coarse:
        return RNG.integers(0, 3, (games, runs, 2)).astype(np.int16) * 7
    return RNG.poisson(3.2, (games, runs, 2)).astype(np.int16) * 7


@pytest.mark.parametrize("season", [2008, 2022, 2024])
@pytest.mark.parametrize("coarse", [False, True])
def test_the_same_rules_written_a_second_time(season: int, coarse: bool) -> None:
    games = schedule.load(season).regular
    points = random_points(len(games), 6, coarse)
    toss = standings.tosses(5, range(6))
    places = schedule.seeds(season)
    fast = standings.rank(games, points, toss, places, compiled=False)
    for run in range(points.shape[1]):
        results = [
            (game.home, game.away, int(points[at, run, 0]), int(points[at, run, 1]))
            for at, game in enumerate(games)
        ]
        slow = SlowSeason(results, dict(zip(TEAMS, toss[run].tolist(), strict=True)))
        for division, teams in DIVISIONS.items():
            order = sorted(teams, key=lambda team: fast.ranks[run, TEAMS.index(team)])
            assert order == slow.division(division)
        for at, conference in enumerate(CONFERENCES):
            assert names(fast.seeds[run, at]) == slow.seeds(conference, places)


def test_compiled_standings_are_the_plain_ones() -> None:
    games = schedule.load(2008).regular
    points = random_points(len(games), 40, True)
    toss = standings.tosses(1, range(40))
    plain = standings.rank(games, points[:, :10], toss[:10], 6, compiled=False)
    fast = standings.rank(games, points, toss, 6)
    assert (fast.seeds[:10] == plain.seeds).all()
    assert (fast.ranks[:10] == plain.ranks).all()
    assert (fast.won[:10] == plain.won).all()
    assert (standings.rank(games, points[:, 10:], toss[10:], 6).seeds == fast.seeds[10:]).all()


def made_up(*results: tuple[str, str, int, int]) -> tuple[list[Game], Any]:
    """A few games with their scores."""
    games = [
        Game(f"g{at}", 1, "2008-09-07", "REG", home, away, False, (scored, allowed))
        for at, (home, away, scored, allowed) in enumerate(results)
    ]
    return games, np.array([[game.score] for game in games], np.int16)


def first_of(division: str, *results: tuple[str, str, int, int]) -> str:
    """Who wins a division with these results only."""
    games, points = made_up(*results)
    ranked = standings.rank(games, points, standings.tosses(0, [0]), 6, compiled=False)
    return next(t for t in DIVISIONS[division] if ranked.ranks[0, TEAMS.index(t)] == 0)


def test_head_to_head_comes_before_the_division_record() -> None:
    winner = first_of(
        "AFC East",
        ("BUF", "MIA", 10, 7),
        ("MIA", "NE", 30, 0),
        ("MIA", "NYJ", 30, 0),
        ("NE", "BUF", 7, 3),
        ("BUF", "DAL", 7, 3),
    )
    assert winner == "BUF"


def test_strength_of_victory_counts_only_what_was_won() -> None:
    """Equal in all before: who beat the better opponents is first."""
    winner = first_of(
        "AFC East",
        ("BUF", "DAL", 7, 0),
        ("BUF", "SEA", 0, 7),
        ("MIA", "SEA", 7, 0),
        ("MIA", "DAL", 0, 7),
        ("SEA", "ATL", 7, 0),
        ("DAL", "NO", 0, 7),
    )
    assert winner == "MIA"


def test_coins_depend_on_seed_and_season_alone() -> None:
    together = standings.tosses(3, range(50))
    assert (standings.tosses(3, [20, 21]) == together[20:22]).all()
    assert (standings.tosses(4, range(50)) != together).any()
    assert len(np.unique(together)) == together.size
    share = (together[:, :16].max(axis=1) > together[:, 16:].max(axis=1)).mean()
    assert 0.2 < share < 0.8


def test_byes() -> None:
    assert [playoffs.first_round_byes(seeds) for seeds in (6, 7)] == [2, 1]
