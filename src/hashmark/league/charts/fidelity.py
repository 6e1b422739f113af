"""How true the columns are, exactly: every chart laid under the average of the other side.

All pairs of an offence cell and a defence cell go through the Priority Chart of the game
itself, with the weights of the dice; nothing is simulated. An offence meets the defences of
all teams together, in the mix of formations that each column meets; a defence meets all
offences together. The result is compared with what the column was built for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hashmark.games.data_driven.charts import cells as c
from hashmark.games.data_driven.charts import lookups
from hashmark.games.data_driven.dice import DEFENCE_WEIGHTS, OFFENCE_WEIGHTS
from hashmark.games.data_driven.tables import ACTIONS, DOWN, FORMATIONS, PLAYS, PRIORITY, RUNS
from hashmark.league.charts.gains import TD_YARDS
from hashmark.league.charts.tallies import Array
from hashmark.league.charts.targets import Aims, Targets

EVENTS = ("INT", "F", "QT", "INC")
GRAIN = 2 / 216  # an event's rate is right within this, mean yards within GRAIN_YARDS
GRAIN_YARDS = 0.05
_KINDS = {c.INT: "INT", c.FUMBLE: "F", c.TRAPPED: "QT", c.INC: "INC"}

Columns = Mapping[str, Sequence[int]]
Cells = dict[int, float]  # cells with their chances


@dataclass(frozen=True)
class Outcome:
    """What a column comes to per call: chances of events, and yards on gains."""

    events: Mapping[str, float]
    yards: float


@dataclass(frozen=True)
class Line:
    """One column of one team: wanted and got."""

    team: str
    play: str
    calls: float
    wanted: Outcome
    got: Outcome

    @property
    def event_error(self) -> float:
        """The largest error of an event's rate."""
        return max(abs(self.got.events[one] - self.wanted.events[one]) for one in EVENTS)

    @property
    def yards_error(self) -> float:
        return abs(self.got.yards - self.wanted.yards)


class _Chart:
    """The Priority Chart, in the form that the rules read it from a match."""

    priority = tuple(ACTIONS.index(action) for row in DOWN for action in PRIORITY[row])


def counted(own: int, other: int, breakaway: bool) -> int:
    """The result that counts of an offence's cell and a defence's."""
    return lookups.prevail(_Chart, own, other, breakaway)  # type: ignore[arg-type]


def outcome(offence: Cells, breakaway: Cells, defence: Cells) -> Outcome:
    """Both sides' cells through the Priority Chart; flags are rolled again."""
    played = {cell: chance for cell, chance in offence.items() if not c.is_penalty(cell)}
    whole = sum(played.values())
    events = dict.fromkeys(EVENTS, 0.0)
    yards = 0.0
    for cell, chance in played.items():
        away = c.kind_of(cell) == c.BREAKAWAY
        for own, part in breakaway.items() if away else ((cell, 1.0),):
            for other, against in defence.items():
                result = counted(own, other, away)
                weight = chance / whole * part * against
                kind = c.kind_of(result)
                if kind in _KINDS:
                    events[_KINDS[kind]] += weight
                else:
                    yards += weight * (TD_YARDS if kind == c.TD else c.number_of(result))
    return Outcome(events, yards)


def spread(cells: Sequence[int]) -> Cells:
    """The cells of a column with their chances."""
    ways = OFFENCE_WEIGHTS if len(cells) == len(OFFENCE_WEIGHTS) else DEFENCE_WEIGHTS
    found: Counter[int] = Counter()
    for cell, way in zip(cells, ways, strict=True):
        found[cell] += way
    return {cell: way / sum(ways) for cell, way in found.items()}


def mixed(parts: Sequence[tuple[Cells, float]]) -> Cells:
    """Several columns together, each with its share."""
    whole = sum(share for _, share in parts)
    made: Cells = {}
    for cells, share in parts:
        for cell, chance in cells.items():
            made[cell] = made.get(cell, 0.0) + chance * share / whole
    return made


def defence_of(team: Columns, mix: Array, play: str) -> Cells:
    """What a play meets of one team: its formations, in the mix."""
    shares = mix[PLAYS.index(play)]
    return mixed(
        [
            (spread(team[f"defence.{formation}.{play}"]), float(share))
            for formation, share in zip(FORMATIONS, shares, strict=True)
        ]
    )


def body(cells: Sequence[int]) -> Cells:
    """The cells of an offence column that are no flags, with their chances."""
    played = {cell: chance for cell, chance in spread(cells).items() if not c.is_penalty(cell)}
    whole = sum(played.values())
    return {cell: chance / whole for cell, chance in played.items()}


def _wanted(side: Targets, team: int, column: int) -> Outcome:
    rates = side.rates
    values = (rates.int, rates.f, rates.qt, rates.inc)
    events = {name: float(rate[team, column]) for name, rate in zip(EVENTS, values, strict=True)}
    return Outcome(events, float(rates.gain[team, column] * side.yards[team, column]))


def offence_lines(keys: list[str], columns: list[Columns], mix: Array, aims: Aims) -> list[Line]:
    """Every team's columns under the average defence."""
    lines = []
    faced, calls = aims.defence.calls, aims.offence.calls
    for at, play in enumerate(PLAYS):
        parts = [
            (defence_of(team, mix, play), float(faced[n, at])) for n, team in enumerate(columns)
        ]
        defence = mixed(parts)
        for n, (key, team) in enumerate(zip(keys, columns, strict=True)):
            breakaway = spread(team["breakaway"]) if play in RUNS else {}
            got = outcome(spread(team[f"offence.{play}"]), breakaway, defence)
            lines.append(Line(key, play, float(calls[n, at]), _wanted(aims.offence, n, at), got))
    return lines


def defence_lines(keys: list[str], columns: list[Columns], mix: Array, aims: Aims) -> list[Line]:
    """Every team's defence, over the mix, against the average offence."""
    lines = []
    faced, calls = aims.defence.calls, aims.offence.calls
    for at, play in enumerate(PLAYS):
        shares = [float(n) for n in calls[:, at]]
        bodies = [body(team[f"offence.{play}"]) for team in columns]
        away = [
            share * body.get(c.cell_of(c.BREAKAWAY, 0), 0.0) + 1e-12
            for share, body in zip(shares, bodies, strict=True)
        ]
        offence = mixed(list(zip(bodies, shares, strict=True)))
        breaks = [spread(team["breakaway"]) for team in columns]
        breakaway = mixed(list(zip(breaks, away, strict=True))) if play in RUNS else {}
        for n, (key, team) in enumerate(zip(keys, columns, strict=True)):
            got = outcome(offence, breakaway, defence_of(team, mix, play))
            lines.append(Line(key, play, float(faced[n, at]), _wanted(aims.defence, n, at), got))
    return lines


# --- Summaries -----------------------------------------------------------------------


@dataclass(frozen=True)
class ByPlay:
    """A play over the league: wanted, got, and the largest error of a team's column."""

    play: str
    events: Mapping[str, tuple[float, float, float]]
    yards: tuple[float, float, float]


@dataclass(frozen=True)
class Fidelity:
    """All offence columns of a season, and the defences."""

    lines: list[Line]
    defences: list[Line]

    @property
    def plays(self) -> list[ByPlay]:
        return [self._of(play) for play in PLAYS]

    def _of(self, play: str) -> ByPlay:
        lines = [line for line in self.lines if line.play == play]
        calls = np.array([line.calls for line in lines])

        def figures(wanted: list[float], got: list[float]) -> tuple[float, float, float]:
            worst = max(abs(a - b) for a, b in zip(wanted, got, strict=True))
            return (
                float(np.average(wanted, weights=calls)),
                float(np.average(got, weights=calls)),
                worst,
            )

        events = {
            event: figures(
                [line.wanted.events[event] for line in lines],
                [line.got.events[event] for line in lines],
            )
            for event in (("F",) if play in RUNS else EVENTS)
        }
        yards = figures([line.wanted.yards for line in lines], [line.got.yards for line in lines])
        return ByPlay(play, events, yards)

    @property
    def worst_event(self) -> float:
        return max(line.event_error for line in self.lines)

    @property
    def worst_yards(self) -> float:
        return max(line.yards_error for line in self.lines)

    @property
    def outside(self) -> list[Line]:
        """Columns that miss what they were built for by more than the grain of the dice."""
        return [
            line
            for line in self.lines
            if line.event_error > GRAIN or line.yards_error > GRAIN_YARDS
        ]

    def defence_error(self) -> tuple[float, float]:
        """Of the defences over the mix: root mean square of event rates and of yards a call."""
        calls = [line.calls for line in self.defences]
        events = [line.event_error**2 for line in self.defences]
        yards = [line.yards_error**2 for line in self.defences]
        return (
            float(np.sqrt(np.average(events, weights=calls))),
            float(np.sqrt(np.average(yards, weights=calls))),
        )

    def sentence(self) -> str:
        events, yards = self.defence_error()
        return (
            f"{len(self.lines)} offence columns: event rates within "
            f"{216 * self.worst_event:.1f} of 216, expected yards within {self.worst_yards:.3f}; "
            f"{len(self.outside)} beyond the grain of the dice. "
            f"Defences over the mix: event rates {36 * events:.2f} of 36 and yards {yards:.2f} off "
            f"(root mean square)."
        )

    def to_json(self) -> dict[str, Any]:
        events, yards = self.defence_error()
        return {
            "columns": len(self.lines),
            "worst_event": self.worst_event,
            "worst_yards": self.worst_yards,
            "beyond_grain": len(self.outside),
            "defence_event_error": events,
            "defence_yards_error": yards,
            "plays": {
                one.play: {"events": dict(one.events), "yards": one.yards} for one in self.plays
            },
        }
