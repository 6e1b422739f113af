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
from hashmark.odds import enumeration_kernel
from hashmark.odds.outlook import CallDistribution, PositionKey

INITIAL_CAPACITY = 1 << 12
MAX_POSITIONS = 1 << 18  # maximum positions of one input
NO_LIMIT = 1 << 62
LEAVES_PER_SLICE = (
    1 << 16
)  # leaves per compiled slice, about 0.1 s; Ctrl-C is noticed between slices


@dataclass(frozen=True)
class BatchRows:
    """Outcome rows of inputs: input i has the rows from `offsets[i]` to `offsets[i + 1]`."""

    offsets: Any
    rows: Any  # of dtype `enumeration_kernel.ROW_DTYPE`
    means: Any  # expectation of each statistic by input and team
    positive_chances: Any  # chance that it is above zero
    abandoned: dict[int, TooManyOutcomes]  # abandoned inputs, with the reason

    def of(self, index: int) -> Any:
        """Return the rows of one input."""
        return self.rows[self.offsets[index] : self.offsets[index + 1]]


@dataclass(frozen=True)
class TableOutcomes:
    """Outcomes of a call as numbers of positions in a table."""

    table: Any
    numbers: Any
    chances: Any

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
        self.flags = enumeration_kernel.ABSTRACT if abstract else 0
        self.state = np.zeros(enumeration_kernel.STATE_SIZE, np.int64)
        self.found_positions: Any = np.zeros(0, rules.position.dtype())
        self.over: Any = np.zeros(0, np.bool_)
        self.latest: Any = np.zeros(0, np.int64)
        self.figures: Any = np.zeros((0, len(rules.rule_figures), 2), np.int64)
        self.enumerate = registration.compile_loop(
            enumeration_kernel.enumerate_steps, rules, "odds", inline=False
        )
        self._grow_table(INITIAL_CAPACITY)

    def positions(self, given: Sequence[Any]) -> Any:
        """Return positions as an array."""
        array = np.zeros(len(given), self.rules.position.dtype())
        for row, g in zip(array, given, strict=True):
            g.to_array(row)
        return array

    @property
    def count(self) -> int:
        """Number of positions found so far."""
        return int(self.state[enumeration_kernel.FOUND])

    def run(
        self, starts: Records, calls: Sequence[int] | Ints, *, through: bool = False, max_leaves: int = NO_LIMIT
    ) -> BatchRows:
        """Return the rows of these positions and calls, at most `most` leaves per input."""
        self._reset_rows(len(starts))
        codes = np.asarray(calls, np.int64)
        how = self.flags | (enumeration_kernel.THROUGH_WINDOWS if through else 0)
        many: dict[int, TooManyOutcomes] = {}
        while True:
            status = self.enumerate(*self._arguments(starts, codes, how, max_leaves))
            if status == enumeration_kernel.DONE:
                break
            self._continue_after(status, max_leaves, many)
        rows = self.rows[: self.offsets[-1]]
        return BatchRows(self.offsets, rows, self.means, self.positive_chances, many)

    def _reset_rows(self, count: int) -> None:
        """Make room for the rows of this many inputs."""
        self.offsets = np.zeros(count + 1, np.int64)
        self.means, self.positive_chances = np.zeros((2, count, 2, len(self.wanted)))
        self.rows = np.zeros(INITIAL_CAPACITY, enumeration_kernel.ROW_DTYPE)
        self.latest[: self.count] = -1
        self.state[
            [
                enumeration_kernel.NEXT_INPUT,
                enumeration_kernel.PATH_LENGTH,
                enumeration_kernel.LEAVES_DONE,
                enumeration_kernel.ROWS,
            ]
        ] = 0

    def distribution_of_input(self, rows: BatchRows, index: int) -> CallDistribution:
        """Return the distribution of one input, for an outlook."""
        input_rows = rows.of(index)
        return self.distribution_over(
            input_rows["next"],
            input_rows["chance"],
            rows.means[index],
            rows.positive_chances[index],
        )

    def distribution_over(
        self, numbers: Ints, chances: Floats, means: Floats, some: Floats
    ) -> CallDistribution:
        """Return a distribution over positions of the table, for an outlook."""
        figures = self.figures[numbers]
        sums = np.einsum("i,ikj->kj", chances, figures)
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
        return registration.is_cached(enumeration_kernel.enumerate_steps, self.rules, given)

    def _continue_after(self, status: int, most: int, many: dict[int, TooManyOutcomes]) -> None:
        """After an unfinished slice, grow a table or abandon an input."""
        if status == enumeration_kernel.SLICE_OVER:
            return  # Python handles signals here, so that Ctrl-C takes effect
        if status == enumeration_kernel.TOO_MANY:
            self._abandon_input(
                TooManyOutcomes(f"these dice can fall in more than {most:,} ways"), many
            )
        elif status == enumeration_kernel.TABLE_FULL:
            self._grow_table(4 * len(self.found_positions))
        elif self._rows_of_input() < MAX_POSITIONS:
            self.rows = _extended(self.rows, 2 * len(self.rows))
        else:
            fault = f"these dice lead to more than {MAX_POSITIONS:,} positions"
            self._abandon_input(TooManyOutcomes(fault), many)

    def _rows_of_input(self) -> int:
        return int(
            self.state[enumeration_kernel.ROWS]
            - self.offsets[self.state[enumeration_kernel.NEXT_INPUT]]
        )

    def _abandon_input(self, fault: TooManyOutcomes, many: dict[int, TooManyOutcomes]) -> None:
        """Abandon the current input, without rows, and continue with the next."""
        index = int(self.state[enumeration_kernel.NEXT_INPUT])
        many[index] = fault
        self.latest[: self.count] = -1
        self.means[index] = self.positive_chances[index] = 0
        self.offsets[index + 1] = self.state[enumeration_kernel.ROWS] = self.offsets[index]
        self.state[[enumeration_kernel.PATH_LENGTH, enumeration_kernel.LEAVES_DONE]] = 0
        self.state[enumeration_kernel.NEXT_INPUT] = index + 1

    def _grow_table(self, capacity: int) -> None:
        """Grow the table of positions."""
        self.found_positions, self.over = (
            _extended(self.found_positions, capacity),
            _extended(self.over, capacity),
        )
        self.latest, self.figures = (
            _extended(self.latest, capacity),
            _extended(self.figures, capacity),
        )
        self.slots = np.full(4 * capacity, -1, np.int64)
        self.state[enumeration_kernel.HASHED] = 0


def _extended(array: ArrayT, length: int) -> Any:
    """Return the array extended to this length."""
    larger = np.zeros((length, *array.shape[1:]), array.dtype)
    larger[: len(array)] = array
    return larger
