"""Defense charts: six formations of nine columns of five rows, for every team.

The league's design gives each formation its character; the team's own rates set the level. Five
rows of weights 12, 11, 9, 3, 1 reach few totals, so the six formations of a column are chosen
jointly: their mix matches the team's rates although single columns are coarse.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from hashmark.games.data_driven.charts import cells as c
from hashmark.games.data_driven.dice import DEFENSE_WEIGHTS
from hashmark.games.data_driven.tables import FORMATIONS, PLAYS, RUNS
from hashmark.league.charts import formations as f
from hashmark.league.charts.formations import BUILD_ORDER, EVENTS, FormationDesign
from hashmark.league.charts.overlay import CoverRates
from hashmark.league.charts.score_adjustment import TRAPPED_YARDS
from hashmark.league.data.arrays import Floats, Integers

WAYS = np.array(DEFENSE_WEIGHTS, dtype=float)
TOTAL_WAYS = float(WAYS.sum())
SWEEPS = 4
LOCAL_ERROR_WEIGHT = 0.02  # weight of a formation's own error relative to that of the mix
# Weight of an error of one way, by event.
EVENT_ERROR_WEIGHTS = np.array([0.0, 1.0, 4.0, 2.0, 6.0, 0.6, 0.6, 2.0])
RUN_EVENTS = (f.NUMBER, f.F, f.PAREN, f.LONG_PAREN)
PASS_EVENTS = (f.NUMBER, f.INC, f.INT, f.QT, f.F, f.PAREN, f.PAREN_TD)
TURNOVER_YARDS = 55.0  # value of a turnover in yards
FUMBLE_LOST_SHARE = 0.5
MAX_OFFSET_YARDS = 6.0  # yards
EXCESS_YARD_COST = 1.0  # cost of a yard that cannot be offset
MAX_CARRIED_YARDS = 1.5  # yards of rounding error a formation takes over from earlier ones
MAX_PAREN_WAYS = 12
MIN_NUMBER_WAYS = 11


@dataclass(frozen=True)
class DefenseCharts:
    """Built charts: labels [team, formation, column, row] and the yards of number rows."""

    labels: Integers
    yards: Integers


@dataclass(frozen=True)
class LeagueAverage:
    """League averages by column: yards per call, and share of calls that gain."""

    yards: Floats
    gains: Floats


def build_defenses(
    rates: Floats, shift: Floats, mix: Floats, plan: FormationDesign, average: LeagueAverage
) -> DefenseCharts:
    """Build charts whose mix has these rates [team, column, event] and shifts [team, column]."""
    teams = len(rates)
    shape = (teams, len(FORMATIONS), len(PLAYS), len(WAYS))
    labels, yards = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
    for column, play in enumerate(PLAYS):
        wanted = _wanted_ways(rates[:, column], plan, column)
        worth = _event_worth(plan, average, column)
        column_labels = _choose_labels(wanted, mix[column], play in RUNS, worth)
        labels[:, :, column] = column_labels
        target = plan.shift[None, :, column] + shift[:, column, None]
        target = target + _number_offsets(column_labels, wanted, mix[column], worth)
        yards[:, :, column] = _round_shifts(column_labels, target, mix[column])
    return DefenseCharts(labels, yards)


def _wanted_ways(rates: Floats, plan: FormationDesign, column: int) -> Floats:
    """Return the wanted ways of 36: [team, formation, event]."""
    wanted = TOTAL_WAYS * rates[:, None, :] * plan.relative_rate[None, :, column, :]
    for event in (f.PAREN, f.LONG_PAREN, f.PAREN_TD):
        wanted[:, :, event] = plan.ways[None, :, column, event]
    return wanted


def _event_worth(plan: FormationDesign, average: LeagueAverage, column: int) -> Floats:
    """Return [formation, event]: the value of an event in yards, compared with an average play.

    A number cell only counts when the play gains, so all values are divided by the share of gains.
    """
    yards, gains = average.yards[column], average.gains[column]
    worth = np.zeros((len(FORMATIONS), len(EVENTS)))
    worth[:, f.INC] = -yards
    worth[:, f.QT] = TRAPPED_YARDS - yards
    worth[:, f.INT] = -yards - TURNOVER_YARDS
    worth[:, f.F] = -TURNOVER_YARDS * FUMBLE_LOST_SHARE
    worth[:, [f.PAREN, f.LONG_PAREN]] = gains * plan.paren_yards[:, column] - yards
    return np.asarray(worth / gains)


def _number_offsets(labels: Integers, wanted: Floats, mix: Floats, worth: Floats) -> Floats:
    """Return [team, formation]: yards on the numbers that offset rounded event rates.

    Five rows cannot match every rate; this keeps each formation as strong as designed. Over the mix
    the offsets sum to zero.
    """
    actual = np.stack([(labels == event) @ WAYS for event in range(len(EVENTS))], -1)
    number_ways = actual[:, :, f.NUMBER]
    offset = np.einsum("tfe,fe->tf", wanted - actual, worth) / number_ways
    offset = np.clip(offset, -MAX_OFFSET_YARDS, MAX_OFFSET_YARDS)
    weight = mix * number_ways
    return np.asarray(offset - ((weight * offset).sum(1) / weight.sum(1))[:, None])


def _row_candidates(run: bool) -> tuple[Integers, Floats]:
    """Return every assignment of events to the five rows, and the ways each event then has."""
    rows = np.array(list(product(RUN_EVENTS if run else PASS_EVENTS, repeat=len(WAYS))))
    ways = np.zeros((len(rows), len(EVENTS)))
    for event in range(len(EVENTS)):
        ways[:, event] = (rows == event) @ WAYS
    paren_ways = ways[:, f.PAREN] + ways[:, f.LONG_PAREN]
    is_allowed = (paren_ways <= MAX_PAREN_WAYS) & (ways[:, f.NUMBER] >= MIN_NUMBER_WAYS)
    return rows[is_allowed], ways[is_allowed]


_CANDIDATE_CACHE: dict[bool, tuple[Integers, Floats]] = {}


def _choose_labels(wanted: Floats, mix: Floats, run: bool, worth: Floats) -> Integers:
    """Return labels [team, formation, row]: each formation near its target, their mix nearest.

    No formation gets events that its numbers cannot offset. A team is done when a whole sweep
    changes none of its formations.
    """
    if run not in _CANDIDATE_CACHE:
        _CANDIDATE_CACHE[run] = _row_candidates(run)
    rows, ways = _CANDIDATE_CACHE[run]
    complexity = 1e-4 * ((rows != f.NUMBER) @ np.array([4.0, 3.0, 2.0, 1.0, 0.0]))
    # Terms of the cost, combined in one matrix product.
    cost_terms = np.vstack([ways**2 @ EVENT_ERROR_WEIGHTS, ways.T, complexity])
    excess = [
        _excess_cost(wanted[:, formation], ways, worth[formation])
        for formation in range(len(FORMATIONS))
    ]
    picked = np.zeros(wanted.shape[:2], dtype=np.int64)
    actual = np.zeros_like(wanted)
    buffer = np.empty((len(wanted), len(rows)))  # buffer for the costs, allocated once
    active = np.arange(len(wanted))
    for sweep in range(SWEEPS):
        before = picked[active].copy()
        targets, current = wanted[active], actual[active]
        for position, formation in enumerate(BUILD_ORDER):
            later = BUILD_ORDER[position + 1 :] if sweep == 0 else ()
            factors = _cost_factors(targets, current, mix, formation, later)
            costs = np.matmul(factors, cost_terms, out=buffer[: len(active)])
            costs += excess[formation] if len(active) == len(wanted) else excess[formation][active]
            best = costs.argmin(axis=1)
            picked[active, formation] = best
            current[:, formation] = ways[best]
        actual[active] = current
        if sweep:
            active = active[(picked[active] != before).any(axis=1)]
    return np.asarray(rows[picked])


def _excess_cost(wanted: Floats, ways: Floats, worth: Floats) -> Floats:
    """Return [team, candidate]: the cost of event errors beyond what numbers can offset."""
    excess = np.asarray((wanted @ worth)[:, None] - ways @ worth)
    excess /= ways[:, f.NUMBER]
    np.abs(excess, out=excess)
    excess -= MAX_OFFSET_YARDS
    np.maximum(excess, 0.0, out=excess)
    excess *= EXCESS_YARD_COST
    return excess


def _cost_factors(
    wanted: Floats, actual: Floats, mix: Floats, formation: int, later: Sequence[int]
) -> Floats:
    """Return by team the cost factors of a candidate's squares, ways and complexity.

    Formations that are chosen later are assumed to meet their own targets.
    """
    mix_error = np.einsum("f,tfe->te", mix, wanted - actual)
    mix_error -= mix[formation] * (wanted[:, formation] - actual[:, formation])
    if later:
        mix_error -= np.einsum("f,tfe->te", mix[[*later]], wanted[:, [*later]])
    local = LOCAL_ERROR_WEIGHT * mix[formation]
    linear = (
        mix[formation] * (mix[formation] * wanted[:, formation] + mix_error)
        + local * wanted[:, formation]
    )
    ones = np.ones((len(wanted), 1))
    return np.concatenate(
        [(mix[formation] ** 2 + local) * ones, -2 * linear * EVENT_ERROR_WEIGHTS, ones], 1
    )


ROUND_UP_CHOICES = np.array(list(product((0, 1), repeat=len(WAYS))))  # which rows are rounded up


def _round_shifts(labels: Integers, target: Floats, mix: Floats) -> Integers:
    """Return integer yards for the number rows [team, formation, row]; carry the error on."""
    yards = np.zeros(labels.shape, dtype=np.int64)
    carry = np.zeros(len(labels))
    for formation in BUILD_ORDER:
        is_number = labels[:, formation] == f.NUMBER
        ways = WAYS * is_number
        total = ways.sum(axis=1)
        mean = target[:, formation] + carry / np.maximum(mix[formation] * total, 1e-9)
        mean = np.clip(
            mean, target[:, formation] - MAX_CARRIED_YARDS, target[:, formation] + MAX_CARRIED_YARDS
        )
        low = np.floor(mean)
        totals = low[:, None] * total[:, None] + ways @ ROUND_UP_CHOICES.T
        best = np.abs(totals - (mean * total)[:, None]).argmin(axis=1)
        yards[:, formation] = is_number * (low.astype(np.int64)[:, None] + ROUND_UP_CHOICES[best])
        carry += mix[formation] * (
            target[:, formation] * total - (ways * yards[:, formation]).sum(axis=1)
        )
    return yards


def combined_cover(
    defenses: DefenseCharts, mix: Floats, plan: FormationDesign, column: int, calls: Floats
) -> CoverRates:
    """Return the cells a play meets: all teams' formations in the mix, weighted by calls faced."""
    chance = (calls / calls.sum())[:, None, None] * mix[column][None, :, None] * WAYS / TOTAL_WAYS
    labels, yards = defenses.labels[:, :, column], defenses.yards[:, :, column]
    events = [float(chance[labels == event].sum()) for event in range(len(EVENTS))]
    is_number = labels == f.NUMBER
    shifts = {
        int(shift): float(chance[is_number & (yards == shift)].sum())
        for shift in np.unique(yards[is_number])
    }
    parens: dict[int, float] = {}
    for kind in (f.PAREN, f.LONG_PAREN):
        for formation in range(len(FORMATIONS)):
            paren_yards = int(plan.paren_yards[formation, column, kind - f.PAREN])
            chance_here = float(chance[:, formation][labels[:, formation] == kind].sum())
            if chance_here:
                parens[paren_yards] = parens.get(paren_yards, 0.0) + chance_here
    return CoverRates(
        inc=events[f.INC],
        int=events[f.INT],
        qt=events[f.QT],
        f=events[f.F],
        paren_td=events[f.PAREN_TD],
        shifts=shifts,
        parens=parens,
    )


def team_cells(
    defenses: DefenseCharts,
    plan: FormationDesign,
    team: int,
    picks: list[list[int]],
    fumbles: list[list[int]],
) -> dict[str, list[int]]:
    """Return the columns of a team as cells; deal out INT depths and F spots by column."""
    columns = {}
    for column, play in enumerate(PLAYS):
        dealt = {f.INT: 0, f.F: 0}
        for index in BUILD_ORDER:
            formation = FORMATIONS[index]
            row_cells = []
            for row, label in enumerate(defenses.labels[team, index, column]):
                number = int(defenses.yards[team, index, column, row])
                if label in (f.INT, f.F):
                    source = picks[column] if label == f.INT else fumbles[column]
                    number = source[dealt[int(label)] % len(source)]
                    dealt[int(label)] += 1
                elif label in (f.PAREN, f.LONG_PAREN):
                    number = int(plan.paren_yards[index, column, label - f.PAREN])
                row_cells.append(c.cell_of(CELL_KINDS[int(label)], number))
            columns[f"defence.{formation}.{play}"] = row_cells
    return columns


CELL_KINDS = {
    f.NUMBER: c.NUMBER,
    f.INC: c.INC,
    f.INT: c.INT,
    f.QT: c.TRAPPED,
    f.F: c.FUMBLE,
    f.PAREN: c.PAREN,
    f.LONG_PAREN: c.PAREN,
    f.PAREN_TD: c.PAREN_TD,
}
