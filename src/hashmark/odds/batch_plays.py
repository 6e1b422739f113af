"""Plays followed to their end in compiled code, many at once.

All plays share one table of positions, and what a position in the middle of a play leads to is
worked out once: plays that differ in their calls soon come to the same returns and flags. They are
followed level by level; a level is one run of the batch kernel for the positions that are new.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hashmark.odds.batch import Batch, Rows
from hashmark.odds.outlook import Found
from hashmark.odds.plain import BY_THE_BOOK
from hashmark.table.rules import RuleSet

NEGLIGIBLE = 1e-17  # the chance of a position that is not followed any further


@dataclass
class Flow:
    """How likely each play is at each of some positions: a row a position, a column a play."""

    at: Any
    mass: Any


class BatchPlays:
    """Follows plays that begin in one position."""

    def __init__(
        self,
        rules: RuleSet,
        m: Any,
        before: Any,
        us: int,
        statistics: Sequence[str] | None = None,
        negligible: float = NEGLIGIBLE,
    ) -> None:
        """Only these statistics are counted, and less likely positions are not followed on."""
        self.batch = Batch(rules, m, before=before, us=us, statistics=statistics)
        self.negligible = negligible
        self.through = not rules.book_in_windows
        width = len(self.batch.wanted)
        self.known = np.zeros(0, np.int64)  # where the rows of each position begin, -1 if unknown
        self.first = np.zeros(1, np.int64)
        self.next, self.chance = np.zeros(0, np.int64), np.zeros(0)
        self.again = np.zeros(0)
        self.means, self.some = np.zeros((2, 0, 2, width))

    def follow(self, starts: Sequence[Any], calls: Sequence[int]) -> list[Found]:
        """Each call to the end of its play."""
        batch = self.batch
        rows = batch.run(batch.positions(starts), calls, through=self.through)
        if rows.many:
            raise next(iter(rows.many.values()))
        means, some = rows.means.copy(), rows.some.copy()
        flow = _first(rows, len(starts))
        ended: list[Flow] = []
        while len(flow.at):
            over = batch.over[flow.at]
            ended.append(Flow(flow.at[over], flow.mass[over]))
            going = ~over & (flow.mass.max(axis=1) >= self.negligible)
            flow = Flow(flow.at[going], flow.mass[going])
            self._learn(flow.at)
            steps = self.known[flow.at]
            flow.mass = flow.mass / (1 - self.again[steps])[:, None]
            means += np.einsum("nc,nts->cts", flow.mass, self.means[steps])
            some += np.einsum("nc,nts->cts", flow.mass, self.some[steps])
            flow = self._onward(flow, steps)
        return self._ends(ended, means, some)

    def _ends(self, ended: list[Flow], means: Any, some: Any) -> list[Found]:
        """Where each play ends."""
        all_ended = _merged(
            np.concatenate([flow.at for flow in ended]),
            np.concatenate([flow.mass for flow in ended]),
        )
        found = []
        for play in range(len(means)):
            there = all_ended.mass[:, play] > 0
            numbers, chances = all_ended.at[there], all_ended.mass[there, play]
            found.append(self.batch.found_at(numbers, chances, means[play], some[play]))
        return found

    def _learn(self, at: Any) -> None:
        """Work out what these positions lead to, as far as that is not known."""
        batch = self.batch
        self.known = _longer(self.known, batch.count, -1)
        new = at[self.known[at] < 0]
        if not len(new):
            return
        rows = batch.run(batch.found[new], np.full(len(new), BY_THE_BOOK), through=self.through)
        if rows.many:
            raise next(iter(rows.many.values()))
        source = np.repeat(new, np.diff(rows.offsets))
        to, chance = rows.rows["next"], rows.rows["chance"]
        same = to == source
        order = np.repeat(np.arange(len(new)), np.diff(rows.offsets))
        self.known[new] = len(self.again) + np.arange(len(new))
        self.again = np.append(self.again, np.bincount(order[same], chance[same], len(new)))
        sizes = np.bincount(order[~same], minlength=len(new))
        self.first = np.append(self.first, self.first[-1] + np.cumsum(sizes))
        self.next, self.chance = (
            np.append(self.next, to[~same]),
            np.append(self.chance, chance[~same]),
        )
        self.means = np.concatenate([self.means, rows.means])
        self.some = np.concatenate([self.some, rows.some])

    def _onward(self, flow: Flow, steps: Any) -> Flow:
        """One step on from all positions at once."""
        first, sizes = self.first[steps], self.first[steps + 1] - self.first[steps]
        source = np.repeat(np.arange(len(steps)), sizes)
        begins = (
            np.repeat(first - np.append(0, np.cumsum(sizes)[:-1]), sizes) if len(steps) else first
        )
        at = begins + np.arange(len(source))
        return _merged(self.next[at], self.chance[at][:, None] * flow.mass[source])


def _first(rows: Rows, plays: int) -> Flow:
    """The flow after the first step: each play has its own."""
    play = np.repeat(np.arange(plays), np.diff(rows.offsets))
    at, where = np.unique(rows.rows["next"], return_inverse=True)
    mass = np.zeros((len(at), plays))
    mass[where, play] = rows.rows["chance"]
    return Flow(at, mass)


def _merged(at: Any, mass: Any) -> Flow:
    """The same flow with each position once."""
    if not len(at):
        return Flow(at, mass)
    order = np.argsort(at, kind="stable")
    at, mass = at[order], mass[order]
    begins = np.flatnonzero(np.append(True, at[1:] != at[:-1]))
    return Flow(at[begins], np.add.reduceat(mass, begins, axis=0))


def _longer(numbers: Any, length: int, value: int) -> Any:
    made = np.full(length, value, numbers.dtype)
    made[: len(numbers)] = numbers
    return made
