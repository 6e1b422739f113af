"""The roll of a play and the further numbers rewound from the clock line (R4 to R12)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from hashmark.engine.dice import D6, Pool
from hashmark.engine.effects import emit, roll
from hashmark.engine.rule import rule
from hashmark.games.rapid_roll import position as p
from hashmark.games.rapid_roll.position import Position

ALL_THE_WAY = 1000  # the gain of a touchdown by doubles, from anywhere


@rule
def throw_two(g: Position, team: int) -> int:
    """R1: roll two distinguishable dice; the first gives the first digit."""
    first = roll(g, D6, team)
    return 10 * first + roll(g, D6, team)


@rule
def first_digit(number: int) -> int:
    """The face of the first die."""
    return number // 10


@rule
def sum_of(number: int) -> int:
    """R4: return the sum of the digits, the row of a chart."""
    return number // 10 + number % 10


@rule
def is_double(number: int) -> bool:
    """Both digits the same."""
    return number % 11 == 0


@rule
def step_of(number: int) -> int:
    """R8: return the step back on the line: the difference of the digits, 6 for doubles."""
    difference = abs(number // 10 - number % 10)
    return 6 if difference == 0 else difference


@rule
def long_gain(number: int) -> int:
    """R37: return six times the sum, or ALL_THE_WAY on doubles."""
    return ALL_THE_WAY if is_double(number) else 6 * sum_of(number)


# --- Dice ----------------------------------------------------------------------------
#
# Each is one throw of the two dice; where only the sum counts, the outcome is the sum.


@rule
def throw_sum(g: Position, team: int) -> int:
    """Roll both dice for a row of a chart."""
    return sum_of(throw_two(g, team))


@rule
def throw_past_3(g: Position, team: int) -> int:
    """R52: roll until the sum is not 3, where 3 is FLAG in the column."""
    row = throw_sum(g, team)
    while row == 3:
        row = throw_sum(g, team)
    return row


@rule
def throw_past_11(g: Position, team: int) -> int:
    """R52: roll until the sum is not 11, where 11 is FLAG in the column."""
    row = throw_sum(g, team)
    while row == 11:
        row = throw_sum(g, team)
    return row


@rule
def throw_past_12(g: Position, team: int) -> int:
    """R52: roll until the sum is not 12, where 12 is FLAG in the column."""
    row = throw_sum(g, team)
    while row == 12:
        row = throw_sum(g, team)
    return row


@rule
def throw_long(g: Position, team: int) -> int:
    """Roll both dice for a long gain."""
    return long_gain(throw_two(g, team))


NUMBERS = tuple(10 * first + second for first in range(1, 7) for second in range(1, 7))


def _pool(
    name: str, throw: Callable[[Any, int], int], read: Callable[[int], int], passed: int = 0
) -> Pool:
    """Return a pool of two dice with the odds of what is read from them.

    The sum `passed` is rolled again and does not count.
    """
    numbers = [number for number in NUMBERS if sum_of(number) != passed]
    count = Counter(read(number) for number in numbers)
    odds = tuple((value, Fraction(n, len(numbers))) for value, n in sorted(count.items()))
    return Pool(name, "two six-sided dice, the first digit's die first", throw, odds)


TWO_DICE = _pool("two dice", throw_two, int)
SUM = _pool("sum of two dice", throw_sum, sum_of)
LONG_GAIN = _pool("long gain", throw_long, long_gain)
PAST_3 = _pool("sum of two dice, not 3", throw_past_3, sum_of, 3)
PAST_11 = _pool("sum of two dice, not 11", throw_past_11, sum_of, 11)
PAST_12 = _pool("sum of two dice, not 12", throw_past_12, sum_of, 12)


# --- Further numbers -----------------------------------------------------------------


@rule
def line_is_too_short(g: Position) -> bool:
    """R11: return whether the next further number is not on the line."""
    return (g.rewinds + 1) * step_of(g.roll) > g.log[0]


@rule
def rewind(g: Position) -> int:
    """R9, R10: return the next further number, another step back on the line."""
    g.rewinds += 1
    back = g.rewinds * step_of(g.roll)
    number = g.log[1 + g.log[0] - back]
    emit(g, p.REWINDS, g.possession, number, back, g.rewinds)
    return number


@rule
def take_number(g: Position) -> int:
    """R9 to R11: return the next further number, rewound, or thrown by the team that rolled."""
    if not line_is_too_short(g):
        return rewind(g)
    g.rewinds += 1
    number = roll(g, TWO_DICE, g.possession)
    emit(g, p.THROWS, g.possession, number)
    return number


@rule
def take_row(g: Position) -> int:
    """Return the next further number where only its sum counts."""
    if not line_is_too_short(g):
        return sum_of(rewind(g))
    g.rewinds += 1
    row = roll(g, SUM, g.possession)
    emit(g, p.THROWS_SUM, g.possession, row)
    return row


@rule
def take_long(g: Position) -> int:
    """R37: return the next further number as a long gain."""
    if not line_is_too_short(g):
        return long_gain(rewind(g))
    g.rewinds += 1
    gain = roll(g, LONG_GAIN, g.possession)
    emit(g, p.THROWS_LONG, g.possession, gain)
    return gain


@rule
def take_row_past(g: Position, flag: int) -> int:
    """R52: return the row that replays a flagged play; on the line it may be another FLAG."""
    if not line_is_too_short(g):
        return sum_of(rewind(g))
    g.rewinds += 1
    if flag == 3:
        row = roll(g, PAST_3, g.possession)
    elif flag == 11:
        row = roll(g, PAST_11, g.possession)
    else:
        row = roll(g, PAST_12, g.possession)
    emit(g, p.THROWS_SUM, g.possession, row)
    return row
