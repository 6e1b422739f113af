"""Matchups of every play of an offense against every formation of a defense, with exact values.

A matchup combines the offense's chart columns with the defense's by the Priority Chart, once,
without a place on the field; the rules say what becomes of each result (`play_results.py`). The
value in a situation is then the product of two small tables: the probability of each result and the
expected points after it (`expected_points.py`).

Not modeled: a second flag on one play, the defense's own penalty chart, which affects all
formations alike, muffed snaps, returns of the own fumble, fumbles on returns, and the yard that
some plays lose at the goal line. The short field (E1, E2) is applied before a flag is accepted or
declined, and not together with a flag that leaves no choice. A penalty that may be declined is
accepted when that is worth more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from hashmark.engine.record import HOME, TEAMS
from hashmark.errors import HashmarkError
from hashmark.games.data_driven import position as p
from hashmark.games.data_driven.charts import cells as c
from hashmark.games.data_driven.charts import layout
from hashmark.games.data_driven.charts.cells import (
    is_bold,
    is_number,
    is_penalty,
    kind_of,
    number_of,
)
from hashmark.games.data_driven.charts.lookups import (
    LONG_COLUMN_COUNT,
    SHORT_COLUMN_COUNT,
    priority_result,
)
from hashmark.games.data_driven.dice import DEFENSE_WEIGHTS, OFFENSE_WEIGHTS
from hashmark.games.data_driven.kicks import MIN_MISS_SPOT, NO_RETURN_POOCH_YARDS
from hashmark.games.data_driven.penalties import is_pass
from hashmark.games.data_driven.position import Match
from hashmark.games.data_driven.scrimmage import BIG_PLAY, has_supplement
from hashmark.games.data_driven.tables import (
    DEEPEST_RETURN_SPOT,
    FORMATIONS,
    LINE_PLUNGE,
    PLAYS,
    REFUSED_FROM,
)
from hashmark.league.data.arrays import Floats
from hashmark.league.whatifs.expected_points import (
    FIELD_GOAL_POINTS,
    TOUCHDOWN_POINTS,
    ExpectedPoints,
)
from hashmark.league.whatifs.play_results import (
    GAIN,
    INCOMPLETE_INDEX,
    MAX_YARDS,
    MIN_YARDS,
    OTHERWISE_KEPT,
    RESULT_COUNT,
    SCRAMBLE,
    CrowdChances,
    FieldSituation,
    ResultChance,
    ShortFieldCharts,
    apply_home_field,
    apply_short_field,
    enumerate_results,
    first_down_spots_after_foul,
    result_index,
    situation_after_foul,
)

FLAGS = (c.OFF_5, c.OFF_10, c.OFF_15, c.GROUNDING, c.DEF_5, c.DEF_5X, c.DEF_15, c.PI)
MAX_INTERCEPTION_SPOT = 100 - DEEPEST_RETURN_SPOT  # deepest spot of an interception


def long_column(m: Match, team: int, column: int) -> tuple[int, ...]:
    """Return the cells of a column for the offense dice, as the match stores them."""
    first = (team * LONG_COLUMN_COUNT + column) * len(OFFENSE_WEIGHTS)
    return tuple(m.long_cells[first : first + len(OFFENSE_WEIGHTS)])


def short_column(m: Match, team: int, column: int) -> tuple[int, ...]:
    """Return the cells of a column for the defense dice."""
    first = (team * SHORT_COLUMN_COUNT + column) * len(DEFENSE_WEIGHTS)
    return tuple(m.short_cells[first : first + len(DEFENSE_WEIGHTS)])


def long_chances(cells: Iterable[int]) -> dict[int, float]:
    """Return the probability of each cell of a column under the offense dice."""
    return _cell_chances(cells, OFFENSE_WEIGHTS)


def short_chances(cells: Iterable[int]) -> dict[int, float]:
    """Return the probability of each cell of a column under the defense dice."""
    return _cell_chances(cells, DEFENSE_WEIGHTS)


def _cell_chances(cells: Iterable[int], weights: Sequence[int]) -> dict[int, float]:
    chances: dict[int, float] = {}
    for cell, weight in zip(cells, weights, strict=True):
        chances[cell] = chances.get(cell, 0.0) + weight / sum(weights)
    return chances


def short_field_chances(m: Match) -> ShortFieldCharts:
    """E1, E2: return the short-field charts with their probabilities; empty if off."""
    if not m.short_field:
        return ()
    size = len(OFFENSE_WEIGHTS)
    return tuple(
        tuple(long_chances(m.short_field_cells[first : first + size]).items())
        for first in range(0, len(m.short_field_cells), size)
    )


def crowd_chances(m: Match, offense: int) -> CrowdChances:
    """E3: return the probabilities that a gain of this offense is a yard longer, or shorter."""
    chance = m.home_field / p.CROWD_DIE_FACES
    return (chance, 0.0) if offense == HOME else (0.0, chance)


class Matchup:
    """Charts of an offense combined with those of the other team's defense, in a match."""

    def __init__(self, m: Match, offense: int) -> None:
        self.m, self.offense, self.defense = m, offense, 1 - offense
        self.flag_rates = np.zeros((len(PLAYS), len(FLAGS)))
        self.foul_yards = np.zeros((len(PLAYS), len(FLAGS)))
        self.results: Floats = np.zeros((len(PLAYS), len(FORMATIONS), RESULT_COUNT))
        # Short field and home field are applied to the values instead.
        self.open_field_match = m.copy()
        self.open_field_match.short_field = self.open_field_match.home_field = 0
        self._result_cache: dict[int, Sequence[ResultChance]] = {}
        self._final_cells: dict[tuple[int, bool, int], int] = {}
        for play in range(len(PLAYS)):
            cells = self._play_cells(play)
            for formation in range(len(FORMATIONS)):
                column = formation * len(PLAYS) + play
                against = short_chances(short_column(m, self.defense, column))
                self._fill(self.results[play, formation], cells, against)

    def payoff_table(self, expected: ExpectedPoints) -> PayoffTable:
        """Return the payoff table of the matchup."""
        touchback = self.m.touchback_spot
        picked, lost = (
            _return_values(expected, long_column(self.m, self.defense, column), touchback)
            for column in (layout.INT_RETURN, layout.FUMBLE_RETURN)
        )
        in_touch = expected.first_down_value(touchback)
        return PayoffTable(
            expected,
            self.results,
            self.flag_rates,
            self.foul_yards,
            picked,
            lost,
            in_touch,
            short_field_chances(self.m),
            crowd_chances(self.m, self.offense),
        )

    def _play_cells(self, play: int) -> dict[tuple[int, bool], float]:
        """Return the offense's cells without flags, breakaways rolled out.

        The rates of the flags are added to `flag_rates` and `foul_yards`.
        """
        m, offense = self.m, self.offense
        big_play = m.big_play and has_supplement(m, offense, BIG_PLAY)
        cells: dict[tuple[int, bool], float] = {}
        for cell, chance in long_chances(long_column(m, offense, play)).items():
            if is_penalty(cell):
                flag = FLAGS.index(kind_of(cell))
                self.flag_rates[play, flag] += chance
                self.foul_yards[play, flag] += chance * number_of(cell)
                continue
            breakaway = kind_of(cell) == c.BREAKAWAY
            rolled = {cell: 1.0}
            if breakaway:
                rolled = long_chances(long_column(m, offense, layout.BREAKAWAY))
            elif is_bold(cell) and big_play:
                rolled = long_chances(long_column(m, offense, layout.BIG_PLAY))
            for rolled_cell, share in rolled.items():
                if not is_penalty(rolled_cell):
                    key = (rolled_cell, breakaway)
                    cells[key] = cells.get(key, 0.0) + chance * share
        total = sum(cells.values())
        if total == 0:
            raise HashmarkError(f"{TEAMS[offense]}: {PLAYS[play]} has penalties only")
        return {key: chance / total for key, chance in cells.items()}

    def _fill(
        self,
        results: Floats,
        cells: dict[tuple[int, bool], float],
        against: dict[int, float],
    ) -> None:
        counts: dict[int, float] = {}
        finals = self._final_cells
        for (cell, breakaway), chance in cells.items():
            for defense_cell, share in against.items():
                final = finals.get((cell, breakaway, defense_cell))
                if final is None:
                    final = priority_result(self.m, cell, defense_cell, breakaway)
                    finals[cell, breakaway, defense_cell] = final
                counts[final] = counts.get(final, 0.0) + chance * share
        for final, chance in counts.items():
            if final not in self._result_cache:
                self._result_cache[final] = enumerate_results(
                    self.open_field_match, self.offense, final
                )
            for index, share in self._result_cache[final]:
                results[index] += chance * share


# --- Values ----------------------------------------------------------------------------


@dataclass(frozen=True)
class PayoffTable:
    """Probability of each result, for one matchup or the mean of several."""

    expected: ExpectedPoints
    results: Floats  # play, formation, result
    flags: Floats  # play, flag: probability
    foul_yards: Floats  # play, flag: probability times yards
    interception_values: Floats  # value of an interception return by start, from -9 on
    fumble_values: Floats  # the same for a recovered fumble
    touchback_value: float  # value of a fumble recovered in the own end zone
    short_field: ShortFieldCharts = ()
    crowd: CrowdChances = (0.0, 0.0)

    known: dict[FieldSituation, Floats] = field(default_factory=dict, compare=False, repr=False)

    def matrix(self, situation: FieldSituation) -> Floats:
        """Return the expected points of each play (down) against each formation (across)."""
        if situation not in self.known:
            values, dead = self.result_values_with_flags(situation)
            self.known[situation] = np.einsum("pfr,pr->pf", self.results, values) + dead[:, None]
        return self.known[situation]

    def result_values(self, situation: FieldSituation) -> Floats:
        """Return the value of each result (across) of each play (down)."""
        spots = situation.spot + np.arange(MIN_YARDS, MAX_YARDS + 1)
        stands = self.expected.values_after(*situation, MIN_YARDS, MAX_YARDS)
        start = (
            np.clip(100 - np.minimum(spots, MAX_INTERCEPTION_SPOT), DEEPEST_RETURN_SPOT, 99)
            - DEEPEST_RETURN_SPOT
        )
        picked = np.where(spots <= 0, -TOUCHDOWN_POINTS, -self.interception_values[start])
        lost = np.where(spots <= 0, -TOUCHDOWN_POINTS, -self.fumble_values[start])
        lost = np.where(spots >= 100, -self.touchback_value, lost)
        missed = self.expected.value_after(*situation, 0)
        run, catch = (
            apply_home_field(
                self.crowd,
                situation,
                apply_short_field(self.short_field, how, situation, stands, missed),
            )
            for how in (p.RAN, p.COMPLETED)
        )
        rest = np.concatenate((picked, lost, run, stands, [missed]))
        by_kind = [np.concatenate((gain, rest)) for gain in (run, catch)]
        return np.stack([by_kind[int(is_pass(play))] for play in range(len(PLAYS))])

    def result_values_with_flags(self, situation: FieldSituation) -> tuple[Floats, Floats]:
        """Return the values of results including each play's flags, and of dead balls."""
        expected, plain = self.expected, self.result_values(situation)
        rates = dict(zip(FLAGS, self.flags.T, strict=True))
        yards = dict(zip(FLAGS, self.foul_yards.T, strict=True))
        passes = np.array([is_pass(play) for play in range(len(PLAYS))])
        kinds = (
            (rates[c.OFF_10], np.minimum(plain, self._enforced(situation, p.OFF_10))),
            (rates[c.OFF_15], np.minimum(plain, self._enforced(situation, p.OFF_15))),
            (rates[c.DEF_5X] * passes, np.maximum(plain, self._enforced(situation, p.DEF_5X))),
            (rates[c.DEF_5X] * ~passes, self._walked_off(situation, p.DEF_5X)),
            (rates[c.DEF_15], self._walked_off(situation, p.DEF_15)),
        )
        values: Floats = (1 - self.flags.sum(1))[:, None] * plain
        for rate, value in kinds:
            values += rate[:, None] * value
        for play in np.flatnonzero(rates[c.PI]):
            penalty_spot = min(99, situation.spot + round(yards[c.PI][play] / rates[c.PI][play]))
            values[play] += rates[c.PI][play] * np.maximum(
                plain[play], expected.first_down_value(penalty_spot)
            )
        dead = rates[c.OFF_5] * self._enforced(situation, p.OFF_5)
        dead = dead + rates[c.DEF_5] * self._enforced(situation, p.DEF_5)
        for play in np.flatnonzero(rates[c.GROUNDING]):
            lost_yards = round(yards[c.GROUNDING][play] / rates[c.GROUNDING][play])
            dead[play] += rates[c.GROUNDING][play] * expected.value_after(*situation, -lost_yards)
        return values, dead

    def _enforced(self, situation: FieldSituation, foul: int) -> float:
        """Return the value after a penalty from the line of scrimmage."""
        return self.expected.value_at(*situation_after_foul(foul, *situation))

    def _walked_off(self, situation: FieldSituation, foul: int) -> Floats:
        """R83, R84: return the values after a foul without a choice; a score stands."""
        values = self.expected.first_down_values[
            list(first_down_spots_after_foul(foul, LINE_PLUNGE, situation.spot))
        ]
        result_values = np.full(RESULT_COUNT, values[0])
        result_values[INCOMPLETE_INDEX] = values[situation.spot]
        for kind in (GAIN, SCRAMBLE, OTHERWISE_KEPT):
            result_values[
                result_index(kind, 1 - situation.spot) : result_index(kind, 99 - situation.spot) + 1
            ] = values[1:]
            result_values[
                result_index(kind, 100 - situation.spot) : result_index(kind, MAX_YARDS) + 1
            ] = TOUCHDOWN_POINTS
        return result_values


def average_tables(tables: Sequence[PayoffTable], weights: Sequence[float]) -> PayoffTable:
    """Return the weighted mean of several payoff tables."""
    shares = np.array(weights) / sum(weights)

    def mean(value: Callable[[PayoffTable], Any]) -> Any:
        return sum(share * value(table) for share, table in zip(shares, tables, strict=True))

    return PayoffTable(
        tables[0].expected,
        mean(lambda table: table.results),
        mean(lambda table: table.flags),
        mean(lambda table: table.foul_yards),
        mean(lambda table: table.interception_values),
        mean(lambda table: table.fumble_values),
        float(mean(lambda table: table.touchback_value)),
        tables[0].short_field,
        (mean(lambda table: table.crowd[0]), mean(lambda table: table.crowd[1])),
    )


def allowed_plays(spot: int) -> list[int]:
    """R8: return the plays that may be called from a spot."""
    return [play for play in range(len(PLAYS)) if spot < REFUSED_FROM.get(play, 100)]


@lru_cache(maxsize=256)
def _return_cells(cells: tuple[int, ...]) -> tuple[tuple[int, float], ...]:
    """Return the cells of a return chart without its flags."""
    clean = {cell: chance for cell, chance in long_chances(cells).items() if not is_penalty(cell)}
    total = sum(clean.values())
    return tuple((cell, chance / total) for cell, chance in clean.items())


def _return_values(expected: ExpectedPoints, column: tuple[int, ...], touchback: int) -> Floats:
    """R37, R38: return the value of a return from each start to the returning team."""
    cells = _return_cells(column)
    return np.array(
        [
            sum(chance * _return_value(expected, start, cell, touchback) for cell, chance in cells)
            for start in range(DEEPEST_RETURN_SPOT, 100)
        ]
    )


def _return_value(expected: ExpectedPoints, start: int, cell: int, touchback: int) -> float:
    """Return the value of one return; a fumble on it counts as a ball kept on the spot."""
    end = start + number_of(cell)
    if kind_of(cell) == c.TD or end >= 100:
        return TOUCHDOWN_POINTS
    if end > 0:
        return expected.first_down_value(end)
    return expected.first_down_value(start if start > 0 else touchback)


# --- Kicks -----------------------------------------------------------------------------


def field_goal_value(expected: ExpectedPoints, m: Match, kickers: int, spot: int) -> float | None:
    """R65, R66: return the value of a field goal, or None where the rules do not allow one."""
    if 100 - spot > m.longest_kick[kickers]:
        return None
    column = long_chances(long_column(m, kickers, layout.FIELD_GOAL))
    cells = {cell: chance for cell, chance in column.items() if not is_penalty(cell)}
    good = sum(
        chance
        for cell, chance in cells.items()
        if is_number(cell) and number_of(cell) >= 100 - spot
    ) / sum(cells.values())
    missed = min(max(100 - spot + m.fg_depth, MIN_MISS_SPOT), 99)
    return good * FIELD_GOAL_POINTS - (1 - good) * expected.first_down_value(missed)


def punt_value(
    expected: ExpectedPoints, m: Match, kickers: int, spot: int, shorter: int = 0
) -> float:
    """R57 to R59: return the value of a punt; blocks and flags are left out."""
    total = value = 0.0
    returned = _return_cells(long_column(m, 1 - kickers, layout.PUNT_RETURN))
    for cell, chance in long_chances(long_column(m, kickers, layout.PUNT)).items():
        if not is_number(cell):
            continue
        total += chance
        landing = spot + max(0, number_of(cell) - shorter)
        start = 100 - landing
        if landing >= 100:
            value -= chance * expected.first_down_value(m.touchback_spot)
        elif c.is_out(cell) or shorter >= NO_RETURN_POOCH_YARDS:
            value -= chance * expected.first_down_value(start)
        else:
            value -= chance * sum(
                share * _return_value(expected, start, return_cell, m.touchback_spot)
                for return_cell, share in returned
            )
    return value / total
