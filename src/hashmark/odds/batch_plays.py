"""Compiled enumeration of whole plays, many at once.

All plays share one table of positions, and the successors of a position in the middle of a play are
computed once: plays with different calls soon reach the same returns and flags. Plays advance level
by level; each level is one run of the batch kernel for the new positions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hashmark.engine.record import MatchRecord, PositionRecord
from hashmark.engine.rule_set import RuleSet
from hashmark.odds.arrays import Floats, Ints
from hashmark.odds.batch import Batch, BatchRows
from hashmark.odds.enumeration import BOOK_CALL
from hashmark.odds.outlook import CallDistribution

NEGLIGIBLE_CHANCE = 1e-17  # positions less likely than this are not followed


@dataclass
class Flow:
    """Probability mass of each play at each position: one row per position, one column per play."""

    positions: Ints
    mass: Floats


class BatchPlays:
    """Follows plays that begin in one position."""

    def __init__(
        self,
        rules: RuleSet,
        m: MatchRecord,
        before: PositionRecord,
        us: int,
        statistics: Sequence[str] | None = None,
        negligible: float = NEGLIGIBLE_CHANCE,
    ) -> None:
        """Count only these statistics, and stop following positions below `negligible`."""
        self.batch = Batch(rules, m, before=before, us=us, statistics=statistics)
        self.negligible = negligible
        self.through = not rules.book_in_windows
        width = len(self.batch.wanted)
        self.step_of = np.zeros(0, np.int64)  # step number of each position, -1 if unknown
        self.first = np.zeros(1, np.int64)
        self.next, self.chance = np.zeros(0, np.int64), np.zeros(0)
        self.self_loop_chance = np.zeros(0)
        self.means, self.positive_chances = np.zeros((2, 0, 2, width))

    def follow(
        self, starts: Sequence[PositionRecord], calls: Sequence[int]
    ) -> list[CallDistribution]:
        """Follow each call to the end of its play."""
        batch = self.batch
        rows = batch.run(batch.positions(starts), calls, through=self.through)
        if rows.abandoned:
            raise next(iter(rows.abandoned.values()))
        means, some = rows.means.copy(), rows.positive_chances.copy()
        flow = _initial_flow(rows, len(starts))
        ended: list[Flow] = []
        while len(flow.positions):
            over = batch.over[flow.positions]
            ended.append(Flow(flow.positions[over], flow.mass[over]))
            continues = ~over & (flow.mass.max(axis=1) >= self.negligible)
            flow = Flow(flow.positions[continues], flow.mass[continues])
            self._enumerate_new(flow.positions)
            steps = self.step_of[flow.positions]
            flow.mass = flow.mass / (1 - self.self_loop_chance[steps])[:, None]
            means += np.einsum("nc,nts->cts", flow.mass, self.means[steps])
            some += np.einsum("nc,nts->cts", flow.mass, self.positive_chances[steps])
            flow = self._advance(flow, steps)
        return self._ends(ended, means, some)

    def _ends(self, ended: list[Flow], means: Floats, some: Floats) -> list[CallDistribution]:
        """Return the final distribution of each play."""
        all_ended = _merged(
            np.concatenate([flow.positions for flow in ended]),
            np.concatenate([flow.mass for flow in ended]),
        )
        distributions = []
        for play in range(len(means)):
            reached = all_ended.mass[:, play] > 0
            numbers, chances = all_ended.positions[reached], all_ended.mass[reached, play]
            distributions.append(
                self.batch.distribution_over(numbers, chances, means[play], some[play])
            )
        return distributions

    def _enumerate_new(self, positions: Ints) -> None:
        """Enumerate the successors of these positions unless they are known."""
        batch = self.batch
        unknown = np.full(batch.count - len(self.step_of), -1)
        self.step_of = np.append(self.step_of, unknown)
        new = positions[self.step_of[positions] < 0]
        if not len(new):
            return
        rows = batch.run(
            batch.found_positions[new], np.full(len(new), BOOK_CALL), through=self.through
        )
        if rows.abandoned:
            raise next(iter(rows.abandoned.values()))
        source = np.repeat(new, np.diff(rows.offsets))
        targets, chance = rows.rows["next"], rows.rows["chance"]
        is_self_loop = targets == source
        step = np.repeat(np.arange(len(new)), np.diff(rows.offsets))
        self.step_of[new] = len(self.self_loop_chance) + np.arange(len(new))
        self.self_loop_chance = np.append(
            self.self_loop_chance, np.bincount(step[is_self_loop], chance[is_self_loop], len(new))
        )
        sizes = np.bincount(step[~is_self_loop], minlength=len(new))
        self.first = np.append(self.first, self.first[-1] + np.cumsum(sizes))
        self.next = np.append(self.next, targets[~is_self_loop])
        self.chance = np.append(self.chance, chance[~is_self_loop])
        self.means = np.concatenate([self.means, rows.means])
        self.positive_chances = np.concatenate([self.positive_chances, rows.positive_chances])

    def _advance(self, flow: Flow, steps: Ints) -> Flow:
        """Advance all positions by one step."""
        first, sizes = self.first[steps], self.first[steps + 1] - self.first[steps]
        source = np.repeat(np.arange(len(steps)), sizes)
        begins = (
            np.repeat(first - np.append(0, np.cumsum(sizes)[:-1]), sizes) if len(steps) else first
        )
        index = begins + np.arange(len(source))
        return _merged(self.next[index], self.chance[index][:, None] * flow.mass[source])


def _initial_flow(rows: BatchRows, plays: int) -> Flow:
    """Return the flow after the first step, one column per play."""
    play = np.repeat(np.arange(plays), np.diff(rows.offsets))
    positions, position_index = np.unique(rows.rows["next"], return_inverse=True)
    mass = np.zeros((len(positions), plays))
    mass[position_index, play] = rows.rows["chance"]
    return Flow(positions, mass)


def _merged(positions: Ints, mass: Floats) -> Flow:
    """Return the flow with each position once."""
    if not len(positions):
        return Flow(positions, mass)
    order = np.argsort(positions, kind="stable")
    positions, mass = positions[order], mass[order]
    begins = np.flatnonzero(np.append(True, positions[1:] != positions[:-1]))
    return Flow(positions[begins], np.add.reduceat(mass, begins, axis=0))
