"""Exact enumeration of many steps at once, compiled; equal positions are merged as they appear.

Positions and calls go in, rows come out: the chance, the next position by its number in one table
of all that were found, the points of each team and the time used. No Python object is made on the
way. The work is done in slices of so many ways that the dice can fall, so that whoever waits for
it can change his mind; all that a slice leaves behind is in arrays.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.extending import register_jitable

from hashmark.odds.plain import BY_THE_BOOK
from hashmark.table.compiled import (
    default_call,
    forget,
    measure,
    mid_play_call,
    play_over,
    progress,
    same,
    spread,
    step,
    take,
)
from hashmark.table.rules import NO_CALL

ROW = np.dtype(
    [
        ("next", "i8"),  # a number in the table of positions
        ("chance", "f8"),
        ("points", "i4", (2,)),
        ("time", "i4"),
        ("earlier", "i8"),  # the row before it that leads to the same position
    ],
    align=True,
)

# The state between two slices.
INPUT, KNOWN, WALKED, ROWS, FOUND, HASHED = range(6)
STATE = 6
# What to do with the inputs.
THROUGH, ESSENCE = 1, 2
# How a slice ends.
DONE, SLICE_OVER, TABLE_FULL, ROWS_FULL, TOO_MANY = range(5)


def enumerate_steps(
    rules: Any,
    m: Any,
    starts: Any,
    calls: Any,
    how: int,
    work: Any,
    found: Any,
    over: Any,
    slots: Any,
    latest: Any,
    before: Any,
    us: int,
    figures: Any,
    rows: Any,
    offsets: Any,
    wanted: Any,
    means: Any,
    some: Any,
    state: Any,
    ways: int,
    most: int,
) -> int:
    """Go on with the inputs for at most so many ways; how the slice ended.

    The rows of input i are those from `offsets[i]` to `offsets[i + 1]`. `found` is the table of
    positions, `slots` its hash table of numbers, whose size is a power of two, `latest` the last
    row that led to each, `over` whether no play is in progress there, `figures` what the game's
    figures say of it for team `us`, compared with the position `before` (none, if `us` is -1).
    `means` and `some` take for each input the expectation of the statistics `wanted` and the chance
    that they are above zero.
    An input that goes more than `most` ways is given up: TOO_MANY.
    """
    g = work[0]
    match = m[0]
    _hash(rules, found, slots, state)
    for _ in range(ways):
        at = state[INPUT]
        if at == len(starts):
            return DONE
        if state[WALKED] == most:
            return TOO_MANY
        g._known = state[KNOWN]
        _walk(rules, match, g, starts[at], calls[at], how)
        home = g.score[0] - starts[at].score[0]
        away = g.score[1] - starts[at].score[1]
        time = progress(rules, match, g) - progress(rules, match, starts[at])
        if how & ESSENCE:
            forget(rules, match, g)
        number = _number(rules, g, found, slots, state[FOUND])
        if number == len(found):
            state[KNOWN] = g._known
            return TABLE_FULL
        if number == state[FOUND]:
            state[FOUND] = state[HASHED] = number + 1
            over[number] = play_over(rules, match, g)
            latest[number] = -1
            if us >= 0:
                measure(rules, match, before[0], g, us, figures[number])
        row = _row(number, home, away, time, rows, latest, offsets[at], state)
        if row < 0:
            state[KNOWN] = g._known
            return ROWS_FULL
        rows[row].chance += g._chance
        _count(g, wanted, means[at], some[at])
        state[WALKED] += 1
        state[KNOWN] = _advanced(g)
        if state[KNOWN] == 0:
            state[INPUT] = at + 1
            state[WALKED] = 0
            offsets[at + 1] = state[ROWS]
    return SLICE_OVER


@register_jitable
def _walk(rules: Any, m: Any, g: Any, start: Any, call: int, how: int) -> None:
    """Take the step along one path of the dice, and the windows after it if that is wanted."""
    take(rules, g, start)
    g._stats[:] = 0
    g._depth = 0
    g._chance = 1.0
    answer = call
    if call == BY_THE_BOOK:
        answer = mid_play_call(rules, m, g)
    while True:
        step(rules, m, g, answer)
        answer = NO_CALL
        if how & THROUGH:
            answer = default_call(rules, m, g)
        if answer == NO_CALL:
            break


@register_jitable
def _hash(rules: Any, found: Any, slots: Any, state: Any) -> None:
    """Put positions of the table that are not in its hash table there: both may have grown."""
    mask = np.uint64(len(slots) - 1)
    for number in range(state[HASHED], state[FOUND]):
        slot = spread(rules, found[number]) & mask
        while slots[slot] >= 0:
            slot = (slot + np.uint64(1)) & mask
        slots[slot] = number
    state[HASHED] = state[FOUND]


@register_jitable
def _number(rules: Any, g: Any, found: Any, slots: Any, count: int) -> int:
    """The number of a position in the table; a new one is put at its end, if there is room."""
    mask = np.uint64(len(slots) - 1)
    slot = spread(rules, g) & mask
    while slots[slot] >= 0 and not same(rules, g, found[slots[slot]]):
        slot = (slot + np.uint64(1)) & mask
    if slots[slot] >= 0:
        return slots[slot]
    if count < len(found):
        slots[slot] = count
        take(rules, found[count], g)
    return count


@register_jitable
def _row(
    number: int, home: int, away: int, time: int, rows: Any, latest: Any, first: int, state: Any
) -> int:
    """The row of this input for a position and points, a new one if need be; -1 without room."""
    row = latest[number]
    while row >= first and (rows[row].points[0] != home or rows[row].points[1] != away):
        row = rows[row].earlier
    if row >= first:
        return row
    row = state[ROWS]
    if row == len(rows):
        return -1
    rows[row].next = number
    rows[row].chance = 0.0
    rows[row].points[0] = home
    rows[row].points[1] = away
    rows[row].time = time
    rows[row].earlier = latest[number]
    latest[number] = row
    state[ROWS] = row + 1
    return row


@register_jitable
def _count(g: Any, wanted: Any, means: Any, some: Any) -> None:
    """Add the statistics of one way."""
    for team in range(2):
        for k in range(len(wanted)):
            value = g._stats[team, wanted[k]]
            if value != 0:
                means[team, k] += g._chance * value
                if value > 0:
                    some[team, k] += g._chance


@register_jitable
def _advanced(g: Any) -> int:
    """The next path, like an odometer: how much of it is settled, 0 after the last."""
    known = g._known
    while known > 0 and g._path[known - 1] + 1 == g._sizes[known - 1]:
        known -= 1
    if known > 0:
        g._path[known - 1] += 1
    return known
