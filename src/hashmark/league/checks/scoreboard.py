"""Scoreboard: forecasts of real games, ours against fair baselines.

    board = build_scoreboard(Path("plays"), runs=400)
    board.row(OURS).left_out.mean("log_loss")

In every season with play-by-play, each game of the even weeks is forecast from the odd weeks (and,
by predictors that carry over, from earlier seasons). All predictors go through the same fitted
model (`forecast.py`).

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

from hashmark.league.checks import forecast, known, rivals, simulated
from hashmark.league.checks.forecast import Errors, Fitted, Games, Numbers, Predictor
from hashmark.league.checks.known import Known
from hashmark.league.facts import schedule
from hashmark.league.seasons.games import check_work
from hashmark.table.errors import HashmarkError

HOME_EDGE = "home edge alone"
RECORD = "last season's record"
POINTS = "points (SRS)"
EXPECTED = "expected points (EPA-SRS)"
EXPECTED_LAST = "EPA-SRS and last season"
ELO = "Elo"
OURS = "Hashmark"
OURS_APART = "Hashmark, both sides apart"
OURS_LAST = "Hashmark and last season"
OURS_BOTH = "Hashmark apart, and last season"
LINE = "closing line"
OWN = (OURS, OURS_APART, OURS_LAST, OURS_BOTH)

CYCLE, LEFT_OUT = 5, 2  # seasons with this remainder are held out
FEWEST = 3  # tuning seasons: each is forecast by the others
RUNS = 400  # per pairing: dice error 0.7 points, against 13 of a real game
MOST_RUNS = 10**5
LAST_RIDGE = 4.0  # last season's ratings have twice the games, and a slope of their own
CHOSEN_BY = "log_loss"


def is_left_out(season: int) -> bool:
    """Return whether a season is held out: 2007, 2012, 2017, 2022 and so on."""
    return season % CYCLE == LEFT_OUT


@dataclass(frozen=True)
class Row:
    """Evaluation of a predictor."""

    fitted: Fitted  # fitted on all tuning seasons
    tuning: Errors
    left_out: Errors | None  # None without held-out seasons

    @property
    def name(self) -> str:
        return self.fitted.predictor.name


@dataclass(frozen=True)
class Scoreboard:
    """All predictors on the same games."""

    rows: tuple[Row, ...]
    tuning: tuple[Games, ...]
    left_out: tuple[Games, ...]
    runs: int
    seed: int
    notes: tuple[str, ...]  # missing data

    def row(self, name: str) -> Row:
        return next(row for row in self.rows if row.name == name)

    def has(self, name: str) -> bool:
        return any(row.name == name for row in self.rows)

    @property
    def chosen(self) -> Row:
        """Our best predictor on the tuning seasons, chosen without the held-out ones."""
        ours = [row for row in self.rows if row.name in OWN]
        return min(ours, key=lambda row: row.tuning.mean(CHOSEN_BY).mean)


def scoreboard(
    folder: Path | None = None,
    runs: int = RUNS,
    seed: int = 0,
    threads: int | None = None,
    seasons: Iterable[int] | None = None,
    progress: Callable[[str, int, int], None] | None = None,
) -> Scoreboard:
    """Find and load seasons, simulate games, fit and evaluate all predictors."""
    workers = check_work(runs, seed, threads, MOST_RUNS)
    chosen = check_seasons(known.found(folder, seasons))
    outside = known.Outside.of(folder)
    data: dict[int, Known] = {}
    for index, season in enumerate(chosen):
        if progress is not None:
            progress(str(season), index, len(chosen))
        data[season] = known.read(season, folder, runs, seed, workers)
    notes: list[str] = []
    fitted_predictors = predictors(data, outside, notes)
    games = [games_of(season_data.even, season) for season, season_data in data.items()]
    rows = judged(fitted_predictors, games)
    tuning, left_out = parted(games)
    return Scoreboard(tuple(rows), tuple(tuning), tuple(left_out), runs, seed, tuple(notes))


def parted(games: Sequence[Games]) -> tuple[list[Games], list[Games]]:
    """Split seasons into tuning and held-out ones."""
    tuning = [season_games for season_games in games if not is_left_out(season_games.season)]
    return tuning, [season_games for season_games in games if is_left_out(season_games.season)]


def check_seasons(seasons: Sequence[int]) -> list[int]:
    """Raise an error if there are too few tuning seasons."""
    tuning = [season for season in seasons if not is_left_out(season)]
    if len(tuning) < FEWEST:
        raise HashmarkError(
            f"seasons to tune on: {', '.join(map(str, tuning)) or 'none'}; at least {FEWEST} are "
            "wanted, beside those that are left out (every fifth, such as 2022)"
        )
    return list(seasons)


def games_of(even: Sequence[schedule.Game], season: int) -> Games:
    """Return the games to forecast as arrays."""
    played = [game for game in even if game.score is not None]
    return Games(
        season,
        np.array([0.0 if game.neutral else 1.0 for game in played]),
        np.array([float(game.score[0] - game.score[1]) for game in played if game.score]),
    )


def judged(predictors: Sequence[Predictor], games: Sequence[Games]) -> list[Row]:
    """Fit every predictor on the tuning seasons and compute its errors on all games."""
    return [_evaluate(predictor, *parted(games)) for predictor in predictors]


def _evaluate(predictor: Predictor, tuning: list[Games], held_out: list[Games]) -> Row:
    fitted = forecast.fit(predictor, tuning)
    tuning_errors = [
        forecast.errors(
            forecast.fit(predictor, [other for other in tuning if other is not target]), target
        )
        for target in tuning
    ]
    held_out_errors = [forecast.errors(fitted, target) for target in held_out]
    return Row(
        fitted,
        forecast.joined(tuning_errors),
        forecast.joined(held_out_errors) if held_out_errors else None,
    )


# --- The predictors -----------------------------------------------------------------------


def predictors(
    read: Mapping[int, Known], outside: known.Outside, notes: list[str]
) -> list[Predictor]:
    """Return all predictors the data allow; missing data are reported in `notes`."""
    history = outside.history
    even = {season: season_data.even for season, season_data in read.items()}
    result = [
        Predictor(
            HOME_EDGE, {"": {season: rivals.nothing(games) for season, games in even.items()}}
        ),
        Predictor(
            RECORD,
            {"": _rating_inputs(even, lambda season: rivals.record(history.get(season - 1)))},
        ),
        Predictor(
            POINTS, {f"ridge {ridge:g}": _srs_inputs(read, ridge) for ridge in rivals.RIDGES}
        ),
        *_epa_predictors(read, notes),
        Predictor(ELO, _elo_inputs(even, history)),
        *_own_predictors(read),
    ]
    lines = outside.lines
    if lines is None or any(game.id not in lines for games in even.values() for game in games):
        notes.append(outside.no_lines)
        return result
    line_inputs = {
        season: np.array([[lines[game.id]] for game in games]) for season, games in even.items()
    }
    return [*result, Predictor(LINE, {"": line_inputs})]


def _rating_inputs(
    even: Mapping[int, Sequence[schedule.Game]], of: Callable[[int], Mapping[str, float]]
) -> Numbers:
    return {season: rivals.differences(of(season), games) for season, games in even.items()}


def _srs_inputs(read: Mapping[int, Known], ridge: float) -> Numbers:
    return {
        season: rivals.differences(
            rivals.simple_ratings(season_data.odd, rivals.margins(season_data.odd), ridge),
            season_data.even,
        )
        for season, season_data in read.items()
    }


def _elo_inputs(
    even: Mapping[int, Sequence[schedule.Game]], history: Mapping[int, schedule.Schedule]
) -> dict[str, Numbers]:
    inputs = {}
    for name, setting in rivals.elo_settings().items():
        ratings = rivals.elo(history, even, setting)
        inputs[name] = _rating_inputs(even, ratings.__getitem__)
    return inputs


def _epa_predictors(read: Mapping[int, Known], notes: list[str]) -> list[Predictor]:
    """Return EPA-SRS, from the odd weeks and combined with last season's."""
    if missing := [season for season, season_data in read.items() if season_data.expected is None]:
        notes.append(
            f"The play-by-play of {missing[0]} has no column epa: the ratings by expected points "
            "are left out."
        )
        return []
    odd_only: dict[str, Numbers] = {}
    combined: dict[str, Numbers] = {}
    for method in rivals.EPA_WAYS:
        last = {
            season: _last_expected(season_data, method)
            for season, season_data in read.items()
            if season_data.expected_last
        }
        for ridge in rivals.RIDGES:
            name = f"{method}, ridge {ridge:g}"
            odd_only[name] = {
                season: _odd_expected(season_data, method, ridge)
                for season, season_data in read.items()
            }
            combined[name] = _combine(odd_only[name], last)
    first = Predictor(EXPECTED, odd_only)
    if not any(season_data.expected_last for season_data in read.values()):
        return [first]
    return [first, Predictor(EXPECTED_LAST, combined, otherwise=first)]


def _odd_expected(data: Known, method: str, ridge: float) -> forecast.Floats:
    net_epa = (data.expected or {})[method]
    return rivals.differences(rivals.simple_ratings(data.odd, net_epa, ridge), data.even)


def _last_expected(data: Known, method: str) -> forecast.Floats:
    net_epa = (data.expected_last or {})[method]
    return rivals.differences(rivals.simple_ratings(data.last, net_epa, LAST_RIDGE), data.even)


def _own_predictors(read: Mapping[int, Known]) -> list[Predictor]:
    """Return the simulation and its variants.

    The variants have a slope for each side of the ball, last season's charts, or both.
    """
    margins = {
        season: simulated.margins(season_data.simulated) for season, season_data in read.items()
    }
    apart = {
        season: simulated.apart(season_data.simulated, season_data.even)
        for season, season_data in read.items()
    }
    last = {
        season: simulated.margins(season_data.simulated_last)
        for season, season_data in read.items()
        if season_data.simulated_last is not None
    }
    result = [Predictor(OURS, {"": margins}), Predictor(OURS_APART, {"": apart})]
    if last:
        result += [
            Predictor(name, {"": _combine(base.settings[""], last)}, otherwise=base)
            for name, base in zip((OURS_LAST, OURS_BOTH), result, strict=True)
        ]
    return result


def _combine(first: Numbers, second: Numbers) -> Numbers:
    """Combine two predictors' inputs, for the seasons that both have."""
    return {
        season: np.hstack([first[season], second[season]]) for season in first if season in second
    }
