"""Compiled exact enumeration of many steps at once; equal positions are merged as they appear.

Positions and calls go in, rows come out: the chance, the number of the next position in one table
of all positions found, the points of each team and the time used. No Python objects are created on
the way. The work is done in slices of a fixed number of leaves, so that the caller can be
interrupted; all state between slices is in arrays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba.extending import register_jitable

from hashmark.compiler.dispatch import (
    copy_position,
    default_call,
    drop_irrelevant,
    hash_position,
    is_play_over,
    is_same,
    measure,
    mid_play_call,
    progress,
    step,
)
from hashmark.engine.record import MatchRecord, PositionRecord
from hashmark.engine.rule_set import NO_CALL, RuleSet
from hashmark.odds.arrays import Flags, Floats, Ints, Records
from hashmark.odds.enumeration import BOOK_CALL

if TYPE_CHECKING:
    from hashmark.odds.arrays import EnumeratedPosition

ROW_DTYPE = np.dtype(
    [
        ("next", "i8"),  # number in the table of positions
        ("chance", "f8"),
        ("points", "i4", (2,)),
        ("time", "i4"),
        ("earlier", "i8"),  # previous row that leads to the same position
    ],
    align=True,
)

# Layout of the state that is carried between slices.
NEXT_INPUT, PATH_LENGTH, LEAVES_DONE, ROWS, FOUND, HASHED = range(6)
STATE_SIZE = 6
# Flags of `how`.
THROUGH_WINDOWS, ABSTRACT = 1, 2
# Status of a slice.
DONE, SLICE_OVER, TABLE_FULL, ROWS_FULL, TOO_MANY = range(5)


def enumerate_steps(
    rules: RuleSet,
    m: Records,
    starts: Records,
    calls: Ints,
    how: int,
    work: Records,
    found: Records,
    over: Flags,
    slots: Ints,
    latest: Ints,
    before: Records,
    us: int,
    figures: Ints,
    rows: Records,
    offsets: Ints,
    wanted: Ints,
    means: Floats,
    some: Floats,
    state: Ints,
    ways: int,
    most: int,
) -> int:
    """Continue the enumeration for at most `ways` leaves; return how the slice ended.

    The rows of input i are those from `offsets[i]` to `offsets[i + 1]`. `found` is the table of
    positions, `slots` its hash table of numbers, whose size is a power of two, `latest` the last
    row that led to each position, `over` whether no play is in progress there, `figures` the game's
    figures for team `us`, relative to the position `before` (none if `us` is -1). `means` and
    `some` receive, for each input, the expectation of the statistics `wanted` and the chance that
    they are above zero. An input with more than `most` leaves ends the slice with TOO_MANY.
    """
    g = work[0]
    match = m[0]
    _rehash(rules, found, slots, state)
    for _ in range(ways):
        index = state[NEXT_INPUT]
        if index == len(starts):
            return DONE
        if state[LEAVES_DONE] == most:
            return TOO_MANY
        g._known = state[PATH_LENGTH]
        _walk(rules, match, g, starts[index], calls[index], how)
        home = g.score[0] - starts[index].score[0]
        away = g.score[1] - starts[index].score[1]
        time = progress(rules, match, g) - progress(rules, match, starts[index])
        if how & ABSTRACT:
            drop_irrelevant(rules, match, g)
        number = _intern_position(rules, g, found, slots, state[FOUND])
        if number == len(found):
            state[PATH_LENGTH] = g._known
            return TABLE_FULL
        if number == state[FOUND]:
            state[FOUND] = state[HASHED] = number + 1
            over[number] = is_play_over(rules, match, g)
            latest[number] = -1
            if us >= 0:
                measure(rules, match, before[0], g, us, figures[number])
        row = _intern_row(number, home, away, time, rows, latest, offsets[index], state)
        if row < 0:
            state[PATH_LENGTH] = g._known
            return ROWS_FULL
        rows[row].chance += g._chance
        _add_statistics(g, wanted, means[index], some[index])
        state[LEAVES_DONE] += 1
        state[PATH_LENGTH] = _next_path(g)
        if state[PATH_LENGTH] == 0:
            state[NEXT_INPUT] = index + 1
            state[LEAVES_DONE] = 0
            offsets[index + 1] = state[ROWS]
    return SLICE_OVER


@register_jitable
def _walk(
    rules: RuleSet,
    m: MatchRecord,
    g: EnumeratedPosition,
    start: PositionRecord,
    call: int,
    how: int,
) -> None:
    """Run the step along one path of the dice, and through the windows after it if wanted."""
    copy_position(rules, g, start)
    g._stats[:] = 0
    g._depth = 0
    g._chance = 1.0
    answer = call
    if call == BOOK_CALL:
        answer = mid_play_call(rules, m, g)
    while True:
        step(rules, m, g, answer)
        answer = NO_CALL
        if how & THROUGH_WINDOWS:
            answer = default_call(rules, m, g)
        if answer == NO_CALL:
            break


@register_jitable
def _rehash(rules: RuleSet, found: Records, slots: Ints, state: Ints) -> None:
    """Insert positions that are not yet in the hash table, which may have grown."""
    mask = np.uint64(len(slots) - 1)
    for number in range(state[HASHED], state[FOUND]):
        slot = hash_position(rules, found[number]) & mask
        while slots[slot] >= 0:
            slot = (slot + np.uint64(1)) & mask
        slots[slot] = number
    state[HASHED] = state[FOUND]


@register_jitable
def _intern_position(
    rules: RuleSet, g: PositionRecord, found: Records, slots: Ints, count: int
) -> int:
    """Return the number of a position; a new one is appended if there is room."""
    mask = np.uint64(len(slots) - 1)
    slot = hash_position(rules, g) & mask
    while slots[slot] >= 0 and not is_same(rules, g, found[slots[slot]]):
        slot = (slot + np.uint64(1)) & mask
    if slots[slot] >= 0:
        return slots[slot]
    if count < len(found):
        slots[slot] = count
        copy_position(rules, found[count], g)
    return count


@register_jitable
def _intern_row(
    number: int,
    home: int,
    away: int,
    time: int,
    rows: Records,
    latest: Ints,
    first: int,
    state: Ints,
) -> int:
    """Return the row of this input for a position and points, adding it if new; -1 if full."""
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
def _add_statistics(g: EnumeratedPosition, wanted: Ints, means: Floats, some: Floats) -> None:
    """Add the statistics of one leaf."""
    for team in range(2):
        for k in range(len(wanted)):
            value = g._stats[team, wanted[k]]
            if value != 0:
                means[team, k] += g._chance * value
                if value > 0:
                    some[team, k] += g._chance


@register_jitable
def _next_path(g: EnumeratedPosition) -> int:
    """Advance the path like an odometer; return its fixed length, 0 after the last path."""
    known = g._known
    while known > 0 and g._path[known - 1] + 1 == g._sizes[known - 1]:
        known -= 1
    if known > 0:
        g._path[known - 1] += 1
    return known
