"""Short-field charts (E1): how much harder yards are near the goal line and the line to gain.

Team charts are built from plays in the open field. Here the season's plays in each short-field
situation are compared with what the charts predict for the same calls against the same formations.
Excess completions become `INC`, and excess plays that reach the line are stopped short of it. One
chart serves all teams.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any

import numpy as np
import polars as pl

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
from hashmark.league.charts import fidelity, quantize
from hashmark.league.charts.fidelity import CellChances, ChartColumns
from hashmark.league.charts.offense import sample_evenly
from hashmark.league.data import chart_columns
from hashmark.league.data.arrays import Floats, Integers
from hashmark.league.plans import formation_mix

LOWEST_GAIN, HIGHEST_GAIN = -20, 100  # range of distinguished gains in yards
MIN_PLAYS = 30.0  # situations with fewer get no chart
MAX_SHORT_YARDS = 6  # yards short of the line
MAX_HELD_SHARE = 0.5
# Yards to which runs and catches are held, by zone: a little less than they gain there.
HELD_TO_YARDS = {"run": (0, 0, 1, 2, 2, 2), "pass": (0, 1, 3, 4, 4, 5)}

_to_goal, _to_go, _down = pl.col("yardline_100"), pl.col("ydstogo"), pl.col("down")
_is_call = pl.col("column").is_not_null() & pl.col("result").is_in(
    [chart_columns.GAIN, chart_columns.INCOMPLETE, chart_columns.INTERCEPTED, chart_columns.FUMBLE]
)
_is_short_yardage = (_down >= 3) & (_to_go <= 10) & (_to_go < _to_goal)


def situation_index() -> pl.Expr:
    """Return the index of a play's situation in `SITUATIONS`, null in the open field (E1)."""
    by_line = (
        pl.when(_to_go <= 2)
        .then(pl.lit(LINE_2))
        .when(_to_go <= 6)
        .then(pl.lit(LINE_6))
        .otherwise(pl.lit(LINE_10))
    )
    narrow = (GOAL_5 + (_to_goal - 1) // 5).cast(pl.Int32)
    return (
        pl.when(_is_short_yardage)
        .then(by_line)
        .when(_to_goal <= 100 - rules.LAST_TWO_YARDS_FROM)
        .then(pl.lit(GOAL_2))
        .when(_to_goal <= 100 - rules.FIVE_YARD_ZONES_FROM)
        .then(narrow)
        .when(_to_goal <= 100 - rules.SHORT_FIELD_FROM)
        .then(pl.lit(GOAL_30))
    )


def open_field_plays(plays: pl.DataFrame) -> pl.DataFrame:
    """Return the plays from which team charts are built."""
    return plays.filter(situation_index().is_null())


# --- Predictions of the charts --------------------------------------------------------


OffenseCell = tuple[int, bool]  # an offense cell, and whether it is on the breakaway chart


def _resolve_follow_ups(
    offense: CellChances, breakaway: CellChances, big: CellChances
) -> list[tuple[OffenseCell, float]]:
    """Return the cells an offense ends up with, including those of follow-up charts."""
    cells = []
    for cell, chance in offense.items():
        is_breakaway = c.kind_of(cell) == c.BREAKAWAY
        outcomes = breakaway if is_breakaway else big if c.is_bold(cell) and big else {cell: 1.0}
        cells += [((own, is_breakaway), chance * share) for own, share in outcomes.items()]
    return cells


def _gain_chances(offense: list[tuple[OffenseCell, float]], defense: CellChances) -> Floats:
    """Return the chances of gains from the lowest on, for plays that are not trapped."""
    bins = _result_bins(tuple(own for own, _ in offense), tuple(defense))
    chances = np.outer([chance for _, chance in offense], list(defense.values())).ravel()
    totals = np.bincount(bins, chances, NO_GAIN_BIN + 1)[: NO_GAIN_BIN + 1]
    not_trapped = np.bincount(bins == TRAPPED_BIN, chances)[0]
    return totals[:NO_GAIN_BIN] / max(float(not_trapped), 1e-9)


NO_GAIN_BIN = HIGHEST_GAIN - LOWEST_GAIN + 1  # bin after those of gains
TRAPPED_BIN = NO_GAIN_BIN + 1


@lru_cache(maxsize=2 * len(t.PLAYS) * len(t.FORMATIONS))
def _result_bins(owns: tuple[OffenseCell, ...], others: tuple[int, ...]) -> Integers:
    """Return the bins of the results of all cell pairs; only chances differ by situation."""
    return np.array(
        [_result_bin(own, other, is_breakaway) for own, is_breakaway in owns for other in others]
    )


@cache
def _result_bin(own: int, other: int, is_breakaway: bool) -> int:
    """Return the bin in which the result of two cells is counted."""
    result = fidelity.resolve_cells(own, other, is_breakaway)
    if c.kind_of(result) == c.TRAPPED:
        return TRAPPED_BIN
    if c.kind_of(result) == c.TD:
        return HIGHEST_GAIN - LOWEST_GAIN
    if c.is_number(result):
        return min(max(c.number_of(result), LOWEST_GAIN), HIGHEST_GAIN) - LOWEST_GAIN
    return NO_GAIN_BIN


@dataclass(frozen=True)
class LeagueCharts:
    """The charts of all teams, as far as scrimmage plays use them."""

    teams: Sequence[str]
    columns: Sequence[ChartColumns]
    _known: dict[str, list[CellChances | None]] = field(
        default_factory=dict, compare=False, repr=False
    )

    def reach_chances(self, plays: pl.DataFrame) -> Floats:
        """Return [play, formation, yards]: how often a thrown pass or run gains that much.

        Offenses and defenses are weighted by the plays they took part in: good offenses are near
        the goal line more often than others.
        """
        calls, calls_faced = (self._team_weights(plays, by) for by in ("team", "against"))
        chances = np.zeros((len(t.PLAYS), len(t.FORMATIONS), HIGHEST_GAIN - LOWEST_GAIN + 1))
        breakaway = self._combined_column("breakaway", calls)
        big_play = self._combined_column("big-play", calls)
        for index, play in enumerate(t.PLAYS):
            offense = self._combined_column(f"offence.{play}", calls, fidelity.non_penalty_chances)
            rolled = _resolve_follow_ups(offense, breakaway, big_play)
            for formation_index, formation in enumerate(t.FORMATIONS):
                defense = self._combined_column(f"defence.{formation}.{play}", calls_faced)
                chances[index, formation_index] = _gain_chances(rolled, defense)
        return np.flip(np.cumsum(np.flip(chances, -1), -1), -1)

    def _team_weights(self, plays: pl.DataFrame, by: str) -> list[float]:
        """Return each team's number of plays made or faced, plus one."""
        weights = dict(plays.group_by(by).agg(pl.col("weight").sum().round(6)).iter_rows())
        return [1.0 + float(weights.get(team, 0.0)) for team in self.teams]

    def _combined_column(
        self,
        name: str,
        shares: Sequence[float],
        read: Callable[[Sequence[int]], CellChances] = fidelity.cell_chances,
    ) -> CellChances:
        """Return one column of all teams combined, weighted by their shares."""
        if name not in self._known:
            self._known[name] = [
                read(team[name]) if name in team else None for team in self.columns
            ]
        pairs = zip(self._known[name], shares, strict=True)
        parts = [(cells, share) for cells, share in pairs if cells is not None]
        return fidelity.mix_cells(parts) if parts else {}


# --- Gaps between reality and charts ---------------------------------------------------


@dataclass(frozen=True)
class ShortFieldGap:
    """One situation and kind of play: real results, and those predicted by the charts alone."""

    to_gain: bool  # at the line to gain rather than the goal line
    held_to: int
    caught: float  # share of gains
    reached: float  # share that reached the line
    charts_caught: float
    charts_reached: float
    yards: float  # per play, capped at the line
    charts_yards: float
    charts_beyond: float  # yards of shorter gains beyond `held_to`
    short: Floats  # share of plays 1, 2, ... yards short of the line
    charts_short: Floats

    @property
    def broken_up(self) -> float:
        """The share of completions to break up.

        At the line to gain, no more than the excess that reaches it.
        """
        excess = 1 - self.caught / max(self.charts_caught, 1e-9)
        return max(0.0, min(excess, self.excess_reached) if self.to_gain else excess)

    @property
    def excess_reached(self) -> float:
        """The share of plays reaching the line that is in excess."""
        return 1 - self.reached / max(self.charts_reached, 1e-9)

    @property
    def stopped(self) -> float:
        """The share of plays reaching the line that must be stopped short of it."""
        return max(0.0, self.excess_reached - self.broken_up)

    @property
    def held(self) -> float:
        """The share of shorter gains to hold to a few yards, near the goal line."""
        if self.to_gain:
            return 0.0
        stopped_yards = self.charts_reached * self.stopped * float(np.mean(self.shortfalls))
        excess_yards = (1 - self.broken_up) * self.charts_yards - stopped_yards - self.yards
        return min(max(excess_yards / max(self.charts_beyond, 0.05), 0.0), MAX_HELD_SHARE)

    @property
    def shortfalls(self) -> list[int]:
        """How many yards short plays are stopped: the shortfalls the charts have too few of."""
        deficit = np.maximum(self.short - self.charts_short, 0.0)
        shares = deficit / deficit.sum() if deficit.sum() > 0 else np.eye(1, MAX_SHORT_YARDS)[0]
        return [
            yards + 1 for yards in range(MAX_SHORT_YARDS) for _ in range(round(100 * shares[yards]))
        ]


def measure_gaps(frame: pl.DataFrame, charts: LeagueCharts) -> dict[str, ShortFieldGap]:
    """Measure the gap by short-field chart; `frame` is the season's plays in columns."""
    rows = (
        chart_columns.apply_goal_line_limits(frame, 100 - _to_goal)
        .filter(_is_call)
        .with_columns(
            situation=situation_index(),
            line=pl.when(_is_short_yardage).then(_to_go).otherwise(_to_goal).cast(pl.Int32),
            run=pl.col("column").is_in(t.RUNS),
        )
    )
    gaps = {}
    for index, name in enumerate(SITUATIONS[:CHAINS]):
        in_situation = rows.filter(pl.col("situation") == index)
        chances = charts.reach_chances(in_situation)
        for is_run in (True, False):
            selected = in_situation.filter(pl.col("run") == is_run)
            if float(selected["weight"].sum()) >= MIN_PLAYS:
                kind = "run" if is_run else "pass"
                held_to = None if index >= LINE_2 else HELD_TO_YARDS[kind][index]
                gaps[f"short-field.{name}-{kind}"] = _measure_gap(
                    selected, chances, is_run, held_to
                )
    return gaps


class _Predictor:
    """Chances against the formations that plays meet, cached by mix."""

    def __init__(self, reach: Floats) -> None:
        self.reach = reach
        self.known: dict[tuple[int, tuple[int, ...]], Floats] = {}

    def chances(self, play: int, down: int, to_go: int) -> Floats:
        """Return the chances of gaining at least each number of yards."""
        mix = formation_mix.open_field_shares(down, to_go)
        cached = self.known.get((play, mix))
        if cached is None:
            cached = np.array(mix, dtype=float) / 100.0 @ self.reach[play]
            self.known[play, mix] = cached
        return cached


def _measure_gap(
    selected: pl.DataFrame, reach: Floats, is_run: bool, held_to: int | None
) -> ShortFieldGap:
    weight = selected["weight"].to_numpy()
    is_gain = (selected["result"] == chart_columns.GAIN).to_numpy()
    line, yards = selected["line"].to_numpy(), selected["yards"].to_numpy()
    is_made = is_gain & ((yards >= line) | selected["scored"].to_numpy())
    caught = reached = gained_yards = beyond = 0.0
    short_shares = np.zeros(MAX_SHORT_YARDS)
    predictor = _Predictor(reach)
    for (column, goal, down, to_go, line_yards), share in _group_plays(selected):
        play = t.PLAYS.index(str(column))
        deduction = int(goal <= 100 - t.DEDUCTION_FROM and play in t.DEDUCTED_PLAYS)
        chances = predictor.chances(play, int(down), int(to_go))
        line_index = int(line_yards) + deduction - LOWEST_GAIN
        caught += share * float(chances[0])
        reached += share * float(chances[line_index])
        gained_yards += share * float(LOWEST_GAIN * chances[0] + chances[1 : line_index + 1].sum())
        tail = chances[(held_to or 0) + 1 - LOWEST_GAIN : line_index] - chances[line_index]
        beyond += share * float(tail.sum())
        short_shares += (
            share * -np.diff(chances[line_index - MAX_SHORT_YARDS : line_index + 1])[::-1]
        )
    total = float(weight.sum())
    short = [
        weight[is_gain & ~is_made & (line - yards == yards_short + 1)].sum()
        for yards_short in range(MAX_SHORT_YARDS)
    ]
    return ShortFieldGap(
        to_gain=held_to is None,
        held_to=held_to or 0,
        caught=1.0 if is_run else float(weight[is_gain].sum()) / total,
        reached=float(weight[is_made].sum()) / total,
        charts_caught=1.0 if is_run else caught / total,
        charts_reached=reached / total,
        yards=float((weight * np.minimum(yards, line))[is_gain].sum()) / total,
        charts_yards=gained_yards / total,
        charts_beyond=beyond / total,
        short=np.array(short) / total,
        charts_short=short_shares / total,
    )


def exact_gain_shares(frame: pl.DataFrame, charts: LeagueCharts) -> dict[str, float]:
    """E2: return by chart the share of gains exactly to the line that must fall a yard short."""
    rows = frame.filter(
        _is_call & ~_is_short_yardage & (_to_go < _to_goal) & (_to_go <= HIGHEST_GAIN // 2)
    ).with_columns(line=_to_go.cast(pl.Int32))
    shares, predictor = {}, _Predictor(charts.reach_chances(rows))
    for kind, plays in (("run", t.RUNS), ("pass", t.PASSES)):
        selected = rows.filter(pl.col("column").is_in(plays))
        exact = selected.filter(
            (pl.col("result") == chart_columns.GAIN) & (pl.col("yards") == pl.col("line"))
        )
        predicted = 0.0
        for (column, _, down, to_go, line_yards), share in _group_plays(selected):
            chances = predictor.chances(t.PLAYS.index(str(column)), int(down), int(to_go))
            line_index = int(line_yards) - LOWEST_GAIN
            predicted -= share * float(chances[line_index + 1] - chances[line_index])
        shares[f"short-field.chains-{kind}"] = 1 - float(exact["weight"].sum()) / max(
            predicted, 1e-9
        )
    return shares


def _group_plays(part: pl.DataFrame) -> Iterator[tuple[tuple[Any, ...], float]]:
    """Yield plays of one column in one situation with their combined weight."""
    keys = ("column", "yardline_100", "down", "ydstogo", "line")
    for *key, share in part.group_by(keys).agg(pl.col("weight").sum()).sort(keys).iter_rows():
        yield tuple(key), float(share)


def build_columns(gaps: dict[str, ShortFieldGap], exact: dict[str, float]) -> dict[str, list[int]]:
    """Build the columns: rows that break up a pass, stop a play short or hold it, and blanks."""
    columns = {name: _build_column(gap) for name, gap in gaps.items()}
    for name, share in exact.items():
        rows = quantize.rows_for_rate(share)
        columns[name] = [
            c.cell_of(c.NUMBER, -int(row in rows)) for row in range(quantize.ROW_COUNT)
        ]
    return columns


def _build_column(gap: ShortFieldGap) -> list[int]:
    shares = {"INC": gap.broken_up, "short": gap.stopped, "held": gap.held}
    rows_by_event, _ = quantize.allocate_rows({name: 216 * share for name, share in shares.items()})
    cells = [c.BLANK] * quantize.ROW_COUNT
    for row in rows_by_event["INC"]:
        cells[row] = c.cell_of(c.INC, 0)
    for row in rows_by_event["held"]:
        cells[row] = c.cell_of(c.PAREN, gap.held_to)
    shortfalls = sample_evenly(gap.shortfalls, len(rows_by_event["short"]))
    for row, yards in zip(rows_by_event["short"], shortfalls, strict=True):
        cells[row] = c.cell_of(c.NUMBER, -yards)
    return cells
