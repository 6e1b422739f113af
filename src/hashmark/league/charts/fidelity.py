"""Exact fidelity of charts: every column played against the average of the other side.

All pairs of an offense cell and a defense cell go through the game's own Priority Chart, weighted
by the dice; nothing is simulated. An offense meets the defenses of all teams combined, in the
formation mix of each column; a defense meets all offenses combined. The result is compared with
the target the column was built for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hashmark.games.data_driven.charts import cells as c
from hashmark.games.data_driven.charts import lookups
from hashmark.games.data_driven.dice import DEFENSE_WEIGHTS, OFFENSE_WEIGHTS
from hashmark.games.data_driven.tables import (
    ACTIONS,
    FORMATIONS,
    PLAYS,
    PRIORITY_CHART,
    PRIORITY_ROWS,
    RUNS,
)
from hashmark.league.charts.gain_distributions import TD_YARDS
from hashmark.league.charts.targets import SeasonTargets, SideTargets
from hashmark.league.data.arrays import Floats
from hashmark.number_text import percent

EVENTS = ("INT", "F", "QT", "INC")
EVENT_RATE_TOLERANCE = 2 / 216  # tolerance of event rates; that of mean yards follows
YARDS_TOLERANCE = 0.05
_EVENT_OF_KIND = {c.INT: "INT", c.FUMBLE: "F", c.TRAPPED: "QT", c.INC: "INC"}

ChartColumns = Mapping[str, Sequence[int]]
CellChances = dict[int, float]  # cells with their chances


@dataclass(frozen=True)
class ColumnOutcome:
    """Expected result of a column per call: event rates, and yards on gains."""

    events: Mapping[str, float]
    yards: float


@dataclass(frozen=True)
class ColumnFidelity:
    """One column of one team: target and actual outcome."""

    team: str
    play: str
    calls: float
    target: ColumnOutcome
    actual: ColumnOutcome

    @property
    def event_error(self) -> float:
        """The largest error of an event rate."""
        return max(abs(self.actual.events[event] - self.target.events[event]) for event in EVENTS)

    @property
    def yards_error(self) -> float:
        return abs(self.actual.yards - self.target.yards)


class _PriorityChart:
    """The Priority Chart in the form in which the rules read it from a match."""

    priority = tuple(
        ACTIONS.index(action) for row in PRIORITY_ROWS for action in PRIORITY_CHART[row]
    )


def resolve_cells(own: int, other: int, breakaway: bool) -> int:
    """Return the result of an offense cell against a defense cell."""
    return lookups.priority_result(_PriorityChart, own, other, breakaway)  # type: ignore[arg-type]


def column_outcome(
    offense: CellChances, breakaway: CellChances, defense: CellChances
) -> ColumnOutcome:
    """Combine both sides' cells through the Priority Chart; penalties are rerolled."""
    non_penalty = {cell: chance for cell, chance in offense.items() if not c.is_penalty(cell)}
    total = sum(non_penalty.values())
    events = dict.fromkeys(EVENTS, 0.0)
    yards = 0.0
    for cell, chance in non_penalty.items():
        is_breakaway = c.kind_of(cell) == c.BREAKAWAY
        for own, own_chance in breakaway.items() if is_breakaway else ((cell, 1.0),):
            for other, other_chance in defense.items():
                result = resolve_cells(own, other, is_breakaway)
                weight = chance / total * own_chance * other_chance
                kind = c.kind_of(result)
                if kind in _EVENT_OF_KIND:
                    events[_EVENT_OF_KIND[kind]] += weight
                else:
                    yards += weight * (TD_YARDS if kind == c.TD else c.number_of(result))
    return ColumnOutcome(events, yards)


def cell_chances(cells: Sequence[int]) -> CellChances:
    """Return the cells of a column with their chances."""
    ways = OFFENSE_WEIGHTS if len(cells) == len(OFFENSE_WEIGHTS) else DEFENSE_WEIGHTS
    ways_by_cell: Counter[int] = Counter()
    for cell, cell_ways in zip(cells, ways, strict=True):
        ways_by_cell[cell] += cell_ways
    return {cell: cell_ways / sum(ways) for cell, cell_ways in ways_by_cell.items()}


def mix_cells(parts: Sequence[tuple[CellChances, float]]) -> CellChances:
    """Combine several columns, weighted by their shares."""
    total = sum(share for _, share in parts)
    combined: CellChances = {}
    for cells, share in parts:
        for cell, chance in cells.items():
            combined[cell] = combined.get(cell, 0.0) + chance * share / total
    return combined


def defense_cells(team: ChartColumns, mix: Floats, play: str) -> CellChances:
    """Return the cells a play meets from one team: its formations in the mix."""
    shares = mix[PLAYS.index(play)]
    return mix_cells(
        [
            (cell_chances(team[f"defence.{formation}.{play}"]), float(share))
            for formation, share in zip(FORMATIONS, shares, strict=True)
        ]
    )


def non_penalty_chances(cells: Sequence[int]) -> CellChances:
    """Return the non-penalty cells of an offense column with their chances."""
    non_penalty = {
        cell: chance for cell, chance in cell_chances(cells).items() if not c.is_penalty(cell)
    }
    total = sum(non_penalty.values())
    return {cell: chance / total for cell, chance in non_penalty.items()}


def _target_outcome(side: SideTargets, team: int, column: int) -> ColumnOutcome:
    rates = side.rates
    values = (rates.int, rates.f, rates.qt, rates.inc)
    events = {name: float(rate[team, column]) for name, rate in zip(EVENTS, values, strict=True)}
    return ColumnOutcome(events, float(rates.gain[team, column] * side.yards[team, column]))


def _compare(
    team: str, side: SideTargets, index: int, column: int, actual: ColumnOutcome
) -> ColumnFidelity:
    calls, target = float(side.calls[index, column]), _target_outcome(side, index, column)
    return ColumnFidelity(team, PLAYS[column], calls, target, actual)


def measure_offenses(
    keys: Sequence[str], columns: Sequence[ChartColumns], mix: Floats, targets: SeasonTargets
) -> list[ColumnFidelity]:
    """Compare every team's columns with their targets under the average defense."""
    lines = []
    calls_faced = targets.defense.calls
    for column, play in enumerate(PLAYS):
        parts = [
            (defense_cells(team, mix, play), float(calls_faced[index, column]))
            for index, team in enumerate(columns)
        ]
        defense = mix_cells(parts)
        for index, (key, team) in enumerate(zip(keys, columns, strict=True)):
            breakaway = cell_chances(team["breakaway"]) if play in RUNS else {}
            got = column_outcome(cell_chances(team[f"offence.{play}"]), breakaway, defense)
            lines.append(_compare(key, targets.offense, index, column, got))
    return lines


def measure_defenses(
    keys: Sequence[str], columns: Sequence[ChartColumns], mix: Floats, targets: SeasonTargets
) -> list[ColumnFidelity]:
    """Compare every team's defense, over the mix, with its targets against the average offense."""
    lines = []
    calls = targets.offense.calls
    for column, play in enumerate(PLAYS):
        shares = [float(index) for index in calls[:, column]]
        bodies = [non_penalty_chances(team[f"offence.{play}"]) for team in columns]
        breakaway_shares = [
            share * body.get(c.cell_of(c.BREAKAWAY, 0), 0.0) + 1e-12
            for share, body in zip(shares, bodies, strict=True)
        ]
        offense = mix_cells(list(zip(bodies, shares, strict=True)))
        breakaways = [cell_chances(team["breakaway"]) for team in columns]
        breakaway = (
            mix_cells(list(zip(breakaways, breakaway_shares, strict=True))) if play in RUNS else {}
        )
        for index, (key, team) in enumerate(zip(keys, columns, strict=True)):
            got = column_outcome(offense, breakaway, defense_cells(team, mix, play))
            lines.append(_compare(key, targets.defense, index, column, got))
    return lines


# --- Summaries -----------------------------------------------------------------------

TABLE_TITLE = "Exact columns against the average defense; league means weighted by calls"


@dataclass(frozen=True)
class PlayFidelity:
    """A play over the league: target, actual, and the largest error of a team's column."""

    play: str
    events: Mapping[str, tuple[float, float, float]]
    yards: tuple[float, float, float]


@dataclass(frozen=True)
class ChartFidelity:
    """Fidelity of all offense columns of a season, and of the defenses."""

    lines: list[ColumnFidelity]
    defense_lines: list[ColumnFidelity]

    @property
    def plays(self) -> list[PlayFidelity]:
        return [self._summarize_play(play) for play in PLAYS]

    def _summarize_play(self, play: str) -> PlayFidelity:
        lines = [line for line in self.lines if line.play == play]
        calls = np.array([line.calls for line in lines])

        def summarize(wanted: list[float], got: list[float]) -> tuple[float, float, float]:
            worst = max(abs(target - actual) for target, actual in zip(wanted, got, strict=True))
            return (
                float(np.average(wanted, weights=calls)),
                float(np.average(got, weights=calls)),
                worst,
            )

        events = {
            event: summarize(
                [line.target.events[event] for line in lines],
                [line.actual.events[event] for line in lines],
            )
            for event in (("F",) if play in RUNS else EVENTS)
        }
        yards = summarize(
            [line.target.yards for line in lines], [line.actual.yards for line in lines]
        )
        return PlayFidelity(play, events, yards)

    def table_rows(self) -> list[tuple[str, ...]]:
        """Return the rows of a table: play, result, wanted, got and the largest error."""
        rows: list[tuple[str, ...]] = []
        for fidelity in self.plays:
            for event, (target, actual, worst) in fidelity.events.items():
                error = f"{216 * worst:.1f} of 216"
                rows.append((fidelity.play, event, percent(target, 3), percent(actual, 3), error))
            yards = (f"{value:.3f}" for value in fidelity.yards)
            rows.append((fidelity.play, "yards", *yards))
        return rows

    @property
    def worst_event(self) -> float:
        return max(line.event_error for line in self.lines)

    @property
    def worst_yards(self) -> float:
        return max(line.yards_error for line in self.lines)

    @property
    def out_of_tolerance(self) -> list[ColumnFidelity]:
        """Columns that miss their target by more than the resolution of the dice."""
        return [
            line
            for line in self.lines
            if line.event_error > EVENT_RATE_TOLERANCE or line.yards_error > YARDS_TOLERANCE
        ]

    def defense_error(self) -> tuple[float, float]:
        """Return the RMS error of the defenses over the mix: event rates and yards per call."""
        calls = [line.calls for line in self.defense_lines]
        events = [line.event_error**2 for line in self.defense_lines]
        yards = [line.yards_error**2 for line in self.defense_lines]
        return (
            float(np.sqrt(np.average(events, weights=calls))),
            float(np.sqrt(np.average(yards, weights=calls))),
        )

    def summary_text(self) -> str:
        events, yards = self.defense_error()
        return (
            f"{len(self.lines)} offense columns: event rates within {216 * self.worst_event:.1f} "
            f"of 216, expected yards within {self.worst_yards:.3f}; {len(self.out_of_tolerance)} "
            "beyond the resolution of the dice. Defenses over the mix: event rates "
            f"{36 * events:.2f} "
            f"of 36 and yards {yards:.2f} off (RMS)."
        )

    def to_json(self) -> dict[str, Any]:
        events, yards = self.defense_error()
        return {
            "columns": len(self.lines),
            "worst_event": self.worst_event,
            "worst_yards": self.worst_yards,
            "beyond_grain": len(self.out_of_tolerance),
            "defence_event_error": events,
            "defence_yards_error": yards,
            "plays": {
                play.play: {"events": dict(play.events), "yards": play.yards} for play in self.plays
            },
        }
