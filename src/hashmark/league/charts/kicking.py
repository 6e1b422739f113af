"""Special teams: kickoffs, punts, field goals, extra points, and every kind of return."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hashmark.games.data_driven.charts import cells as c
from hashmark.games.data_driven.dice import DEFENCE_WEIGHTS, OFFENCE_WEIGHTS
from hashmark.league.charts import quantise
from hashmark.league.charts.flags import (
    BY_DEFENCE,
    BY_OFFENCE,
    DEF_5,
    DEF_15,
    KINDS,
    OFF_5,
    OFF_10,
    OFF_15,
)
from hashmark.league.charts.offence import CELL_OF_FLAG, deal_numbers
from hashmark.league.charts.overlay import Cover
from hashmark.league.charts.tallies import LOWEST, YARDS, Array

WHOLE = sum(OFFENCE_WEIGHTS)
Cells = list[int]
Labels = NDArray[np.int64]


@dataclass(frozen=True)
class Returns:
    """Returns of one kind by team: how many, how far, what else happened on them."""

    yards: Array  # [team, yard]: returns that ended in the field
    touchdowns: Array  # [team]
    fumbles: Array  # [team]
    spots: list[int]  # of all the fumbles
    flags: Array  # [kind]: rates of the league per return, by kind of flag

    @property
    def number(self) -> Array:
        return np.asarray(self.yards.sum(1) + self.touchdowns + self.fumbles)

    def mean(self) -> Array:
        """[team]: mean of the returns that ended in the field."""
        return np.asarray((self.yards @ YARDS) / np.maximum(self.yards.sum(1), 1e-9))


def shrunk(total: Array, number: Array, k: float) -> Array:
    """Rates drawn towards that of the league; k plays of the league count beside the own."""
    league = float(np.sum(total)) / max(float(np.sum(number)), 1e-9)
    return np.asarray((total + k * league) / np.maximum(number + k, 1e-9))


# --- Counting ------------------------------------------------------------------------


def collect(
    rows: pl.DataFrame, teams: list[str], team: str, yards: pl.Expr, flags: Array
) -> Returns:
    """Returns by the team in the column `team`; `yards` is their length."""
    number = {name: at for at, name in enumerate(teams)}
    made = rows.select(
        t=pl.col(team).replace_strict(number, default=None, return_dtype=pl.Int64),
        y=yards.fill_null(0.0).clip(LOWEST, int(YARDS[-1])).cast(pl.Int64),
        scored=(pl.col("touchdown") == 1) & pl.col("td_team").eq_missing(pl.col(team)),
        fumbled=(pl.col("fumble") == 1) & pl.col("fumbled_1_team").eq_missing(pl.col(team)),
    ).drop_nulls("t")
    table = np.zeros((len(teams), len(YARDS)))
    plain = made.filter(~pl.col("scored") & ~pl.col("fumbled"))
    np.add.at(table, (plain["t"].to_numpy(), plain["y"].to_numpy() - LOWEST), 1.0)
    scored = made.filter("scored")["t"].to_numpy()
    fumbled = made.filter(pl.col("fumbled") & ~pl.col("scored"))
    return Returns(
        yards=table,
        touchdowns=np.bincount(scored, minlength=len(teams)).astype(float),
        fumbles=np.bincount(fumbled["t"].to_numpy(), minlength=len(teams)).astype(float),
        spots=[int(y) for y in fumbled["y"]],
        flags=flags,
    )


def return_flags(rows: pl.DataFrame, team: str, number: int) -> Array:
    """Rates of accepted flags per return, by kind: of the returners OFF, rough ones of others."""
    rates = np.zeros(len(KINDS))
    flagged = rows.filter((pl.col("penalty") == 1) & pl.col("penalty_type").is_not_null())
    counted = flagged.group_by(
        own=pl.col("penalty_team").eq_missing(pl.col(team)), foul="penalty_type"
    ).len("count")
    for own, foul, count in counted.sort("own", "foul").iter_rows():
        kind = BY_OFFENCE.get(foul, OFF_5) if own else BY_DEFENCE.get(foul, DEF_5)
        if kind in (OFF_5, OFF_10, OFF_15, DEF_15):
            rates[kind] += count
    return rates / max(number, 1)


# --- Charts --------------------------------------------------------------------------


def coverage(deviation: float, typical: int) -> list[int]:
    """Five rows: numbers whose mean is the deviation, and one `(#)` of usual size."""
    rows = [0, 1, 2, 4]
    share = sum(DEFENCE_WEIGHTS[row] for row in rows)
    low = int(np.floor(deviation))

    def mean(up: tuple[int, ...]) -> float:
        total = sum(DEFENCE_WEIGHTS[row] * (low + one) for row, one in zip(rows, up, strict=True))
        return total / share

    best = min(product((0, 1), repeat=len(rows)), key=lambda up: abs(mean(up) - deviation))
    cells = [c.cell_of(c.PAREN, typical)] * len(DEFENCE_WEIGHTS)
    for row, one in zip(rows, best, strict=True):
        cells[row] = c.cell_of(c.NUMBER, low + one)
    return cells


def cover_of(charts: list[list[int]]) -> Cover:
    """Five-row charts of all teams together, as one cover."""
    shifts: dict[int, float] = {}
    parens: dict[int, float] = {}
    for cells in charts:
        for cell, ways in zip(cells, DEFENCE_WEIGHTS, strict=True):
            into = parens if c.kind_of(cell) == c.PAREN else shifts
            number = c.number_of(cell)
            into[number] = into.get(number, 0.0) + ways / sum(DEFENCE_WEIGHTS) / len(charts)
    return Cover(shifts=shifts, parens=parens)


def return_chart(
    yards: Array,
    mean: float,
    touchdowns: float,
    fumbles: float,
    spots: list[int],
    flags: Array,
    cover: Cover,
    caught: float = 0.0,
    lowest: int = -20,
) -> Cells:
    """Thirty cells of a return; `caught` is the part of kicks that nobody returns (FC).

    Rates and mean are those after the coverage has been laid over the chart.
    """
    penalties = {kind: float(flags[kind]) * WHOLE for kind in CELL_OF_FLAG if flags[kind] > 0}
    first, _ = quantise.deal({str(kind): ways for kind, ways in penalties.items()})
    body = WHOLE - sum(_ways(rows) for rows in first.values())
    ways = {str(kind): w for kind, w in penalties.items()}
    ways["F"] = fumbles * (1 - caught) * body
    ways["TD"] = touchdowns / max(cover.number, 1e-9) * (1 - caught) * body
    if caught > 0:
        ways["FC"] = caught * body
    dealt, free = quantise.deal(ways)
    left = sum(OFFENCE_WEIGHTS[row] for row in free)
    scored = _ways(dealt["TD"])
    run_back = float(left + scored)  # ways that the coverage can still change
    brought = sum(to * chance for to, chance in cover.parens.items()) * run_back
    wanted = mean * (run_back - scored * cover.number)
    total = (wanted - brought) / cover.number - left * cover.shift
    numbers = quantise.spread(free, YARDS.astype(float), yards, total, lowest=lowest)
    cells = [c.BLANK] * len(OFFENCE_WEIGHTS)
    for row, number in numbers.items():
        cells[row] = c.cell_of(c.NUMBER, number)
    kinds = {"TD": c.TD, "FC": c.FAIR_CATCH} | {str(k): cell for k, cell in CELL_OF_FLAG.items()}
    for name, rows in dealt.items():
        spotted = deal_numbers(spots, len(rows)) if name == "F" else [0] * len(rows)
        for row, number in zip(rows, spotted, strict=True):
            cells[row] = c.cell_of(c.FUMBLE if name == "F" else kinds[name], number)
    return cells


def _ways(rows: list[int]) -> int:
    return sum(OFFENCE_WEIGHTS[row] for row in rows)


def kick_chart(
    yards: Array, mean: float, events: Mapping[int, float], out: float = 0.0, lowest: int = 0
) -> Cells:
    """Kickoffs and punts: lengths of the given mean, and events (cells with their rates)."""
    flags = {cell: rate * WHOLE for cell, rate in events.items() if c.is_penalty(cell)}
    taken, _ = quantise.deal({str(cell): ways for cell, ways in flags.items()})
    body = WHOLE - sum(_ways(rows) for rows in taken.values())
    ways = {str(cell): w for cell, w in flags.items()}
    ways |= {str(cell): rate * body for cell, rate in events.items() if not c.is_penalty(cell)}
    dealt, free = quantise.deal(ways)
    left = sum(OFFENCE_WEIGHTS[row] for row in free)
    numbers = quantise.spread(free, YARDS.astype(float), yards, mean * left, lowest=lowest)
    marked = quantise.nearest(list(numbers), out * left)
    cells = [c.BLANK] * len(OFFENCE_WEIGHTS)
    for row, number in numbers.items():
        cells[row] = c.cell_of(c.NUMBER_OUT if row in marked else c.NUMBER, number)
    for name, rows in dealt.items():
        for row in rows:
            cells[row] = int(name)
    return cells


def field_goal_chart(
    good: Array, blocked: float, longest: int, flags: Mapping[int, float]
) -> Cells:
    """`good[L]` is the chance from L yards to the goal line, falling with L.

    Each row, from the best, makes every kick that its place in the order allows.
    """
    dealt, free = quantise.deal({str(cell): rate * WHOLE for cell, rate in flags.items()})
    body = WHOLE - sum(_ways(rows) for rows in dealt.values())
    block_rows = quantise.nearest(free, blocked * body)
    order = sorted(
        (row for row in free if row not in block_rows),
        key=lambda row: (OFFENCE_WEIGHTS[row], row),
    )
    cells = [c.cell_of(c.BLOCK, -7)] * len(OFFENCE_WEIGHTS)
    for name, rows in dealt.items():
        for row in rows:
            cells[row] = int(name)
    done = 0.0
    for row in order:
        share = OFFENCE_WEIGHTS[row] / body
        reach = np.flatnonzero(good >= done + share / 2)
        done += share
        if len(reach):
            cells[row] = c.cell_of(c.NUMBER, min(int(reach[-1]), longest))
        else:
            cells[row] = c.cell_of(c.NO_GOOD, 0)
    best = max(order, key=lambda row: c.number_of(cells[row]) if c.is_number(cells[row]) else -1)
    cells[best] = c.cell_of(c.NUMBER, longest)
    return cells


def fit_field_goals(tries: pl.DataFrame, teams: list[str], k: float) -> tuple[Array, Array]:
    """Logistic regression on the distance with a shrunk kicker's term.

    Gives the chance of a kick that is not blocked by team and line of scrimmage [team, L],
    and the defences' deviation from it [team], as a rate.
    """
    number = {name: at for at, name in enumerate(teams)}
    t = np.array([number[team] for team in tries["posteam"]], dtype=np.int64)
    u = np.array([number[team] for team in tries["defteam"]], dtype=np.int64)
    far = tries["yardline_100"].to_numpy().astype(float)
    made = (tries["field_goal_result"] == "made").to_numpy().astype(float)
    base = np.stack([np.ones_like(far), (far - 20) / 10, np.maximum(far - 20, 0) ** 2 / 100], 1)
    beta = _logistic(base, t, made, len(teams), max(k, 2.0) * 0.13)
    p = _chance(base, t, beta)
    lines = np.arange(0, 60, dtype=float)
    grid = np.stack(
        [np.ones_like(lines), (lines - 20) / 10, np.maximum(lines - 20, 0) ** 2 / 100], 1
    )
    logit = grid @ beta[: base.shape[1]]
    good = 1 / (1 + np.exp(-(logit[None, :] + beta[base.shape[1] :][:, None])))
    near = far <= 31
    less = np.bincount(u[near], weights=(made - p)[near], minlength=len(teams))
    count = np.bincount(u[near], minlength=len(teams)).astype(float)
    return np.minimum.accumulate(good, axis=1), less / (count + k)


def _chance(base: Array, t: Labels, beta: Array) -> Array:
    """The chance of each kick, from the base's factors and the kicker's own term."""
    width = base.shape[1]
    return np.asarray(1 / (1 + np.exp(-np.clip(base @ beta[:width] + beta[width:][t], -30, 30))))


def _logistic(base: Array, t: Labels, made: Array, teams: int, held: float) -> Array:
    """The base's factors and then every kicker's term, by Newton's steps.

    A kicker's term has the variance of k tries, each of p (1 - p) = 0.13. A kick has one kicker,
    so the sums are by kicker, and the matrix is small.
    """
    width = base.shape[1]
    penalty = np.concatenate([np.full(width, 1e-3), np.full(teams, held)])
    beta = np.zeros(width + teams)
    for _ in range(25):
        p = _chance(base, t, beta)
        weight = np.maximum(p * (1 - p), 1e-4)
        normal = np.diag(penalty)
        normal[:width, :width] += base.T @ (base * weight[:, None])
        slope = -penalty * beta
        slope[:width] += base.T @ (made - p)
        slope[width:] += np.bincount(t, made - p, teams)
        normal[range(width, width + teams), range(width, width + teams)] += np.bincount(
            t, weight, teams
        )
        for one in range(width):
            shared = np.bincount(t, weight * base[:, one], teams)
            normal[one, width:] = shared
            normal[width:, one] = shared
        beta = beta + np.linalg.solve(normal, slope)
    return beta
