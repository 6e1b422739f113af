"""Forecast model: parameters are recovered, and forecast games are never fitted."""

from __future__ import annotations

import numpy as np
import pytest

from hashmark.errors import HashmarkError
from hashmark.league.data.arrays import Floats
from hashmark.league.validation import forecast_model
from hashmark.league.validation.forecast_model import Predictor, SeasonGames

SEASONS = (2001, 2003, 2004)


def planted_games(season: int, number: int = 3000) -> tuple[SeasonGames, Floats]:
    """Return margins with edge 2, slopes 0.5 and -1.5, and noise of 10 points."""
    rng = np.random.default_rng(season)
    inputs = rng.normal(0, 6, (number, 2))
    at_home = (rng.random(number) < 0.8).astype(float)
    margin = 2 * at_home + inputs @ [0.5, -1.5] + rng.normal(0, 10, number)
    return SeasonGames(season, at_home, margin), inputs


@pytest.fixture(scope="module")
def league() -> dict[int, tuple[SeasonGames, Floats]]:
    return {season: planted_games(season) for season in SEASONS}


def test_edge_slopes_and_sigma_are_recovered(league: dict[int, tuple[SeasonGames, Floats]]) -> None:
    predictor = Predictor("both", {"": {season: inputs for season, (_, inputs) in league.items()}})
    model = forecast_model.fit(predictor, [games for games, _ in league.values()])
    assert model.edge == pytest.approx(2, abs=0.4)
    assert model.slopes == pytest.approx((0.5, -1.5), abs=0.06)
    assert model.sigma == pytest.approx(10, abs=0.3)
    assert model.seasons == SEASONS


def test_home_edge_does_not_apply_on_neutral_ground(
    league: dict[int, tuple[SeasonGames, Floats]],
) -> None:
    games, _ = league[2001]
    nothing = Predictor("edge", {"": {2001: np.zeros((len(games.margin), 0))}})
    expected = forecast_model.fit(nothing, [games]).expected_margins(games)
    assert (expected[games.home_indicator == 0] == 0).all()
    assert expected[games.home_indicator == 1].std() == pytest.approx(0)


def test_the_best_fitting_setting_is_used(league: dict[int, tuple[SeasonGames, Floats]]) -> None:
    settings = {
        "noise": {season: inputs[::-1] for season, (_, inputs) in league.items()},
        "signal": {season: inputs for season, (_, inputs) in league.items()},
    }
    games = [season_games for season_games, _ in league.values()]
    assert forecast_model.fit(Predictor("x", settings), games).setting == "signal"


def test_a_season_without_inputs_uses_the_fallback(
    league: dict[int, tuple[SeasonGames, Floats]],
) -> None:
    single = Predictor("one", {"": {season: x[:, :1] for season, (_, x) in league.items()}})
    both = Predictor("two", {"": {2003: league[2003][1], 2004: league[2004][1]}}, fallback=single)
    model = forecast_model.fit(both, [league[season][0] for season in (2003, 2004)])
    games = league[2001][0]
    assert model.model_for(2001).predictor is single
    assert model.model_for(2003) is model
    alone_errors = forecast_model.forecast_errors(
        forecast_model.fit(single, [league[2003][0], league[2004][0]]), games
    )
    assert (forecast_model.forecast_errors(model, games).margin == alone_errors.margin).all()
    with pytest.raises(HashmarkError, match="no data for 2001"):
        forecast_model.fit(Predictor("x", both.settings), [league[2003][0]]).model_for(2001)
    with pytest.raises(HashmarkError, match="no season to fit on"):
        forecast_model.fit(Predictor("x", both.settings), [games])


def test_a_model_is_never_scored_on_a_season_it_was_fitted_on(
    league: dict[int, tuple[SeasonGames, Floats]],
) -> None:
    predictor = Predictor("both", {"": {season: inputs for season, (_, inputs) in league.items()}})
    model = forecast_model.fit(predictor, [league[2001][0]])
    with pytest.raises(HashmarkError, match="fitted on 2001 itself"):
        forecast_model.forecast_errors(model, league[2001][0])
    forecast_model.forecast_errors(model, league[2003][0])


def test_errors_of_known_games() -> None:
    fitted_on = SeasonGames(
        2000, np.ones(4), np.array([13.0, -7.0, 13.0, -7.0])
    )  # 3 points, sigma 11.5
    target = SeasonGames(2001, np.array([1.0, 1.0, 0.0]), np.array([10.0, -4.0, 0.0]))
    home = Predictor("home", {"": {2000: np.zeros((4, 0)), 2001: np.zeros((3, 0))}})
    model = forecast_model.fit(home, [fitted_on])
    assert model.edge == pytest.approx(3)
    chance = forecast_model.win_probabilities(np.array([3.0]), model.sigma)[0]
    assert chance == pytest.approx(0.6025, abs=1e-4)  # probability of a normal above -3 / 11.547
    errors = forecast_model.forecast_errors(model, target)
    assert errors.margin == pytest.approx([7, 7, 0])
    assert errors.brier == pytest.approx([(1 - chance) ** 2, chance**2, 0])  # a tie is half a win
    assert errors.log_loss == pytest.approx([-np.log(chance), -np.log(1 - chance), np.log(2)])
    mean = errors.mean("margin")
    assert (mean.mean, mean.error) == pytest.approx((14 / 3, np.std([7, 7, 0], ddof=1) / 3**0.5))


def test_paired_differences_cancel_common_luck() -> None:
    rng = np.random.default_rng(1)
    luck = rng.normal(0, 10, 500)
    first, second = (
        forecast_model.ForecastErrors(luck + shift, luck + shift, luck + shift)
        for shift in (0.0, 0.5)
    )
    difference = (second - first).mean("log_loss")
    assert difference.mean == pytest.approx(0.5)
    assert difference.error < 1e-9 < first.mean("log_loss").error
    assert len(forecast_model.concatenate_errors([first, second]).margin) == 1000
