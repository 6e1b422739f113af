"""Season tallies as arrays: counts by team and column, with gains as histograms.

The same arrays are made twice, by offense and by defense.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from hashmark.games.data_driven.tables import PLAYS
from hashmark.league.data import chart_columns
from hashmark.league.data.arrays import Floats

LOWEST_GAIN, HIGHEST_GAIN = -30, 99  # yards of a gain
YARDS = np.arange(LOWEST_GAIN, HIGHEST_GAIN + 1)
RUN_COLUMNS, PASS_COLUMNS = slice(0, 4), slice(4, 9)


@dataclass(frozen=True)
class SideTallies:
    """The counts of one side, offense or defense: arrays [team, column], or [team]."""

    results: Floats  # [team, column, result]: plays by result
    gains: Floats  # [team, column, yard]: gains that ended in the field of play
    scores: Floats  # [team, column, yard]: gains censored by the goal line
    fumbles: Floats  # [team, column, yard]: where fumbles happened
    interceptions: Floats  # [team, column, yard]: air yards of interceptions
    out_of_bounds: Floats  # [team, column, yard]: gains that ended out of bounds
    sacks: Floats  # [team, yard], including those with a fumble
    sack_fumbles: Floats  # [team, yard]
    scrambles: Floats  # [team, yard]
    scramble_fumbles: Floats  # [team]
    scrambles_out_of_bounds: Floats  # [team]
    aborted: Floats  # [team]

    @property
    def attempts(self) -> Floats:
        """[team, column]: runs, or passes thrown."""
        thrown = [
            chart_columns.GAIN,
            chart_columns.INCOMPLETE,
            chart_columns.INTERCEPTED,
            chart_columns.FUMBLE,
        ]
        return np.asarray(self.results[:, :, thrown].sum(axis=2))

    @property
    def trapped(self) -> Floats:
        """[team]: sacks and scrambles."""
        return np.asarray(self.sacks.sum(axis=1) + self.scrambles.sum(axis=1))

    @property
    def dropbacks(self) -> Floats:
        """[team]: passes thrown, sacks and scrambles."""
        return np.asarray(self.attempts[:, PASS_COLUMNS].sum(axis=1) + self.trapped)

    def league(self) -> SideTallies:
        """Return the sums over all teams, as one team."""
        return SideTallies(
            **{
                name: np.asarray(getattr(self, name).sum(axis=0, keepdims=True))
                for name in self.__dataclass_fields__
            }
        )


def count_side(frame: pl.DataFrame, teams: list[str], by: str) -> SideTallies:
    """Count by the team in possession (`team`) or by the defense (`against`)."""
    team_index = {team: index for index, team in enumerate(teams)}
    rows = frame.select(
        pl.col(by).replace_strict(team_index, return_dtype=pl.Int32).alias("t"),
        pl.col("column")
        .replace_strict(chart_columns.COLUMN_INDEX, default=0, return_dtype=pl.Int32)
        .alias("c"),
        (pl.col("yards") - LOWEST_GAIN).alias("y"),
        pl.col("air").cast(pl.Int32).sub(LOWEST_GAIN).alias("a"),
        pl.col("weight").alias("w"),
        "result",
        "scored",
        "out",
        "fumbled",
        pl.col("column").is_not_null().alias("assigned"),
    )
    sizes = {
        "t": len(teams),
        "c": len(PLAYS),
        "y": len(YARDS),
        "a": len(YARDS),
        "result": len(chart_columns.RESULTS),
    }

    def count(counted: pl.DataFrame, *keys: str) -> Floats:
        """Return sums of the weights as an array indexed by the key columns."""
        sums = counted.group_by(keys).agg(pl.col("w").sum().round(9))  # the same on every machine
        totals = np.zeros([sizes[key] for key in keys])
        totals[tuple(sums[key].to_numpy() for key in keys)] = sums["w"].to_numpy()
        return totals

    def with_result(plays: pl.DataFrame, result: int) -> pl.DataFrame:
        return plays.filter(pl.col("result") == result)

    assigned = rows.filter("assigned")
    gains = with_result(assigned, chart_columns.GAIN)
    in_field = gains.filter(~pl.col("scored"))
    sacks = with_result(rows, chart_columns.SACK)
    scrambles = with_result(rows, chart_columns.SCRAMBLE)
    return SideTallies(
        results=count(assigned, "t", "c", "result"),
        gains=count(in_field, "t", "c", "y"),
        scores=count(gains.filter("scored"), "t", "c", "y"),
        fumbles=count(with_result(assigned, chart_columns.FUMBLE), "t", "c", "y"),
        interceptions=count(with_result(assigned, chart_columns.INTERCEPTED), "t", "c", "a"),
        out_of_bounds=count(in_field.filter("out"), "t", "c", "y"),
        sacks=count(sacks, "t", "y"),
        sack_fumbles=count(sacks.filter("fumbled"), "t", "y"),
        scrambles=count(scrambles, "t", "y"),
        scramble_fumbles=count(scrambles.filter("fumbled"), "t"),
        scrambles_out_of_bounds=count(scrambles.filter("out"), "t"),
        aborted=count(with_result(rows, chart_columns.ABORTED), "t"),
    )


def count_by_team(rows: pl.DataFrame, team: str, teams: list[str]) -> Floats:
    """Count the rows of each team, which is in the column `team`."""
    counted = dict(rows.group_by(team).len().iter_rows())
    return np.array([float(counted.get(code, 0)) for code in teams])


def clip_yards(yards: pl.Expr) -> pl.Expr:
    return yards.clip(LOWEST_GAIN, HIGHEST_GAIN).cast(pl.Int64)


def histogram_by_team(rows: pl.DataFrame, team: str, yards: pl.Expr, teams: list[str]) -> Floats:
    """Return [team, yard]: how many rows of each team have that many yards."""
    team_index = {name: index for index, name in enumerate(teams)}
    counts = np.zeros((len(teams), len(YARDS)))
    indexed = rows.select(
        t=pl.col(team).replace_strict(team_index, default=None, return_dtype=pl.Int64),
        y=clip_yards(yards) - LOWEST_GAIN,
    ).drop_nulls()
    np.add.at(counts, (indexed["t"].to_numpy(), indexed["y"].to_numpy()), 1.0)
    return counts


# --- Histograms over YARDS -----------------------------------------------------------


def expand_histogram(counts: Floats) -> list[int]:
    """Return the values of a histogram as a list."""
    return [int(y) for y, n in zip(YARDS, counts, strict=True) for _ in range(round(float(n)))]


def deciles(counts: Floats) -> list[int]:
    """Return the nine deciles of a histogram, the median first."""
    shares = np.cumsum(counts) / counts.sum()
    return [
        int(YARDS[np.searchsorted(shares, tenth / 10)]) for tenth in (5, 2, 8, 3, 7, 1, 9, 4, 6)
    ]


def histogram_mean(counts: Floats, default: float) -> float:
    """Return the mean of a histogram, or `default` if it is empty."""
    return float(counts @ YARDS / counts.sum()) if counts.sum() else default
