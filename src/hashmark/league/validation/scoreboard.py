"""Scoreboard: forecasts of real games, ours against fair baselines.

    board = build_scoreboard(Path("plays"), runs=400)
    board.row(OURS).left_out.mean("log_loss")

In every season with play-by-play, each game of the even weeks is forecast from the odd weeks (and,
by predictors that carry over, from earlier seasons). All predictors go through the same fitted
model (`forecast_model.py`).

**Held-out seasons.** A fixed rule holds some seasons out of everything that is fitted: no slope,
setting or blend weight has seen how their games ended. They are the ones that count. The other
seasons are for tuning: each is forecast by models fitted on the others (leave-one-out). (The
results of a held-out season are the past of the following season and may be known there, like any
past, through ratings that carry over. Nothing is fitted to its own forecasts.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from hashmark.errors import HashmarkError
from hashmark.league.data.arrays import Floats
from hashmark.league.data.schedule import Schedule, ScheduledGame
from hashmark.league.seasons.pairings import validate_run
from hashmark.league.validation import baselines, forecast_model, training_data
from hashmark.league.validation.forecast_model import (
    FittedForecast,
    ForecastErrors,
    Predictor,
    PredictorInputs,
    SeasonGames,
)
from hashmark.league.validation.simulated_forecast import home_margins, split_margins
from hashmark.league.validation.training_data import PublicGameData, SeasonData

HOME_EDGE = "home edge alone"
RECORD = "last season's record"
POINTS = "points (SRS)"
EXPECTED = "expected points (EPA-SRS)"
EXPECTED_LAST = "EPA-SRS and last season"
ELO = "Elo"
OURS = "Hashmark"
OURS_SPLIT = "Hashmark, both sides apart"
OURS_LAST = "Hashmark and last season"
OURS_SPLIT_LAST = "Hashmark apart, and last season"
LINE = "closing line"
OUR_PREDICTORS = (OURS, OURS_SPLIT, OURS_LAST, OURS_SPLIT_LAST)

HELD_OUT_CYCLE, HELD_OUT_REMAINDER = 5, 2  # seasons with this remainder are held out
MIN_TUNING_SEASONS = 3  # tuning seasons: each is forecast by the others
DEFAULT_RUNS = 400  # per pairing: dice error 0.7 points, against 13 of a real game
MAX_RUNS = 10**5
LAST_SEASON_RIDGE = 4.0  # last season's ratings have twice the games, and a slope of their own
SELECTION_MEASURE = "log_loss"


def is_held_out(season: int) -> bool:
    """Return whether a season is held out: 2007, 2012, 2017, 2022 and so on."""
    return season % HELD_OUT_CYCLE == HELD_OUT_REMAINDER


@dataclass(frozen=True)
class ScoreboardRow:
    """Evaluation of a predictor."""

    fitted: FittedForecast  # fitted on all tuning seasons
    tuning: ForecastErrors
    left_out: ForecastErrors | None  # None without held-out seasons

    @property
    def name(self) -> str:
        return self.fitted.predictor.name


@dataclass(frozen=True)
class Scoreboard:
    """All predictors on the same games."""

    rows: tuple[ScoreboardRow, ...]
    tuning: tuple[SeasonGames, ...]
    held_out: tuple[SeasonGames, ...]
    runs: int
    seed: int
    notes: tuple[str, ...]  # missing data

    def row(self, name: str) -> ScoreboardRow:
        return next(row for row in self.rows if row.name == name)

    def has(self, name: str) -> bool:
        return any(row.name == name for row in self.rows)

    @property
    def best_own(self) -> ScoreboardRow:
        """Our best predictor on the tuning seasons, chosen without the held-out ones."""
        ours = [row for row in self.rows if row.name in OUR_PREDICTORS]
        return min(ours, key=lambda row: row.tuning.mean(SELECTION_MEASURE).mean)


def build_scoreboard(
    folder: Path | None = None,
    runs: int = DEFAULT_RUNS,
    seed: int = 0,
    threads: int | None = None,
    seasons: Iterable[int] | None = None,
    progress: Callable[[str, int, int], None] | None = None,
) -> Scoreboard:
    """Find and load seasons, simulate games, fit and evaluate all predictors."""
    workers = validate_run(runs, seed, threads, MAX_RUNS, "games")
    chosen = check_seasons(training_data.find_seasons(folder, seasons))
    outside = PublicGameData.load(folder)
    data: dict[int, SeasonData] = {}
    for index, season in enumerate(chosen):
        if progress is not None:
            progress(str(season), index, len(chosen))
        data[season] = training_data.load_season(season, folder, runs, seed, workers)
    notes: list[str] = []
    fitted_predictors = build_predictors(data, outside, notes)
    games = [to_season_games(season_data.even, season) for season, season_data in data.items()]
    rows = evaluate_predictors(fitted_predictors, games)
    tuning, left_out = split_seasons(games)
    return Scoreboard(tuple(rows), tuple(tuning), tuple(left_out), runs, seed, tuple(notes))


def split_seasons(games: Sequence[SeasonGames]) -> tuple[list[SeasonGames], list[SeasonGames]]:
    """Split seasons into tuning and held-out ones."""
    tuning = [season_games for season_games in games if not is_held_out(season_games.season)]
    return tuning, [season_games for season_games in games if is_held_out(season_games.season)]


def check_seasons(seasons: Sequence[int]) -> list[int]:
    """Raise an error if there are too few tuning seasons."""
    tuning = [season for season in seasons if not is_held_out(season)]
    if len(tuning) < MIN_TUNING_SEASONS:
        raise HashmarkError(
            f"seasons to tune on: {', '.join(map(str, tuning)) or 'none'}; at least "
            f"{MIN_TUNING_SEASONS} are needed besides the held-out ones (every fifth, such as 2022)"
        )
    return list(seasons)


def to_season_games(even: Sequence[ScheduledGame], season: int) -> SeasonGames:
    """Return the games to forecast as arrays."""
    played = [game for game in even if game.score is not None]
    return SeasonGames(
        season,
        np.array([0.0 if game.neutral else 1.0 for game in played]),
        np.array([float(game.score[0] - game.score[1]) for game in played if game.score]),
    )


def evaluate_predictors(
    predictors: Sequence[Predictor], games: Sequence[SeasonGames]
) -> list[ScoreboardRow]:
    """Fit every predictor on the tuning seasons and compute its errors on all games."""
    return [_evaluate(predictor, *split_seasons(games)) for predictor in predictors]


def _evaluate(
    predictor: Predictor, tuning: list[SeasonGames], held_out: list[SeasonGames]
) -> ScoreboardRow:
    fitted = forecast_model.fit(predictor, tuning)
    tuning_errors = [
        forecast_model.forecast_errors(
            forecast_model.fit(predictor, [other for other in tuning if other is not target]),
            target,
        )
        for target in tuning
    ]
    held_out_errors = [forecast_model.forecast_errors(fitted, target) for target in held_out]
    return ScoreboardRow(
        fitted,
        forecast_model.concatenate_errors(tuning_errors),
        forecast_model.concatenate_errors(held_out_errors) if held_out_errors else None,
    )


# --- The predictors -----------------------------------------------------------------------


def build_predictors(
    seasons: Mapping[int, SeasonData], outside: PublicGameData, notes: list[str]
) -> list[Predictor]:
    """Return all predictors the data allow; missing data are reported in `notes`."""
    history, lines = outside.history, outside.lines
    even = {season: data.even for season, data in seasons.items()}
    no_inputs = {season: np.zeros((len(games), 0)) for season, games in even.items()}
    records = _rating_inputs(even, lambda season: baselines.record_ratings(history.get(season - 1)))
    srs = {f"ridge {ridge:g}": _srs_inputs(seasons, ridge) for ridge in baselines.RIDGES}
    result = [
        Predictor(HOME_EDGE, {"": no_inputs}),
        Predictor(RECORD, {"": records}),
        Predictor(POINTS, srs),
        *_epa_predictors(seasons, notes),
        Predictor(ELO, _elo_inputs(even, history)),
        *_own_predictors(seasons),
    ]
    if lines is None or any(game.id not in lines for games in even.values() for game in games):
        notes.append(outside.missing_lines_note)
        return result
    line_inputs = {
        season: np.array([[lines[game.id]] for game in games]) for season, games in even.items()
    }
    return [*result, Predictor(LINE, {"": line_inputs})]


def _rating_inputs(
    even: Mapping[int, Sequence[ScheduledGame]], of: Callable[[int], Mapping[str, float]]
) -> PredictorInputs:
    return {
        season: baselines.rating_differences(of(season), games) for season, games in even.items()
    }


def _srs_inputs(seasons: Mapping[int, SeasonData], ridge: float) -> PredictorInputs:
    return {
        season: _rate_teams(data, data.odd, baselines.home_margins(data.odd), ridge)
        for season, data in seasons.items()
    }


def _rate_teams(
    data: SeasonData, games: Sequence[ScheduledGame], outcomes: Mapping[str, float], ridge: float
) -> Floats:
    """Return the differences of simple ratings, fitted to these games, in the even weeks."""
    return baselines.rating_differences(baselines.simple_ratings(games, outcomes, ridge), data.even)


def _elo_inputs(
    even: Mapping[int, Sequence[ScheduledGame]], history: Mapping[int, Schedule]
) -> dict[str, PredictorInputs]:
    inputs = {}
    for name, setting in baselines.elo_settings().items():
        ratings = baselines.elo_ratings(history, even, setting)
        inputs[name] = _rating_inputs(even, ratings.__getitem__)
    return inputs


def _epa_predictors(seasons: Mapping[int, SeasonData], notes: list[str]) -> list[Predictor]:
    """Return EPA-SRS, from the odd weeks and combined with last season's."""
    if missing := [season for season, data in seasons.items() if data.expected is None]:
        notes.append(
            f"The play-by-play of {missing[0]} has no column epa: the EPA-SRS baselines "
            "are omitted."
        )
        return []
    odd_only: dict[str, PredictorInputs] = {}
    combined: dict[str, PredictorInputs] = {}
    for method in baselines.EPA_METHODS:
        last = {
            season: _rate_teams(
                data, data.last_games, data.expected_last[method], LAST_SEASON_RIDGE
            )
            for season, data in seasons.items()
            if data.expected_last
        }
        for ridge in baselines.RIDGES:
            name = f"{method}, ridge {ridge:g}"
            odd_only[name] = {
                season: _rate_teams(data, data.odd, data.expected[method], ridge)
                for season, data in seasons.items()
                if data.expected
            }
            combined[name] = _combine(odd_only[name], last)
    first = Predictor(EXPECTED, odd_only)
    if not last:
        return [first]
    return [first, Predictor(EXPECTED_LAST, combined, fallback=first)]


def _own_predictors(seasons: Mapping[int, SeasonData]) -> list[Predictor]:
    """Return the simulation and its variants.

    The variants have a slope for each side of the ball, last season's charts, or both.
    """
    margins = {season: home_margins(data.simulated) for season, data in seasons.items()}
    apart = {season: split_margins(data.simulated, data.even) for season, data in seasons.items()}
    last = {
        season: home_margins(data.simulated_last)
        for season, data in seasons.items()
        if data.simulated_last is not None
    }
    result = [Predictor(OURS, {"": margins}), Predictor(OURS_SPLIT, {"": apart})]
    if last:
        result += [
            Predictor(name, {"": _combine(base.settings[""], last)}, fallback=base)
            for name, base in zip((OURS_LAST, OURS_SPLIT_LAST), result, strict=True)
        ]
    return result


def _combine(first: PredictorInputs, second: PredictorInputs) -> PredictorInputs:
    """Combine two predictors' inputs, for the seasons that both have."""
    return {
        season: np.hstack([first[season], second[season]]) for season in first if season in second
    }
