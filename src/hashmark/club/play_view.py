"""What a team's charts amount to, play by play, against the league's average other side.

A chart is thirty cells and three dice. A person reads something else in it: how far a play gains
and how often, how often it is incomplete, picked off, fumbled or ends in a sack, and what each
formation does to that. Here the offence's cells are laid over the defence's by the Priority Chart,
as the rules do it (`prevail`), with the charts of the other side averaged over the season's teams.

Left out, and said wherever it is shown: flags (the play is rolled again), maximum usage, audibles,
the short field and everything about a single situation, who recovers a fumble, and what a defence
takes off a scramble. A touchdown from anywhere counts as its own result, without yards.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from types import SimpleNamespace
from typing import Any

from hashmark.games.data_driven.charts import cells as c
from hashmark.games.data_driven.charts import files as charts
from hashmark.games.data_driven.charts import layout
from hashmark.games.data_driven.charts.cells import (
    is_bold,
    is_number,
    is_penalty,
    kind_of,
    number_of,
)
from hashmark.games.data_driven.charts.files import ChartFile, Team
from hashmark.games.data_driven.charts.lookups import prevail
from hashmark.games.data_driven.dice import DEFENCE_WEIGHTS, OFFENCE_WEIGHTS
from hashmark.games.data_driven.setup import priority_of
from hashmark.games.data_driven.tables import FORMATIONS, PLAYS
from hashmark.league.plans.formation_mix import REFERENCE
from hashmark.table import places

OFFENCE, DEFENCE = SIDES = ("offence", "defence")
MIXED = "all"  # formations as often as they are called over a season
LEFT_OUT = (
    "Flags, maximum usage, audibles, the short field and who recovers a fumble are left out; the "
    "other side is the league's average. No play is named a draw or a screen in the play-by-play: "
    "which runs and passes count as such is our rule."
)
INVENTED = (
    "Formations are not in the play-by-play: how often each is called is assumed, and what each "
    "gives up is fitted to gains by down and distance."
)
Chances = dict[int, float]
Cells = dict[tuple[int, bool], float]  # a cell, and whether a breakaway led to it


@dataclass(frozen=True)
class Outcomes:
    """What becomes of a play, as chances that add up to one, and its yards."""

    gains: Mapping[int, float]  # yards, without a touchdown from anywhere
    touchdown: float
    incomplete: float
    intercepted: float
    fumble: float
    sack: float
    scramble: float
    scrambled: float  # the mean yards of a scramble
    yards: float  # of a call on average: sacks count, incompletions and turnovers are 0

    def to_json(self) -> dict[str, Any]:
        return {
            "yards": round(self.yards, 3),
            "gains": {str(yards): round(part, 5) for yards, part in sorted(self.gains.items())},
            **{name: round(getattr(self, name), 5) for name in RATES},
        }


RATES = ("touchdown", "incomplete", "intercepted", "fumble", "sack", "scramble")


class SeasonCharts:
    """The charts of a season's teams and their averages."""

    def __init__(self, file: ChartFile) -> None:
        self.file = file
        self.teams = {key.partition("-")[0]: team for key, team in file.teams.items()}
        self.m: Any = SimpleNamespace(priority=priority_of(file.league))
        self._met: dict[tuple[int, int, bool], int] = {}

    @staticmethod
    def of(year: int) -> SeasonCharts:
        """Those of a season that ships; read once."""
        with places.only_shipped():
            return _of_season(year)

    # --- Cells -----------------------------------------------------------------------------

    @cached_property
    def offences(self) -> dict[str, list[Cells]]:
        """By team and play: the offence's cells, without flags, breakaways rolled out."""
        return {
            code: [_play_cells(team, play) for play in PLAYS] for code, team in self.teams.items()
        }

    @cached_property
    def average_offence(self) -> list[Cells]:
        return [
            _mean([each[play] for each in self.offences.values()]) for play in range(len(PLAYS))
        ]

    def defence(self, team: str, formation: str, play: int) -> Chances:
        """The cells of a team's formation against a play."""
        return _short(self.teams[team].columns[f"defence.{formation}.{PLAYS[play]}"])

    @cached_property
    def average_defence(self) -> dict[str, list[Chances]]:
        return {
            formation: [
                _mean([self.defence(team, formation, play) for team in self.teams])
                for play in range(len(PLAYS))
            ]
            for formation in FORMATIONS
        }

    # --- Laid over each other ----------------------------------------------------------------

    def against(self, team: str, side: str, play: int, formation: str = MIXED) -> Outcomes:
        """A play of this team's offence, or against its defence, by formation or over all."""
        attack = self.average_offence[play] if side == DEFENCE else self.offences[team][play]
        cover = self._cover(team, side, play, formation)
        return self.laid(attack, cover, self.traps[side][team])

    def _cover(self, team: str, side: str, play: int, formation: str) -> Chances:
        if formation != MIXED:
            if side == DEFENCE:
                return self.defence(team, formation, play)
            return self.average_defence[formation][play]
        parts = [self._cover(team, side, play, one) for one in FORMATIONS]
        return _mean(parts, REFERENCE)

    def laid(self, attack: Cells, cover: Chances, traps: Traps) -> Outcomes:
        """An attack laid over a cover by the Priority Chart."""
        found: dict[int, float] = {}
        for (cell, breakaway), chance in attack.items():
            for other, part in cover.items():
                key = (cell, other, breakaway)
                if key not in self._met:
                    self._met[key] = prevail(self.m, cell, other, breakaway)
                found[self._met[key]] = found.get(self._met[key], 0.0) + chance * part
        rates = dict.fromkeys(RATES, 0.0)
        gains: dict[int, float] = {}
        yards = 0.0
        for cell, chance in found.items():
            if is_number(cell):
                gains[number_of(cell)] = gains.get(number_of(cell), 0.0) + chance
                yards += chance * number_of(cell)
            elif kind_of(cell) == c.TRAPPED:
                rates["sack"] += chance * traps.sack
                rates["scramble"] += chance * traps.scramble
                rates["fumble"] += chance * traps.fumble
                yards += chance * traps.yards
            else:
                rates[RATE_OF[kind_of(cell)]] += chance
        return Outcomes(gains, scrambled=traps.run, yards=yards, **rates)

    @cached_property
    def traps(self) -> dict[str, dict[str, Traps]]:
        """By side and team: what becomes of a trapped passer against the average other side."""
        met = {
            (one, other): trapped(self.teams[one], self.teams[other])
            for one in self.teams
            for other in self.teams
        }
        every = list(self.teams)
        return {
            OFFENCE: {team: _mean_traps([met[team, one] for one in every]) for team in every},
            DEFENCE: {team: _mean_traps([met[one, team] for one in every]) for team in every},
        }

    # --- All teams ---------------------------------------------------------------------------

    @cached_property
    def yards(self) -> dict[str, dict[str, list[float]]]:
        """By side and team: the yards of each play against the average other side."""
        return {
            side: {
                team: [self.against(team, side, play).yards for play in range(len(PLAYS))]
                for team in self.teams
            }
            for side in SIDES
        }


@lru_cache(maxsize=16)
def _of_season(year: int) -> SeasonCharts:
    return SeasonCharts(charts.load(str(year)))


RATE_OF = {
    c.TD: "touchdown",
    c.INC: "incomplete",
    c.INT: "intercepted",
    c.FUMBLE: "fumble",
    c.FAIR_CATCH: "incomplete",
}


# --- Columns -------------------------------------------------------------------------------


def _weighted(cells: Iterable[int], weights: Iterable[int]) -> Chances:
    ways = list(weights)
    found: Chances = {}
    for cell, way in zip(cells, ways, strict=True):
        found[cell] = found.get(cell, 0.0) + way / sum(ways)
    return found


def _long(cells: Iterable[int]) -> Chances:
    return _weighted(cells, OFFENCE_WEIGHTS)


def _short(cells: Iterable[int]) -> Chances:
    return _weighted(cells, DEFENCE_WEIGHTS)


def _play_cells(team: Team, play: str) -> Cells:
    """A play's cells without flags, breakaways and big plays rolled out."""
    found: Cells = {}
    for cell, chance in _long(team.columns[f"offence.{play}"]).items():
        breakaway = kind_of(cell) == c.BREAKAWAY
        rolled: Chances = {cell: 1.0}
        if breakaway:
            rolled = _long(team.columns["breakaway"])
        elif is_bold(cell) and "big-play" in team.columns:
            rolled = _long(team.columns["big-play"])
        for one, part in rolled.items():
            if not is_penalty(one):
                found[one, breakaway] = found.get((one, breakaway), 0.0) + chance * part
    total = sum(found.values())
    return {key: chance / total for key, chance in found.items()}


def flags(team: Team, play: str) -> float:
    """How often a play's own column shows a flag."""
    column = _long(team.columns[f"offence.{play}"])
    return sum(chance for cell, chance in column.items() if is_penalty(cell))


def _mean(
    parts: list[dict[Any, float]], weights: Iterable[float] | None = None
) -> dict[Any, float]:
    """The average of some distributions."""
    shares = list(weights) if weights is not None else [1.0] * len(parts)
    total = sum(shares)
    found: dict[Any, float] = {}
    for part, share in zip(parts, shares, strict=True):
        for key, chance in part.items():
            found[key] = found.get(key, 0.0) + chance * share / total
    return found


@dataclass(frozen=True)
class Traps:
    """A trapped passer (R24 to R26): sacked, away, or without the ball; and the yards of it."""

    sack: float
    scramble: float
    fumble: float
    yards: float
    run: float  # yards of a scramble


def trapped(offence: Team, defence: Team) -> Traps:
    rate = defence.sets.get("sack-rate")
    changed = 0.0
    if rate is not None:
        ways = sum(way for at, way in enumerate(OFFENCE_WEIGHTS) if rate.mask >> at & 1)
        changed = ways / sum(OFFENCE_WEIGHTS)
    to_sack = changed if rate and rate.kind == layout.SACKS and defence.sack_yards < 0 else 0.0
    to_run = changed if rate and rate.kind == layout.SCRAMBLES and offence.qr_yards > 0 else 0.0
    sack = scramble = fumble = yards = run = 0.0
    for cell, chance in _long(offence.columns["qt"]).items():
        if kind_of(cell) == c.FUMBLE:
            fumble += chance
            continue
        gain = number_of(cell)
        if gain <= 0:
            sack += chance * (1 - to_run)
            scramble += chance * to_run
            run += chance * to_run * offence.qr_yards
            yards += chance * ((1 - to_run) * gain + to_run * offence.qr_yards)
        else:
            sack += chance * to_sack
            scramble += chance * (1 - to_sack)
            run += chance * (1 - to_sack) * gain
            yards += chance * ((1 - to_sack) * gain + to_sack * defence.sack_yards)
    return Traps(sack, scramble, fumble, yards, run / scramble if scramble else 0.0)


def _mean_traps(each: list[Traps]) -> Traps:
    count = len(each)
    return Traps(
        sum(one.sack for one in each) / count,
        sum(one.scramble for one in each) / count,
        sum(one.fumble for one in each) / count,
        sum(one.yards for one in each) / count,
        sum(one.run for one in each) / count,
    )
