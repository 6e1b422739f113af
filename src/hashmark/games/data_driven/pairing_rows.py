"""Exact outcome distributions of plays and kicks between two teams, from their charts.

Thirty rows against five are 150 pairs: a sum, not a sample. Everything that a chart or a chance
leads to is followed with the rules' own readings of cells (`charts/lookups.py`). What the model
leaves out: flags on kicks and returns, second returns of the same ball, and offsetting fouls beyond
the replay of the down.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cached_property

from hashmark.games.data_driven import pairing_grid as grid
from hashmark.games.data_driven import position as p
from hashmark.games.data_driven import tables as t
from hashmark.games.data_driven.charts import cells as c
from hashmark.games.data_driven.charts import layout
from hashmark.games.data_driven.charts.lookups import (
    LONG_COLUMN_COUNT,
    ROW_SET_COUNT,
    SHORT_COLUMN_COUNT,
    kind_of_set,
    priority_result,
)
from hashmark.games.data_driven.dice import DEFENSE_WEIGHTS, OFFENSE_WEIGHTS
from hashmark.games.data_driven.kicks import (
    FG_ADJUST_MAX_YARDS,
    NO_RETURN_POOCH_YARDS,
    ONSIDE_YARDS,
    OUT_OF_BOUNDS_SPOT,
    SQUIB_YARDS,
)
from hashmark.games.data_driven.pairing_flags import flag_chances
from hashmark.games.data_driven.position import Match
from hashmark.games.data_driven.scrimmage import BIG_PLAY, FG_ADJUST, QR, has_supplement

Chances = dict[int, float]
FORWARD_TOTALS = (2, 3)  # R61: defense dice with which a punt rolls forward


def normalized(chances: Mapping[int, float]) -> Chances:
    """Return chances that add up to 1."""
    total = sum(chances.values())
    return {key: chance / total for key, chance in chances.items()} if total else {}


def without_flags(chances: Mapping[int, float]) -> Chances:
    """Return the chances of a column's cells, given that the cell is no flag."""
    return normalized({cell: q for cell, q in chances.items() if not c.is_penalty(cell)})


class ChartOdds:
    """Chances of the cells of both teams' charts."""

    def __init__(self, m: Match) -> None:
        self.m = m

    def long(self, team: int, column: int) -> Chances:
        """Return the cells of a column of 30 rows with their chances."""
        first = (team * LONG_COLUMN_COUNT + column) * c.LONG_SIZE
        return self._column(self.m.long_cells[first : first + c.LONG_SIZE], OFFENSE_WEIGHTS)

    def short(self, team: int, column: int) -> Chances:
        """Return the cells of a column of 5 rows with their chances."""
        first = (team * SHORT_COLUMN_COUNT + column) * c.SHORT_SIZE
        return self._column(self.m.short_cells[first : first + c.SHORT_SIZE], DEFENSE_WEIGHTS)

    def in_set(self, team: int, which: int) -> float:
        """Return the chance that a roll is in a set of rows."""
        first = (team * ROW_SET_COUNT + which) * c.LONG_SIZE
        rows = self.m.row_sets[first : first + c.LONG_SIZE]
        return sum(w for row, w in zip(rows, OFFENSE_WEIGHTS, strict=True) if row) / 216

    def _column(self, cells: list[int], weights: tuple[int, ...]) -> Chances:
        chances: Chances = defaultdict(float)
        for cell, weight in zip(cells, weights, strict=True):
            chances[cell] += weight / sum(weights)
        return dict(chances)

    def keeps_fumble(self, team: int) -> float:
        """R43: Return the chance that a team recovers its own fumble."""
        kept = self.in_set(team, layout.RECOVERY)
        kind = kind_of_set(self.m, 1 - team, layout.RECOVERY_ADJUST)
        if not self.m.recovery_adjust or kind == layout.MISSING:
            return kept
        changed = self.in_set(1 - team, layout.RECOVERY_ADJUST)
        return kept * (1 - changed) if kind == layout.TAKES_AWAY else kept + (1 - kept) * changed


class PlayOdds:
    """Outcomes of the nine plays of one team against the six formations of the other."""

    def __init__(self, odds: ChartOdds, offense: int) -> None:
        self.odds, self.m, self.offense = odds, odds.m, offense

    def flags(self, play: int) -> list[float]:
        """Return the chance of each kind of flag on a play."""
        chances = flag_chances(self.odds, self.offense, play)
        return [chances[flag] for flag in range(grid.FLAGS)]

    def pass_interference_yards(self, play: int) -> float:
        """Return the mean yards of pass interference on a play."""
        noted = {
            cell: q
            for cell, q in self.odds.long(self.offense, play).items()
            if c.kind_of(cell) == c.PI
        }
        if not noted:
            noted = self.odds.long(1 - self.offense, layout.PI_YARDS + play - t.SCREEN)
        return sum(c.number_of(cell) * q for cell, q in normalized(noted).items())

    def outcomes(self, play: int, formation: int, shorter: int) -> tuple[Chances, Chances]:
        """Return the chances of the outcomes, and of those that end out of bounds."""
        found: Chances = defaultdict(float)
        out: Chances = defaultdict(float)
        for cell, chance in self.results(play, formation, shorter):
            self._add(found, out, cell, chance)
        total = sum(found.values())
        return {o: q / total for o, q in found.items()}, {o: q / total for o, q in out.items()}

    def results(self, play: int, formation: int, shorter: int) -> Iterator[tuple[int, float]]:
        """Yield the results of a snap without flags as cells, with weights.

        Number results are `shorter` yards less (R108). The weights add up to one, apart from
        intentional grounding, which comes on top of them.
        """
        muffed = self._muff_chance()
        if muffed:
            yield c.cell_of(c.FUMBLE, -1), muffed
        against = self.odds.short(1 - self.offense, formation * len(t.PLAYS) + play)
        for cell, breakaway, chance in self._own_results(play):
            for other, q in against.items():
                result = priority_result(self.m, cell, other, breakaway)
                share = (1 - muffed) * chance * q
                if c.kind_of(result) == c.TRAPPED:
                    for trapped, part in self.trapped.items():
                        yield trapped, share * part
                else:
                    yield result - (shorter if c.is_number(result) else 0), share
        column = self.odds.long(self.offense, play)
        clean = sum(chance for cell, chance in column.items() if not c.is_penalty(cell))
        for cell, chance in column.items():
            if c.kind_of(cell) == c.GROUNDING:
                yield c.cell_of(c.NUMBER_OUT, -c.number_of(cell)), chance / clean

    def _muff_chance(self) -> float:
        if not self.m.muffed_snap or not kind_of_set(self.m, self.offense, layout.MUFFED_SNAP):
            return 0.0
        return self.odds.in_set(self.offense, layout.MUFFED_SNAP)

    def _own_results(self, play: int) -> Iterator[tuple[int, bool, float]]:
        """Yield the offense's results with breakaway and big-play rolls made."""
        big = self.m.big_play and has_supplement(self.m, self.offense, BIG_PLAY)
        for cell, chance in without_flags(self.odds.long(self.offense, play)).items():
            if c.kind_of(cell) == c.BREAKAWAY:
                column, breakaway = layout.BREAKAWAY, True
            elif c.is_bold(cell) and big:
                column, breakaway = layout.BIG_PLAY, False
            else:
                yield cell, False, chance
                continue
            for other, q in without_flags(self.odds.long(self.offense, column)).items():
                yield other, breakaway, chance * q

    @cached_property
    def trapped(self) -> Chances:
        """R24 to R28: What becomes of a trapped quarterback, as numbers and fumbles."""
        m, defense = self.m, 1 - self.offense
        results: Chances = defaultdict(float)
        kind = kind_of_set(m, defense, layout.SACK_RATE) if m.sack_rate else layout.MISSING
        changed = self.odds.in_set(defense, layout.SACK_RATE) if kind else 0.0
        for cell, chance in self.odds.long(self.offense, layout.QT).items():
            adjusted = self._adjusted(cell, kind)
            if adjusted == cell:
                self._contain(results, cell, chance)
            else:
                self._contain(results, cell, chance * (1 - changed))
                self._contain(results, adjusted, chance * changed)
        return dict(results)

    def _adjusted(self, cell: int, kind: int) -> int:
        """R26: Return a QT result that the sack rate has changed, or the same."""
        yards, fumbled = c.number_of(cell), c.kind_of(cell) == c.FUMBLE
        new = c.FUMBLE if fumbled else c.NUMBER
        if yards <= 0 and kind == layout.SCRAMBLES and self.m.qr_yards[self.offense] > 0:
            return c.cell_of(new, self.m.qr_yards[self.offense])
        if yards > 0 and kind == layout.SACKS and self.m.sack_yards[1 - self.offense] < 0:
            return c.cell_of(new, self.m.sack_yards[1 - self.offense])
        return cell

    def _contain(self, results: Chances, cell: int, chance: float) -> None:
        """R27: Add a QT result, after the containment roll if it is a scramble."""
        defense, yards = 1 - self.offense, c.number_of(cell)
        contained = self.m.containment and has_supplement(self.m, defense, QR)
        if yards <= 0 or not contained:
            results[cell] += chance
            return
        fumbled = c.kind_of(cell) == c.FUMBLE
        scramble = c.cell_of(c.NUMBER_OUT if c.is_out(cell) else c.NUMBER, yards)
        for other, q in self.odds.short(defense, layout.QR).items():
            result = priority_result(self.m, scramble, other, False)
            if fumbled and c.kind_of(result) != c.FUMBLE:
                result = c.cell_of(c.FUMBLE, c.number_of(result))
            results[result] += chance * q

    def _add(self, found: Chances, out: Chances, cell: int, chance: float) -> None:
        """Add a final result as outcomes of the grid."""
        kind, yards = c.kind_of(cell), c.number_of(cell)
        if kind == c.INC:
            found[grid.INCOMPLETE] += chance
        elif kind == c.TD:
            found[grid.TOUCHDOWN] += chance
        elif kind == c.INT:
            for index, share in grid.spread(grid.INTERCEPTION_YARDS, yards):
                found[grid.FIRST_INTERCEPTION + index] += chance * share
        elif kind == c.FUMBLE:
            for index, share in grid.spread(grid.FUMBLE_YARDS, yards):
                found[grid.FIRST_FUMBLE + index] += chance * share
        else:
            for gain, share in self.with_crowd(yards):
                for index, part in grid.spread(grid.GAINS, gain):
                    found[index] += chance * share * part
                    if c.is_out(cell):
                        out[index] += chance * share * part

    def with_crowd(self, yards: int) -> Iterator[tuple[int, float]]:
        """E3: Yield a gain with the yard that the home field adds or costs."""
        share = self.m.home_field / p.CROWD_DIE_FACES if yards > 0 else 0.0
        if share:
            yield yards + (1 if self.offense == 0 else -1), share
        yield yards, 1 - share


class KickOdds:
    """Results of the kicks and returns of both teams (see `pairing_grid.RESULTS`)."""

    def __init__(self, odds: ChartOdds) -> None:
        self.odds, self.m = odds, odds.m

    # --- Returns -------------------------------------------------------------------------

    def return_results(self, team: int, cells: Mapping[int, float], start: int) -> Chances:
        """R37, R38, R42 to R48: Return the results of a team's return from its spot `start`."""
        results: Chances = defaultdict(float)
        kept = self.odds.keeps_fumble(team)
        for cell, chance in cells.items():
            kind, spot = c.kind_of(cell), start + c.number_of(cell)
            if kind == c.FUMBLE:
                self._add_fumble(results, spot, chance, kept, start)
            elif kind == c.TD or (kind != c.FAIR_CATCH and spot >= 100):
                results[grid.OWN_TOUCHDOWN] += chance
            elif kind == c.FAIR_CATCH or (spot <= 0 < start):
                results[grid.OWN_BALL + start - 1] += chance
            elif spot > 0:
                results[grid.OWN_BALL + spot - 1] += chance
            else:
                results[grid.OWN_BALL + self.m.touchback_spot - 1] += chance
        return dict(results)

    def _add_fumble(
        self, results: Chances, spot: int, chance: float, kept: float, start: int
    ) -> None:
        """Add a fumble on a return; a team that recovers the other's falls on it."""
        if spot >= 100:
            results[grid.OWN_TOUCHDOWN] += chance * kept
            results[grid.OTHER_BALL + self.m.touchback_spot - 1] += chance * (1 - kept)
        elif spot <= 0:
            touchback = grid.OWN_BALL + self.m.touchback_spot - 1
            results[touchback if start <= 0 else grid.OWN_SAFETY] += chance * kept
            results[grid.OTHER_TOUCHDOWN] += chance * (1 - kept)
        else:
            results[grid.OWN_BALL + spot - 1] += chance * kept
            results[grid.OTHER_BALL + 100 - spot - 1] += chance * (1 - kept)

    def covered(self, team: int, column: int, coverage: int | None) -> Chances:
        """R52, R58: Return the cells of a kick return after the coverage roll."""
        results: Chances = defaultdict(float)
        against = {c.BLANK: 1.0} if coverage is None else self.odds.short(1 - team, coverage)
        for cell, chance in without_flags(self.odds.long(team, column)).items():
            for other, q in against.items():
                fair = c.kind_of(cell) == c.FAIR_CATCH
                result = cell if fair else priority_result(self.m, cell, other, False)
                results[result] += chance * q
        return dict(results)

    def interception_return(self, team: int, start: int) -> Chances:
        """Return the results of an interception return."""
        return self.return_results(team, self._plain_return(team, layout.INT_RETURN), start)

    def fumble_return(self, team: int, start: int) -> Chances:
        """Return the results of returning the other team's fumble."""
        return self.return_results(team, self._plain_return(team, layout.FUMBLE_RETURN), start)

    def _plain_return(self, team: int, column: int) -> Chances:
        return without_flags(self.odds.long(team, column))

    # --- Kickoffs ------------------------------------------------------------------------

    def kickoff(self, kicker: int, kick: int, spot: int) -> Chances:
        """R50 to R56: Return the results of a kick, as the receivers see them."""
        receiver = 1 - kicker
        if kick == 2:
            at = min(spot + ONSIDE_YARDS, 99)
            kept = self.odds.in_set(kicker, layout.ONSIDE)
            return {
                grid.OTHER_BALL + at - 1: kept,
                grid.OWN_BALL + 100 - at - 1: 1 - kept,
            }
        if kick == 1:
            coverage = layout.KICK_COVERAGE if self.m.squib_coverage else None
            cells = self.covered(receiver, layout.SQUIB_RETURN, coverage)
            return self._kick_return(receiver, cells, 100 - min(spot + SQUIB_YARDS, 109))
        results: Chances = defaultdict(float)
        cells = self.covered(receiver, layout.KICK_RETURN, layout.KICK_COVERAGE)
        chart = self.odds.long(kicker, layout.KICKOFF)
        kicks = {cell: q for cell, q in chart.items() if c.kind_of(cell) != c.OFF_5}
        for cell, chance in normalized(kicks).items():
            if c.kind_of(cell) == c.OFF_40:
                results[grid.OWN_BALL + OUT_OF_BOUNDS_SPOT - 1] += chance
                continue
            landing = spot + c.number_of(cell)
            for result, q in self._landed(receiver, cells, landing).items():
                results[result] += chance * q
        return dict(results)

    def _landed(self, receiver: int, cells: Chances, landing: int) -> Chances:
        """R51: Return the results of a kick that has landed; the receivers take what is better."""
        touchback = {grid.OWN_BALL + self.m.kick_touchback_spot - 1: 1.0}
        if landing >= t.END_LINE:
            return touchback
        returned = self._kick_return(receiver, cells, 100 - landing)
        if landing >= 100 and field_worth(touchback) >= field_worth(returned):
            return touchback
        return returned

    def _kick_return(self, receiver: int, cells: Chances, start: int) -> Chances:
        return self.return_results(receiver, cells, start)

    def returns_kick(self, receiver: int, start: int) -> bool:
        """Return whether a kick in the end zone should be returned."""
        cells = self.covered(receiver, layout.KICK_RETURN, layout.KICK_COVERAGE)
        touchback = {grid.OWN_BALL + self.m.kick_touchback_spot - 1: 1.0}
        return field_worth(self._kick_return(receiver, cells, start)) > field_worth(touchback)

    # --- Punts ---------------------------------------------------------------------------

    def punts(self, kicker: int) -> list[list[Chances]]:
        """R57 to R64: Return the results of punts by `PUNTS` and spot, as the punters see them."""
        receiver = 1 - kicker
        cells = self.covered(receiver, layout.PUNT_RETURN, layout.PUNT_COVERAGE)
        returns = [
            {grid.swap_result(r): q for r, q in self.punt_caught(receiver, cells, start).items()}
            for start in range(1, 100)
        ]
        chart = without_flags(self.odds.long(kicker, layout.PUNT))
        return [
            [self._punt(kicker, chart, returns, shorter, spot) for spot in range(1, 100)]
            for shorter in grid.PUNTS
        ]

    def punt_caught(self, receiver: int, cells: Chances, start: int) -> Chances:
        """R61: Return the results for the receivers, who may let a punt roll near their goal."""
        returned = self.return_results(receiver, cells, start)
        if 100 - start < t.PUNT_ROLL_FROM:
            return returned
        rolled = self.rolled(start)
        return rolled if field_worth(rolled) > field_worth(returned) else returned

    def rolled(self, start: int) -> Chances:
        """R61: Return the results of letting a punt roll."""
        results: Chances = defaultdict(float)
        weights = enumerate(DEFENSE_WEIGHTS, start=1)
        forward = sum(weight for total, weight in weights if total in FORWARD_TOTALS) / 36
        for face in range(10):
            ahead = start - (face or 10)
            spot = ahead if ahead > 0 else self.m.touchback_spot
            results[grid.OWN_BALL + spot - 1] += forward / 10
            results[grid.OWN_BALL + start + face - 1] += (1 - forward) / 10
        return dict(results)

    def lets_roll(self, receiver: int, start: int) -> bool:
        """Return whether a punt that has landed here should be left to roll."""
        cells = self.covered(receiver, layout.PUNT_RETURN, layout.PUNT_COVERAGE)
        returned = self.return_results(receiver, cells, start)
        return field_worth(self.rolled(start)) > field_worth(returned)

    def _punt(
        self, kicker: int, chart: Chances, returns: list[Chances], shorter: int, spot: int
    ) -> Chances:
        results: Chances = defaultdict(float)
        for cell, chance in chart.items():
            for result, q in self._punted(kicker, cell, returns, shorter, spot).items():
                results[result] += chance * q
        return dict(results)

    def _punted(
        self, kicker: int, cell: int, returns: list[Chances], shorter: int, spot: int
    ) -> Chances:
        """Return the results of one cell of the punt chart."""
        if c.kind_of(cell) in (c.BLOCK, c.FUMBLE):
            return self._loose_punt(kicker, spot + c.number_of(cell))
        landing = spot + max(c.number_of(cell) - shorter, 0)
        if landing >= 100:
            return {grid.OTHER_BALL + self.m.touchback_spot - 1: 1.0}
        if c.is_out(cell) or shorter >= NO_RETURN_POOCH_YARDS:
            return {grid.OTHER_BALL + 100 - landing - 1: 1.0}
        return returns[100 - landing - 1]

    def _loose_punt(self, kicker: int, spot: int) -> Chances:
        """R63: Return the results of a blocked or fumbled punt."""
        if spot >= 100:
            return {grid.OTHER_BALL + self.m.touchback_spot - 1: 1.0}
        if spot > 0:
            return {grid.OTHER_BALL + 100 - spot - 1: 1.0}
        kept = self.odds.keeps_fumble(kicker)
        return {grid.OWN_SAFETY: kept, grid.OTHER_TOUCHDOWN: 1 - kept}

    # --- Field goals and tries -----------------------------------------------------------

    def field_goal(self, kicker: int, yards: int) -> float:
        """R65, R67: Return the chance that a field goal from this line of scrimmage is good."""
        if yards > self.m.longest_kick[kicker]:
            return 0.0
        adjust = self.m.fg_adjust and has_supplement(self.m, 1 - kicker, FG_ADJUST)
        to_good = to_bad = 0.0
        if adjust and yards <= FG_ADJUST_MAX_YARDS:
            cells = self.odds.short(1 - kicker, layout.FG_ADJUST)
            to_good = sum(q for cell, q in cells.items() if c.kind_of(cell) == c.GOOD)
            to_bad = sum(q for cell, q in cells.items() if c.kind_of(cell) == c.NO_GOOD)
        chance = 0.0
        for cell, q in without_flags(self.odds.long(kicker, layout.FIELD_GOAL)).items():
            if c.is_number(cell):
                chance += q * (1 - to_bad if c.number_of(cell) >= yards else to_good)
        return chance

    def extra_point(self, kicker: int) -> float:
        """R68: Return the chance of a kicked extra point."""
        return 1 - self.odds.in_set(kicker, layout.PAT_MISS)


def field_worth(results: Mapping[int, float]) -> float:
    """Return what results are worth in yards, to choose between two ways to take a kick."""
    worth = 0.0
    for result, chance in results.items():
        if result < grid.OTHER_BALL:
            worth += chance * (result + 1)
        elif result < grid.OWN_TOUCHDOWN:
            worth -= chance * (result - grid.OTHER_BALL + 1)
        else:
            sign = 1 if result in (grid.OWN_TOUCHDOWN, grid.OTHER_SAFETY) else -1
            worth += chance * sign * 130
    return worth
