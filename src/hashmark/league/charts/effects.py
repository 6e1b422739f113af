"""Team effects: how much better than the league an offence or a defence was, in a measure.

    y = mu[column] + off[team] + off[team, column] + def[other] + def[other, column] + h * home

with random team effects, solved by ridge regression. The penalties are ratios of variances,
estimated from the season by the method of moments and kept near the usual ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import polars as pl

from hashmark.league.charts.tallies import Array

# Usual ratios of error variance to the variance between teams: plays after which a team's own
# figure and the league's count alike.
USUAL = {
    "run yards": 140.0,
    "completion yards": 120.0,
    "completion": 150.0,
    "interception": 800.0,
    "trapped": 190.0,
    "sack": 60.0,
    "fumble": 2000.0,
}
SPAN = 3.0  # an estimated ratio stays between a third of the usual one and three times it


@dataclass(frozen=True)
class Effects:
    """Deviations from the league's mean: arrays [team, column]."""

    offence: Array
    defence: Array
    mean: Array  # [column]
    ratio: float


def estimate(
    sums: pl.DataFrame, teams: int, columns: int, measure: str, shrink: float = 1.0
) -> Effects:
    """Both sides' effects from sums by game: t, u, c, home, n, y and y2 (sum of squares)."""
    sums = sums.filter(pl.col("n") > 0)
    t, u, c = (sums[name].to_numpy() for name in ("t", "u", "c"))
    n, y, squares = (sums[name].to_numpy().astype(float) for name in ("n", "y", "y2"))
    home = np.where(sums["home"].to_numpy(), 0.5, -0.5)
    mean = _by(c, y, columns) / np.maximum(_by(c, n, columns), 1e-9)
    error = float((squares - 2 * mean[c] * y + mean[c] ** 2 * n).sum() / max(n.sum() - 1, 1))
    ratio = _ratio(t, u, n, y - mean[c] * n, error, teams, USUAL[measure])
    split = 2.0 if columns > 1 else 1.0
    penalty = ratio * split * shrink
    blocks = [(t, teams), (u, teams)]
    if columns > 1:
        blocks += [(t * columns + c, teams * columns), (u * columns + c, teams * columns)]
    blocks += [(c, columns)]
    solved = _solve(blocks, home, n, y - mean[c] * n, penalty)
    offence = np.repeat(solved[0][:, None], columns, axis=1)
    defence = np.repeat(solved[1][:, None], columns, axis=1)
    if columns > 1:
        offence = offence + solved[2].reshape(teams, columns)
        defence = defence + solved[3].reshape(teams, columns)
    return Effects(offence, defence, mean, ratio)


def raw(sums: pl.DataFrame, teams: int, columns: int) -> Effects:
    """Plain differences from the league's mean, as the season had them."""
    t, u, c = (sums[name].to_numpy() for name in ("t", "u", "c"))
    n, y = (sums[name].to_numpy().astype(float) for name in ("n", "y"))
    mean = _by(c, y, columns) / np.maximum(_by(c, n, columns), 1e-9)
    sides = []
    for who in (t, u):
        count = _by(who * columns + c, n, teams * columns).reshape(teams, columns)
        total = _by(who * columns + c, y, teams * columns).reshape(teams, columns)
        sides.append(np.where(count > 0, total / np.maximum(count, 1e-9) - mean, 0.0))
    return Effects(sides[0], sides[1], mean, 0.0)


def _by(key: Array, value: Array, size: int) -> Array:
    return np.asarray(np.bincount(key, weights=value, minlength=size), dtype=np.float64)


def _ratio(
    t: Array, u: Array, n: Array, rest: Array, error: float, teams: int, usual: float
) -> float:
    """Error variance over the variance between teams, both sides together."""
    between = []
    for who in (t, u):
        count, total = _by(who, n, teams), _by(who, rest, teams)
        there = count > 0
        means = total[there] / count[there]
        between.append(float(np.average(means**2, weights=count[there])))
        between[-1] -= error * there.sum() / count.sum()
    variance = max(float(np.mean(between)), 1e-12)
    return float(np.clip(error / variance, usual / SPAN, usual * SPAN))


def _solve(
    blocks: list[tuple[Array, int]], home: Array, n: Array, rest: Array, penalty: float
) -> list[Array]:
    """Weighted ridge regression on sums: a block of indicators each, the last one free."""
    starts = np.cumsum([0] + [size for _, size in blocks])
    size = int(starts[-1]) + 1
    places = [key + start for (key, _), start in zip(blocks, starts, strict=False)]
    normal, right = np.zeros((size, size)), np.zeros(size)
    for one in places:
        np.add.at(right, one, rest)
        for other in places:
            np.add.at(normal, (one, other), n)
        np.add.at(normal, (one, size - 1), n * home)
        np.add.at(normal, (size - 1, one), n * home)
    right[-1] = float((rest * home).sum())
    normal[-1, -1] += float((n * home**2).sum())
    free = int(starts[-2])
    normal[np.arange(free), np.arange(free)] += penalty
    normal[np.arange(free, size), np.arange(free, size)] += 1e-6
    solved = np.linalg.solve(normal, right)
    return [np.asarray(solved[a:b], dtype=np.float64) for a, b in pairwise(starts)]
