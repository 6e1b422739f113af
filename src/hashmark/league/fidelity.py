"""How true the columns are, exactly: every chart laid under the average defence of its season.

All pairs of an offence cell and a defence cell go through the Priority Chart of the game
itself, with the weights of the dice; nothing is simulated. The defence is that of all teams
together, in the mix of formations that each column meets. The result is compared with what
the column was built for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from hashmark.games.data_driven import cells as c
from hashmark.games.data_driven import lookups
from hashmark.games.data_driven.dice import DEFENCE_WEIGHTS, OFFENCE_WEIGHTS
from hashmark.games.data_driven.tables import ACTIONS, DOWN, FORMATIONS, PLAYS, PRIORITY, RUNS
from hashmark.league.gains import TD_YARDS
from hashmark.league.tallies import Array

EVENTS = ("INT", "F", "QT", "INC")
_KINDS = {c.INT: "INT", c.FUMBLE: "F", c.TRAPPED: "QT", c.INC: "INC"}


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


def outcome(
    offence: Mapping[int, float], breakaway: Mapping[int, float], defence: Mapping[int, float]
) -> Outcome:
    """Distributions of cells on both sides, through the Priority Chart; flags are rolled again."""
    played = {cell: chance for cell, chance in offence.items() if not c.is_penalty(cell)}
    whole = sum(played.values())
    events = dict.fromkeys(EVENTS, 0.0)
    yards = 0.0
    for cell, chance in played.items():
        away = c.kind_of(cell) == c.BREAKAWAY
        for own, part in breakaway.items() if away else ((cell, 1.0),):
            for other, against in defence.items():
                result = lookups.prevail(_Chart, own, other, away)  # type: ignore[arg-type]
                weight = chance / whole * part * against
                kind = c.kind_of(result)
                if kind in _KINDS:
                    events[_KINDS[kind]] += weight
                else:
                    yards += weight * (TD_YARDS if kind == c.TD else c.number_of(result))
    return Outcome(events, yards)


def spread(cells: tuple[int, ...] | list[int]) -> dict[int, float]:
    """The cells of a column with their chances."""
    ways = OFFENCE_WEIGHTS if len(cells) == len(OFFENCE_WEIGHTS) else DEFENCE_WEIGHTS
    found: Counter[int] = Counter()
    for cell, way in zip(cells, ways, strict=True):
        found[cell] += way
    return {cell: way / sum(ways) for cell, way in found.items()}


def average_defence(
    columns: list[Mapping[str, list[int]]], mix: Array, play: str, faced: Array
) -> dict[int, float]:
    """The cells that a play meets: all teams' formations in the mix, by how often each met it."""
    met: dict[int, float] = {}
    for team, part in zip(columns, faced / faced.sum(), strict=True):
        for at, formation in enumerate(FORMATIONS):
            for cell, chance in spread(team[f"defence.{formation}.{play}"]).items():
                share = chance * float(mix[PLAYS.index(play), at] * part)
                met[cell] = met.get(cell, 0.0) + share
    return met


def offence_lines(
    keys: list[str],
    columns: list[Mapping[str, list[int]]],
    mix: Array,
    rates: Mapping[str, Array],
    yards: Array,
    calls: Array,
    faced: Array,
) -> list[Line]:
    """Every team's columns under the average defence; rates and yards are the targets."""
    lines = []
    for at, play in enumerate(PLAYS):
        defence = average_defence(columns, mix, play, faced[:, at])
        for team, key in enumerate(keys):
            breakaway = spread(columns[team]["breakaway"]) if play in RUNS else {}
            got = outcome(spread(columns[team][f"offence.{play}"]), breakaway, defence)
            wanted = {one: float(rates[one][team, at]) for one in EVENTS}
            target = Outcome(wanted, float(yards[team, at]))
            lines.append(Line(key, play, float(calls[team, at]), target, got))
    return lines


@dataclass(frozen=True)
class Summary:
    """All columns together: worst errors, and the use-weighted league by play."""

    worst_event: float
    worst_yards: float
    mean_event: float
    mean_yards: float
    outside: int  # columns beyond the grain of the dice
    columns: int


GRAIN_EVENT = 1.5 / 216
GRAIN_YARDS = 0.05


def summary(lines: list[Line]) -> Summary:
    events = np.array([line.event_error for line in lines])
    yards = np.array([line.yards_error for line in lines])
    weights = np.array([line.calls for line in lines])
    return Summary(
        float(events.max()),
        float(yards.max()),
        float(np.average(events, weights=weights)),
        float(np.average(yards, weights=weights)),
        int(((events > GRAIN_EVENT) | (yards > GRAIN_YARDS)).sum()),
        len(lines),
    )
