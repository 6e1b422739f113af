"""Offense charts: nine columns of thirty rows, the breakaway and QT charts of a team.

A column must reproduce the team's real results against an average defense, so its own rates are
solved first (`overlay.py`), then allocated to the rows of the dice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hashmark.games.data_driven.charts import cells as c
from hashmark.games.data_driven.dice import OFFENSE_WEIGHTS
from hashmark.games.data_driven.tables import PASSES, RUNS
from hashmark.league.charts import overlay, penalties, quantize
from hashmark.league.charts.gain_distributions import (
    BIN_YARDS,
    BREAKAWAY_MIN_YARDS,
    TD_YARDS,
    deconvolve,
    mean_gain,
)
from hashmark.league.charts.overlay import CoverRates, ResultRates
from hashmark.league.charts.quantize import TOTAL_WAYS, sum_ways
from hashmark.league.charts.tallies import LOWEST_GAIN
from hashmark.league.data.arrays import Floats

FIRST_EVENTS = ("INT", "F", "QT")  # allocated first, because they matter most
CARRY_BELOW_WAYS, MAX_CARRIED_WAYS = 6.0, 0.5  # ways: limits of carrying over
BIG_PLAY_MIN_YARDS = 20  # yards of a short pass that lead to the big-play chart
BIG_PLAYS_FIRST_SEASON = 2011
PENALTY_CELLS = {
    penalties.OFF_5: c.OFF_5,
    penalties.OFF_10: c.OFF_10,
    penalties.OFF_15: c.OFF_15,
    penalties.DEF_5: c.DEF_5,
    penalties.DEF_5X: c.DEF_5X,
    penalties.DEF_15: c.DEF_15,
}
_TD_INDEX = len(BIN_YARDS) - 1
_BREAKAWAY_INDEX = BREAKAWAY_MIN_YARDS - LOWEST_GAIN


@dataclass(frozen=True)
class ColumnTarget:
    """Target of one column of one team, and the samples its cells are filled from."""

    rates: ResultRates  # scalar rates per call
    gains: Floats  # distribution of gains
    out: float  # share of gains that end out of bounds
    flags: Floats  # rates per call, by kind of penalty
    interference: list[int]  # sample of yards of pass interference
    grounding: list[int]
    picks: list[int]  # sample of air yards of interceptions
    fumbles: list[int]  # sample of fumble spots


@dataclass
class RoundingCarry:
    """Ways that the columns built so far lack of each event, weighted by calls."""

    shortfall: dict[str, float]

    def correction(self, event: str, calls: float) -> float:
        return max(
            -MAX_CARRIED_WAYS,
            min(MAX_CARRIED_WAYS, self.shortfall.get(event, 0.0) / max(calls, 1e-9)),
        )

    def record(self, event: str, missing: float, calls: float) -> None:
        self.shortfall[event] = self.shortfall.get(event, 0.0) + missing * calls


def solve_own_gains(wanted: Sequence[ColumnTarget], cover: CoverRates) -> Floats:
    """Return [team, yards]: gains printed in a column so that the result is as wanted."""
    offense_rates = [overlay.solve_offense(target.rates, cover) for target in wanted]
    distributions = [
        overlay.solve_offense_gains(target.gains, target.rates, rates, cover, BIN_YARDS)
        for target, rates in zip(wanted, offense_rates, strict=True)
    ]
    return deconvolve(np.stack(distributions), _shift_chances(cover))


def build_column(
    play: str,
    wanted: ColumnTarget,
    cover: CoverRates,
    own: Floats,
    breakaway: float,
    calls: float,
    carry: RoundingCarry,
) -> list[int]:
    """Build the thirty cells of one play.

    `own` is its distribution from `solve_own_gains`, `breakaway` the mean of the breakaway chart.
    """
    offense_rates = overlay.solve_offense(wanted.rates, cover)
    flag_ways = _penalty_ways(play, wanted)
    flag_rows, _ = quantize.allocate_rows(
        {name: _with_carry(carry, name, weight, calls) for name, weight in flag_ways.items()}
    )
    body = TOTAL_WAYS - sum(sum_ways(rows) for rows in flag_rows.values())
    ways = {
        **flag_ways,
        **{name: rate * body for name, rate in _event_chances(play, offense_rates, own).items()},
    }
    carried = {name: _with_carry(carry, name, weight, calls) for name, weight in ways.items()}
    event_rows, free_rows = quantize.allocate_rows(carried, first=FIRST_EVENTS)
    for name, weight in ways.items():
        carry.record(name, weight - sum_ways(event_rows[name]), calls)
    cells = [c.BLANK] * len(OFFENSE_WEIGHTS)
    for name, rows in event_rows.items():
        _fill_cells(cells, name, rows, wanted)
    body = TOTAL_WAYS - sum(sum_ways(event_rows[name]) for name in flag_ways)
    total = _plain_yards(play, wanted, cover, event_rows, body, breakaway)
    distribution = _plain_distribution(play, own)
    numbers = quantize.allocate_yards(free_rows, BIN_YARDS[:-1], distribution, total * body)
    out_rows = _out_of_bounds_rows(numbers, wanted.out)
    for row, number in numbers.items():
        cells[row] = c.cell_of(c.NUMBER_OUT if row in out_rows else c.NUMBER, number)
    return cells


def _with_carry(carry: RoundingCarry, name: str, ways: float, calls: float) -> float:
    """Let rare events make up for what earlier columns could not represent."""
    return max(0.0, ways + carry.correction(name, calls)) if ways < CARRY_BELOW_WAYS else ways


def _shift_chances(cover: CoverRates) -> dict[int, float]:
    return {shift: chance / cover.number_rate for shift, chance in cover.shifts.items()}


def _penalty_ways(play: str, wanted: ColumnTarget) -> dict[str, float]:
    """Return the ways of 216 of each kind of penalty."""
    kinds = [*PENALTY_CELLS]
    if play in PASSES:
        kinds += [penalties.GROUNDING, penalties.PI]
    return {penalties.PENALTY_KINDS[kind]: float(wanted.flags[kind]) * TOTAL_WAYS for kind in kinds}


def _event_chances(play: str, rates: ResultRates, own: Floats) -> dict[str, float]:
    """Return the chances of results other than plain yards."""
    gain = float(rates.gain)
    if play in RUNS:
        return {"F": float(rates.f), "B": gain * float(own[_BREAKAWAY_INDEX:].sum())}
    return {
        "INT": float(rates.int),
        "F": float(rates.f),
        "QT": float(rates.qt),
        "INC": float(rates.inc),
        "TD": gain * float(own[_TD_INDEX]),
    }


def _plain_distribution(play: str, own: Floats) -> Floats:
    """Return the distribution of plain yards; runs of 13 or more are on the breakaway chart."""
    distribution = own[:-1].copy()
    if play in RUNS:
        distribution[_BREAKAWAY_INDEX:] = 0.0
    return distribution


def _plain_yards(
    play: str,
    wanted: ColumnTarget,
    cover: CoverRates,
    event_rows: dict[str, list[int]],
    body: float,
    breakaway: float,
) -> float:
    """Return the yards per call that plain cells must add for the column mean to be right."""
    rate = {name: sum_ways(rows) / body for name, rows in event_rows.items()}
    intercepted, fumbled = rate.get("INT", 0.0), rate.get("F", 0.0)
    yards_left = float(wanted.rates.gain) * float(mean_gain(wanted.gains))
    yards_left -= cover.paren_td * (1 - intercepted) * TD_YARDS
    yards_left -= sum(yards * chance for yards, chance in cover.parens.items()) * (
        1 - intercepted - fumbled
    )
    yards_left -= rate.get("TD", 0.0) * cover.number_rate * TD_YARDS
    yards_left -= rate.get("B", 0.0) * cover.number_rate * (breakaway + cover.mean_shift)
    flags_rate = sum(rate[name] for name in rate if name in penalties.PENALTY_KINDS)
    other_events = sum(rate.values()) - flags_rate
    plain = 1 - other_events
    return yards_left / cover.number_rate - plain * cover.mean_shift


def _fill_cells(cells: list[int], name: str, rows: list[int], wanted: ColumnTarget) -> None:
    """Fill in the cells of one kind of result."""
    simple = {"B": c.BREAKAWAY, "QT": c.TRAPPED, "INC": c.INC, "TD": c.TD}
    simple |= {penalties.PENALTY_KINDS[kind]: cell for kind, cell in PENALTY_CELLS.items()}
    if name in simple:
        numbers, kind = [0] * len(rows), simple[name]
    else:
        source, kind = {
            "INT": (wanted.picks, c.INT),
            "F": (wanted.fumbles, c.FUMBLE),
            "PI": (wanted.interference, c.PI),
            "grounding": (wanted.grounding, c.GROUNDING),
        }[name]
        numbers = sample_evenly(source, len(rows))
    for row, number in zip(rows, numbers, strict=True):
        cells[row] = c.cell_of(kind, number)


def sample_evenly(source: list[int], rows: int) -> list[int]:
    """Return `rows` of the sorted numbers, evenly spaced from low to high."""
    if not source:
        return [0] * rows
    ordered = sorted(source)
    return [ordered[int((index + 0.5) / rows * len(ordered))] for index in range(rows)]


def _out_of_bounds_rows(numbers: dict[int, int], share: float) -> set[int]:
    """Return the rows with an asterisk: gains whose weights come nearest to the share."""
    gaining = [row for row, yards in numbers.items() if yards > 0]
    return set(quantize.nearest_rows(gaining, share * sum_ways(list(numbers))))


def mark_big_plays(cells: list[int]) -> list[int]:
    """R110: make long gains of the short pass lead to the big-play chart."""
    bold = {c.NUMBER: c.NUMBER_BOLD, c.NUMBER_OUT: c.NUMBER_OUT_BOLD}
    return [
        c.cell_of(bold[c.kind_of(cell)], c.number_of(cell))
        if c.is_number(cell) and c.number_of(cell) >= BIG_PLAY_MIN_YARDS
        else cell
        for cell in cells
    ]


# --- Single-column charts ------------------------------------------------------------


def build_long_gain_chart(distribution: Floats, out: float, first: int) -> list[int]:
    """Build a chart of gains of at least `first` yards with TD: breakaways and big plays."""
    tail = distribution.copy()
    tail[: first - LOWEST_GAIN] = 0.0
    tail /= tail.sum()
    _, free_rows = quantize.allocate_rows({"TD": float(tail[_TD_INDEX]) * TOTAL_WAYS})
    numbers = quantize.allocate_yards(free_rows, BIN_YARDS[:-1], tail[:-1], lowest=first)
    out_rows = _out_of_bounds_rows(numbers, out)
    cells = [c.cell_of(c.TD, 0)] * len(OFFENSE_WEIGHTS)
    for row, number in numbers.items():
        cells[row] = c.cell_of(c.NUMBER_OUT if row in out_rows else c.NUMBER, number)
    return cells


def chart_mean(cells: list[int]) -> float:
    """Return expected yards of a chart of gains, with TD counted as `TD_YARDS`."""
    yards = [TD_YARDS if c.kind_of(cell) == c.TD else c.number_of(cell) for cell in cells]
    return float(np.dot(OFFENSE_WEIGHTS, yards)) / TOTAL_WAYS


def build_trapped_chart(
    sacked: float, fumbled: float, sacks: Floats, scrambles: Floats, spots: list[int], out: float
) -> list[int]:
    """Build the QT chart: sacks, scrambles and fumbles, given a trapped passer."""
    fumble_rows, free_rows = quantize.allocate_rows({"F": sacked * fumbled * TOTAL_WAYS})
    sack_ways = sacked * (1 - fumbled) * TOTAL_WAYS
    sack_rows = quantize.nearest_rows(free_rows, sack_ways)
    scramble_rows = [row for row in free_rows if row not in sack_rows]
    losses = np.minimum(BIN_YARDS[:-1], 0.0)
    sack_numbers = quantize.allocate_yards(sack_rows, losses, sacks)
    sack_numbers = {row: min(yards, 0) for row, yards in sack_numbers.items()}
    scramble_yards = quantize.allocate_yards(
        scramble_rows, np.maximum(BIN_YARDS[:-1], 1.0), scrambles, lowest=1
    )
    out_rows = _out_of_bounds_rows(scramble_yards, out)
    cells = [c.BLANK] * len(OFFENSE_WEIGHTS)
    for row, number in {**sack_numbers, **scramble_yards}.items():
        cells[row] = c.cell_of(c.NUMBER_OUT if row in out_rows else c.NUMBER, number)
    fumble_spots = sample_evenly(spots, len(fumble_rows["F"]))
    for row, number in zip(fumble_rows["F"], fumble_spots, strict=True):
        cells[row] = c.cell_of(c.FUMBLE, min(number, 0))
    return cells
