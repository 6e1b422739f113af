"""Comparison of the chart-building modes: "Two modes" of docs/explanation/chart-building.md.

    python tools/modes.py FOLDER [PART]...

Builds charts from the play-by-play in FOLDER in three ways: `adjusted`, `adjusted` without giving
back the points that rates do not explain, and `faithful`. Prints all parts or the given ones:

    replayed   correlation over teams of simulated and real points for and against and of yards
               per play, 40 simulated seasons each
    forecast   error (root mean square) with which charts of the odd weeks predict the teams'
               point difference in the even weeks, 30 simulated seasons each, beside baselines
    exact      how closely the columns of all shipped seasons match their targets

Takes about ten minutes of processor time.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from hashmark.league.charts import build, targets
from hashmark.league.charts.shipped_charts import SEASONS
from hashmark.league.data import play_by_play, real_stats
from hashmark.league.validation.out_of_sample import run_out_of_sample
from hashmark.league.validation.verify import verify
from hashmark.storage import atomic_write, search_path

REPLAY_SEASONS = (2006, 2008, 2012, 2019, 2025)
FORECAST_SEASONS = (2007, 2008, 2010, 2012, 2019, 2021, 2024)
REPLAY_RUNS, FORECAST_RUNS = 40, 30
MEASURES = ("points", "yards_per_play")
VARIANTS = {  # mode and share of the unexplained points that is given back
    "adjusted": (targets.ADJUSTED, targets.SCORE_SHARE[targets.ADJUSTED]),
    "adjusted, points not given back": (targets.ADJUSTED, 0.0),
    "faithful": (targets.FAITHFUL, targets.SCORE_SHARE[targets.FAITHFUL]),
}
ONE_ROLL = 1 / 216


@contextmanager
def score_part(mode: str, share: float) -> Iterator[None]:
    """Temporarily set the share of unexplained points that charts of a mode give back."""
    original = targets.SCORE_SHARE[mode]
    targets.SCORE_SHARE[mode] = share
    try:
        yield
    finally:
        targets.SCORE_SHARE[mode] = original


def print_replay(folder: Path) -> None:
    """Print how well each variant replays the season that it was built from."""
    for variant, (mode, share) in VARIANTS.items():
        correlations = []
        for season in REPLAY_SEASONS:
            with TemporaryDirectory() as temp_folder, score_part(mode, share):
                charts_built = build.build_charts(
                    play_by_play.find_season_file(season, folder), season, mode
                )
                name = f"{season}-again"
                atomic_write.write_file(Path(temp_folder) / f"{name}.toml", charts_built.text())
                with search_path.search_first([Path(temp_folder)]):
                    compared = verify(season, REPLAY_RUNS, charts=name).compared
            sides = [
                (measure, side)
                for measure in MEASURES
                for side in (real_stats.FOR, real_stats.AGAINST)
            ]
            correlations.append([compared[key].correlation for key in sides])
            _print_row(variant, str(season), correlations[-1])
        _print_row(variant, "mean", [float(mean) for mean in np.mean(correlations, axis=0)])


def print_forecast(folder: Path) -> None:
    """Print how well the odd weeks predict the even weeks."""
    baseline_errors: dict[str, list[float]] = {}
    for variant, (mode, share) in VARIANTS.items():
        errors = []
        for season in FORECAST_SEASONS:
            frame = play_by_play.load(play_by_play.find_season_file(season, folder), season)
            with score_part(mode, share):
                forecast = run_out_of_sample(frame, season, FORECAST_RUNS, mode=mode)
            errors.append(forecast.simulated.rms_error)
            if not baseline_errors.get(forecast.baselines[0].name, [])[len(errors) - 1 :]:
                for baseline in forecast.baselines:
                    baseline_errors.setdefault(baseline.name, []).append(baseline.rms_error)
        _print_row(variant, "mean", [float(np.mean(errors)), *errors])
    for name, errors in baseline_errors.items():
        _print_row(name, "mean", [float(np.mean(errors)), *errors])


def print_fidelity(folder: Path) -> None:
    """Print how far the columns are from their targets, by season.

    For offenses: the worst error of an event rate in rolls of 216, the share of columns within one
    roll, and the worst error of yards. For defenses: the error of event rates in rolls of 36, and
    of yards.
    """
    for season in SEASONS:
        fidelity = build.build_charts(
            play_by_play.find_season_file(season, folder), season
        ).fidelity()
        exact_share = np.mean([line.event_error <= ONE_ROLL for line in fidelity.lines])
        events, yards = fidelity.defense_error()
        figures = [
            216 * fidelity.worst_event,
            float(exact_share),
            fidelity.worst_yards,
            36 * events,
            yards,
        ]
        _print_row(f"{len(fidelity.lines)} columns", str(season), figures)


PARTS = {"replayed": print_replay, "forecast": print_forecast, "exact": print_fidelity}


def _print_row(label: str, season: str, figures: list[float]) -> None:
    print(f"{label:34}{season:>6}" + "".join(f"{figure:8.3f}" for figure in figures), flush=True)


def main() -> None:
    if len(sys.argv) < 2 or not set(sys.argv[2:]) <= set(PARTS):
        raise SystemExit(__doc__)
    folder, *parts = sys.argv[1:]
    for name in parts or PARTS:
        print(f"{name}:")
        PARTS[name](Path(folder))


if __name__ == "__main__":
    main()
