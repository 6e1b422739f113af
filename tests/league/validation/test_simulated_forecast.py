"""Forecast inputs from simulation."""

from __future__ import annotations

from contextlib import nullcontext

import numpy as np
import pytest

from hashmark.league.data import play_by_play
from hashmark.league.seasons.season import Recipe
from hashmark.league.validation import out_of_sample, simulated_forecast
from hashmark.league.validation.out_of_sample import half_season_games
from league.invented_games import TEAMS, make_season
from league.real_seasons import PLAYS_FOLDER, needs_plays


def test_margins_split_into_offense_and_defense() -> None:
    """Points made of an offense and a defense part are split into exactly these."""
    games = make_season(2000).regular
    rng = np.random.default_rng(4)
    scoring = {team: float(rng.normal(20, 5)) for team in TEAMS}
    allowing = {team: float(rng.normal(0, 3)) for team in TEAMS}
    points = np.array(
        [
            [scoring[game.home] + allowing[game.away], scoring[game.away] + allowing[game.home]]
            for game in games
        ]
    )
    parts = simulated_forecast.split_margins(points, games)
    for index, game in enumerate(games):
        assert parts[index, 0] == pytest.approx(scoring[game.home] - scoring[game.away])
        assert parts[index, 1] == pytest.approx(allowing[game.away] - allowing[game.home])
    assert parts.sum(axis=1) == pytest.approx(simulated_forecast.home_margins(points)[:, 0])


def test_a_season_without_charts_returns_none() -> None:
    assert simulated_forecast.from_whole_season(2017, half_season_games(2018, 0), 10) is None


@pytest.mark.heavy
def test_home_field_does_not_count() -> None:
    """The reversed pairing has about the same margin with the opposite sign."""
    games = [game for game in half_season_games(2008, 0) if game.home == "DET"]
    reversed_games = [
        type(game)(game.id, game.week, "", "REG", game.away, game.home, False, None)
        for game in games
    ]
    margins, reversed_margins = (
        simulated_forecast.home_margins(
            simulated_forecast.mean_points(Recipe(2008), None, pairings, 400)
        )
        for pairings in (games, reversed_games)
    )
    assert margins.shape == (len(games), 1)
    assert margins.mean() < -5  # the worst team of 2008
    assert margins.mean() + reversed_margins.mean() == pytest.approx(0, abs=2.0)


@needs_plays
@pytest.mark.heavy
def test_odd_weeks_forecast_even_weeks_deterministically(monkeypatch: pytest.MonkeyPatch) -> None:
    games = half_season_games(2008, 0)[:20]
    frame = play_by_play.load(play_by_play.find_season_file(2008, PLAYS_FOLDER), 2008)
    with out_of_sample.odd_weeks(frame, 2008) as built:
        monkeypatch.setattr(out_of_sample, "odd_weeks", lambda frame, season: nullcontext(built))
        first = simulated_forecast.from_odd_weeks(frame, 2008, games, 20, threads=1)
        second = simulated_forecast.from_odd_weeks(frame, 2008, games, 20, threads=2)
    assert first.shape == (20, 2)
    assert (first == second).all()
    assert 15 < first.mean() < 30
