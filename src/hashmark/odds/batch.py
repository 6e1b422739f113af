"""Many positions and calls at once: the rows of what they lead to, in arrays.

    batch = Batch(rules, m)
    rows = batch.run(starts, calls)          # arrays in
    rows.of(0)["chance"], rows.of(0)["next"]  # arrays out; positions are batch.found[next]

The next positions of all inputs are in one table, each there once, so that a solver, or a play
that is followed through many steps, works on numbers. With `essence`, positions are stripped of
what no later rule reads (`RuleSet.forget`) and of the score: points are then in the rows alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.lib.recfunctions import structured_to_unstructured

from hashmark.odds import kernel
from hashmark.odds.outlook import Found, Key
from hashmark.table import compiled, compiling
from hashmark.table.errors import TooManyOutcomes
from hashmark.table.rules import RuleSet

FIRST_ROOM = 1 << 12
MOST_POSITIONS = 1 << 18  # of one input; more are not listed one by one
ANY_NUMBER = 1 << 62
SLICE = 1 << 16  # ways of the dice between two looks at whether anybody still waits: 0.1 s


@dataclass(frozen=True)
class Rows:
    """What inputs lead to: the rows of input i are those from `offsets[i]` to `offsets[i + 1]`."""

    offsets: Any
    rows: Any  # of dtype `kernel.ROW`
    means: Any  # for each input, team and statistic: its expectation
    some: Any  # and the chance that it is above zero
    many: dict[int, TooManyOutcomes]  # inputs that were given up, and why

    def of(self, at: int) -> Any:
        """The rows of one input."""
        return self.rows[self.offsets[at] : self.offsets[at + 1]]


@dataclass(frozen=True)
class Laid:
    """Where a call leads: positions of a table, by their numbers."""

    found: Any
    numbers: Any
    chances: Any

    def listed(self) -> list[tuple[float, Key]]:
        """Every position with its chance."""
        flat = structured_to_unstructured(self.found[self.numbers], np.int64).tolist()
        return list(zip(self.chances.tolist(), map(tuple, flat), strict=True))


class Batch:
    """Enumerates steps of one match in compiled code; keeps every position that it has found."""

    def __init__(
        self,
        rules: RuleSet,
        m: Any,
        *,
        before: Any = None,
        us: int = -1,
        statistics: Sequence[str] | None = None,
        essence: bool = False,
    ) -> None:
        """Figures are those of team `us`, compared with the position `before`, if that is given."""
        self.rules = rules
        self.match = compiled.match_array(rules, m)
        self.work = np.zeros(1, rules.position.dtype(compiled.enumerating_fields(rules)))
        self.before = self.positions([rules.position() if before is None else before])
        self.us = -1 if before is None else us
        names = rules.statistics.names
        wanted = names if statistics is None else statistics
        self.statistics = tuple(wanted)
        self.wanted = np.array([names.index(name) for name in wanted], np.int64)
        self.how = kernel.ESSENCE if essence else 0
        self.state = np.zeros(kernel.STATE, np.int64)
        self.found: Any = np.zeros(0, rules.position.dtype())
        self.over: Any = np.zeros(0, np.bool_)
        self.latest: Any = np.zeros(0, np.int64)
        self.figures: Any = np.zeros((0, len(rules.measured), 2), np.int64)
        self.enumerate = compiling.ready(kernel.enumerate_steps, rules, "odds", in_line=False)
        self._make_table(FIRST_ROOM)

    def positions(self, given: Sequence[Any]) -> Any:
        """Positions as an array."""
        made = np.zeros(len(given), self.rules.position.dtype())
        for row, g in zip(made, given, strict=True):
            g.to_array(row)
        return made

    @property
    def count(self) -> int:
        """How many positions were found so far."""
        return int(self.state[kernel.FOUND])

    def run(
        self, starts: Any, calls: Any, *, through: bool = False, most: int = ANY_NUMBER
    ) -> Rows:
        """The rows of these positions and calls; of none more than `most` ways of the dice."""
        self._begin(len(starts))
        codes = np.asarray(calls, np.int64)
        how = self.how | (kernel.THROUGH if through else 0)
        many: dict[int, TooManyOutcomes] = {}
        while True:
            ended = self.enumerate(*self._arguments(starts, codes, how, most))
            if ended == kernel.DONE:
                break
            self._make_way(ended, most, many)
        rows = self.rows[: self.offsets[-1]]
        return Rows(self.offsets, rows, self.means, self.some, many)

    def _begin(self, count: int) -> None:
        """Room for the rows of so many inputs."""
        self.offsets = np.zeros(count + 1, np.int64)
        self.means, self.some = np.zeros((2, count, 2, len(self.wanted)))
        self.rows = np.zeros(FIRST_ROOM, kernel.ROW)
        self.latest[: self.count] = -1
        self.state[[kernel.INPUT, kernel.KNOWN, kernel.WALKED, kernel.ROWS]] = 0

    def found_by(self, rows: Rows, at: int) -> Found:
        """What one input leads to, for an outlook."""
        own = rows.of(at)
        return self.found_at(own["next"], own["chance"], rows.means[at], rows.some[at])

    def found_at(self, numbers: Any, chances: Any, means: Any, some: Any) -> Found:
        """A distribution over positions of the table, for an outlook."""
        figures = self.figures[numbers]
        sums = np.einsum("i,ikj->kj", chances, figures)
        ends = Laid(self.found, numbers, chances)
        return Found(ends, self.statistics, means.tolist(), some.tolist(), sums.tolist())

    def _arguments(self, starts: Any, calls: Any, how: int, most: int) -> tuple[Any, ...]:
        """What one slice of the work is done with."""
        table = (self.found, self.over, self.slots, self.latest)
        measured = (self.before, self.us, self.figures)
        counted = (self.wanted, self.means, self.some)
        arguments = (starts, calls, how, self.work, *table, *measured, self.rows, self.offsets)
        return (self.rules, self.match, *arguments, *counted, self.state, SLICE, most)

    def is_kept(self) -> bool:
        """Whether compiled code is at hand, or can be kept nowhere."""
        self._begin(0)
        given = self._arguments(self.positions([]), np.zeros(0, np.int64), 0, ANY_NUMBER)
        return compiling.is_kept(kernel.enumerate_steps, self.rules, given)

    def _make_way(self, ended: int, most: int, many: dict[int, TooManyOutcomes]) -> None:
        """After a slice that was not the last: more room, or one input less."""
        if ended == kernel.SLICE_OVER:
            return  # Python has a look at signals here: whoever waits may have changed his mind
        if ended == kernel.TOO_MANY:
            self._give_up(TooManyOutcomes(f"these dice can fall in more than {most:,} ways"), many)
        elif ended == kernel.TABLE_FULL:
            self._make_table(4 * len(self.found))
        elif self._rows_of_input() < MOST_POSITIONS:
            self.rows = _grown(self.rows, 2 * len(self.rows))
        else:
            fault = f"these dice lead to more than {MOST_POSITIONS:,} positions"
            self._give_up(TooManyOutcomes(fault), many)

    def _rows_of_input(self) -> int:
        return int(self.state[kernel.ROWS] - self.offsets[self.state[kernel.INPUT]])

    def _give_up(self, fault: TooManyOutcomes, many: dict[int, TooManyOutcomes]) -> None:
        """Go on with the next input; this one has no rows."""
        at = int(self.state[kernel.INPUT])
        many[at] = fault
        self.latest[: self.count] = -1
        self.means[at] = self.some[at] = 0
        self.offsets[at + 1] = self.state[kernel.ROWS] = self.offsets[at]
        self.state[[kernel.KNOWN, kernel.WALKED]] = 0
        self.state[kernel.INPUT] = at + 1

    def _make_table(self, room: int) -> None:
        """A larger table of positions."""
        self.found, self.over = _grown(self.found, room), _grown(self.over, room)
        self.latest, self.figures = _grown(self.latest, room), _grown(self.figures, room)
        self.slots = np.full(4 * room, -1, np.int64)
        self.state[kernel.HASHED] = 0


def _grown(small: Any, room: int) -> Any:
    """The same array with more room at its end."""
    larger = np.zeros((room, *small.shape[1:]), small.dtype)
    larger[: len(small)] = small
    return larger
