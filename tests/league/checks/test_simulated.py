"""The numbers that a simulation gives a game."""

from __future__ import annotations

from contextlib import nullcontext

import numpy as np
import pytest

from hashmark.league.checks import holdout, simulated
from hashmark.league.checks.holdout import part_of
from hashmark.league.facts import pbp
from hashmark.league.seasons.season import Recipe
from league.invented_games import TEAMS, season_of
from league.real_seasons import REAL, needs_plays


def test_both_sides_are_found_again() -> None:
    """Points that are made of an offence and a defence come apart into just these."""
    games = season_of(2000).regular
    rng = np.random.default_rng(4)
    scoring = {team: float(rng.normal(20, 5)) for team in TEAMS}
    allowing = {team: float(rng.normal(0, 3)) for team in TEAMS}
    points = np.array(
        [
            [scoring[game.home] + allowing[game.away], scoring[game.away] + allowing[game.home]]
            for game in games
        ]
    )
    found = simulated.apart(points, games)
    for at, game in enumerate(games):
        assert found[at, 0] == pytest.approx(scoring[game.home] - scoring[game.away])
        assert found[at, 1] == pytest.approx(allowing[game.away] - allowing[game.home])
    assert found.sum(axis=1) == pytest.approx(simulated.margins(points)[:, 0])


def test_a_season_without_charts_gives_none() -> None:
    assert simulated.from_whole_season(2017, part_of(2018, 0), 10) is None


@pytest.mark.heavy
def test_the_ground_does_not_count() -> None:
    """The same pairing the other way round: about the same margin, with the sign turned."""
    games = [game for game in part_of(2008, 0) if game.home == "DET"]
    turned = [
        type(game)(game.id, game.week, "", "REG", game.away, game.home, False, None)
        for game in games
    ]
    one, other = (
        simulated.margins(simulated.mean_points(Recipe(2008), None, each, 400))
        for each in (games, turned)
    )
    assert one.shape == (len(games), 1)
    assert one.mean() < -5  # nobody lost more in 2008
    assert one.mean() + other.mean() == pytest.approx(0, abs=2.0)


@needs_plays
@pytest.mark.heavy
def test_the_odd_weeks_tell_the_even_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    games = part_of(2008, 0)[:20]
    frame = pbp.load(pbp.find(2008, REAL), 2008)
    with holdout.odd_weeks(frame, 2008) as built:
        monkeypatch.setattr(holdout, "odd_weeks", lambda frame, season: nullcontext(built))
        made = simulated.from_odd_weeks(frame, 2008, games, 20, threads=1)
        again = simulated.from_odd_weeks(frame, 2008, games, 20, threads=2)
    assert made.shape == (20, 2)
    assert (made == again).all()
    assert 15 < made.mean() < 30
