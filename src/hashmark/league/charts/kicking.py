"""Kick and return charts: counts of returns, and charts built from rates and means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
import polars as pl

from hashmark.games.data_driven.charts import cells as c
from hashmark.games.data_driven.dice import DEFENSE_WEIGHTS, OFFENSE_WEIGHTS
from hashmark.league.charts import quantize
from hashmark.league.charts.offense import PENALTY_CELLS, sample_evenly
from hashmark.league.charts.overlay import CoverRates
from hashmark.league.charts.penalties import (
    DEF_5,
    DEF_15,
    DEFENSE_FOULS,
    OFF_5,
    OFF_10,
    OFF_15,
    OFFENSE_FOULS,
    PENALTY_KINDS,
)
from hashmark.league.charts.quantize import sum_ways
from hashmark.league.charts.tallies import (
    YARDS,
    clip_yards,
    count_by_team,
    histogram_by_team,
)
from hashmark.league.data.arrays import Floats, Integers

CellColumn = list[int]


@dataclass(frozen=True)
class ReturnCounts:
    """Returns of one kind by team: count, length, touchdowns, fumbles and penalties."""

    yards: Floats  # [team, yard]: returns that ended in the field of play
    touchdowns: Floats  # [team]
    fumbles: Floats  # [team]
    spots: list[int]  # yards of all fumbles
    flags: Floats  # [kind]: league rates of penalties per return

    @property
    def total(self) -> Floats:
        return np.asarray(self.yards.sum(1) + self.touchdowns + self.fumbles)


def shrink(total: Floats, number: Floats, prior_plays: float) -> Floats:
    """Return rates shrunk to the league average, which counts like `prior_plays` plays."""
    league = float(np.sum(total)) / max(float(np.sum(number)), 1e-9)
    return np.asarray((total + prior_plays * league) / np.maximum(number + prior_plays, 1e-9))


# --- Counting ------------------------------------------------------------------------


def count_returns(
    rows: pl.DataFrame, teams: list[str], team: str, yards: pl.Expr, flags: Floats
) -> ReturnCounts:
    """Count returns by the team in the column `team`; `yards` is their length."""
    length = yards.fill_null(0.0)
    is_score = (pl.col("touchdown") == 1) & pl.col("td_team").eq_missing(pl.col(team))
    is_fumble = (pl.col("fumble") == 1) & pl.col("fumbled_1_team").eq_missing(pl.col(team))
    fumbled = rows.filter(is_fumble & ~is_score & pl.col(team).is_in(teams))
    return ReturnCounts(
        yards=histogram_by_team(rows.filter(~is_score & ~is_fumble), team, length, teams),
        touchdowns=count_by_team(rows.filter(is_score), team, teams),
        fumbles=count_by_team(fumbled, team, teams),
        spots=fumbled.select(clip_yards(length)).to_series().to_list(),
        flags=flags,
    )


def return_penalty_rates(rows: pl.DataFrame, team: str, number: int) -> Floats:
    """Return accepted penalties per return by kind: OFF of the returners, rough ones of others."""
    rates = np.zeros(len(PENALTY_KINDS))
    penalized = rows.filter((pl.col("penalty") == 1) & pl.col("penalty_type").is_not_null())
    counts = penalized.group_by(
        own=pl.col("penalty_team").eq_missing(pl.col(team)), foul="penalty_type"
    ).len("count")
    for is_own, foul, count in counts.sort("own", "foul").iter_rows():
        kind = OFFENSE_FOULS.get(foul, OFF_5) if is_own else DEFENSE_FOULS.get(foul, DEF_5)
        if kind in (OFF_5, OFF_10, OFF_15, DEF_15):
            rates[kind] += count
    return rates / max(number, 1)


# --- Charts --------------------------------------------------------------------------


def build_coverage_chart(deviation: float, typical: int) -> list[int]:
    """Build five rows: numbers whose mean is the deviation, and one `(#)` of typical size."""
    rows = [0, 1, 2, 4]
    cells = [c.cell_of(c.PAREN, typical)] * len(DEFENSE_WEIGHTS)
    numbers = round_to_mean([DEFENSE_WEIGHTS[row] for row in rows], deviation)
    for row, number in zip(rows, numbers, strict=True):
        cells[row] = c.cell_of(c.NUMBER, number)
    return cells


def round_to_mean(weights: Sequence[int], mean: float) -> list[int]:
    """Round the mean down or up once for each weight, so that the weighted mean is nearest."""
    low = int(np.floor(mean))

    def error(steps: tuple[int, ...]) -> float:
        total = sum(weight * (low + step) for weight, step in zip(weights, steps, strict=True))
        return abs(total / sum(weights) - mean)

    return [low + step for step in min(product((0, 1), repeat=len(weights)), key=error)]


def combine_coverage(charts: list[list[int]]) -> CoverRates:
    """Combine five-row charts of all teams into one cover."""
    shifts: dict[int, float] = {}
    parens: dict[int, float] = {}
    for cells in charts:
        for cell, ways in zip(cells, DEFENSE_WEIGHTS, strict=True):
            target = parens if c.kind_of(cell) == c.PAREN else shifts
            number = c.number_of(cell)
            target[number] = target.get(number, 0.0) + ways / sum(DEFENSE_WEIGHTS) / len(charts)
    return CoverRates(shifts=shifts, parens=parens)


def build_return_chart(
    yards: Floats,
    mean: float,
    touchdowns: float,
    fumbles: float,
    spots: list[int],
    flags: Floats,
    cover: CoverRates,
    caught: float = 0.0,
    lowest: int = -20,
) -> CellColumn:
    """Build the thirty cells of a return; `caught` is the share of kicks not returned (FC).

    Rates and mean are those after the coverage chart is applied.
    """
    flag_rates = {str(kind): float(flags[kind]) for kind in PENALTY_CELLS if flags[kind] > 0}
    events = {
        "F": fumbles * (1 - caught),
        "TD": touchdowns / max(cover.number_rate, 1e-9) * (1 - caught),
        **({"FC": caught} if caught > 0 else {}),
    }
    event_rows, free_rows = quantize.allocate_events(flag_rates, events)
    free_ways, touchdown_ways = sum_ways(free_rows), sum_ways(event_rows["TD"])
    returned_ways = float(free_ways + touchdown_ways)  # ways that the coverage chart affects
    paren_yards = sum(to * chance for to, chance in cover.parens.items()) * returned_ways
    wanted = mean * (returned_ways - touchdown_ways * cover.number_rate)
    total = (wanted - paren_yards) / cover.number_rate - free_ways * cover.mean_shift
    numbers = quantize.allocate_yards(free_rows, YARDS.astype(float), yards, total, lowest=lowest)
    cells = [c.BLANK] * len(OFFENSE_WEIGHTS)
    for row, number in numbers.items():
        cells[row] = c.cell_of(c.NUMBER, number)
    kinds = {"TD": c.TD, "FC": c.FAIR_CATCH} | {
        str(flag): cell for flag, cell in PENALTY_CELLS.items()
    }
    for name, rows in event_rows.items():
        row_numbers = sample_evenly(spots, len(rows)) if name == "F" else [0] * len(rows)
        for row, number in zip(rows, row_numbers, strict=True):
            cells[row] = c.cell_of(c.FUMBLE if name == "F" else kinds[name], number)
    return cells


def build_kick_chart(
    yards: Floats, mean: float, events: Mapping[int, float], out: float = 0.0, lowest: int = 0
) -> CellColumn:
    """Build a kickoff or punt chart: lengths of this mean, and events (cells with rates)."""
    flags, others = (
        {str(cell): rate for cell, rate in events.items() if c.is_penalty(cell) == is_flag}
        for is_flag in (True, False)
    )
    event_rows, free_rows = quantize.allocate_events(flags, others)
    free_ways = sum_ways(free_rows)
    numbers = quantize.allocate_yards(
        free_rows, YARDS.astype(float), yards, mean * free_ways, lowest=lowest
    )
    out_rows = quantize.nearest_rows(list(numbers), out * free_ways)
    cells = [c.BLANK] * len(OFFENSE_WEIGHTS)
    for row, number in numbers.items():
        cells[row] = c.cell_of(c.NUMBER_OUT if row in out_rows else c.NUMBER, number)
    for name, rows in event_rows.items():
        for row in rows:
            cells[row] = int(name)
    return cells


def build_field_goal_chart(
    good: Floats, blocked: float, longest: int, flags: Mapping[int, float]
) -> CellColumn:
    """Build a field goal chart from `good[L]`, the chance from L yards to the goal line.

    `good` decreases with L. Each row, from the best, makes every kick that its rank allows.
    """
    flag_rows, free_rows = quantize.allocate_events(
        {str(cell): rate for cell, rate in flags.items()}, {}
    )
    body = sum_ways(free_rows)
    block_rows = quantize.nearest_rows(free_rows, blocked * body)
    order = sorted(
        (row for row in free_rows if row not in block_rows),
        key=lambda row: (OFFENSE_WEIGHTS[row], row),
    )
    cells = [c.cell_of(c.BLOCK, -7)] * len(OFFENSE_WEIGHTS)
    for name, rows in flag_rows.items():
        for row in rows:
            cells[row] = int(name)
    cumulative = 0.0
    for row in order:
        share = OFFENSE_WEIGHTS[row] / body
        made_from = np.flatnonzero(good >= cumulative + share / 2)
        cumulative += share
        if len(made_from):
            cells[row] = c.cell_of(c.NUMBER, min(int(made_from[-1]), longest))
        else:
            cells[row] = c.cell_of(c.NO_GOOD, 0)
    best = max(order, key=lambda row: c.number_of(cells[row]) if c.is_number(cells[row]) else -1)
    cells[best] = c.cell_of(c.NUMBER, longest)
    return cells


def fit_field_goals(tries: pl.DataFrame, teams: list[str], k: float) -> tuple[Floats, Floats]:
    """Fit a logistic regression on distance with a shrunk term for each kicker.

    Returns the chance of an unblocked kick by team and line of scrimmage [team, L], and the
    deviation of each defense from it [team], as a rate.
    """
    team_index = {name: index for index, name in enumerate(teams)}
    t = np.array([team_index[team] for team in tries["posteam"]], dtype=np.int64)
    u = np.array([team_index[team] for team in tries["defteam"]], dtype=np.int64)
    distance = tries["yardline_100"].to_numpy().astype(float)
    made = (tries["field_goal_result"] == "made").to_numpy().astype(float)
    base = _distance_terms(distance)
    beta = _fit_logistic(base, t, made, len(teams), max(k, 2.0) * 0.13)
    p = _make_chance(base, t, beta)
    logit = _distance_terms(np.arange(0, 60, dtype=float)) @ beta[: base.shape[1]]
    good = 1 / (1 + np.exp(-(logit[None, :] + beta[base.shape[1] :][:, None])))
    short_kicks = distance <= 31
    deviation = np.bincount(u[short_kicks], weights=(made - p)[short_kicks], minlength=len(teams))
    count = np.bincount(u[short_kicks], minlength=len(teams)).astype(float)
    return np.minimum.accumulate(good, axis=1), deviation / (count + k)


def _distance_terms(distance: Floats) -> Floats:
    beyond = np.maximum(distance - 20, 0)
    return np.stack([np.ones_like(distance), (distance - 20) / 10, beyond**2 / 100], 1)


def _make_chance(base: Floats, t: Integers, beta: Floats) -> Floats:
    """Return the chance of each kick from the common coefficients and the kicker's term."""
    width = base.shape[1]
    return np.asarray(1 / (1 + np.exp(-np.clip(base @ beta[:width] + beta[width:][t], -30, 30))))


def _fit_logistic(base: Floats, t: Integers, made: Floats, teams: int, precision: float) -> Floats:
    """Fit the common coefficients, then every kicker's term, by Newton's method.

    A kicker's term has the variance of k tries, each of p (1 - p) = 0.13. A kick has one kicker, so
    sums are grouped by kicker, and the matrix is small.
    """
    width = base.shape[1]
    penalty = np.concatenate([np.full(width, 1e-3), np.full(teams, precision)])
    beta = np.zeros(width + teams)
    for _ in range(25):
        p = _make_chance(base, t, beta)
        weight = np.maximum(p * (1 - p), 1e-4)
        hessian = np.diag(penalty)
        hessian[:width, :width] += base.T @ (base * weight[:, None])
        gradient = -penalty * beta
        gradient[:width] += base.T @ (made - p)
        gradient[width:] += np.bincount(t, made - p, teams)
        hessian[range(width, width + teams), range(width, width + teams)] += np.bincount(
            t, weight, teams
        )
        for coefficient in range(width):
            cross_terms = np.bincount(t, weight * base[:, coefficient], teams)
            hessian[coefficient, width:] = cross_terms
            hessian[width:, coefficient] = cross_terms
        beta = beta + np.linalg.solve(hessian, gradient)
    return beta
