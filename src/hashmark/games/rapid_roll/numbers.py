"""The roll of a play and the further numbers that are rewound from the clock line (R4 to R12)."""

from __future__ import annotations

from fractions import Fraction

from hashmark.games.rapid_roll import position as p
from hashmark.games.rapid_roll.position import Position
from hashmark.table.dice import D6, Pool
from hashmark.table.effects import roll, tell
from hashmark.table.rule import rule


@rule
def throw_two(g: Position, team: int) -> int:
    """R1: two dice that can be told apart; the first is the first digit."""
    first = roll(g, D6, team)
    return 10 * first + roll(g, D6, team)


TWO_DICE = Pool(
    "two dice",
    "two six-sided dice, the first digit's die first",
    throw_two,
    tuple((10 * a + b, Fraction(1, 36)) for a in range(1, 7) for b in range(1, 7)),
)


@rule
def first_digit(number: int) -> int:
    """The face of the first die."""
    return number // 10


@rule
def sum_of(number: int) -> int:
    """R4: what a chart is entered with."""
    return number // 10 + number % 10


@rule
def is_double(number: int) -> bool:
    """Both digits the same."""
    return number % 11 == 0


@rule
def step_of(number: int) -> int:
    """R8: the difference of the digits, 6 for doubles."""
    difference = abs(number // 10 - number % 10)
    return 6 if difference == 0 else difference


@rule
def take(g: Position) -> int:
    """R9 to R11: the next further number, step by step back on the line, or thrown."""
    g.rewinds += 1
    back = g.rewinds * step_of(g.roll)
    written = g.log[0]
    if back > written:
        number = roll(g, TWO_DICE, g.possession)
        tell(g, p.THROWS, g.possession, number, back)
    else:
        number = g.log[1 + written - back]
        tell(g, p.REWINDS, g.possession, number, back, g.rewinds)
    return number
