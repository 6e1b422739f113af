"""Heuristic value of a position to the team with the ball, in hundredths of a point.

A rough estimate for the coaches: the chance of a first down from the charts, the value of a first
down by field position (measured in simulated games of the book coach), and what usually follows a
fourth down.
"""

from __future__ import annotations

from itertools import pairwise

from hashmark.engine.grid import Grid
from hashmark.engine.rule import rule
from hashmark.games.rapid_roll import position as p
from hashmark.games.rapid_roll import tables as t
from hashmark.games.rapid_roll.cells import gain_by_number, needs_number
from hashmark.games.rapid_roll.numbers import NUMBERS, sum_of
from hashmark.games.rapid_roll.position import Position
from hashmark.games.rapid_roll.tables import KIND, YARDS

MAX_TO_GO = 30  # yards to go beyond which the chance is taken as constant

KICKOFF_COST = 100  # the opponents' ball after a kickoff
TOUCHDOWN_VALUE = 690 - KICKOFF_COST
FIELD_GOAL_VALUE = 300 - KICKOFF_COST
SAFETY_COST = 200 + KICKOFF_COST
PUNT_NET_YARDS = 36
SHORT_PUNT_END_SPOT = 17

# First and ten (or goal) by spot: mean point margin, 60,000 games each, in hundredths.
MEASURED_FIRST_DOWNS = ((0, -20), (20, 73), (50, 229), (80, 382), (90, 390), (95, 430), (100, 590))


def _first_down_value(spot: int) -> int:
    """Return the measured value, linearly interpolated."""
    for (low, worth_low), (high, worth_high) in pairwise(MEASURED_FIRST_DOWNS):
        if spot <= high:
            return worth_low + (worth_high - worth_low) * (spot - low) // (high - low)
    return TOUCHDOWN_VALUE


FIRST_DOWN = Grid("worth of a first down", [_first_down_value(spot) for spot in range(101)])


def kick_chance(length: int) -> int:
    """Return how many of 36 rolls make a kick of this length."""
    rows = [sum_of(roll) for roll in NUMBERS]
    kicks = [(KIND[t.FIELD_GOAL, row], YARDS[t.FIELD_GOAL, row]) for row in rows]
    return sum(kind == t.GAIN and yards >= length for kind, yards in kicks)


KICK_CHANCE = Grid("good kicks in 36", [kick_chance(length) for length in range(120)])


def _gains(column: int) -> list[float]:
    """Return the chance of each gain up to MAX_TO_GO on a column; losses count as 0."""
    chances = [0.0] * (MAX_TO_GO + 1)
    for roll in NUMBERS:
        kind, yards = KIND[column, sum_of(roll)], YARDS[column, sum_of(roll)]
        numbers = NUMBERS if needs_number(kind) or kind == t.SCRAMBLE else (0,)
        for number in numbers:
            gain = gain_by_number(kind, yards, number)
            if kind == t.SCRAMBLE:
                gain = sum_of(number) if sum_of(number) % 2 else 0
            elif kind in (t.INTERCEPTION, t.FLAG, t.INCOMPLETE, t.NO_GAIN_FUMBLE):
                gain = 0
            chances[min(max(gain, 0), MAX_TO_GO)] += 1 / 36 / len(numbers)
    return chances


def _first_down_chances() -> list[list[int]]:
    """Return the chances in 1000 of a first down by down and yards to go, using the best column.

    The first three downs allow for a kick on the fourth.
    """
    columns = [_gains(column) for column in (t.LINE_RUN, t.SHORT_PASS, t.MEDIUM_PASS, t.DEEP_PASS)]
    later = [1.0] + [0.0] * MAX_TO_GO
    table: list[list[int]] = []
    for _ in range(3):
        now = [1.0] + [
            max(
                sum(chance * later[max(to_go - gain, 0)] for gain, chance in enumerate(gains))
                for gains in columns
            )
            for to_go in range(1, MAX_TO_GO + 1)
        ]
        now[1] = max(now[1], 26 / 36 + 10 / 36 * later[1])
        table.insert(0, [round(1000 * chance) for chance in now])
        later = now
    return [*table, table[-1]]  # downs 1 to 4; the fourth has one play, like the third


FIRST_DOWN_CHANCES = Grid("first down in 1000", _first_down_chances())


@rule
def first_down_value(spot: int) -> int:
    """Return the value of a first down here; behind the goal line the same as on it."""
    return FIRST_DOWN[min(max(spot, 1), 99)]


@rule
def field_goal_value(spot: int) -> int:
    """Return the value of a field goal attempt from this line."""
    good = KICK_CHANCE[t.KICK_LENGTH_BASE_YARDS - spot]
    missed = first_down_value(t.MISSED_KICK_BASE_SPOT - spot)
    return (good * FIELD_GOAL_VALUE - (36 - good) * missed) // 36


@rule
def punt_value(spot: int) -> int:
    """Return the value of a punt from this line."""
    return -first_down_value(max(100 - spot - PUNT_NET_YARDS, SHORT_PUNT_END_SPOT))


def _fourth_down_value(length: int) -> int:
    """Return the value of the better kick from where a field goal has this length."""
    spot = t.KICK_LENGTH_BASE_YARDS - length
    return max(field_goal_value(spot), punt_value(spot))


FOURTH_DOWN = Grid("fourth down by kick", [_fourth_down_value(length) for length in range(120)])


@rule
def fourth_down_value(spot: int) -> int:
    """Return the value when the downs run out: that of the better kick."""
    return FOURTH_DOWN[t.KICK_LENGTH_BASE_YARDS - spot]


@rule
def down_value(spot: int, down: int, to_go: int) -> int:
    """Return the value of the ball here on this down, weighted by the chance of a first down."""
    if down == 1 and to_go == t.FIRST_DOWN_YARDS:
        return first_down_value(spot)
    chance = FIRST_DOWN_CHANCES[down - 1, min(to_go, MAX_TO_GO)]
    if spot + to_go >= 100:
        made = TOUCHDOWN_VALUE
    else:
        made = first_down_value(spot + to_go)
    if down < 4:
        return (chance * made + (1000 - chance) * fourth_down_value(spot)) // 1000
    failed = -first_down_value(100 - spot)
    return max((chance * made + (1000 - chance) * failed) // 1000, fourth_down_value(spot))


@rule
def value_after_play(g: Position, at: int) -> int:
    """Return the value after a play of the offense that ends at this spot."""
    if g.phase == p.TRY:
        return 200 if at >= 100 else 0
    if at >= 100:
        return TOUCHDOWN_VALUE
    if at <= 0:
        return -SAFETY_COST
    to_go = g.to_go - (at - g.spot)
    if to_go <= 0:
        return first_down_value(at)
    if g.down == 4:
        return -first_down_value(100 - at)
    return down_value(at, g.down + 1, to_go)


@rule
def pending_play_value(g: Position) -> int:
    """Return the value of the pending play to the team that snapped or kicked."""
    sign = 1 if g.carrier == g.possession else -1
    if g.result == p.TOUCHDOWN:
        return sign * TOUCHDOWN_VALUE
    if g.result == p.SAFETY:
        return -sign * SAFETY_COST
    if g.result == p.GOOD:
        return FIELD_GOAL_VALUE
    if g.carrier == g.possession and g.phase == p.SCRIMMAGE and g.lost[0] + g.lost[1] == 0:
        return value_after_play(g, g.at)
    return sign * first_down_value(g.at)
