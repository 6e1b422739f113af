"""Values that the searching coach assigns to the end of a play, compared with the rules.

The lookahead repeats what the rules do with the ball, the down and the clock, because the coach
asks for hundreds of thousands of such ends in a second. Here each of them is compared with a run
of the rules, over the whole range.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any

import pytest

from drill_by_rules import ROUNDING, Oracle, copy_after
from hashmark.engine.record import AWAY
from hashmark.games.two_minute_drill import RULES
from hashmark.games.two_minute_drill import lookahead as a
from hashmark.games.two_minute_drill import position as p
from hashmark.games.two_minute_drill.play import effort_or_whistle
from hashmark.games.two_minute_drill.tables import (
    DT_A,
    DT_B,
    EIGHT,
    FOUR,
    FULL_CLOCK_SPACES,
    GOAL_LINE,
    REPLY_LINE,
    SIX_A,
    SIX_B,
    TIMEOUTS_PER_DRIVE,
    TOP_FACE,
)

HAND = (FOUR, SIX_A, SIX_B, EIGHT, DT_A, DT_B)

# Six dice for each special result, in the order of the lookahead's names.
SPECIAL = {
    a.BACK_5: (2, 2, 2, 5, 3, 4),
    a.FORWARD_0: (2, 2, 2, 5, 5, 5),
    a.FORWARD_5: (2, 2, 3, 5, 2, 4),
    a.FORWARD_10: (2, 2, 5, 5, 2, 5),
    a.FORWARD_15: (2, 2, 2, 5, 2, 4),
    a.QUAD_LOSS: (2, 2, 2, 2, 3, 4),
    a.ERASE: (2, 2, 2, 2, 2, 4),
    a.SIX_ODD: (3, 3, 3, 3, 3, 3),
    a.SIX_EVEN: (2, 2, 2, 2, 2, 2),
}
SUMS = {a.SUM_2: 2, a.SUM_3: 3, a.SUM_4: 4, a.SUM_5: 5, a.SUM_6: 6}

# The options that the end of a play depends on, each with the period of the drive.
VARIANTS: tuple[tuple[dict[str, Any], int], ...] = (
    ({}, 1),
    ({"two-threes": "one", "referee-clock": "sheet"}, 1),
    ({"reply": True, "touchdown-in-time": True, "center-out": "first-play"}, 1),
    ({"reply": True, "start-spot": 45}, 2),
)
DOWNS, TO_GO = range(1, 5), (*range(1, 18), 30)  # a penalty moves the ball by 15 at most


def drive(options: dict[str, Any], period: int) -> tuple[Any, Any, int]:
    """Return a match, a position of its first or second drive, and the line that wins."""
    m = RULES.new_match(options)
    g = p.Position()
    g.period, g.possession = period, AWAY if period == 2 else 0
    return m, g, REPLY_LINE if period == 2 else GOAL_LINE


def show(g: p.Position, faces: Iterable[int]) -> None:
    """Put six dice on the table."""
    g.dice = [0] * len(g.dice)
    for die, face in zip(HAND, faces, strict=True):
        g.dice[die] = face


# --- Ends without a play ----------------------------------------------------------------------


def ended(m: p.Match, oracle: Oracle, g: p.Position, end: int) -> float:
    """Return what the rules make of a special result or a referee sum."""
    if end in SPECIAL:
        g.phase, call = p.SPECIAL, p.ACCEPT
        show(g, SPECIAL[end])
    else:
        g.phase, call = p.REFEREE, p.FIRST_REFEREE
        d4 = max(1, SUMS[end] - 4)
        show(g, (d4, 2, 4, 7, SUMS[end] - d4, 6))
    return oracle.value_between_plays(copy_after(g, lambda one: RULES.step(m, one, call)))


def compare_ends(
    options: dict[str, Any], period: int, clocks: Iterable[int], spots: Iterable[int]
) -> int:
    """Compare every end of a play by every down and yards to go; return how many."""
    m, g, line = drive(options, period)
    oracle, count = Oracle(m, period), 0
    chances = (0, 1)
    for clock, spot, down, chance in product(clocks, spots, DOWNS, chances):
        g.clock, g.spot, g.down, g.chance = clock, min(spot, line - 1), down, chance
        for to_go in TO_GO if chance == 0 else (10,):
            g.to_go, g.timeouts = to_go, count % (TIMEOUTS_PER_DRIVE + 1)
            for end in range(a.END_COUNT):
                value = a.end_value(m, g, clock, end, g.timeouts)
                assert value == ended(m, oracle, g, end), (g, end)
                count += 1
    return count


@pytest.mark.parametrize(("options", "period"), VARIANTS)
def test_ends_match_the_rules_at_every_spot(options: dict[str, Any], period: int) -> None:
    assert compare_ends(options, period, (24,), range(1, 100, 3)) > 30_000


@pytest.mark.parametrize(("options", "period"), VARIANTS)
def test_ends_match_the_rules_at_every_clock(options: dict[str, Any], period: int) -> None:
    assert compare_ends(options, period, range(FULL_CLOCK_SPACES + 1), (4,)) > 40_000


@pytest.mark.long
@pytest.mark.parametrize(("options", "period"), VARIANTS)
def test_ends_match_the_rules_over_the_whole_range(options: dict[str, Any], period: int) -> None:
    """All clocks under the default options; else where the rules change: 1, 20 and 40 spaces."""
    clocks = (0, 1, 2, 10, 19, 20, 21, 39, 40) if options else range(FULL_CLOCK_SPACES + 1)
    assert compare_ends(options, period, clocks, range(1, 100)) > 900_000


# --- Plays ------------------------------------------------------------------------------------

SIDES, HASHES, FLAGS = (p.LEFT, p.RIGHT), (p.LEFT, p.CENTER, p.RIGHT), (0, 1)


def lay_play(g: p.Position, side: int, flag: int) -> None:
    """Place the dice of a play: the d6a and dta for the referee, the d8 for the yards."""
    referee = 6 if flag else 4
    show(g, (2, referee, 2 if side == p.LEFT else 3, 5, referee, 1))
    g.referee_ot, g.referee_dt, g.yards_ot = SIX_A, DT_A, EIGHT


def compare_play(m: p.Match, oracle: Oracle, g: p.Position, side: int, flag: int) -> None:
    """Compare a play with the gain in the position: its best value, and each answer alone."""
    arguments = (m, g, g.clock, g.gain, side, g.efforts, flag, g.timeouts)
    refused = a.penalty_value(m, g, g.clock, flag, g.timeouts)
    best = a.best_result_value(*arguments, refused)
    reached = copy_after(g, lambda one: effort_or_whistle(m, one))
    assert best == oracle.value(reached), (g, side, flag)
    if reached.phase == p.RESULT:
        values = {
            p.PLAY: a.taken_play_value(*arguments, 0),
            p.TIME_OUT: a.taken_play_value(*arguments, 1),
            p.PENALTY: refused,
        }
        for call in RULES.legal_calls(m, reached):
            assert values[call] == oracle.answer_value(reached, call), (g, RULES.calls[call])


def compare_plays(
    options: dict[str, Any],
    period: int,
    clocks: Iterable[int],
    spots: Iterable[int],
    downs: Iterable[tuple[int, int]],
    gains: Iterable[int],
) -> int:
    """Compare plays of every gain to both sides from every hash mark, with and without a flag."""
    m, g, line = drive(options, period)
    oracle, count = Oracle(m, period), 0
    for clock, spot, (down, to_go), gain in product(clocks, spots, downs, gains):
        for side, hash_mark, flag in product(SIDES, HASHES, FLAGS):
            g.phase, g.clock, g.spot = p.YARDS, clock, min(spot, line - 1)
            g.down, g.to_go = down, to_go
            g.gain, g.hash, g.timeouts, g.efforts = gain, hash_mark, count % 3, count % 5 % 3
            lay_play(g, side, flag)
            compare_play(m, oracle, g, side, flag)
            count += 1
    return count


FEW_DOWNS = ((1, 10), (3, 4), (4, 1), (4, 12))
GAINS = range(a.LOWEST_GAIN, a.LOWEST_GAIN + a.GAIN_COUNT)


@pytest.mark.parametrize(("options", "period"), VARIANTS)
def test_plays_match_the_rules_at_every_clock(options: dict[str, Any], period: int) -> None:
    count = compare_plays(
        options, period, range(FULL_CLOCK_SPACES + 1), (94,), FEW_DOWNS[1:2], (3, 5, 11)
    )
    assert count == 41 * 3 * 12


@pytest.mark.parametrize(("options", "period"), VARIANTS)
def test_plays_match_the_rules_for_every_gain(options: dict[str, Any], period: int) -> None:
    spots = (1, 4, 74, 78, 96)
    assert compare_plays(options, period, (3, 21), spots, FEW_DOWNS[2:3], GAINS) == 2 * 5 * 17 * 12


@pytest.mark.long
@pytest.mark.parametrize(("options", "period"), VARIANTS)
def test_plays_match_the_rules_over_the_whole_range(options: dict[str, Any], period: int) -> None:
    """Every spot, gain, side, hash mark and flag; downs and clocks where something changes."""
    gains = (*GAINS, 12, 19, 20, 21, 35)
    for down in DOWNS:
        downs = [(down, to_go) for to_go in (1, 10)]
        compare_plays(options, period, (4, 22), range(1, 100), downs, gains)


# --- Extra effort -----------------------------------------------------------------------------


def compare_effort(options: dict[str, Any], period: int, spots: Iterable[int]) -> int:
    """Compare one more roll with every die, after every DT face, to both sides."""
    m, g, line = drive(options, period)
    count = 0
    for spot, die, minus, flag, side in product(
        spots, (FOUR, SIX_A, EIGHT, 4, 5), range(1, 7), FLAGS, SIDES
    ):
        top = TOP_FACE[die]
        if spot + top - minus >= line:
            continue
        g.phase, g.clock, g.spot, g.hash = p.EFFORT, (2, 6, 11, 24)[count % 4], spot, count % 3
        (g.down, g.to_go), g.timeouts = FEW_DOWNS[count % 5 % 4], count % 7 % 3
        g.gain, g.efforts = top - minus, 0
        for by_rules, call in effort_answers(m, g, Oracle(m, period), die, minus, flag, side):
            rolled = a.effort_value(m, g, g.clock, top, g.gain, side, 0, flag, g.timeouts)
            refused = a.penalty_value(m, g, g.clock, flag, g.timeouts)
            stop = a.best_result_value(m, g, g.clock, g.gain, side, 0, flag, g.timeouts, refused)
            expected = rolled if call == p.EFFORT_ROLL else stop
            assert expected == pytest.approx(by_rules, abs=ROUNDING), (g, RULES.calls[call])
        count += 1
    return count


def effort_answers(
    m: p.Match, g: p.Position, oracle: Oracle, die: int, minus: int, flag: int, side: int
) -> Iterator[tuple[float, int]]:
    """Yield both answers by the rules; the yards die shows its highest face."""
    others = [one for one in (FOUR, SIX_A, SIX_B, EIGHT) if one != die][:3]
    referee, *rest = sorted(others, key=lambda one: -TOP_FACE[one])
    g.dice = [0] * len(g.dice)
    g.dice[die] = TOP_FACE[die]
    g.dice[referee], g.dice[DT_A] = (6, 6) if flag else (5, 3)
    g.dice[rest[0]], g.dice[rest[1]] = 2, 2 if side == p.LEFT else 3
    g.dice[DT_B] = minus
    g.referee_ot, g.referee_dt, g.yards_ot = referee, DT_A, die
    for call in (p.STOP, p.EFFORT_ROLL):
        yield oracle.answer_value(g, call), call


@pytest.mark.parametrize(("options", "period"), VARIANTS)
def test_extra_effort_matches_the_rules(options: dict[str, Any], period: int) -> None:
    assert compare_effort(options, period, (70,)) > 50


@pytest.mark.long
@pytest.mark.parametrize(("options", "period"), VARIANTS)
def test_extra_effort_matches_the_rules_from_every_spot(
    options: dict[str, Any], period: int
) -> None:
    assert compare_effort(options, period, range(1, 99)) > 8_000
