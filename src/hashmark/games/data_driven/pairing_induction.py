"""Backward induction of the pairing model: overtime, second half, and both first halves.

A *period of play* is solved from its last moment to its first. The last four moments are kept in a
ring of tables; some moments are stored for good (`stored_moments`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from hashmark.engine.record import AWAY, HOME
from hashmark.games.data_driven import pairing_grid as grid
from hashmark.games.data_driven import pairing_plays as plays
from hashmark.games.data_driven.clock import LATE_IN_GAME_SECONDS, LATE_IN_HALF_SECONDS
from hashmark.games.data_driven.pairing_arrays import (
    COLD_SHARES,
    STORED_SCALE,
    Floats,
    KickMatrices,
    make_memory,
    make_pairing,
    make_values,
    make_work,
    mean_shares,
    pairing_odds,
    regret_rates,
)
from hashmark.games.data_driven.pairing_grid import (
    AWAY_KICKS_SECOND,
    HOME_KICKS_SECOND,
    OVERTIME_PERIOD,
    SECOND_HALF,
    TIMEOUT_STEPS,
)
from hashmark.games.data_driven.pairing_mix import FORMATION_MIX, PLAY_COUNT, PLAY_MIX, refine_mixes
from hashmark.games.data_driven.pairing_plays import fill_two_point_matrix, set_legal
from hashmark.games.data_driven.position import NO_OVERTIME_PERIOD, Match
from hashmark.games.data_driven.tables import SAFETY_POINTS, TOUCHDOWN_POINTS

RING = 5  # moments that are kept: a play takes at most four steps
FINE_STEPS, COARSE_STEPS = 30, 12  # stored one by one; later every so many
FIRST_HALF_FINE_STEPS = 12
TIE = 0.5
WARM_ITERATIONS, WARM_KEEP, WARM_SHARE = 4, 0.9, 0.1

Sweep = Callable[..., Any]


@dataclass(frozen=True)
class PlayPeriod:
    """A half or an overtime: its length, where its quarter ends, and what is stored of it."""

    number: int
    steps: int
    boundary: int  # steps left when the first of two quarters ends; 0 if there is one
    late_steps: int  # out of bounds stops the clock from here on
    fine_steps: int
    timeout_steps: int = 0

    def after(self, moment: int, steps: int) -> int:
        """R103: Return the moment after a play, which ends with its quarter."""
        floor = self.boundary if moment > self.boundary else 0
        return max(moment - steps, floor)

    def stored_moments(self) -> list[int]:
        """Return the moments whose tables are kept, the last one first."""
        fine = min(self.fine_steps, self.steps)
        return [*range(fine + 1), *range(fine + COARSE_STEPS, self.steps, COARSE_STEPS)] + (
            [self.steps] if self.steps > fine else []
        )

    def timeout_states(self, moment: int) -> list[int]:
        """Return the counts of time-outs that are told apart at a moment."""
        if 0 < moment <= self.timeout_steps:
            return list(range(grid.TIMEOUT_STATES))
        return [grid.ALL_TIMEOUTS]


def play_periods(m: Match) -> list[PlayPeriod]:
    """Return the periods in the order in which they are solved."""
    quarter = -(-m.quarter_seconds // grid.STEP_SECONDS)
    overtime = -(-m.overtime_seconds // grid.STEP_SECONDS)
    late = LATE_IN_GAME_SECONDS // grid.STEP_SECONDS
    late_in_half = (LATE_IN_HALF_SECONDS - 1) // grid.STEP_SECONDS
    return [
        PlayPeriod(OVERTIME_PERIOD, overtime, 0, late, FIRST_HALF_FINE_STEPS),
        PlayPeriod(SECOND_HALF, 2 * quarter, quarter, late, FINE_STEPS, TIMEOUT_STEPS),
        *(
            PlayPeriod(number, 2 * quarter, quarter, late_in_half, FIRST_HALF_FINE_STEPS)
            for number in (HOME_KICKS_SECOND, AWAY_KICKS_SECOND)
        ),
    ]


def stored_tables(m: Match) -> list[tuple[int, int, int]]:
    """Return period, moment and time-out state of every stored table, in its order."""
    return [
        (period.number, moment, state)
        for period in play_periods(m)
        for moment in period.stored_moments()
        for state in period.timeout_states(moment)
    ]


class Induction:
    """Solves a match; `steps` yields after every moment, so that it can be watched and stopped."""

    def __init__(self, m: Match, sweep: Sweep, run_parts: Callable[..., None], parts: int) -> None:
        """`sweep` is `pairing_sweep.sweep`, compiled; `run_parts` calls it for spans of spots."""
        self.m, self.sweep, self.run_parts = m, sweep, run_parts
        kicks = pairing_odds(m)
        self.pairing = make_pairing(m, kicks, is_stored=False)
        solve_two_point_tries(self.pairing)
        self.matrices = KickMatrices(m, kicks)
        self.ring = make_values(RING * grid.TIMEOUT_STATES, np.float32)
        self.tables = stored_tables(m)
        self.places = {key: place for place, key in enumerate(self.tables)}
        self.stored = make_values(len(self.tables), np.uint16)
        self.work = [make_work(grid.LEADS) for _ in range(parts)]
        self.gaps = [np.zeros(3) for _ in range(parts)]
        self.spots = np.array(grid.SPOTS, np.int64)
        self.situations = np.array(grid.SITUATIONS, np.int64)
        self.leads = (0, grid.LEADS)
        shares = np.zeros((grid.RESULTS // 2 - 2, len(grid.SPOTS)), np.float32)
        for spot in range(1, 100):
            low, share = grid.bracket(grid.SPOTS, spot)
            shares[spot - 1, low] = 1 - share
            if share:
                shares[spot - 1, low + 1] = share
        self.spot_shares = shares

    @property
    def total_steps(self) -> int:
        """How many moments are solved, each time-out state counted."""
        periods = play_periods(self.m)
        if self.m.overtime == NO_OVERTIME_PERIOD:
            periods = periods[1:]
        return sum(
            len(period.timeout_states(moment))
            for period in periods
            for moment in range(1, period.steps + 1)
        )

    @property
    def mean_gap(self) -> float:
        """Mean of what both teams' mixes together give away in a solved situation."""
        solved = sum(gaps[2] for gaps in self.gaps)
        return float(sum(gaps[1] for gaps in self.gaps) / solved) if solved else 0.0

    def steps(self) -> Iterator[int]:
        """Solve all periods; yield the number of moments solved so far."""
        for done, _ in enumerate(self._moments(), start=1):
            yield done

    def _moments(self) -> Iterator[None]:
        """Solve all periods, moment by moment."""
        end = self._end_of_game()
        overtime, second, *first = play_periods(self.m)
        if self.m.overtime != NO_OVERTIME_PERIOD:
            yield from self._overtime(overtime)
            end[grid.MAX_LEAD] = self._coin_toss(overtime)
        else:
            self._store_decided(overtime)
        yield from self._period(second, end)
        start = self.ring.kickoffs[self._table(second.steps)].copy()
        for period, kicker in zip(first, (HOME, AWAY), strict=True):
            yield from self._period(period, start[kicker])

    # --- Ends ----------------------------------------------------------------------------

    def _end_of_game(self) -> Floats:
        """Return home's chance at the end of the game, by lead."""
        end = np.zeros(grid.LEADS, np.float32)
        end[grid.MAX_LEAD] = TIE
        end[grid.MAX_LEAD + 1 :] = 1
        return end

    def _coin_toss(self, overtime: PlayPeriod) -> float:
        """R105: Return what overtime is worth to home before the toss: the winner receives."""
        kickoffs = self.ring.kickoffs[self._table(overtime.steps)]
        return float(kickoffs[:, grid.MAX_LEAD].mean())

    def _overtime(self, period: PlayPeriod) -> Iterator[None]:
        """R105: Solve sudden death: only a level score is played on."""
        self.leads = (grid.MAX_LEAD, 1)
        yield from self._period(period, self._end_of_game())
        self.leads = (0, grid.LEADS)

    def _store_decided(self, period: PlayPeriod) -> None:
        """Store that nothing follows where there is no overtime."""
        for moment in period.stored_moments():
            self._fill_end(moment, self._end_of_game())
            self._store(period, moment, grid.ALL_TIMEOUTS)

    # --- One period ----------------------------------------------------------------------

    def _table(self, moment: int, state: int = grid.ALL_TIMEOUTS) -> int:
        return moment % RING * grid.TIMEOUT_STATES + state

    def _period(self, period: PlayPeriod, end: Floats) -> Iterator[None]:
        """Solve a period from its end."""
        states = 2 * len(self.situations) * len(self.spots)
        memory = make_memory(states, self.leads[1])
        self._fill_end(0, end)
        self._store(period, 0, grid.ALL_TIMEOUTS)
        is_stored = set(period.stored_moments())
        for moment in range(1, period.steps + 1):
            for state in period.timeout_states(moment):
                is_first = moment == 1 and state == period.timeout_states(1)[0]
                self._solve(period, moment, state, memory, is_first)
                if moment in is_stored:
                    self._store(period, moment, state)
                yield

    def _fill_end(self, moment: int, end: Floats) -> None:
        """Fill in the tables at the end of a period, when only a try may still be played."""
        for state in range(grid.TIMEOUT_STATES):
            n = self._table(moment, state)
            for table in (
                *(self.ring.chances, self.ring.interceptions, self.ring.fumbles),
                *(self.ring.punts, self.ring.kickoffs, self.ring.safety_kicks),
            ):
                table[n] = end
            self._fill_tries(n)
            self._fill_returns(n)

    def _solve(
        self, period: PlayPeriod, moment: int, state: int, memory: Floats, is_first: bool
    ) -> None:
        """Solve one moment with one count of time-outs."""
        n = self._table(moment, state)
        short = self._table(period.after(moment, 1), state)
        self._fill_kicks(n, short)
        if period.number == OVERTIME_PERIOD:
            decided = self._end_of_game()
            for table in (self.ring.kickoffs, self.ring.safety_kicks):
                level = table[n, :, grid.MAX_LEAD].copy()
                table[n] = decided
                table[n, :, grid.MAX_LEAD] = level
            self.ring.tries[n] = decided
        else:
            self._fill_tries(n)
        shares, rates = mean_shares(200, WARM_ITERATIONS, WARM_SHARE), regret_rates(WARM_KEEP)
        if is_first:
            shares, rates = COLD_SHARES, regret_rates(1.0)
        when = self._when(period, moment, state)

        def solve_part(number: int, team: int, begin: int, end: int) -> None:
            self.sweep(
                self.ring, self.pairing, when, n, memory, self.spots, self.situations, team,
                begin, end, *self.leads, len(shares), shares, rates, self.work[number],
                self.gaps[number],
            )  # fmt: skip

        self.run_parts(solve_part, len(self.spots))
        self._fill_returns(n)

    def _when(self, period: PlayPeriod, moment: int, state: int) -> Any:
        """Return the tables that a play at a moment leads to."""
        when = np.full(plays.WHEN_FIELDS, -1, np.int64)
        for place, steps in enumerate((1, 2, 3, 4)):
            when[place] = self._table(period.after(moment, steps), state)
        when[plays.LATE] = int(moment <= period.late_steps)
        if moment <= period.timeout_steps:
            short = period.after(moment, 1)
            for team, worth in ((HOME, 4), (AWAY, 1)):
                if state // worth % 4 > 0:
                    when[plays.HOME_TIMEOUT + team] = self._table(short, state - worth)
        return when

    # --- Kicks and scores ----------------------------------------------------------------

    def _results(self, n: int, team: int) -> Floats:
        """Return home's chance after each result, as a team sees them, by lead."""
        values, sign = self.ring, 1 if team == HOME else -1
        own, other = (
            self.spot_shares @ values.chances[n, side, grid.FIRST_AND_TEN]
            for side in (team, 1 - team)
        )
        ends = [
            _shifted(values.tries[n, team], sign * TOUCHDOWN_POINTS),
            _shifted(values.tries[n, 1 - team], -sign * TOUCHDOWN_POINTS),
            _shifted(values.safety_kicks[n, team], -sign * SAFETY_POINTS),
            _shifted(values.safety_kicks[n, 1 - team], sign * SAFETY_POINTS),
        ]
        return np.concatenate([own, other, np.stack(ends)])

    def _fill_returns(self, n: int) -> None:
        """Fill in returns and punts that end at this moment."""
        for team in range(2):
            results = self._results(n, team)
            better = np.maximum if team == HOME else np.minimum
            self.ring.interceptions[n, team] = self.matrices.interceptions[team] @ results
            returned = self.matrices.fumbles[team] @ results
            fallen_on = returned.copy()
            fallen_on[-grid.FIRST_START + 1 :] = results[:99]
            self.ring.fumbles[n, team] = better(returned, fallen_on)
            punts = self.matrices.punts[team] @ results
            self.ring.punts[n, team] = better.reduce(punts, axis=0)

    def _fill_kicks(self, n: int, short: int) -> None:
        """Fill in the free kicks of a moment; the kicking team chooses."""
        for team in range(2):
            results = self._results(short, 1 - team)
            better = np.maximum if team == HOME else np.minimum
            kicks = self.matrices.kickoffs[team] @ results
            self.ring.kickoffs[n, team] = better.reduce(kicks, axis=0)
            kicks = self.matrices.safety_kicks[team] @ results
            self.ring.safety_kicks[n, team] = better.reduce(kicks, axis=0)

    def _fill_tries(self, n: int) -> None:
        """R68: Fill in the tries of a moment; they take no time."""
        for team in range(2):
            sign = 1 if team == HOME else -1
            kickoff = self.ring.kickoffs[n, team]
            better = np.maximum if team == HOME else np.minimum
            choices = []
            for points, chance in enumerate(self.pairing.tries[team], start=1):
                good = _shifted(kickoff, sign * points)
                choices.append(kickoff + chance * (good - kickoff))
            self.ring.tries[n, team] = better(*choices)

    def _store(self, period: PlayPeriod, moment: int, state: int) -> None:
        place = self.places[period.number, moment, state]
        n = self._table(moment, state)
        for stored, table in zip(self.stored, self.ring, strict=True):
            stored[place] = np.rint(np.clip(table[n], 0, 1) * STORED_SCALE)


def _shifted(row: Floats, points: int) -> Floats:
    """Return a row by lead after home has scored points."""
    places = np.clip(np.arange(grid.LEADS) + points, 0, grid.LEADS - 1)
    return row[places]


def solve_two_point_tries(pairing: plays.Pairing) -> None:
    """R68: Solve the hidden calls of both teams' two-point tries, and enter their chances."""
    for team in range(2):
        work, memory = make_work(1), make_memory(1, 1)
        set_legal(98, work)
        fill_two_point_matrix(pairing, team, work)
        refine_mixes(
            memory, 0, work.matrix, 1, work, len(COLD_SHARES), COLD_SHARES, regret_rates(1.0)
        )
        rows = memory[0, PLAY_MIX : PLAY_MIX + PLAY_COUNT, 0]
        columns = memory[0, FORMATION_MIX:, 0]
        matrix = work.matrix[:, :, 0] * work.legal[:, None]
        pairing.tries[team, 1] = rows @ matrix @ columns
