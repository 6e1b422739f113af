"""Arrays of the pairing model: what is fixed for two teams, tables of values, and work space."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from hashmark.games.data_driven import pairing_grid as grid
from hashmark.games.data_driven.charts import cells as c
from hashmark.games.data_driven.charts.layout import SHORT_FIELD_COLUMNS
from hashmark.games.data_driven.dice import OFFENSE_WEIGHTS
from hashmark.games.data_driven.pairing_mix import (
    COLD_ITERATIONS,
    FORMATION_COUNT,
    MEMORY_ROWS,
    PLAY_COUNT,
)
from hashmark.games.data_driven.pairing_plays import (
    BROKEN_UP,
    CAPPED,
    CONSTANTS,
    MAX_CHECKS,
    SHORTENED,
    Pairing,
    Values,
    Work,
)
from hashmark.games.data_driven.pairing_rows import ChartOdds, KickOdds, PlayOdds
from hashmark.games.data_driven.position import FULL, Match
from hashmark.games.data_driven.scrimmage import SQUIB_RETURN, has_supplement
from hashmark.games.data_driven.tables import DEDUCTED_PLAYS, SCREEN

Floats = npt.NDArray[np.float32]
STORED_SCALE = 65535  # a chance is stored as this many parts
THIRD = 1 / 3


def make_pairing(m: Match, kicks: KickOdds, is_stored: bool) -> Pairing:
    """Build the arrays of two teams, to read tables as they are solved or as they are stored."""
    odds = kicks.odds
    teams = [PlayOdds(odds, offense) for offense in range(2)]
    begins, outcomes, chances, used, out_shares = _cells(m, teams)
    scale = 1 / STORED_SCALE if is_stored else 1.0
    return Pairing(
        begins=begins,
        outcomes=outcomes,
        chances=chances,
        used=used,
        out_shares=out_shares,
        flags=_single([[team.flags(play) for play in range(PLAY_COUNT)] for team in teams]),
        interference=np.array(
            [
                [
                    0 if play < SCREEN else round(team.pass_interference_yards(play))
                    for play in range(PLAY_COUNT)
                ]
                for team in teams
            ],
            np.int64,
        ),
        kept_fumbles=_single([odds.keeps_fumble(team) for team in range(2)]),
        field_goals=_single(
            [[kicks.field_goal(team, yards) for yards in range(100)] for team in range(2)]
        ),
        tries=_single([[kicks.extra_point(team), 0.0] for team in range(2)]),
        hurries=np.array([int(quota > 0) for quota in m.hurry_up], np.int64),
        **_interpolation(),
        **_checks(m),
        constants=_constants(m),
        scale=_single([scale, 1.0, THIRD, 0.5]),
    )


def _single(values: Any) -> Floats:
    return np.array(values, np.float32)


def _constants(m: Match) -> npt.NDArray[np.int64]:
    values = [m.goal_line_deduction, m.fg_depth, m.touchback_spot, int(m.timing == FULL)]
    values += [int(m.mode != FULL), m.short_field]
    assert len(values) == CONSTANTS
    return np.array(values, np.int64)


def _checks(m: Match) -> Mapping[str, Any]:
    """E1, E2: Return the cells of the short-field charts that can stop a gain."""
    charts = len(SHORT_FIELD_COLUMNS)
    counts = np.zeros(charts, np.int64)
    kinds, yards = np.zeros((2, charts, MAX_CHECKS), np.int64)
    chances = np.zeros((charts, MAX_CHECKS), np.float32)
    for chart in range(charts):
        cells = m.short_field_cells[chart * c.LONG_SIZE : (chart + 1) * c.LONG_SIZE]
        for cell in sorted(set(cells) - {c.BLANK}):
            number, counts[chart] = counts[chart], counts[chart] + 1
            kinds[chart, number] = SHORTENED
            if c.kind_of(cell) == c.PAREN:
                kinds[chart, number] = CAPPED
            elif c.kind_of(cell) == c.INC:
                kinds[chart, number] = BROKEN_UP
            yards[chart, number] = c.number_of(cell)
            weights = (w for w, row in zip(OFFENSE_WEIGHTS, cells, strict=True) if row == cell)
            chances[chart, number] = sum(weights) / sum(OFFENSE_WEIGHTS)
    return {
        "check_counts": counts,
        "check_kinds": kinds,
        "check_yards": yards,
        "check_chances": chances,
    }


def _cells(m: Match, teams: list[PlayOdds]) -> tuple[Any, ...]:
    """Return the outcome lists of every offense, variant, play and formation."""
    begins, outcomes, chances = [0], [], []
    used = np.zeros((2, PLAY_COUNT, grid.OUTCOMES), np.int8)
    totals = np.zeros((2, 2, PLAY_COUNT, grid.OUTCOMES))
    for side, team in enumerate(teams):
        for shorter in range(2):
            for play in range(PLAY_COUNT):
                less = shorter if m.goal_line_deduction and play in DEDUCTED_PLAYS else 0
                for formation in range(FORMATION_COUNT):
                    found, out = team.outcomes(play, formation, less)
                    for outcome, chance in sorted(found.items()):
                        outcomes.append(outcome)
                        chances.append(chance)
                        used[side, play, outcome] = 1
                        totals[0, side, play, outcome] += out.get(outcome, 0.0)
                        totals[1, side, play, outcome] += chance
                    begins.append(len(outcomes))
    shares = np.divide(totals[0], totals[1], out=np.zeros_like(totals[0]), where=totals[1] > 0)
    return (
        np.array(begins, np.int64),
        np.array(outcomes, np.int64),
        _single(chances),
        used,
        _single(shares),
    )


def _interpolation() -> Mapping[str, Any]:
    """Return the grid points around every spot, and around every down and distance."""
    spot_below = np.zeros(101, np.int64)
    spot_shares = np.zeros((101, 2), np.float32)
    for spot in range(1, 100):
        spot_below[spot], share = grid.bracket(grid.SPOTS, spot)
        spot_shares[spot] = 1 - share, share
    situation_below = np.zeros((5, 101), np.int64)
    situation_shares = np.zeros((5, 101, 2), np.float32)
    for down in range(1, 5):
        for to_go in range(1, 101):
            situation_below[down, to_go], share = grid.situation_below(down, to_go)
            situation_shares[down, to_go] = 1 - share, share
    return {
        "spot_below": spot_below,
        "spot_shares": spot_shares,
        "situation_below": situation_below,
        "situation_shares": situation_shares,
    }


def make_values(tables: int, dtype: npt.DTypeLike) -> Values:
    """Return this many empty tables of every kind."""
    shapes = table_shapes(tables)
    return Values(**{name: np.zeros(shape, dtype) for name, shape in shapes.items()})


def table_shapes(tables: int) -> dict[str, tuple[int, ...]]:
    """Return the shape of each array of values."""
    teams, leads = (tables, 2), (grid.LEADS,)
    return {
        "chances": (*teams, len(grid.SITUATIONS), len(grid.SPOTS), *leads),
        "interceptions": (*teams, grid.STARTS, *leads),
        "fumbles": (*teams, grid.STARTS, *leads),
        "punts": (*teams, 99, *leads),
        "kickoffs": (*teams, *leads),
        "safety_kicks": (*teams, *leads),
        "tries": (*teams, *leads),
    }


def make_work(leads: int) -> Work:
    """Return work space for this many leads."""

    def rows(count: int) -> Floats:
        return np.zeros((count, leads), np.float32)

    line = np.zeros(leads, np.float32)
    return Work(
        open_running=rows(grid.OUTCOMES),
        open_stopped=rows(grid.OUTCOMES),
        checked=rows(2 * MAX_CHECKS),
        running=rows(grid.OUTCOMES + 1),
        stopped=rows(grid.OUTCOMES + 1),
        worth=rows(grid.OUTCOMES),
        enforced=rows(grid.FLAGS),
        walked_5=rows(len(grid.GAINS)),
        walked_15=rows(len(grid.GAINS)),
        matrix=np.zeros((PLAY_COUNT, FORMATION_COUNT, leads), np.float32),
        row_mix=rows(PLAY_COUNT),
        column_mix=rows(FORMATION_COUNT),
        pay=rows(PLAY_COUNT),
        total=line.copy(),
        other=rows(2),
        low=line.copy(),
        high=line.copy(),
        legal=np.ones(PLAY_COUNT, np.int8),
        all_legal=np.ones(FORMATION_COUNT, np.int8),
    )


def make_memory(states: int, leads: int) -> Floats:
    """Return the memory of mixes."""
    return np.zeros((states, MEMORY_ROWS, leads), np.float32)


def mean_shares(first: int, count: int, least: float) -> Floats:
    """Return the weight of each iteration in the mean mix, beginning after `first` of them."""
    return _single([max(least, 2 / (first + number + 2)) for number in range(count)])


COLD_SHARES = mean_shares(0, COLD_ITERATIONS, 0.0)


def regret_rates(keep: float) -> Floats:
    """Return the numbers of regret matching: its direction, what it keeps, and 0."""
    return _single([1.0, -1.0, keep, 0.0])


def dense(results: Mapping[int, float]) -> Floats:
    """Return the chances of results as a row."""
    row = np.zeros(grid.RESULTS, np.float32)
    for result, chance in results.items():
        row[result] = chance
    return row


class KickMatrices:
    """Results of kicks and returns as matrices over `pairing_grid.RESULTS`, by team."""

    def __init__(self, m: Match, kicks: KickOdds) -> None:
        starts = range(grid.FIRST_START, 100)
        self.interceptions = [
            np.stack([dense(kicks.interception_return(team, start)) for start in starts])
            for team in range(2)
        ]
        self.fumbles = [
            np.stack([dense(kicks.fumble_return(team, start)) for start in starts])
            for team in range(2)
        ]
        self.punts = [
            np.stack([np.stack([dense(row) for row in rows]) for rows in kicks.punts(team)])
            for team in range(2)
        ]
        self.kickoffs = [self._kicks(m, kicks, team, m.kickoff_spot) for team in range(2)]
        self.safety_kicks = [self._kicks(m, kicks, team, m.safety_kick_spot) for team in range(2)]

    def _kicks(self, m: Match, kicks: KickOdds, team: int, spot: int) -> Floats:
        """Return the results of a team's kicks as the receivers see them, one row each."""
        has_squib = has_supplement(m, team, SQUIB_RETURN)
        rows = [0, 1, 2] if has_squib else [0, 0, 2]
        return np.stack([dense(kicks.kickoff(team, kick, spot)) for kick in rows])


def pairing_odds(m: Match) -> KickOdds:
    """Return the chances of everything between the two teams."""
    return KickOdds(ChartOdds(m))
