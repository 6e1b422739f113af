"""Out-of-sample test: fit on odd weeks, score on even weeks.

Charts and plans are built from the odd weeks alone, the games of the even weeks are simulated with
them, and every team's mean point difference in those games is compared with the real one. Simple
baselines have to be beaten:

- the league average: every team is expected to be even with its opponents;
- last season's record: the point difference is proportional to the wins above half;
- the record of the odd weeks, and their point difference, in proportion too.

The factor of proportion is the one that fits best in all other seasons with a known schedule (since
2006): a good forecaster would know it, and it contains no information about this season.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np

from hashmark.games.data_driven.plans.plan import Plan
from hashmark.league.data import schedule
from hashmark.league.data.arrays import Floats
from hashmark.league.validation.verify import (
    correlation,
    season_pairings,
    simulate_schedule,
    validate_sizes,
)
from hashmark.number_text import percent
from hashmark.storage import atomic_write, search_path

if TYPE_CHECKING:
    import polars as pl


AVERAGE = "league average"
LAST_RECORD = "last season's record"
ODD_RECORD = "record in the odd weeks"
ODD_MARGIN = "point difference in the odd weeks"


@dataclass(frozen=True)
class Prediction:
    """Expected point difference of every team, and its error."""

    name: str
    expected: Floats  # points a game
    rms_error: float  # root mean square error, points a game
    mean_absolute_error: float  # mean absolute error
    correlation: float


@dataclass(frozen=True)
class OutOfSampleResult:
    """Result of an out-of-sample test on the even weeks."""

    season: int
    seasons: int
    teams: tuple[str, ...]
    real_margins: Floats  # real mean point difference per game in the even weeks
    simulated: Prediction
    baselines: tuple[Prediction, ...]
    digest: str

    @property
    def beaten_baselines(self) -> list[Prediction]:
        return [
            baseline for baseline in self.baselines if self.simulated.rms_error < baseline.rms_error
        ]


def run_out_of_sample(
    frame: pl.DataFrame,
    season: int,
    seasons: int = 200,
    seed: int = 0,
    threads: int | None = None,
    options: Mapping[str, Any] | None = None,
    progress: Callable[[int], None] | None = None,
    mode: str | None = None,
) -> OutOfSampleResult:
    """Build on the odd weeks, play the even weeks, compare."""
    validate_sizes(seasons, seed, threads)
    even = half_season_games(season, 0)
    with odd_weeks(frame, season, mode) as (name, plans):
        pairings = season_pairings(season, even, name, plans, options)
        simulated = simulate_schedule(name, even, pairings, seasons, seed, threads, progress)
    teams = simulated.teams
    truth = real_margins(even, teams)
    return OutOfSampleResult(
        season,
        simulated.seasons,
        teams,
        truth,
        _evaluate("simulation from the odd weeks", simulated.margins(), truth),
        tuple(evaluate_baselines(season, teams, truth)),
        simulated.digest,
    )


@contextmanager
def odd_weeks(
    frame: pl.DataFrame, season: int, mode: str | None = None
) -> Iterator[tuple[str, dict[str, Plan]]]:
    """Build charts (in a `mode` of the builder) and plans from the odd weeks alone.

    Yields the name under which the charts can be loaded inside the context, and the plans.
    """
    from hashmark.league.charts import build
    from hashmark.league.plans import real_plans

    plans = real_plans.build_season_plans(frame, weeks="odd")
    with TemporaryDirectory() as folder:
        name = f"{season}-odd"
        chart_file = build.build_charts(frame, mode=mode or build.DEFAULT_MODE, weeks="odd")
        atomic_write.write_file(Path(folder) / f"{name}.toml", chart_file.text())
        with search_path.search_first([Path(folder)]):
            yield name, plans


def real_margins(games: tuple[schedule.ScheduledGame, ...], teams: tuple[str, ...]) -> Floats:
    """Return the mean point difference per game."""
    sums, played = np.zeros(len(teams)), np.zeros(len(teams))
    for game in games:
        if game.score is not None:
            for team, sign in ((game.home, 1), (game.away, -1)):
                if team in teams:
                    sums[teams.index(team)] += sign * (game.score[0] - game.score[1])
                    played[teams.index(team)] += 1
    return np.asarray(sums / np.maximum(played, 1))


def half_season_games(season: int, parity: int) -> tuple[schedule.ScheduledGame, ...]:
    """Return the games of the odd weeks (1) or the even weeks (0)."""
    games = schedule.load(season).regular
    return tuple(game for game in games if game.week % 2 == parity and game.score is not None)


def evaluate_baselines(season: int, teams: tuple[str, ...], truth: Floats) -> list[Prediction]:
    """Return the baseline predictions; last season's record only if its schedule is known."""
    predictions = [_evaluate(AVERAGE, np.zeros(len(teams)), truth)]
    for name, predictor in BASELINE_INPUTS.items():
        if name != LAST_RECORD or season - 1 in schedule.available_seasons():
            predictions.append(
                _evaluate(name, fit_factor(name, season) * predictor(season, teams), truth)
            )
    return predictions


def fit_factor(name: str, season: int) -> float:
    """Return the points of difference per unit of a baseline's input, from all other seasons."""
    numerator = denominator = 0.0
    seasons = schedule.available_seasons()
    for other in seasons:
        if other == season or (name == LAST_RECORD and other - 1 not in seasons):
            continue
        inputs = BASELINE_INPUTS[name](other, schedule.TEAMS)
        truth = real_margins(half_season_games(other, 0), schedule.TEAMS)
        numerator += float((inputs * truth).sum())
        denominator += float((inputs**2).sum())
    return numerator / denominator if denominator else 0.0


def _record(games: tuple[schedule.ScheduledGame, ...], teams: tuple[str, ...]) -> Floats:
    """Return the share of games won, minus a half."""
    part = schedule.Schedule(0, games)
    played = [sum(team in (game.home, game.away) for game in games) for team in teams]
    won = [part.wins(team) / max(1, n) for team, n in zip(teams, played, strict=True)]
    return np.array(won) - 0.5


BASELINE_INPUTS: dict[str, Callable[[int, tuple[str, ...]], Floats]] = {
    LAST_RECORD: lambda season, teams: _record(schedule.load(season - 1).regular, teams),
    ODD_RECORD: lambda season, teams: _record(half_season_games(season, 1), teams),
    ODD_MARGIN: lambda season, teams: real_margins(half_season_games(season, 1), teams),
}


def _evaluate(name: str, expected: Floats, truth: Floats) -> Prediction:
    errors = expected - truth
    rms_error, mean_error = float(np.sqrt((errors**2).mean())), float(abs(errors).mean())
    return Prediction(name, expected, rms_error, mean_error, correlation(expected, truth))


def summary_sentence(result: OutOfSampleResult) -> str:
    """Summarize the result in one sentence."""
    simulated = result.simulated
    parts = []
    for baseline in result.baselines:
        change = 1 - simulated.rms_error / baseline.rms_error if baseline.rms_error else 0.0
        word = "better" if change > 0 else "worse"
        parts.append(
            f"{percent(abs(change), 1)} {word} than the {baseline.name} ({baseline.rms_error:.2f})"
        )
    return (
        f"Out-of-sample, odd weeks of {result.season} forecasting the even weeks: RMSE "
        f"{simulated.rms_error:.2f} points per game of team point difference, "
        + ", ".join(parts)
        + "."
    )


def to_json(result: OutOfSampleResult) -> dict[str, Any]:
    def prediction_json(prediction: Prediction) -> dict[str, Any]:
        return {
            "name": prediction.name,
            "error": prediction.rms_error,
            "mean_error": prediction.mean_absolute_error,
            "correlation": prediction.correlation,
        }

    return {
        "sentence": summary_sentence(result),
        "seasons": result.seasons,
        "digest": result.digest,
        "simulated": prediction_json(result.simulated),
        "baselines": [prediction_json(prediction) for prediction in result.baselines],
        "teams": {
            team: {"real": float(real), "simulated": float(expected)}
            for team, real, expected in zip(
                result.teams, result.real_margins, result.simulated.expected, strict=True
            )
        },
    }
