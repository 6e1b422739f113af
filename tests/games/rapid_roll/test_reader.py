"""Prospects of the coach that reads the clock line, compared with runs of the rules.

The reader repeats how a call turns its row and further numbers into yards, fumbles and
interceptions, because it weighs a dozen calls by 36 rolls for every snap of a simulated game. Here
the rules play every call, row and number, and the result is evaluated with the same values.

What the reader averages is not compared: flags, punts, and recovered fumbles and interceptions
that are returned for a long gain or fumbled again.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from hashmark.engine.dice import Pool
from hashmark.engine.effects import EffectHandler
from hashmark.engine.events import EventKind, Values
from hashmark.engine.record import PositionRecord
from hashmark.games.rapid_roll import RULES
from hashmark.games.rapid_roll import position as p
from hashmark.games.rapid_roll import tables as t
from hashmark.games.rapid_roll.heuristic_value import (
    SAFETY_COST,
    TOUCHDOWN_VALUE,
    down_value,
    first_down_value,
)
from hashmark.games.rapid_roll.numbers import NUMBERS, step_of, sum_of
from hashmark.games.rapid_roll.reader import cell_value, number_on_line, sneak_value
from hashmark.games.rapid_roll.scrimmage import (
    CALL_COLUMN,
    CALL_KIND,
    PASS,
    has_worn_quarterback,
    is_fake,
)

CALLS = [call for call in range(p.LINE_RUN, p.FAKE_FIELD_GOAL_END_RUN + 1) if call != p.SNEAK]
ROLL_OF = {sum_of(number): number for number in NUMBERS}  # one roll for each row
LINE = 18  # numbers: three of the longest steps
ANSWERS = {
    p.SIDELINE_CHOICE: p.STAY_IN,
    p.END_ZONE_CHOICE: p.TOUCHBACK,
    p.MAGIC_CHOICE: p.MAGIC_0,
    p.CLOCK_CHOICE: p.NO_TIMEOUT,
    p.OTHER_CLOCK_CHOICE: p.NO_TIMEOUT,
}


class FixedDice(EffectHandler):
    """Effect handler whose first roll shows a given number; records what the play read."""

    def __init__(self, number: int) -> None:
        self.number, self.further, self.rolls = number, 0, 0
        self.read: list[tuple[int, int]] = []  # columns and rows

    def roll(self, g: PositionRecord, pool: Pool, team: int) -> int:
        self.rolls += 1
        return self.number if self.rolls == 1 else int(pool.odds[0][0])

    def emit(self, event: EventKind, team: int, values: Values) -> None:
        if event is p.REWINDS:
            self.further += 1
        if event is p.READS:
            self.read.append((values[0], values[1]))

    @property
    def averaged(self) -> bool:
        """Return whether the play reached something that the reader does not follow."""
        returns = [(column, t.KIND[column, row]) for column, row in self.read[1:]]
        fumbles = [kind for column, kind in returns if column == t.FUMBLE]
        picks = [kind for column, kind in returns if column == t.INTERCEPTION_RETURN]
        long = t.DEFENSE_LONG in fumbles or t.LONG in picks
        return long or t.NO_GAIN_FUMBLE in picks or self.rolls > 1


def play(m: p.Match, g: p.Position, call: int, roll: int) -> tuple[Any, FixedDice]:
    """Return the position after a play, and the handler that recorded it."""
    after, handler = g.copy(), FixedDice(roll)
    after.handler = handler
    RULES.step(m, after, call)
    while after.window != p.NONE:
        RULES.step(m, after, ANSWERS[after.window])
    return after, handler


def value_after(before: p.Position, after: p.Position) -> int:
    """Return the value of a play to the team that snapped, by the values that the coaches use."""
    us = before.possession
    if before.phase == p.TRY:
        return 200 if after.score[us] > before.score[us] else 0
    sign = 1 if after.possession == us else -1
    if after.phase == p.TRY:
        return sign * TOUCHDOWN_VALUE
    if after.phase == p.SAFETY_KICK:
        return -sign * SAFETY_COST
    if sign < 0 or after.down == 1:
        return sign * first_down_value(after.spot)
    return down_value(after.spot, after.down, after.to_go)


def write_line(g: p.Position, roll: int, first: int, second: int) -> None:
    """Write a clock line on which this roll rewinds to these numbers."""
    g.log = [LINE] + [ROLL_OF[7]] * LINE + [0] * (p.MAX_LOG_NUMBERS - LINE)
    g.log[1 + LINE - step_of(roll)] = first
    g.log[1 + LINE - 2 * step_of(roll)] = second


def cases(m: p.Match, g: p.Position, call: int) -> Iterator[tuple[int, int, int, Any, FixedDice]]:
    """Yield every row with every further number that the play takes."""
    for row in t.SUMS:
        flag = t.KIND[CALL_COLUMN[call], row] == t.FLAG
        if flag and not (has_worn_quarterback(g) and CALL_KIND[call] == PASS):
            continue
        for first in NUMBERS:
            taken = 0
            for second in NUMBERS:
                write_line(g, ROLL_OF[row], first, second)
                after, handler = play(m, g, call, ROLL_OF[row])
                yield row, first, second, after, handler
                taken = handler.further
                if taken < 2:
                    break
            if taken < 1:
                break


def compare(m: p.Match, g: p.Position, calls: list[int]) -> int:
    """Compare all calls from a position with the rules; return how many plays were compared."""
    count = 0
    for call in calls:
        for row, first, second, after, handler in cases(m, g, call):
            if handler.averaged:
                continue
            assert number_on_line(g, ROLL_OF[row], 1) == first
            assert number_on_line(g, ROLL_OF[row], 2) == second
            value = cell_value(m, g, call, row, first, second)
            assert value == value_after(g, after), (
                RULES.calls[call],
                row,
                first,
                second,
                g.spot,
                g.down,
            )
            count += 1
    return count


def situation(m: p.Match, **given: Any) -> Any:
    """Return a snap early in the game."""
    g = RULES.new_position(m)
    g.phase, g.possession, g.period, g.clock, g.window = p.SCRIMMAGE, 0, 1, 20, p.NONE
    g.last_play = p.NO_PLAY
    for name, value in given.items():
        setattr(g, name, value)
    return g


M = RULES.new_match({})
QUARTERBACKS = (-1, 1, 3)  # none is new, a fresh one, a worn one
DOWNS = ((1, 10), (2, 3), (3, 2), (3, 8), (4, 1), (4, 12))


@pytest.mark.parametrize("quarterback", QUARTERBACKS)
@pytest.mark.parametrize(("spot", "down", "to_go"), [(4, 3, 8), (78, 3, 2), (92, 1, 8)])
def test_prospects_match_the_rules_for_every_row_and_number(
    spot: int, down: int, to_go: int, quarterback: int
) -> None:
    g = situation(M, spot=spot, down=down, to_go=to_go, new_qb=[quarterback, -1])
    assert compare(M, g, [call for call in CALLS if not is_fake(call)]) > 1000


def test_prospects_match_for_a_shaded_flag_of_a_worn_quarterback() -> None:
    m = RULES.new_match({"shading": {"short-pass": [11], "line-run": [5]}})
    g = situation(m, spot=93, down=2, to_go=7, new_qb=[3, -1])
    assert compare(m, g, [p.SHORT_PASS, p.SCREEN_PASS, p.LINE_RUN]) > 100


@pytest.mark.parametrize("repeat", ["call", "column", "off"])
def test_prospects_match_for_a_repeated_call(repeat: str) -> None:
    m = RULES.new_match({"repeat": repeat})
    for call in (p.LINE_RUN, p.LONG_PASS, p.TRICK_PASS, p.FAKE_PUNT_SHORT_PASS):
        g = situation(m, spot=40, down=2, to_go=6, last_play=call)
        assert compare(m, g, [call]) > 10


@pytest.mark.parametrize("quarterback", QUARTERBACKS)
def test_prospects_match_on_tries(quarterback: int) -> None:
    g = situation(M, spot=98, down=0, to_go=0, phase=p.TRY, new_qb=[quarterback, -1])
    tries = [call for call in CALLS if not is_fake(call)]
    assert compare(M, g, tries) > 100


@pytest.mark.parametrize(("down", "to_go"), [(1, 10), (4, 1)])
def test_the_sneak_prospect_is_the_mean_of_its_rolls(down: int, to_go: int) -> None:
    for spot in range(1, 100 - to_go + 1):
        g = situation(M, spot=spot, down=down, to_go=to_go)
        values = [value_after(g, play(M, g, p.SNEAK, roll)[0]) for roll in NUMBERS]
        assert sneak_value(g) == sum(values) // 36


@pytest.mark.long
@pytest.mark.parametrize(("down", "to_go"), DOWNS)
def test_prospects_match_the_rules_from_every_spot(down: int, to_go: int) -> None:
    """Alternate the quarterbacks and the previous call from spot to spot."""
    for spot in range(1, 101 - to_go):
        quarterback = QUARTERBACKS[spot % 3]
        last = (p.NO_PLAY, *CALLS)[spot % (len(CALLS) + 1)]
        g = situation(M, spot=spot, down=down, to_go=to_go, last_play=last)
        g.new_qb = [quarterback, -1]
        compare(M, g, CALLS)
