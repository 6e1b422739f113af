"""Backward induction over the blind game of Rapid Roll.

Time is the number of boxes left in the half. A table holds the worth (wins plus half the ties) of
every state at every lead of the team with the ball. A row of leads is padded on both sides, so that
the points of a play are a shift along the row.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray
from rapid_roll_blind.transitions import SLOTS, Transitions

from hashmark.games.rapid_roll.blind_states import (
    KICKOFF_ROW,
    ROWS,
    TRY_ROW,
)

MAX_LEAD = 31  # points; a larger lead is worth as much
PAD = 8  # points of one play, at most
LANES = 64  # leads from -MAX_LEAD to MAX_LEAD, and one to fill the vector
WIDTH = LANES + 2 * PAD
CENTER = PAD + MAX_LEAD
LATE_BOXES = 3  # R75: boxes left from which plays out of bounds are not written
SWEEPS = 5  # of the late boxes, where time may stand still
TRY_SWEEPS = 8  # of a try that takes no time: a foul repeats it

Table = NDArray[np.float32]


class Slice(NamedTuple):
    """One time: what states are worth, to the team with the ball and after a repeated call."""

    worth: Table  # rows, WIDTH
    repeated: Table  # the worth if the best call would repeat the last one
    best: NDArray[np.int8]  # slot of the best call


def new_slice() -> Slice:
    return Slice(
        np.zeros((ROWS, WIDTH), np.float32),
        np.zeros((ROWS, WIDTH), np.float32),
        np.full((ROWS, WIDTH), -1, np.int8),
    )


@numba.njit(nogil=True)
def _fill_edges(row: Any) -> None:
    """Extend a row of leads beyond the largest lead."""
    for j in range(PAD):
        row[j] = row[PAD]
    for j in range(CENTER + MAX_LEAD + 1, WIDTH):
        row[j] = row[CENTER + MAX_LEAD]


@numba.njit(nogil=True)
def _sources(same: Slice, other: Slice, slot: int, table: Any) -> None:
    """Fill the table that a slot's outcomes read: of each state our value, then if it is theirs."""
    for row in range(ROWS):
        ours, theirs = table[2 * row], table[2 * row + 1]
        for j in range(WIDTH):
            repeats = same.best[row, j] == slot
            ours[j] = same.repeated[row, j] if repeats else same.worth[row, j]
            theirs[j] = np.float32(1.0) - other.worth[row, max(2 * CENTER - j, 0)]


@numba.njit(nogil=True, fastmath=True)
def _add_outcomes(
    first: int, last: int, targets: Any, points: Any, chances: Any, table: Any, total: Any
) -> None:
    for index in range(first, last):
        source = table[targets[index]]
        shift = PAD + points[index]
        chance = chances[index]
        for j in range(LANES):
            total[j] += chance * source[j + shift]


@numba.njit(nogil=True)
def _value_of_slot(
    t: Transitions, slot: int, row: int, later: Any, now: Any, total: Any, repeated: Any
) -> bool:
    """Write what a slot is worth, and if it repeats the call before; return whether it is one."""
    first, middle, last = t.starts[slot, row], t.outs[slot, row], t.starts[slot, row + 1]
    if first == last:
        return False
    total[:] = 0
    _add_outcomes(first, middle, t.targets, t.points, t.chances, later, total)
    _add_outcomes(middle, last, t.targets, t.points, t.chances, now, total)
    repeated[:] = total
    first, middle = t.fumbled_starts[slot, row], t.fumbled_outs[slot, row]
    last = t.fumbled_starts[slot, row + 1]
    parts = t.fumbled_targets, t.fumbled_points, t.fumbled_chances
    _add_outcomes(first, middle, *parts, later, repeated)
    _add_outcomes(middle, last, *parts, now, repeated)
    return True


@numba.njit(nogil=True)
def _choose(
    result: Slice, second: Any, slot: int, row: int, total: Any, repeated: Any
) -> None:  # fmt: skip
    """Compare a slot with the best one so far, at every lead."""
    best, worth, again = result.best[row], result.worth[row], result.repeated[row]
    for j in range(LANES):
        k = j + PAD
        if total[j] > worth[k]:
            second[row, j] = worth[k]
            worth[k], again[k], best[k] = total[j], repeated[j], slot
        elif total[j] > second[row, j]:
            second[row, j] = total[j]


@numba.njit(nogil=True)
def _finish_row(result: Slice, second: Any, row: int) -> None:
    """After a repeated call the second best call may be better."""
    again = result.repeated[row]
    for j in range(LANES):
        again[j + PAD] = max(again[j + PAD], second[row, j])
    _fill_edges(result.worth[row])
    _fill_edges(again)
    best = result.best[row]
    for j in range(WIDTH):
        if j < PAD or j > CENTER + MAX_LEAD:
            best[j] = best[PAD] if j < PAD else best[CENTER + MAX_LEAD]


@numba.njit(nogil=True)
def solve_rows(
    t: Transitions, first_row: int, last_row: int, same: Slice, other: Slice, same_now: Slice,
    other_now: Slice, stands_still: bool, result: Slice, second: Any, later: Any, now: Any,
) -> None:  # fmt: skip
    """Solve some states at one time.

    `same` and `other` hold the later values if the ball stays on the same side or changes; those
    `_now` hold the values of this time, for plays that leave the clock alone.
    """
    total, repeated = np.zeros(LANES, np.float32), np.zeros(LANES, np.float32)
    result.worth[first_row:last_row] = -1
    result.best[first_row:last_row] = -1
    second[first_row:last_row] = -1
    for slot in range(SLOTS):
        _sources(same, other, slot, later)
        if stands_still:
            _sources(same_now, other_now, slot, now)
        for row in range(first_row, last_row):
            table = now if stands_still else later
            if _value_of_slot(t, slot, row, later, table, total, repeated):
                _choose(result, second, slot, row, total, repeated)
    for row in range(first_row, last_row):
        _finish_row(result, second, row)


def copy_slice(target: Slice, source: Slice) -> None:
    for ours, theirs in zip(target, source, strict=True):
        ours[:] = theirs


class Solver:
    """Solves halves backward; sides are 0 and 1, and the other side has the ball after a loss."""

    def __init__(self, transitions: Transitions) -> None:
        self.transitions = transitions
        self._second = np.zeros((ROWS, LANES), np.float32)
        self._later = np.zeros((2 * ROWS, WIDTH), np.float32)
        self._now = np.zeros((2 * ROWS, WIDTH), np.float32)
        self._none = new_slice()

    def _rows(
        self, rows: tuple[int, int], later: list[Slice], now: list[Slice] | None, side: int,
        result: Slice,
    ) -> None:  # fmt: skip
        """Solve some rows for the team with the ball on a side."""
        other = side if len(later) == 1 else 1 - side
        here = [self._none] * len(later) if now is None else now
        solve_rows(
            self.transitions, *rows, later[side], later[other], here[side], here[other],
            now is not None, result, self._second, self._later, self._now,
        )  # fmt: skip

    def end_of_half(self, ends: list[Table], sudden_death: bool = False) -> list[Slice]:
        """Return the values with no box left, from the values of every lead of each side.

        Only a try is still played then; the values of its rows follow from those of the leads.
        """
        slices = []
        for end in ends:
            result = new_slice()
            result.worth[:, PAD : PAD + LANES - 1] = end
            for row in range(ROWS):
                _fill_edges(result.worth[row])
            result.repeated[:] = result.worth
            slices.append(result)
        if not sudden_death:
            self._solve_try(slices, slices)
        return slices

    def _solve_try(self, later: list[Slice], results: list[Slice]) -> None:
        """Solve the tries; where they take no time, a foul repeats them."""
        sweeps = TRY_SWEEPS if later is results else 1
        for _ in range(sweeps):
            for side in range(len(later)):
                result = new_slice()
                self._rows((TRY_ROW, TRY_ROW + 1), later, None, side, result)
                for ours, theirs in zip(results[side], result, strict=True):
                    ours[TRY_ROW] = theirs[TRY_ROW]

    def previous(self, later: list[Slice], boxes: int, sudden_death: bool = False) -> list[Slice]:
        """Return the values with this many boxes left, from those with one box less."""
        results = [new_slice() for _ in later]
        for result, source in zip(results, later, strict=True):
            copy_slice(result, source)
        stands_still = boxes <= LATE_BOXES
        for _ in range(SWEEPS if stands_still else 1):
            now = [Slice(*(a.copy() for a in result)) for result in results]
            for side, result in enumerate(results):
                self._rows((0, TRY_ROW), later, now if stands_still else None, side, result)
                if sudden_death:
                    _decide(result)
        if not sudden_death:
            self._solve_try(later if boxes > 1 else results, results)
        return results

    def solve_half(self, ends: list[Table], boxes: int, sudden_death: bool = False) -> list[Table]:
        """Return the worth by boxes left, state and lead of each side."""
        now = self.end_of_half(ends, sudden_death)
        tables = [np.zeros((boxes + 1, ROWS, LANES - 1), np.float32) for _ in ends]
        for left in range(boxes + 1):
            if left > 0:
                now = self.previous(now, left, sudden_death)
            for table, result in zip(tables, now, strict=True):
                table[left] = result.worth[:, PAD : PAD + LANES - 1]
        return tables


def _decide(result: Slice) -> None:
    """R82: in overtime a lead has won."""
    for table in (result.worth, result.repeated):
        table[:, :CENTER] = 0
        table[:, CENTER + 1 :] = 1


def by_score(level: float) -> Table:
    """Return the worth of every lead at the end of the game."""
    leads = np.arange(-MAX_LEAD, MAX_LEAD + 1)
    return np.where(leads > 0, 1, np.where(leads < 0, 0, level)).astype(np.float32)


class BlindGame(NamedTuple):
    """The worth of the blind game to the team with the ball.

    Tables by boxes left, state and lead. The first half has two: the team with the ball kicks off
    after the half, or receives. In overtime only a level score is left to decide.
    """

    kicks_next: Table
    receives_next: Table
    second_half: Table
    overtime: Table


def solve_game(transitions: Transitions, boxes: int, overtime_boxes: int) -> BlindGame:
    """Solve overtime, the second half and the first half, in this order."""
    solver = Solver(transitions)
    overtime = solver.solve_half([by_score(0.5)], overtime_boxes, sudden_death=True)[0]
    # The toss makes overtime even: each team receives half the time.
    second = solver.solve_half([by_score(0.5)], boxes)[0]
    kicks = second[boxes, KICKOFF_ROW]
    first = solver.solve_half([kicks, 1 - kicks[::-1]], boxes)
    return BlindGame(first[0], first[1], second, overtime[:, :, MAX_LEAD : MAX_LEAD + 1])
