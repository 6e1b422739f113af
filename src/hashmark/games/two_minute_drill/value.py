"""Value of a position between two plays: the chance to win the drive from there.

This is the interface of the searching coach to the value table. The coach calls `position_value`,
`last_chance_value` and `win_value` only; they read a table that is part of the match
(`Match.values`). The table is not exact: `tools/two_minute_drill_value.py` computed it from sampled
rolls, for the default options, on a grid of spots and distances with linear interpolation, and
without the hash mark. Put a better table of the same form into the match to replace it; an exact
one, with the hash mark and every spot, needs another `interpolate`.
"""

from __future__ import annotations

from hashmark.engine.grid import Grid
from hashmark.engine.record import AWAY
from hashmark.engine.rule import rule
from hashmark.games.two_minute_drill.ball import winning_line
from hashmark.games.two_minute_drill.position import Match, Position
from hashmark.games.two_minute_drill.tables import (
    FIRST_DOWN_YARDS,
    GOAL_LINE,
    REPLY_LINE,
    TIMEOUTS_PER_DRIVE,
)
from hashmark.games.two_minute_drill.value_table import (
    LAST_CHANCE_SUCCESSES,
    LAST_CHANCE_TRIES,
    MAX_ENTRY,
)

# The grid: every clock and number of time-outs, these spots, every down, these to go.
SPOTS = (1, 10, 20, 30, 40, 50, 60, 70, 75, 80, 85, 90, 93, 96, 98, 99)
TO_GO = (1, 5, 10, 20)
SPOT_PARTS, TO_GO_PARTS = 90, 20  # weights are whole numbers of these parts
PARTS = SPOT_PARTS * TO_GO_PARTS
WIN_VALUE = (MAX_ENTRY + 1) * PARTS  # what a won game is worth: more than any position


def _below(knots: tuple[int, ...], point: int) -> int:
    """Return the index of the last knot at or before a point, excluding the last knot."""
    return max(k for k in range(len(knots) - 1) if knots[k] <= max(point, knots[0]))


def _weight(knots: tuple[int, ...], point: int, parts: int) -> int:
    """Return how far a point is between that knot and the next, in parts."""
    low = _below(knots, point)
    inside = min(max(point, knots[low]), knots[low + 1])
    return (inside - knots[low]) * parts // (knots[low + 1] - knots[low])


def _line(name: str, knots: tuple[int, ...], last: int, parts: int) -> tuple[Grid, Grid]:
    """Return, for each whole number, the knot below it and the weight of the knot above."""
    points = range(last + 1)
    return (
        Grid(f"{name} knot", [_below(knots, point) for point in points]),
        Grid(f"{name} weight", [_weight(knots, point, parts) for point in points]),
    )


SPOT_KNOT, SPOT_WEIGHT = _line("spot", SPOTS, GOAL_LINE, SPOT_PARTS)
TO_GO_KNOT, TO_GO_WEIGHT = _line("to go", TO_GO, TO_GO[-1], TO_GO_PARTS)
ROW_ENTRIES = 4 * len(TO_GO)  # downs and to go
BLOCK_ENTRIES = len(SPOTS) * ROW_ENTRIES


@rule
def lookup(m: Match, at: int) -> int:
    """Return one entry of the table."""
    return m.values[at]


@rule
def entry(clock: int, timeouts: int, spot: int, down: int, to_go: int) -> int:
    """Return the table index of a grid point; spot and to_go are knot indices."""
    block = (clock * (TIMEOUTS_PER_DRIVE + 1) + timeouts) * BLOCK_ENTRIES
    return block + spot * ROW_ENTRIES + (down - 1) * len(TO_GO) + to_go


@rule
def interpolate(m: Match, clock: int, timeouts: int, spot: int, down: int, to_go: int) -> int:
    """Return the value between the four knots around a spot and a distance."""
    to_go = min(to_go, TO_GO[-1])
    at = entry(clock, timeouts, SPOT_KNOT[spot], down, TO_GO_KNOT[to_go])
    along = SPOT_WEIGHT[spot]
    across = TO_GO_WEIGHT[to_go]
    near = lookup(m, at) * (SPOT_PARTS - along) + lookup(m, at + ROW_ENTRIES) * along
    far = lookup(m, at + 1) * (SPOT_PARTS - along) + lookup(m, at + ROW_ENTRIES + 1) * along
    return near * (TO_GO_PARTS - across) + far * across


@rule
def position_value(
    m: Match,
    g: Position,
    clock: int,
    spot: int,
    hash_mark: int,
    down: int,
    to_go: int,
    timeouts: int,
) -> int:
    """Return the value before a play: 0 without time, else between 0 and WIN_VALUE.

    Where the table sees no difference, an early down, field position, time and timeouts are better.
    """
    if clock <= 0:
        return 0
    ahead = spot + GOAL_LINE - winning_line(g)
    progress = ahead + 3 * clock + 6 * timeouts + 60 * (4 - down)
    return interpolate(m, clock, timeouts, ahead, down, to_go) + progress


@rule
def last_chance_value(
    m: Match, g: Position, clock: int, spot: int, hash_mark: int, timeouts: int
) -> int:
    """Return the value of a last chance: its success rate times the value with the ball back."""
    return (
        position_value(m, g, clock - 1, spot, hash_mark, 1, FIRST_DOWN_YARDS, timeouts)
        // LAST_CHANCE_TRIES
        * LAST_CHANCE_SUCCESSES
    )


@rule
def win_value(m: Match, g: Position, clock: int) -> int:
    """Return the value of a won drive: WIN_VALUE, less the other team's reply if there is one."""
    if g.possession == AWAY or not m.reply or clock <= 0:
        return WIN_VALUE
    spot = min(GOAL_LINE, m.start_spot + GOAL_LINE - REPLY_LINE)
    return WIN_VALUE - interpolate(m, clock, m.start_timeouts, spot, 1, FIRST_DOWN_YARDS)
