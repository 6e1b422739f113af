"""Forecast model: the fitted map from raw inputs to a forecast that all predictors share.

    home margin = edge (0 on neutral ground) + slope * input, with standard deviation sigma

A predictor may have several inputs, each with its own slope: that makes a blend. Some predictors
also have settings (such as the amount of shrinkage); the setting with the best fit is used. Edge,
slopes, sigma and setting are fitted by least squares on the games passed to `fit`, and on nothing
else. The win probability is that of a normal margin above 0; a tie counts as half a win.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from hashmark.errors import HashmarkError
from hashmark.league.data.arrays import Floats
from hashmark.sim.results import Estimate

MIN_PROBABILITY = 1e-6  # forecasts are clipped to this distance from 0 and 1
MEASURES = ("margin", "brier", "log_loss")  # error measures of a forecast


@dataclass(frozen=True)
class SeasonGames:
    """Games of one season to forecast: home advantage and real margin."""

    season: int
    home_indicator: Floats  # 1, or 0 on neutral ground
    margin: Floats  # of the home team

    @property
    def won(self) -> Floats:
        """Home team's share of the win."""
        return np.asarray((np.sign(self.margin) + 1) / 2)


def count_games(seasons: Sequence[SeasonGames]) -> int:
    """Return the total number of games."""
    return sum(len(games.margin) for games in seasons)


PredictorInputs = Mapping[int, Floats]  # by season: [game, input]


@dataclass(frozen=True)
class Predictor:
    """Forecasting method: its inputs under each of its settings.

    `fallback` forecasts the seasons for which this predictor has no inputs.
    """

    name: str
    settings: Mapping[str, PredictorInputs]
    fallback: Predictor | None = None

    def covers(self, season: int) -> bool:
        return all(season in inputs for inputs in self.settings.values())


@dataclass(frozen=True)
class FittedForecast:
    """Fitted model of a predictor: all fitted parameters, and the seasons they were fitted on."""

    predictor: Predictor
    setting: str
    edge: float
    slopes: tuple[float, ...]
    sigma: float
    seasons: tuple[int, ...]
    fallback: FittedForecast | None = None

    def expected_margins(self, games: SeasonGames) -> Floats:
        """Return the home team's expected margin in each game."""
        inputs = self.predictor.settings[self.setting][games.season]
        return np.asarray(self.edge * games.home_indicator + inputs @ np.array(self.slopes))

    def model_for(self, season: int) -> FittedForecast:
        """Return this model, or its fallback if the season has no inputs."""
        if self.predictor.covers(season):
            return self
        if self.fallback is None:
            raise HashmarkError(f"{self.predictor.name}: no data for {season}")
        return self.fallback.model_for(season)

    def to_json(self) -> dict[str, object]:
        return {
            "setting": self.setting,
            "edge": self.edge,
            "slopes": list(self.slopes),
            "sigma": self.sigma,
            "seasons": list(self.seasons),
            "otherwise": self.fallback.to_json() if self.fallback is not None else None,
        }


def fit(predictor: Predictor, seasons: Iterable[SeasonGames]) -> FittedForecast:
    """Return the setting and model that fit these seasons best, by least squares."""
    all_games = list(seasons)
    covered = [games for games in all_games if predictor.covers(games.season)]
    otherwise = fit(predictor.fallback, all_games) if predictor.fallback is not None else None
    if not covered:
        raise HashmarkError(f"{predictor.name}: no season to fit on")
    models = [
        _fit_setting(predictor, setting, covered, otherwise) for setting in predictor.settings
    ]
    return min(models, key=lambda model: model.sigma)


def _fit_setting(
    predictor: Predictor,
    setting: str,
    covered: Sequence[SeasonGames],
    otherwise: FittedForecast | None,
) -> FittedForecast:
    inputs = predictor.settings[setting]
    columns = np.vstack(
        [np.column_stack([games.home_indicator, inputs[games.season]]) for games in covered]
    )
    margin = np.concatenate([games.margin for games in covered])
    solved, *_ = np.linalg.lstsq(columns, margin, rcond=None)
    degrees_of_freedom = max(1, len(margin) - len(solved))
    sigma = math.sqrt(float(((margin - columns @ solved) ** 2).sum()) / degrees_of_freedom)
    years = tuple(games.season for games in covered)
    slopes = tuple(float(slope) for slope in solved[1:])
    return FittedForecast(predictor, setting, float(solved[0]), slopes, sigma, years, otherwise)


@dataclass(frozen=True)
class ForecastErrors:
    """Forecast errors game by game, in the order of the games."""

    margin: Floats  # absolute error
    brier: Floats
    log_loss: Floats

    def __sub__(self, other: ForecastErrors) -> ForecastErrors:
        """Return paired differences, which cancel the luck of the games themselves."""
        return ForecastErrors(*(getattr(self, name) - getattr(other, name) for name in MEASURES))

    def mean(self, measure: str) -> Estimate:
        """Return the mean over games with its standard error."""
        values: Floats = getattr(self, measure)
        error = float(values.std(ddof=1)) / math.sqrt(len(values)) if len(values) > 1 else math.nan
        return Estimate(float(values.mean()), error)


def concatenate_errors(parts: Sequence[ForecastErrors]) -> ForecastErrors:
    """Concatenate the errors of several seasons."""
    return ForecastErrors(
        *(np.concatenate([getattr(part, name) for part in parts]) for name in MEASURES)
    )


def forecast_errors(fitted: FittedForecast, games: SeasonGames) -> ForecastErrors:
    """Return the errors of a model on a season that it was not fitted on."""
    model = fitted.model_for(games.season)
    if games.season in model.seasons:
        raise HashmarkError(f"{model.predictor.name} was fitted on {games.season} itself")
    expected = model.expected_margins(games)
    chance = np.clip(win_probabilities(expected, model.sigma), MIN_PROBABILITY, 1 - MIN_PROBABILITY)
    won = games.won
    return ForecastErrors(
        np.abs(expected - games.margin),
        (chance - won) ** 2,
        -(won * np.log(chance) + (1 - won) * np.log(1 - chance)),
    )


def win_probabilities(expected: Floats, sigma: float) -> Floats:
    """Return the home team's win probability, a tie counting half."""
    scale = max(sigma, 1e-9) * math.sqrt(2)
    return np.array([(1 + math.erf(margin / scale)) / 2 for margin in expected])
