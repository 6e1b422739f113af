"""Results of a team's plays according to its charts, against the league-average opponent.

A chart is thirty cells and three dice. This module turns it into what a person wants to know: the
distribution of gains, the rates of incompletions, interceptions, fumbles and sacks, and the effect
of each formation. The offense's cells meet the defense's by the Priority Chart, as in the rules
(`prevail`), with the opponent's charts averaged over the season's teams.

Not modeled, as every page that shows this says: flags (the play is rolled again), maximum usage,
audibles, the short field and other situations, who recovers a fumble, and what a defense takes off
a scramble. A touchdown from anywhere counts as a result of its own, without yards.
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
from hashmark.games.data_driven.charts.chart_file import ChartFile, Team
from hashmark.games.data_driven.charts.lookups import priority_result
from hashmark.games.data_driven.dice import DEFENSE_WEIGHTS, OFFENSE_WEIGHTS
from hashmark.games.data_driven.setup import encode_priority_chart
from hashmark.games.data_driven.tables import FORMATIONS, PLAYS
from hashmark.league.plans.formation_mix import REFERENCE_MIX
from hashmark.storage import search_path

OFFENSE, DEFENSE = SIDES = ("offence", "defence")
MIXED = "all"  # formations weighted by how often they are called over a season
LIMITATIONS = (
    "Penalties, maximum usage, audibles, the short field and fumble recoveries are not included; "
    "the opponent is league-average. The play-by-play doesn’t label draws and screens: a rule "
    "assigns them."
)
FORMATIONS_NOTE = (
    "The play-by-play has no defensive formations: how often each is called is assumed, and its "
    "results are fitted to gains by down and distance."
)
Chances = dict[int, float]
Cells = dict[tuple[int, bool], float]  # key: a cell, and whether a breakaway led to it


@dataclass(frozen=True)
class PlayOutcomes:
    """Outcome probabilities of a play, which add up to one, and its yards."""

    gains: Mapping[int, float]  # yards, without a touchdown from anywhere
    touchdown: float
    incomplete: float
    intercepted: float
    fumble: float
    sack: float
    scramble: float
    mean_scramble_yards: float  # mean yards of a scramble
    yards: float  # mean per call: sacks count, incompletions and turnovers are 0

    def to_json(self) -> dict[str, Any]:
        return {
            "yards": round(self.yards, 3),
            "gains": {str(yards): round(part, 5) for yards, part in sorted(self.gains.items())},
            **{name: round(getattr(self, name), 5) for name in RATES},
        }


RATES = ("touchdown", "incomplete", "intercepted", "fumble", "sack", "scramble")


class SeasonCharts:
    """Charts of a season's teams and their averages."""

    def __init__(self, file: ChartFile) -> None:
        self.file = file
        self.teams = {key.partition("-")[0]: team for key, team in file.teams.items()}
        self.priority_match: Any = SimpleNamespace(priority=encode_priority_chart(file.league))
        self._result_cache: dict[tuple[int, int, bool], int] = {}

    @staticmethod
    def load(year: int) -> SeasonCharts:
        """Return the charts of a shipped season; read once."""
        with search_path.shipped_only():
            return _of_season(year)

    # --- Cells -----------------------------------------------------------------------------

    @cached_property
    def offense_cells(self) -> dict[str, list[Cells]]:
        """Cells of the offense by team and play, without flags and with breakaways resolved."""
        return {
            code: [_play_cells(team, play) for play in PLAYS] for code, team in self.teams.items()
        }

    @cached_property
    def average_offense(self) -> list[Cells]:
        return [
            _mean([plays[play] for plays in self.offense_cells.values()])
            for play in range(len(PLAYS))
        ]

    def defense_cells(self, team: str, formation: str, play: int) -> Chances:
        """Return the cells of a team's formation against a play."""
        return _defense_column(self.teams[team].columns[f"defence.{formation}.{PLAYS[play]}"])

    @cached_property
    def average_defense(self) -> dict[str, list[Chances]]:
        return {
            formation: [
                _mean([self.defense_cells(team, formation, play) for team in self.teams])
                for play in range(len(PLAYS))
            ]
            for formation in FORMATIONS
        }

    # --- Offense against defense -------------------------------------------------------------

    def play_outcomes(
        self, team: str, side: str, play: int, formation: str = MIXED
    ) -> PlayOutcomes:
        """Return the outcomes of a play by this team's offense or against its defense."""
        offense_cells = (
            self.average_offense[play] if side == DEFENSE else self.offense_cells[team][play]
        )
        defense_cells = self._cover(team, side, play, formation)
        return self.combine(offense_cells, defense_cells, self.traps[side][team])

    def _cover(self, team: str, side: str, play: int, formation: str) -> Chances:
        """Return the defense's cells against a play, for one formation or the usual mix."""
        if formation != MIXED:
            if side == DEFENSE:
                return self.defense_cells(team, formation, play)
            return self.average_defense[formation][play]
        parts = [self._cover(team, side, play, each) for each in FORMATIONS]
        return _mean(parts, REFERENCE_MIX)

    def combine(
        self, offense_cells: Cells, defense_cells: Chances, traps: TrapOutcomes
    ) -> PlayOutcomes:
        """Combine offense and defense cells by the Priority Chart."""
        cell_chances: dict[int, float] = {}
        for (cell, breakaway), chance in offense_cells.items():
            for defense_cell, share in defense_cells.items():
                key = (cell, defense_cell, breakaway)
                if key not in self._result_cache:
                    self._result_cache[key] = priority_result(
                        self.priority_match, cell, defense_cell, breakaway
                    )
                cell_chances[self._result_cache[key]] = (
                    cell_chances.get(self._result_cache[key], 0.0) + chance * share
                )
        rates = dict.fromkeys(RATES, 0.0)
        gains: dict[int, float] = {}
        yards = 0.0
        for cell, chance in cell_chances.items():
            if is_number(cell):
                gains[number_of(cell)] = gains.get(number_of(cell), 0.0) + chance
                yards += chance * number_of(cell)
            elif kind_of(cell) == c.TRAPPED:
                rates["sack"] += chance * traps.sack
                rates["scramble"] += chance * traps.scramble
                rates["fumble"] += chance * traps.fumble
                yards += chance * traps.yards
            else:
                rates[RATE_BY_CELL[kind_of(cell)]] += chance
        return PlayOutcomes(gains, mean_scramble_yards=traps.scramble_yards, yards=yards, **rates)

    @cached_property
    def traps(self) -> dict[str, dict[str, TrapOutcomes]]:
        """Outcomes of a trapped passer against the average opponent, by side and team."""
        by_pair = {
            (offense, defense): trap_outcomes(self.teams[offense], self.teams[defense])
            for offense in self.teams
            for defense in self.teams
        }
        codes = list(self.teams)
        return {
            OFFENSE: {
                team: _mean_traps([by_pair[team, offense] for offense in codes]) for team in codes
            },
            DEFENSE: {
                team: _mean_traps([by_pair[offense, team] for offense in codes]) for team in codes
            },
        }

    # --- All teams ---------------------------------------------------------------------------

    @cached_property
    def yards(self) -> dict[str, dict[str, list[float]]]:
        """Mean yards of each play against the average opponent, by side and team."""
        return {
            side: {
                team: [self.play_outcomes(team, side, play).yards for play in range(len(PLAYS))]
                for team in self.teams
            }
            for side in SIDES
        }


@lru_cache(maxsize=16)
def _of_season(year: int) -> SeasonCharts:
    return SeasonCharts(charts.load(str(year)))


RATE_BY_CELL = {
    c.TD: "touchdown",
    c.INC: "incomplete",
    c.INT: "intercepted",
    c.FUMBLE: "fumble",
    c.FAIR_CATCH: "incomplete",
}


# --- Columns -------------------------------------------------------------------------------


def _weighted(cells: Iterable[int], weights: Iterable[int]) -> Chances:
    ways = list(weights)
    chances: Chances = {}
    for cell, weight in zip(cells, ways, strict=True):
        chances[cell] = chances.get(cell, 0.0) + weight / sum(ways)
    return chances


def _offense_column(cells: Iterable[int]) -> Chances:
    return _weighted(cells, OFFENSE_WEIGHTS)


def _defense_column(cells: Iterable[int]) -> Chances:
    return _weighted(cells, DEFENSE_WEIGHTS)


def _play_cells(team: Team, play: str) -> Cells:
    """Return a play's cells without flags, with breakaways and big plays resolved."""
    cells: Cells = {}
    for cell, chance in _offense_column(team.columns[f"offence.{play}"]).items():
        breakaway = kind_of(cell) == c.BREAKAWAY
        rolled: Chances = {cell: 1.0}
        if breakaway:
            rolled = _offense_column(team.columns["breakaway"])
        elif is_bold(cell) and "big-play" in team.columns:
            rolled = _offense_column(team.columns["big-play"])
        for result, share in rolled.items():
            if not is_penalty(result):
                cells[result, breakaway] = cells.get((result, breakaway), 0.0) + chance * share
    total = sum(cells.values())
    return {key: chance / total for key, chance in cells.items()}


def flag_rate(team: Team, play: str) -> float:
    """Return the probability of a flag in a play's own column."""
    column = _offense_column(team.columns[f"offence.{play}"])
    return sum(chance for cell, chance in column.items() if is_penalty(cell))


def _mean(
    parts: list[dict[Any, float]], weights: Iterable[float] | None = None
) -> dict[Any, float]:
    """Return the weighted average of some distributions."""
    shares = list(weights) if weights is not None else [1.0] * len(parts)
    total = sum(shares)
    mean: dict[Any, float] = {}
    for part, share in zip(parts, shares, strict=True):
        for key, chance in part.items():
            mean[key] = mean.get(key, 0.0) + chance * share / total
    return mean


@dataclass(frozen=True)
class TrapOutcomes:
    """Outcomes of a trapped passer (R24 to R26): sack, scramble or fumble, and the yards."""

    sack: float
    scramble: float
    fumble: float
    yards: float
    scramble_yards: float  # yards of a scramble


def trap_outcomes(offense: Team, defense: Team) -> TrapOutcomes:
    """Return the outcomes of a trapped passer for this offense and defense."""
    rate = defense.sets.get("sack-rate")
    changed = 0.0
    if rate is not None:
        changed_weight = sum(
            weight for index, weight in enumerate(OFFENSE_WEIGHTS) if rate.mask >> index & 1
        )
        changed = changed_weight / sum(OFFENSE_WEIGHTS)
    to_sack = changed if rate and rate.kind == layout.SACKS and defense.sack_yards < 0 else 0.0
    to_run = changed if rate and rate.kind == layout.SCRAMBLES and offense.qr_yards > 0 else 0.0
    sack = scramble = fumble = yards = run = 0.0
    for cell, chance in _offense_column(offense.columns["qt"]).items():
        if kind_of(cell) == c.FUMBLE:
            fumble += chance
            continue
        gain = number_of(cell)
        if gain <= 0:
            sack += chance * (1 - to_run)
            scramble += chance * to_run
            run += chance * to_run * offense.qr_yards
            yards += chance * ((1 - to_run) * gain + to_run * offense.qr_yards)
        else:
            sack += chance * to_sack
            scramble += chance * (1 - to_sack)
            run += chance * (1 - to_sack) * gain
            yards += chance * ((1 - to_sack) * gain + to_sack * defense.sack_yards)
    return TrapOutcomes(sack, scramble, fumble, yards, run / scramble if scramble else 0.0)


def _mean_traps(traps: list[TrapOutcomes]) -> TrapOutcomes:
    count = len(traps)
    return TrapOutcomes(
        sum(trap.sack for trap in traps) / count,
        sum(trap.scramble for trap in traps) / count,
        sum(trap.fumble for trap in traps) / count,
        sum(trap.yards for trap in traps) / count,
        sum(trap.scramble_yards for trap in traps) / count,
    )
