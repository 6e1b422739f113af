"""E1 as charts: how much harder yards come near the goal line and the line to gain.

The charts of teams are made from plays in the open field and say what they would do anywhere.
Here the season's plays in each situation of the short field are laid beside what the charts make
of the same calls against the same formations; what is missing of completed passes is `INC`, what
is missing of plays that reach the line is stopped short of it. One chart for all teams.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hashmark.games.data_driven import short_field as rules
from hashmark.games.data_driven import tables as t
from hashmark.games.data_driven.charts import cells as c
from hashmark.games.data_driven.charts.layout import (
    CHAINS,
    GOAL_2,
    GOAL_5,
    GOAL_30,
    LINE_2,
    LINE_6,
    LINE_10,
    SITUATIONS,
)
from hashmark.league.charts import fidelity, quantise
from hashmark.league.charts.fidelity import Cells, Columns
from hashmark.league.charts.offence import deal_numbers
from hashmark.league.charts.tallies import Array
from hashmark.league.facts import columns as k
from hashmark.league.plans import formation_mix

NEAREST, FARTHEST = -20, 100  # gains that are told apart
LEAST_PLAYS = 30.0  # of a situation with fewer no chart is made
MOST_SHORT = 6  # yards short of the line
MOST_HELD = 0.5
# Yards to which a run and a catch are held, by zone: a little less than they gain there.
HELD_TO = {"run": (0, 0, 1, 2, 2, 2), "pass": (0, 1, 3, 4, 4, 5)}

_goal, _to_go, _down = pl.col("yardline_100"), pl.col("ydstogo"), pl.col("down")
_called = pl.col("column").is_not_null() & pl.col("result").is_in(
    [k.GAIN, k.INCOMPLETE, k.PICKED, k.FUMBLE]
)
_short_yardage = (_down >= 3) & (_to_go <= 10) & (_to_go < _goal)


def situation() -> pl.Expr:
    """The place of a play's situation in `SITUATIONS`, or null in the open field (E1)."""
    by_line = (
        pl.when(_to_go <= 2)
        .then(pl.lit(LINE_2))
        .when(_to_go <= 6)
        .then(pl.lit(LINE_6))
        .otherwise(pl.lit(LINE_10))
    )
    narrow = (GOAL_5 + (_goal - 1) // 5).cast(pl.Int32)
    return (
        pl.when(_short_yardage)
        .then(by_line)
        .when(_goal <= 100 - rules.LAST_FROM)
        .then(pl.lit(GOAL_2))
        .when(_goal <= 100 - rules.NARROW_FROM)
        .then(narrow)
        .when(_goal <= 100 - rules.FROM)
        .then(pl.lit(GOAL_30))
    )


def in_the_open(plays: pl.DataFrame) -> pl.DataFrame:
    """The plays of which the charts of teams are made."""
    return plays.filter(situation().is_null())


# --- What the charts make of a call --------------------------------------------------------


Own = tuple[int, bool]  # a cell of an offence, and whether it is of the breakaway chart


def _rolled(offence: Cells, breakaway: Cells, big: Cells) -> list[tuple[Own, float]]:
    """The cells that an offence comes to, those of the charts that others lead to among them."""
    found = []
    for cell, chance in offence.items():
        away = c.kind_of(cell) == c.BREAKAWAY
        rolled = breakaway if away else big if c.is_bold(cell) and big else {cell: 1.0}
        found += [((own, away), chance * part) for own, part in rolled.items()]
    return found


def _gains(rolled: list[tuple[Own, float]], defence: Cells) -> Array:
    """The chances of gains, from NEAREST on, of plays that are not trapped."""
    places = _places(tuple(own for own, _ in rolled), tuple(defence))
    chances = np.outer([chance for _, chance in rolled], list(defence.values())).ravel()
    found = np.bincount(places, chances, NO_GAIN + 1)[: NO_GAIN + 1]
    thrown = np.bincount(places == TRAPPED, chances)[0]
    return found[:NO_GAIN] / max(float(thrown), 1e-9)


NO_GAIN = FARTHEST - NEAREST + 1  # after the places of gains
TRAPPED = NO_GAIN + 1


@lru_cache(maxsize=2 * len(t.PLAYS) * len(t.FORMATIONS))
def _places(owns: tuple[Own, ...], others: tuple[int, ...]) -> NDArray[np.int64]:
    """Where the results of all these cells are counted; only their chances differ by situation."""
    return np.array([_place(own, other, away) for own, away in owns for other in others])


@cache
def _place(own: int, other: int, away: bool) -> int:
    """Where among the gains the result of two cells is counted, if it is thrown and is one."""
    result = fidelity.counted(own, other, away)
    if c.kind_of(result) == c.TRAPPED:
        return TRAPPED
    if c.kind_of(result) == c.TD:
        return FARTHEST - NEAREST
    if c.is_number(result):
        return min(max(c.number_of(result), NEAREST), FARTHEST) - NEAREST
    return NO_GAIN


@dataclass(frozen=True)
class Charts:
    """The charts of all teams, as far as plays from scrimmage are read on them."""

    teams: Sequence[str]
    columns: Sequence[Columns]
    _known: dict[str, list[Cells | None]] = field(default_factory=dict, compare=False, repr=False)

    def reach(self, plays: pl.DataFrame) -> Array:
        """[play, formation, yards from NEAREST]: how often a thrown pass or a run gains so much.

        The offences that have made these plays together, against the defences that have met them:
        good offences are near the goal line more often than others.
        """
        calls, faced = (self._shares(plays, by) for by in ("team", "against"))
        made = np.zeros((len(t.PLAYS), len(t.FORMATIONS), FARTHEST - NEAREST + 1))
        breakaway = self._together("breakaway", calls)
        big = self._together("big-play", calls)
        for at, play in enumerate(t.PLAYS):
            offence = self._together(f"offence.{play}", calls, fidelity.body)
            rolled = _rolled(offence, breakaway, big)
            for f, formation in enumerate(t.FORMATIONS):
                defence = self._together(f"defence.{formation}.{play}", faced)
                made[at, f] = _gains(rolled, defence)
        return np.flip(np.cumsum(np.flip(made, -1), -1), -1)

    def _shares(self, plays: pl.DataFrame, by: str) -> list[float]:
        """How many of the plays each team has made, or met; each a little of all of them."""
        found = dict(plays.group_by(by).agg(pl.col("weight").sum().round(6)).iter_rows())
        return [1.0 + float(found.get(team, 0.0)) for team in self.teams]

    def _together(
        self,
        name: str,
        shares: Sequence[float],
        read: Callable[[Sequence[int]], Cells] = fidelity.spread,
    ) -> Cells:
        """One column of all teams, each with its share; the plays have a say in shares alone."""
        if name not in self._known:
            self._known[name] = [
                read(team[name]) if name in team else None for team in self.columns
            ]
        every = zip(self._known[name], shares, strict=True)
        parts = [(cells, share) for cells, share in every if cells is not None]
        return fidelity.mixed(parts) if parts else {}


# --- What is missing -----------------------------------------------------------------------


@dataclass(frozen=True)
class Missing:
    """One situation and kind of play: what was, and what the charts alone would make of it."""

    to_gain: bool  # the line to gain, not the goal line
    held_to: int
    caught: float  # share of gains
    reached: float  # share that reached the line
    charts_caught: float
    charts_reached: float
    yards: float  # a play, none beyond the line
    charts_yards: float
    charts_beyond: float  # what gains short of the line have beyond those to which they are held
    short: Array  # the part that lacked 1, 2, ... yards to the line
    charts_short: Array

    @property
    def broken_up(self) -> float:
        """The part of completed passes that must not be.

        Where the line to gain is what counts, no more than reach it too often.
        """
        caught = 1 - self.caught / max(self.charts_caught, 1e-9)
        return max(0.0, min(caught, self.too_many) if self.to_gain else caught)

    @property
    def too_many(self) -> float:
        """The part of plays that reach the line and must not."""
        return 1 - self.reached / max(self.charts_reached, 1e-9)

    @property
    def stopped(self) -> float:
        """The part of plays that reach the line and must be stopped before it."""
        return max(0.0, self.too_many - self.broken_up)

    @property
    def held(self) -> float:
        """The part of shorter gains that must be held to a few yards, near the goal."""
        if self.to_gain:
            return 0.0
        short = self.charts_reached * self.stopped * float(np.mean(self.lacking))
        over = (1 - self.broken_up) * self.charts_yards - short - self.yards
        return min(max(over / max(self.charts_beyond, 0.05), 0.0), MOST_HELD)

    @property
    def lacking(self) -> list[int]:
        """How many yards short a play is stopped: those that the charts have too few of."""
        more = np.maximum(self.short - self.charts_short, 0.0)
        parts = more / more.sum() if more.sum() > 0 else np.eye(1, MOST_SHORT)[0]
        return [yards + 1 for yards in range(MOST_SHORT) for _ in range(round(100 * parts[yards]))]


def missing(frame: pl.DataFrame, made: Charts) -> dict[str, Missing]:
    """By chart of the short field; `frame` is the season's plays in columns."""
    rows = (
        k.as_allowed(frame, 100 - _goal)
        .filter(_called)
        .with_columns(
            situation=situation(),
            line=pl.when(_short_yardage).then(_to_go).otherwise(_goal).cast(pl.Int32),
            run=pl.col("column").is_in(t.RUNS),
        )
    )
    found = {}
    for at, name in enumerate(SITUATIONS[:CHAINS]):
        here = rows.filter(pl.col("situation") == at)
        reach = made.reach(here)
        for run in (True, False):
            part = here.filter(pl.col("run") == run)
            if float(part["weight"].sum()) >= LEAST_PLAYS:
                kind = "run" if run else "pass"
                to_yards = None if at >= LINE_2 else HELD_TO[kind][at]
                found[f"short-field.{name}-{kind}"] = _missing(part, reach, run, to_yards)
    return found


class _Met:
    """What plays reach against the formations that they meet, which are few mixes."""

    def __init__(self, reach: Array) -> None:
        self.reach = reach
        self.known: dict[tuple[int, tuple[int, ...]], Array] = {}

    def chances(self, play: int, down: int, to_go: int) -> Array:
        """The chances to gain so much, from NEAREST on."""
        mix = formation_mix.shares_in_the_open(down, to_go)
        found = self.known.get((play, mix))
        if found is None:
            found = np.array(mix, dtype=float) / 100.0 @ self.reach[play]
            self.known[play, mix] = found
        return found


def _missing(part: pl.DataFrame, reach: Array, run: bool, held_to: int | None) -> Missing:
    weight = part["weight"].to_numpy()
    gained = (part["result"] == k.GAIN).to_numpy()
    line, yards = part["line"].to_numpy(), part["yards"].to_numpy()
    made = gained & ((yards >= line) | part["scored"].to_numpy())
    caught = reached = gained_yards = beyond = 0.0
    lacks = np.zeros(MOST_SHORT)
    met = _Met(reach)
    for (column, goal, down, to_go, its_line), share in _alike(part):
        play = t.PLAYS.index(str(column))
        less = int(goal <= 100 - t.DEDUCTION_FROM and play in t.DEDUCTED)
        chances = met.chances(play, int(down), int(to_go))
        place = int(its_line) + less - NEAREST
        caught += share * float(chances[0])
        reached += share * float(chances[place])
        gained_yards += share * float(NEAREST * chances[0] + chances[1 : place + 1].sum())
        rest = chances[(held_to or 0) + 1 - NEAREST : place] - chances[place]
        beyond += share * float(rest.sum())
        lacks += share * -np.diff(chances[place - MOST_SHORT : place + 1])[::-1]
    whole = float(weight.sum())
    short = [weight[gained & ~made & (line - yards == one + 1)].sum() for one in range(MOST_SHORT)]
    return Missing(
        to_gain=held_to is None,
        held_to=held_to or 0,
        caught=1.0 if run else float(weight[gained].sum()) / whole,
        reached=float(weight[made].sum()) / whole,
        charts_caught=1.0 if run else caught / whole,
        charts_reached=reached / whole,
        yards=float((weight * np.minimum(yards, line))[gained].sum()) / whole,
        charts_yards=gained_yards / whole,
        charts_beyond=beyond / whole,
        short=np.array(short) / whole,
        charts_short=lacks / whole,
    )


def exactly_there(frame: pl.DataFrame, made: Charts) -> dict[str, float]:
    """E2, by chart: the part of gains exactly to the line that must lack a yard."""
    rows = frame.filter(
        _called & ~_short_yardage & (_to_go < _goal) & (_to_go <= FARTHEST // 2)
    ).with_columns(line=_to_go.cast(pl.Int32))
    found, met = {}, _Met(made.reach(rows))
    for kind, plays in (("run", t.RUNS), ("pass", t.PASSES)):
        part = rows.filter(pl.col("column").is_in(plays))
        exact = part.filter((pl.col("result") == k.GAIN) & (pl.col("yards") == pl.col("line")))
        charts = 0.0
        for (column, _, down, to_go, its_line), share in _alike(part):
            chances = met.chances(t.PLAYS.index(str(column)), int(down), int(to_go))
            place = int(its_line) - NEAREST
            charts -= share * float(chances[place + 1] - chances[place])
        found[f"short-field.chains-{kind}"] = 1 - float(exact["weight"].sum()) / max(charts, 1e-9)
    return found


def _alike(part: pl.DataFrame) -> Iterator[tuple[tuple[Any, ...], float]]:
    """Plays of one column in one situation, counted together."""
    keys = ("column", "yardline_100", "down", "ydstogo", "line")
    for *key, share in part.group_by(keys).agg(pl.col("weight").sum()).sort(keys).iter_rows():
        yield tuple(key), float(share)


def charts(found: dict[str, Missing], exact: dict[str, float]) -> dict[str, list[int]]:
    """The columns: rows that break a pass up, stop a play short or hold it, and white boxes."""
    made = {name: _column(one) for name, one in found.items()}
    for name, part in exact.items():
        rows = quantise.rows_for(part)
        made[name] = [c.cell_of(c.NUMBER, -int(row in rows)) for row in range(quantise.ROWS)]
    return made


def _column(one: Missing) -> list[int]:
    parts = {"INC": one.broken_up, "short": one.stopped, "held": one.held}
    dealt, _ = quantise.deal({name: 216 * part for name, part in parts.items()})
    cells = [c.BLANK] * quantise.ROWS
    for row in dealt["INC"]:
        cells[row] = c.cell_of(c.INC, 0)
    for row in dealt["held"]:
        cells[row] = c.cell_of(c.PAREN, one.held_to)
    stops = deal_numbers(one.lacking, len(dealt["short"]))
    for row, yards in zip(dealt["short"], stops, strict=True):
        cells[row] = c.cell_of(c.NUMBER, -yards)
    return cells
