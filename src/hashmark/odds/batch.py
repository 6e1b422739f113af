"""Batch enumeration: the outcome rows of many positions and calls at once, in arrays.

    batch = Batch(rules, m)
    rows = batch.run(starts, calls)          # arrays in
    rows.of(0)["chance"], rows.of(0)["next"]  # arrays out; positions are batch.found[next]

The next positions of all inputs share one table without duplicates, so a solver, or a play that
takes many steps, works with position numbers. With `abstract`, positions are reduced to their
abstraction (`SolverHooks.drop_irrelevant`) and lose the score: points are then in the rows only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.lib.recfunctions import structured_to_unstructured

from hashmark.compiler import dispatch, registration
from hashmark.engine.record import MatchRecord, PositionRecord
from hashmark.engine.rule_set import RuleSet
from hashmark.errors import TooManyOutcomes
from hashmark.odds import enumeration_kernel as kernel
from hashmark.odds.arrays import Flags, Floats, Ints, Records, extended, positions_array
from hashmark.odds.outlook import CallDistribution, PositionKey

INITIAL_CAPACITY = 1 << 12
MAX_POSITIONS = 1 << 18  # maximum positions of one input
NO_LIMIT = 1 << 62
LEAVES_PER_SLICE = 1 << 16  # about 0.1 s of compiled code; Ctrl-C is noticed between slices


@dataclass(frozen=True)
class BatchRows:
    """Outcome rows of inputs: input i has the rows from `offsets[i]` to `offsets[i + 1]`."""

    offsets: Ints
    rows: Records  # of dtype `enumeration_kernel.ROW_DTYPE`
    means: Floats  # expectation of each statistic by input and team
    positive_chances: Floats  # chance that it is above zero
    abandoned: dict[int, TooManyOutcomes]  # abandoned inputs, with the reason

    def of(self, index: int) -> Records:
        """Return the rows of one input."""
        return self.rows[self.offsets[index] : self.offsets[index + 1]]


@dataclass(frozen=True)
class TableOutcomes:
    """Outcomes of a call as numbers of positions in a table."""

    table: Records
    numbers: Ints
    chances: Floats

    def to_list(self) -> list[tuple[float, PositionKey]]:
        """Return every position with its chance."""
        flat = structured_to_unstructured(self.table[self.numbers], np.int64).tolist()
        return list(zip(self.chances.tolist(), map(tuple, flat), strict=True))


class Batch:
    """Compiled enumerator of one match; keeps every position it has found."""

    def __init__(
        self,
        rules: RuleSet,
        m: MatchRecord,
        *,
        before: PositionRecord | None = None,
        us: int = -1,
        statistics: Sequence[str] | None = None,
        abstract: bool = False,
    ) -> None:
        """Prepare an empty table; figures are team `us`'s, relative to the position `before`."""
        self.rules = rules
        self.match = dispatch.match_array(rules, m)
        self.work = np.zeros(1, rules.position.dtype(dispatch.enumerating_fields(rules)))
        self.before = self.positions([rules.position() if before is None else before])
        self.us = -1 if before is None else us
        names = rules.statistics.names
        wanted = names if statistics is None else statistics
        self.statistics = tuple(wanted)
        self.wanted = np.array([names.index(name) for name in wanted], np.int64)
        self.flags = kernel.ABSTRACT if abstract else 0
        self.state = np.zeros(kernel.STATE_SIZE, np.int64)
        self.found_positions: Records = np.zeros(0, rules.position.dtype())
        self.over: Flags = np.zeros(0, np.bool_)
        self.latest: Ints = np.zeros(0, np.int64)
        self.figures: Ints = np.zeros((0, len(rules.rule_figures), 2), np.int64)
        self.enumerate = registration.compile_loop(
            kernel.enumerate_steps, rules, "odds", inline=False
        )
        self._grow_table(INITIAL_CAPACITY)

    def positions(self, given: Sequence[PositionRecord]) -> Records:
        """Return positions as an array."""
        return positions_array(self.rules, given)

    @property
    def count(self) -> int:
        """Number of positions found so far."""
        return int(self.state[kernel.FOUND])

    def run(
        self,
        starts: Records,
        calls: Sequence[int] | Ints,
        *,
        through: bool = False,
        max_leaves: int = NO_LIMIT,
    ) -> BatchRows:
        """Return the rows of these positions and calls, at most `max_leaves` per input."""
        self._reset_rows(len(starts))
        codes = np.asarray(calls, np.int64)
        how = self.flags | (kernel.THROUGH_WINDOWS if through else 0)
        many: dict[int, TooManyOutcomes] = {}
        while True:
            status = self.enumerate(*self._arguments(starts, codes, how, max_leaves))
            if status == kernel.DONE:
                break
            self._continue_after(status, max_leaves, many)
        rows = self.rows[: self.offsets[-1]]
        return BatchRows(self.offsets, rows, self.means, self.positive_chances, many)

    def _reset_rows(self, count: int) -> None:
        """Make room for the rows of this many inputs."""
        self.offsets = np.zeros(count + 1, np.int64)
        self.means, self.positive_chances = np.zeros((2, count, 2, len(self.wanted)))
        self.rows = np.zeros(INITIAL_CAPACITY, kernel.ROW_DTYPE)
        self.latest[: self.count] = -1
        self.state[[kernel.NEXT_INPUT, kernel.PATH_LENGTH, kernel.LEAVES_DONE, kernel.ROWS]] = 0

    def distribution_of_input(self, rows: BatchRows, index: int) -> CallDistribution:
        """Return the distribution of one input, for an outlook."""
        numbers, chances = rows.of(index)["next"], rows.of(index)["chance"]
        means, some = rows.means[index], rows.positive_chances[index]
        return self.distribution_over(numbers, chances, means, some)

    def distribution_over(
        self, numbers: Ints, chances: Floats, means: Floats, some: Floats
    ) -> CallDistribution:
        """Return a distribution over positions of the table, for an outlook."""
        sums = np.einsum("i,ikj->kj", chances, self.figures[numbers])
        ends = TableOutcomes(self.found_positions, numbers, chances)
        return CallDistribution(ends, self.statistics, means.tolist(), some.tolist(), sums.tolist())

    def _arguments(self, starts: Records, calls: Ints, how: int, most: int) -> tuple[Any, ...]:
        """Return the arguments of one slice."""
        table = (self.found_positions, self.over, self.slots, self.latest)
        measured = (self.before, self.us, self.figures)
        counted = (self.wanted, self.means, self.positive_chances)
        arguments = (starts, calls, how, self.work, *table, *measured, self.rows, self.offsets)
        return (self.rules, self.match, *arguments, *counted, self.state, LEAVES_PER_SLICE, most)

    def is_cached(self) -> bool:
        """Return whether compiled code is cached, or cannot be cached at all."""
        self._reset_rows(0)
        given = self._arguments(self.positions([]), np.zeros(0, np.int64), 0, NO_LIMIT)
        return registration.is_cached(kernel.enumerate_steps, self.rules, given)

    def _continue_after(self, status: int, most: int, many: dict[int, TooManyOutcomes]) -> None:
        """After an unfinished slice, grow a table or abandon an input."""
        if status == kernel.SLICE_OVER:
            return  # Python handles signals here, so that Ctrl-C takes effect
        if status == kernel.TOO_MANY:
            self._abandon_input(TooManyOutcomes(f"the dice have more than {most:,} outcomes"), many)
        elif status == kernel.TABLE_FULL:
            self._grow_table(4 * len(self.found_positions))
        elif self._rows_of_input() < MAX_POSITIONS:
            self.rows = extended(self.rows, 2 * len(self.rows))
        else:
            fault = f"the dice lead to more than {MAX_POSITIONS:,} positions"
            self._abandon_input(TooManyOutcomes(fault), many)

    def _rows_of_input(self) -> int:
        return int(self.state[kernel.ROWS] - self.offsets[self.state[kernel.NEXT_INPUT]])

    def _abandon_input(self, fault: TooManyOutcomes, many: dict[int, TooManyOutcomes]) -> None:
        """Abandon the current input, without rows, and continue with the next."""
        index = int(self.state[kernel.NEXT_INPUT])
        many[index] = fault
        self.latest[: self.count] = -1
        self.means[index] = self.positive_chances[index] = 0
        self.offsets[index + 1] = self.state[kernel.ROWS] = self.offsets[index]
        self.state[[kernel.PATH_LENGTH, kernel.LEAVES_DONE]] = 0
        self.state[kernel.NEXT_INPUT] = index + 1

    def _grow_table(self, capacity: int) -> None:
        """Grow the table of positions."""
        self.found_positions = extended(self.found_positions, capacity)
        self.over = extended(self.over, capacity)
        self.latest = extended(self.latest, capacity)
        self.figures = extended(self.figures, capacity)
        self.slots = np.full(4 * capacity, -1, np.int64)
        self.state[kernel.HASHED] = 0
