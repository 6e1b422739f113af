"""Offence charts: nine columns of thirty rows, the breakaway chart and the QT chart of a team.

A column must give the team's real results after an average defence has been laid over it, so
its own rates are solved for first (`overlay.py`), then dealt out to the rows of the dice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hashmark.games.data_driven.charts import cells as c
from hashmark.games.data_driven.dice import OFFENCE_WEIGHTS
from hashmark.games.data_driven.tables import PASSES, RUNS
from hashmark.league.charts import flags, gains, overlay, quantise
from hashmark.league.charts.gains import BREAKAWAY_FROM, TD_YARDS, VALUES
from hashmark.league.charts.overlay import Cover, Rates
from hashmark.league.charts.tallies import LOWEST, Array

WHOLE = sum(OFFENCE_WEIGHTS)
CHOOSE_FIRST = ("INT", "F", "QT")  # they matter most, so they choose their rows first
CARRIED_BELOW, MOST_CARRIED = 6.0, 0.5  # ways: rare events make up for other columns, a little
BOLD_FROM = 20  # yards of a short pass that lead to the big-play chart
BIG_PLAYS_SINCE = 2011
CELL_OF_FLAG = {
    flags.OFF_5: c.OFF_5,
    flags.OFF_10: c.OFF_10,
    flags.OFF_15: c.OFF_15,
    flags.DEF_5: c.DEF_5,
    flags.DEF_5X: c.DEF_5X,
    flags.DEF_15: c.DEF_15,
}
_TD = len(VALUES) - 1
_FROM = BREAKAWAY_FROM - LOWEST


@dataclass(frozen=True)
class Wanted:
    """What one column of one team has to come to, and what its cells are made of."""

    rates: Rates  # results per call, each a number
    gains: Array  # distribution of gains
    out: float  # part of gains that end out of bounds
    flags: Array  # rates per call, by kind of flag
    interference: list[int]  # yards of pass interference, to be dealt out
    grounding: list[int]
    picks: list[int]  # air yards of interceptions, to be dealt out
    fumbles: list[int]  # spots of fumbles


@dataclass
class Carry:
    """Ways that the columns built so far have given too few of, weighted by their calls."""

    short: dict[str, float]

    def more(self, event: str, calls: float) -> float:
        return max(-MOST_CARRIED, min(MOST_CARRIED, self.short.get(event, 0.0) / max(calls, 1e-9)))

    def note(self, event: str, missing: float, calls: float) -> None:
        self.short[event] = self.short.get(event, 0.0) + missing * calls


def own_gains(wanted: Sequence[Wanted], cover: Cover) -> Array:
    """[team, yards]: what stands in one column of each team if its gains are to be those wanted."""
    under = [overlay.under(one.rates, cover) for one in wanted]
    own = [
        overlay.gains_under(one.gains, one.rates, p, cover, VALUES)
        for one, p in zip(wanted, under, strict=True)
    ]
    return gains.unshift(np.stack(own), _normal(cover))


def column(
    play: str,
    wanted: Wanted,
    cover: Cover,
    own: Array,
    breakaway: float,
    calls: float,
    carry: Carry,
) -> list[int]:
    """The thirty cells of one play; `own` are its gains as `own_gains` has them, `breakaway` is
    the mean of the team's breakaway chart."""
    p = overlay.under(wanted.rates, cover)
    penalties = _penalties(play, wanted)
    first, _ = quantise.deal(
        {name: _carried(carry, name, w, calls) for name, w in penalties.items()}
    )
    body = WHOLE - sum(_ways(rows) for rows in first.values())
    ways = {**penalties, **{name: rate * body for name, rate in _events(play, p, own).items()}}
    carried = {name: _carried(carry, name, w, calls) for name, w in ways.items()}
    dealt, free = quantise.deal(carried, first=CHOOSE_FIRST)
    for name, w in ways.items():
        carry.note(name, w - _ways(dealt[name]), calls)
    cells = [c.BLANK] * len(OFFENCE_WEIGHTS)
    for name, rows in dealt.items():
        _fill(cells, name, rows, wanted)
    body = WHOLE - sum(_ways(dealt[name]) for name in penalties)
    total = _total(play, wanted, cover, dealt, body, breakaway)
    yards = _plain(play, own)
    numbers = quantise.spread(free, VALUES[:-1], yards, total * body)
    out = _marked(numbers, wanted.out)
    for row, number in numbers.items():
        cells[row] = c.cell_of(c.NUMBER_OUT if row in out else c.NUMBER, number)
    return cells


def _carried(carry: Carry, name: str, ways: float, calls: float) -> float:
    """Rare events make up for what the columns before could not hold."""
    return max(0.0, ways + carry.more(name, calls)) if ways < CARRIED_BELOW else ways


def _normal(cover: Cover) -> dict[int, float]:
    return {by: chance / cover.number for by, chance in cover.shifts.items()}


def _ways(rows: list[int]) -> int:
    return sum(OFFENCE_WEIGHTS[row] for row in rows)


def _penalties(play: str, wanted: Wanted) -> dict[str, float]:
    """Ways of 216 for each kind of flag."""
    kinds = [*CELL_OF_FLAG]
    if play in PASSES:
        kinds += [flags.GROUNDING, flags.PI]
    return {flags.KINDS[kind]: float(wanted.flags[kind]) * WHOLE for kind in kinds}


def _events(play: str, p: Rates, own: Array) -> dict[str, float]:
    """Chances of the results that are no plain yards."""
    gain = float(p.gain)
    if play in RUNS:
        return {"F": float(p.f), "B": gain * float(own[_FROM:].sum())}
    return {
        "INT": float(p.int),
        "F": float(p.f),
        "QT": float(p.qt),
        "INC": float(p.inc),
        "TD": gain * float(own[_TD]),
    }


def _plain(play: str, own: Array) -> Array:
    """The distribution of plain yards; runs of 13 and more are on the breakaway chart."""
    plain = own[:-1].copy()
    if play in RUNS:
        plain[_FROM:] = 0.0
    return plain


def _total(
    play: str,
    wanted: Wanted,
    q: Cover,
    dealt: dict[str, list[int]],
    body: float,
    breakaway: float,
) -> float:
    """Expected yards that the plain cells must bring, per call, for the column's to be right."""
    rate = {name: _ways(rows) / body for name, rows in dealt.items()}
    picked, fumbled = rate.get("INT", 0.0), rate.get("F", 0.0)
    goal = float(wanted.rates.gain) * float(gains.mean(wanted.gains))
    goal -= q.paren_td * (1 - picked) * TD_YARDS
    goal -= sum(to * chance for to, chance in q.parens.items()) * (1 - picked - fumbled)
    goal -= rate.get("TD", 0.0) * q.number * TD_YARDS
    goal -= rate.get("B", 0.0) * q.number * (breakaway + q.shift)
    flagged = sum(rate[name] for name in rate if name in flags.KINDS)
    others = sum(rate.values()) - flagged
    plain = 1 - others
    return goal / q.number - plain * q.shift


def _fill(cells: list[int], name: str, rows: list[int], wanted: Wanted) -> None:
    """The cells of one kind of result."""
    simple = {"B": c.BREAKAWAY, "QT": c.TRAPPED, "INC": c.INC, "TD": c.TD}
    simple |= {flags.KINDS[kind]: cell for kind, cell in CELL_OF_FLAG.items()}
    if name in simple:
        numbers, kind = [0] * len(rows), simple[name]
    else:
        source, kind = {
            "INT": (wanted.picks, c.INT),
            "F": (wanted.fumbles, c.FUMBLE),
            "PI": (wanted.interference, c.PI),
            "grounding": (wanted.grounding, c.GROUNDING),
        }[name]
        numbers = deal_numbers(source, len(rows))
    for row, number in zip(rows, numbers, strict=True):
        cells[row] = c.cell_of(kind, number)


def deal_numbers(source: list[int], rows: int) -> list[int]:
    """So many of the sorted numbers, evenly from low to high."""
    if not source:
        return [0] * rows
    ordered = sorted(source)
    return [ordered[int((at + 0.5) / rows * len(ordered))] for at in range(rows)]


def _marked(numbers: dict[int, int], part: float) -> set[int]:
    """The rows with an asterisk: gains first, their weights nearest to the part wanted."""
    gaining = [row for row, yards in numbers.items() if yards > 0]
    return set(quantise.nearest(gaining, part * _ways(list(numbers))))


def embolden(cells: list[int]) -> list[int]:
    """R110: long gains of the short pass lead to the big-play chart."""
    bold = {c.NUMBER: c.NUMBER_BOLD, c.NUMBER_OUT: c.NUMBER_OUT_BOLD}
    return [
        c.cell_of(bold[c.kind_of(cell)], c.number_of(cell))
        if c.is_number(cell) and c.number_of(cell) >= BOLD_FROM
        else cell
        for cell in cells
    ]


# --- Charts of one column ------------------------------------------------------------


def long_chart(distribution: Array, first: int, out: float) -> list[int]:
    """A chart of gains of at least so many yards, with TD: breakaway and big plays."""
    tail = distribution.copy()
    tail[: first - LOWEST] = 0.0
    tail /= tail.sum()
    _, free = quantise.deal({"TD": float(tail[_TD]) * WHOLE})
    numbers = quantise.spread(free, VALUES[:-1], tail[:-1], lowest=first)
    marked = _marked(numbers, out)
    cells = [c.cell_of(c.TD, 0)] * len(OFFENCE_WEIGHTS)
    for row, number in numbers.items():
        cells[row] = c.cell_of(c.NUMBER_OUT if row in marked else c.NUMBER, number)
    return cells


def mean_of(cells: list[int]) -> float:
    """Expected yards of a chart of gains, a TD counted as usual."""
    yards = [TD_YARDS if c.kind_of(cell) == c.TD else c.number_of(cell) for cell in cells]
    return float(np.dot(OFFENCE_WEIGHTS, yards)) / WHOLE


def trapped_chart(
    sacked: float, fumbled: float, sacks: Array, scrambles: Array, spots: list[int], out: float
) -> list[int]:
    """The QT chart: sacks, scrambles and fumbles, given that the passer is trapped."""
    fumble_rows, free = quantise.deal({"F": sacked * fumbled * WHOLE})
    share = sacked * (1 - fumbled) * WHOLE
    sack_rows = quantise.nearest(free, share)
    scramble_rows = [row for row in free if row not in sack_rows]
    losses = np.minimum(VALUES[:-1], 0.0)
    numbers = quantise.spread(sack_rows, losses, sacks)
    numbers = {row: min(yards, 0) for row, yards in numbers.items()}
    gained = quantise.spread(scramble_rows, np.maximum(VALUES[:-1], 1.0), scrambles, lowest=1)
    marked = _marked(gained, out)
    cells = [c.BLANK] * len(OFFENCE_WEIGHTS)
    for row, number in {**numbers, **gained}.items():
        cells[row] = c.cell_of(c.NUMBER_OUT if row in marked else c.NUMBER, number)
    dealt = deal_numbers(spots, len(fumble_rows["F"]))
    for row, number in zip(fumble_rows["F"], dealt, strict=True):
        cells[row] = c.cell_of(c.FUMBLE, min(number, 0))
    return cells
