"""Team effects: how much better than the league average an offense or defense was.

    y = mu[column] + off[team] + off[team, column] + def[other] + def[other, column] + h * home

with random team effects, solved by ridge regression. The penalties are variance ratios, estimated
from the season by the method of moments and kept near their usual values.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import polars as pl

from hashmark.league.data.arrays import Floats

# Usual ratios of error variance to between-team variance: the number of plays at which a team's own
# mean and the league average have equal weight.
USUAL_VARIANCE_RATIOS = {
    "run yards": 140.0,
    "completion yards": 120.0,
    "completion": 150.0,
    "interception": 800.0,
    "trapped": 190.0,
    "sack": 60.0,
    "fumble": 2000.0,
}
MAX_RATIO_FACTOR = 3.0  # estimated ratios stay within this factor of the usual ones


@dataclass(frozen=True)
class TeamEffects:
    """Deviations from the league mean: arrays [team, column]."""

    offense: Floats
    defense: Floats
    mean: Floats  # [column]
    variance_ratio: float


def estimate_effects(
    sums: pl.DataFrame, teams: int, columns: int, measure: str, shrink: float = 1.0
) -> TeamEffects:
    """Estimate both sides' effects from sums by game: t, u, c, home, n, y and y2 (squares)."""
    sums = sums.filter(pl.col("n") > 0)
    t, u, c = (sums[name].to_numpy() for name in ("t", "u", "c"))
    n, y, squares = (sums[name].to_numpy().astype(float) for name in ("n", "y", "y2"))
    home = np.where(sums["home"].to_numpy(), 0.5, -0.5)
    mean = _sum_by(c, y, columns) / np.maximum(_sum_by(c, n, columns), 1e-9)
    error = float((squares - 2 * mean[c] * y + mean[c] ** 2 * n).sum() / max(n.sum() - 1, 1))
    ratio = _variance_ratio(t, u, n, y - mean[c] * n, error, teams, USUAL_VARIANCE_RATIOS[measure])
    split = 2.0 if columns > 1 else 1.0
    penalty = ratio * split * shrink
    blocks = [(t, teams), (u, teams)]
    if columns > 1:
        blocks += [(t * columns + c, teams * columns), (u * columns + c, teams * columns)]
    blocks += [(c, columns)]
    coefficients = _solve_ridge(blocks, home, n, y - mean[c] * n, penalty)
    offense = np.repeat(coefficients[0][:, None], columns, axis=1)
    defense = np.repeat(coefficients[1][:, None], columns, axis=1)
    if columns > 1:
        offense = offense + coefficients[2].reshape(teams, columns)
        defense = defense + coefficients[3].reshape(teams, columns)
    return TeamEffects(offense, defense, mean, ratio)


def raw_effects(sums: pl.DataFrame, teams: int, columns: int) -> TeamEffects:
    """Return plain differences from the league mean, without shrinkage."""
    t, u, c = (sums[name].to_numpy() for name in ("t", "u", "c"))
    n, y = (sums[name].to_numpy().astype(float) for name in ("n", "y"))
    mean = _sum_by(c, y, columns) / np.maximum(_sum_by(c, n, columns), 1e-9)
    sides = []
    for team_index in (t, u):
        count = _sum_by(team_index * columns + c, n, teams * columns).reshape(teams, columns)
        total = _sum_by(team_index * columns + c, y, teams * columns).reshape(teams, columns)
        sides.append(np.where(count > 0, total / np.maximum(count, 1e-9) - mean, 0.0))
    return TeamEffects(sides[0], sides[1], mean, 0.0)


def _sum_by(key: Floats, value: Floats, size: int) -> Floats:
    return np.asarray(np.bincount(key, weights=value, minlength=size), dtype=np.float64)


def _variance_ratio(
    t: Floats, u: Floats, n: Floats, residuals: Floats, error: float, teams: int, usual: float
) -> float:
    """Return error variance over between-team variance, pooled over both sides."""
    between = []
    for team_index in (t, u):
        count, total = _sum_by(team_index, n, teams), _sum_by(team_index, residuals, teams)
        has_plays = count > 0
        means = total[has_plays] / count[has_plays]
        between.append(float(np.average(means**2, weights=count[has_plays])))
        between[-1] -= error * has_plays.sum() / count.sum()
    variance = max(float(np.mean(between)), 1e-12)
    return float(np.clip(error / variance, usual / MAX_RATIO_FACTOR, usual * MAX_RATIO_FACTOR))


def _solve_ridge(
    blocks: list[tuple[Floats, int]], home: Floats, n: Floats, residuals: Floats, penalty: float
) -> list[Floats]:
    """Solve weighted ridge regression on sums: one indicator block each, the last unpenalized."""
    starts = np.cumsum([0] + [size for _, size in blocks])
    size = int(starts[-1]) + 1
    columns = [key + start for (key, _), start in zip(blocks, starts, strict=False)]
    normal, rhs = np.zeros((size, size)), np.zeros(size)
    for column in columns:
        np.add.at(rhs, column, residuals)
        for other in columns:
            np.add.at(normal, (column, other), n)
        np.add.at(normal, (column, size - 1), n * home)
        np.add.at(normal, (size - 1, column), n * home)
    rhs[-1] = float((residuals * home).sum())
    normal[-1, -1] += float((n * home**2).sum())
    penalized = int(starts[-2])
    normal[np.arange(penalized), np.arange(penalized)] += penalty
    normal[np.arange(penalized, size), np.arange(penalized, size)] += 1e-6
    solved = np.linalg.solve(normal, rhs)
    return [np.asarray(solved[a:b], dtype=np.float64) for a, b in pairwise(starts)]
