"""Defence charts: six formations of nine columns of five rows, for every team.

The league's design gives each formation its character; the team's own rates set the level.
Five rows of weights 12, 11, 9, 3, 1 reach few totals, so the six formations of a column are
chosen together: their mix comes to the team's rates although single columns are coarse.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from hashmark.games.data_driven.charts import cells as c
from hashmark.games.data_driven.dice import DEFENCE_WEIGHTS
from hashmark.games.data_driven.tables import FORMATIONS, PLAYS, RUNS
from hashmark.league.charts import formations as f
from hashmark.league.charts.formations import BUILD_ORDER, EVENTS, Design
from hashmark.league.charts.overlay import Cover
from hashmark.league.charts.scores import TRAPPED_YARDS
from hashmark.league.charts.tallies import Array

WAYS = np.array(DEFENCE_WEIGHTS, dtype=float)
WHOLE = float(WAYS.sum())
SWEEPS = 4
LOCAL = 0.02  # what a formation's own error counts beside that of the mix
# How much an error of one way counts, by event.
CARE = np.array([0.0, 1.0, 4.0, 2.0, 6.0, 0.6, 0.6, 2.0])
IN_RUNS = (f.NUMBER, f.F, f.PAREN, f.LONG_PAREN)
IN_PASSES = (f.NUMBER, f.INC, f.INT, f.QT, f.F, f.PAREN, f.PAREN_TD)
TURNOVER = 55.0  # yards that are worth as much as a ball lost
FUMBLES_LOST = 0.5
MOST_MADE_UP = 6.0  # yards
BEYOND = 1.0  # what a yard that cannot be made up for counts
MOST_CARRIED = 1.5  # yards that a formation makes up for those before it
MOST_PAREN = 12
FEWEST_NUMBERS = 11

Labels = NDArray[np.int64]


@dataclass(frozen=True)
class Defence:
    """The built charts: labels [team, formation, column, row] and the yards of number rows."""

    labels: Labels
    yards: Labels


@dataclass(frozen=True)
class Usual:
    """The league's plays, by column: the yards of a call, and how often it gains."""

    yards: Array
    gains: Array


def build(rates: Array, shift: Array, mix: Array, plan: Design, usual: Usual) -> Defence:
    """Charts whose mix has the wanted rates [team, column, event] and shifts [team, column]."""
    teams = len(rates)
    shape = (teams, len(FORMATIONS), len(PLAYS), len(WAYS))
    labels, yards = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
    for column, play in enumerate(PLAYS):
        wanted = _wanted(rates[:, column], plan, column)
        worth = _worth(plan, usual, column)
        chosen = _choose(wanted, mix[column], play in RUNS, worth)
        labels[:, :, column] = chosen
        goal = plan.shift[None, :, column] + shift[:, column, None]
        goal = goal + _made_up(chosen, wanted, mix[column], worth)
        yards[:, :, column] = _shifts(chosen, goal, mix[column])
    return Defence(labels, yards)


def _wanted(rates: Array, plan: Design, column: int) -> Array:
    """Ways of 36 wanted: [team, formation, event]."""
    wanted = WHOLE * rates[:, None, :] * plan.relative[None, :, column, :]
    for event in (f.PAREN, f.LONG_PAREN, f.PAREN_TD):
        wanted[:, :, event] = plan.ways[None, :, column, event]
    return wanted


def _worth(plan: Design, usual: Usual, column: int) -> Array:
    """[formation, event]: yards that an event is worth beside a play that is left alone.

    A number that is added counts as often as a play gains, so all is divided by that.
    """
    yards, gains = usual.yards[column], usual.gains[column]
    worth = np.zeros((len(FORMATIONS), len(EVENTS)))
    worth[:, f.INC] = -yards
    worth[:, f.QT] = TRAPPED_YARDS - yards
    worth[:, f.INT] = -yards - TURNOVER
    worth[:, f.F] = -TURNOVER * FUMBLES_LOST
    worth[:, [f.PAREN, f.LONG_PAREN]] = gains * plan.paren[:, column] - yards
    return np.asarray(worth / gains)


def _made_up(labels: Labels, wanted: Array, mix: Array, worth: Array) -> Array:
    """[team, formation]: yards on the numbers for events that five rows make too many or too few.

    So that no formation of a team is better than it is meant to be; over the mix it comes to
    nothing.
    """
    have = np.stack([(labels == event) @ WAYS for event in range(len(EVENTS))], -1)
    numbers = have[:, :, f.NUMBER]
    lacking = np.einsum("tfe,fe->tf", wanted - have, worth) / numbers
    lacking = np.clip(lacking, -MOST_MADE_UP, MOST_MADE_UP)
    weight = mix * numbers
    return np.asarray(lacking - ((weight * lacking).sum(1) / weight.sum(1))[:, None])


def _candidates(run: bool) -> tuple[Labels, Array]:
    """Every way to give events to the five rows, and the ways that each event then has."""
    rows = np.array(list(product(IN_RUNS if run else IN_PASSES, repeat=len(WAYS))))
    ways = np.zeros((len(rows), len(EVENTS)))
    for event in range(len(EVENTS)):
        ways[:, event] = (rows == event) @ WAYS
    parens = ways[:, f.PAREN] + ways[:, f.LONG_PAREN]
    kept = (parens <= MOST_PAREN) & (ways[:, f.NUMBER] >= FEWEST_NUMBERS)
    return rows[kept], ways[kept]


_CANDIDATES: dict[bool, tuple[Labels, Array]] = {}


def _choose(wanted: Array, mix: Array, run: bool, worth: Array) -> Labels:
    """Labels [team, formation, row]: each formation near its own goal, their mix nearest.

    No formation gets events that its numbers cannot make up for. A team whose formations stay as
    they were through a whole sweep is done.
    """
    if run not in _CANDIDATES:
        _CANDIDATES[run] = _candidates(run)
    rows, ways = _CANDIDATES[run]
    busy = 1e-4 * ((rows != f.NUMBER) @ np.array([4.0, 3.0, 2.0, 1.0, 0.0]))
    parts = np.vstack([ways**2 @ CARE, ways.T, busy])  # of a cost: all in one product
    beyond = [_beyond(wanted[:, at], ways, worth[at]) for at in range(len(FORMATIONS))]
    picked = np.zeros(wanted.shape[:2], dtype=np.int64)
    have = np.zeros_like(wanted)
    room = np.empty((len(wanted), len(rows)))  # for costs, taken once
    moving = np.arange(len(wanted))
    for sweep in range(SWEEPS):
        before = picked[moving].copy()
        goals, held = wanted[moving], have[moving]
        for place, at in enumerate(BUILD_ORDER):
            later = BUILD_ORDER[place + 1 :] if sweep == 0 else ()
            factors = _factors(goals, held, mix, at, later)
            costs = np.matmul(factors, parts, out=room[: len(moving)])
            costs += beyond[at] if len(moving) == len(wanted) else beyond[at][moving]
            found = costs.argmin(axis=1)
            picked[moving, at] = found
            held[:, at] = ways[found]
        have[moving] = held
        if sweep:
            moving = moving[(picked[moving] != before).any(axis=1)]
    return np.asarray(rows[picked])


def _beyond(wanted: Array, ways: Array, worth: Array) -> Array:
    """[team, candidate]: the cost of events that are off by more yards than are made up for."""
    over = np.asarray((wanted @ worth)[:, None] - ways @ worth)
    over /= ways[:, f.NUMBER]
    np.abs(over, out=over)
    over -= MOST_MADE_UP
    np.maximum(over, 0.0, out=over)
    over *= BEYOND
    return over


def _factors(wanted: Array, have: Array, mix: Array, at: int, later: Sequence[int]) -> Array:
    """By team: what the squares of a candidate, its ways and its busyness cost.

    Formations that are still to come will do their own part.
    """
    others = np.einsum("f,tfe->te", mix, wanted - have)
    others -= mix[at] * (wanted[:, at] - have[:, at])
    if later:
        others -= np.einsum("f,tfe->te", mix[[*later]], wanted[:, [*later]])
    local = LOCAL * mix[at]
    goal = mix[at] * (mix[at] * wanted[:, at] + others) + local * wanted[:, at]
    ones = np.ones((len(wanted), 1))
    return np.concatenate([(mix[at] ** 2 + local) * ones, -2 * goal * CARE, ones], 1)


UPS = np.array(list(product((0, 1), repeat=len(WAYS))))  # rows that are rounded up


def _shifts(labels: Labels, goal: Array, mix: Array) -> Labels:
    """Whole yards for the number rows [team, formation, row]; the error is carried on."""
    yards = np.zeros(labels.shape, dtype=np.int64)
    carry = np.zeros(len(labels))
    for at in BUILD_ORDER:
        number = labels[:, at] == f.NUMBER
        ways = WAYS * number
        total = ways.sum(axis=1)
        mean = goal[:, at] + carry / np.maximum(mix[at] * total, 1e-9)
        mean = np.clip(mean, goal[:, at] - MOST_CARRIED, goal[:, at] + MOST_CARRIED)
        low = np.floor(mean)
        reached = low[:, None] * total[:, None] + ways @ UPS.T
        best = np.abs(reached - (mean * total)[:, None]).argmin(axis=1)
        yards[:, at] = number * (low.astype(np.int64)[:, None] + UPS[best])
        carry += mix[at] * (goal[:, at] * total - (ways * yards[:, at]).sum(axis=1))
    return yards


def cover(made: Defence, mix: Array, plan: Design, column: int, calls: Array) -> Cover:
    """The cells that a play meets: those of all teams' formations in the mix, by calls faced."""
    chance = (calls / calls.sum())[:, None, None] * mix[column][None, :, None] * WAYS / WHOLE
    labels, yards = made.labels[:, :, column], made.yards[:, :, column]
    events = [float(chance[labels == event].sum()) for event in range(len(EVENTS))]
    number = labels == f.NUMBER
    shifts = {
        int(by): float(chance[number & (yards == by)].sum()) for by in np.unique(yards[number])
    }
    parens: dict[int, float] = {}
    for kind in (f.PAREN, f.LONG_PAREN):
        for at in range(len(FORMATIONS)):
            to = int(plan.paren[at, column, kind - f.PAREN])
            part = float(chance[:, at][labels[:, at] == kind].sum())
            if part:
                parens[to] = parens.get(to, 0.0) + part
    return Cover(
        inc=events[f.INC],
        int=events[f.INT],
        qt=events[f.QT],
        f=events[f.F],
        paren_td=events[f.PAREN_TD],
        shifts=shifts,
        parens=parens,
    )


def cells(
    made: Defence, plan: Design, team: int, picks: list[list[int]], fumbles: list[list[int]]
) -> dict[str, tuple[int, ...]]:
    """The columns of a team as cells; depths of INT and spots of F are dealt out by column."""
    columns = {}
    for column, play in enumerate(PLAYS):
        dealt = {f.INT: 0, f.F: 0}
        for at in BUILD_ORDER:
            formation = FORMATIONS[at]
            row_cells = []
            for row, label in enumerate(made.labels[team, at, column]):
                number = int(made.yards[team, at, column, row])
                if label in (f.INT, f.F):
                    source = picks[column] if label == f.INT else fumbles[column]
                    number = source[dealt[int(label)] % len(source)]
                    dealt[int(label)] += 1
                elif label in (f.PAREN, f.LONG_PAREN):
                    number = int(plan.paren[at, column, label - f.PAREN])
                row_cells.append(c.cell_of(KINDS[int(label)], number))
            columns[f"defence.{formation}.{play}"] = tuple(row_cells)
    return columns


KINDS = {
    f.NUMBER: c.NUMBER,
    f.INC: c.INC,
    f.INT: c.INT,
    f.QT: c.TRAPPED,
    f.F: c.FUMBLE,
    f.PAREN: c.PAREN,
    f.LONG_PAREN: c.PAREN,
    f.PAREN_TD: c.PAREN_TD,
}
