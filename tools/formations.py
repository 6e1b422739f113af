"""Yards that formations give up, fitted to what real defenses gave up by down and distance.

    python tools/formations.py FOLDER

The play-by-play has no formations; how often each is called on a down and distance is assumed
(`league/plans/formation_mix.py`). If dime is called on 3rd & long and runs gain more there, dime
gives up runs: for every play, the mean gains by down and distance are explained by the mix of
formations there, regularized toward the character that each formation has by its name (PRIOR, with
a standard error of PRIOR_ERROR). Prints the yards for `league/charts/formations.py`, and how much
they explain of the season files. FOLDER holds the files pbp_SEASON.parquet.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import polars as pl

from hashmark.games.data_driven.tables import FORMATIONS, PLAYS, RUNS
from hashmark.league.charts.shipped_charts import SEASONS
from hashmark.league.data import chart_columns, play_by_play
from hashmark.league.plans.formation_mix import ENTRIES_BY_DOWN
from hashmark.league.validation.scoreboard import is_held_out

PRIOR = {  # plunge, tackle, end, draw; screen, short, medium, long, sideline
    "standard": (0, 0, 0, 0, 0, 0, 0, 0, 0),
    "jam-middle": (-0.9, -0.5, 0.7, -0.6, -0.3, 0.5, 0.8, 2.0, 0.5),
    "rush-wide": (0.6, -0.3, -1.0, 0.4, -1.0, 0.5, 0.7, 1.3, -0.7),
    "nickel": (0.4, 0.4, 0.3, -0.2, 0.0, -0.4, -0.6, -0.6, -0.8),
    "dime": (0.9, 0.9, 0.7, 0.3, 0.5, -0.4, -0.8, -2.5, -0.7),
    "blitz": (-0.5, -0.3, -0.2, 0.5, 0.7, 1.0, 1.3, 2.5, 0.8),
}
# As a share of the mean gain of the play. Third-down passes are thrown to the line to gain
# regardless of the formation, so their gains carry less information.
PRIOR_ERROR = {"run": 0.03, "pass": 0.015}
MAX_GAIN_YARDS = 40  # longer gains are clipped: single long runs say nothing about a formation


def gains(folder: Path) -> pl.DataFrame:
    """Return the open-field gains of the tuning seasons: play, mix entry, yards and weight."""
    frames = []
    for season in SEASONS:
        if is_held_out(season):
            continue
        plays = play_by_play.load(folder / f"pbp_{season}.parquet", season)
        frame = chart_columns.assign_columns(plays).frame
        frames.append(
            frame.filter(
                (pl.col("result") == chart_columns.GAIN)
                & pl.col("column").is_not_null()
                & pl.col("yardline_100").is_between(21, 95)
            ).select(
                "column",
                "down",
                "ydstogo",
                "weight",
                yards=pl.col("yards").clip(-10, MAX_GAIN_YARDS),
            )
        )
    return pl.concat(frames).with_columns(entry=_entry_expression())


def _entry_expression() -> pl.Expr:
    chosen: pl.Expr = pl.lit(len(ENTRIES_BY_DOWN) - 1)
    for number, (when, _) in reversed(list(enumerate(ENTRIES_BY_DOWN))):
        fits = pl.lit(True)
        for key, (low, high) in when.items():
            fits = fits & pl.col({"to-go": "ydstogo"}.get(key, key)).is_between(low, high)
        chosen = pl.when(fits).then(pl.lit(number)).otherwise(chosen)
    return chosen


def fit_yards(rows: pl.DataFrame, play: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return yards by formation, real deviations by mix entry, and the fitted deviations."""
    snaps = rows.filter(pl.col("column") == PLAYS[play])
    mean = float((snaps["weight"] * snaps["yards"]).sum() / snaps["weight"].sum())
    deviation = float(snaps["yards"].std() or 1.0)
    by_entry = snaps.group_by("entry").agg(
        n=pl.col("weight").sum(), y=(pl.col("weight") * pl.col("yards")).sum()
    )
    weight_sums, deviations = np.zeros(len(ENTRIES_BY_DOWN)), np.zeros(len(ENTRIES_BY_DOWN))
    for entry, count, total in by_entry.iter_rows():
        weight_sums[entry], deviations[entry] = count, total / count - mean
    mix = np.array([shares for _, shares in ENTRIES_BY_DOWN]) / 100
    mix = mix - (weight_sums @ mix) / weight_sums.sum()
    prior = np.array([PRIOR[formation][play] for formation in FORMATIONS])
    weights = weight_sums / deviation**2
    error = PRIOR_ERROR["run" if PLAYS[play] in RUNS else "pass"] * mean
    precision = np.eye(len(FORMATIONS)) / error**2
    fitted = np.linalg.solve(
        mix.T * weights @ mix + precision, mix.T * weights @ deviations + precision @ prior
    )
    return fitted, deviations, mix @ fitted


def main() -> None:
    rows = gains(Path(sys.argv[1]))
    table = np.zeros((len(FORMATIONS), len(PLAYS)))
    print("deviation of gains by down and distance: real, then as the formations explain it")
    for play, name in enumerate(PLAYS):
        table[:, play], real, explained = fit_yards(rows, play)
        print(f"{name:14}", *(f"{a:+.1f}/{b:+.1f}" for a, b in zip(real, explained, strict=True)))
    print("yards by formation")
    for formation, yards in zip(FORMATIONS, table, strict=True):
        print(f"{formation:11}", *(f"{value:+.1f}" for value in yards))


if __name__ == "__main__":
    main()
