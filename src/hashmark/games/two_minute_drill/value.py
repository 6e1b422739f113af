"""What a position between two plays is worth: the chance that the drive is won from there.

This is the seam of the searching coach. It asks for `worth` and `chance_worth` only, and both
read the table of `value_table.py` through `lookup`. That table is not exact: it stands on a
grid of spots and distances with straight lines between them, it does not know the hash mark,
and it was worked out for the default options (`tools/two_minute_drill_value.py` says how).
An exact value takes its place by answering `worth` from another table.
"""

from __future__ import annotations

from hashmark.games.two_minute_drill.ball import line
from hashmark.games.two_minute_drill.position import Match, Position
from hashmark.games.two_minute_drill.tables import FULL_CLOCK, GOAL_LINE, REPLY_LINE, TIME_OUTS
from hashmark.games.two_minute_drill.value_table import CHANCE, WHOLE
from hashmark.table.grid import Grid
from hashmark.table.record import AWAY
from hashmark.table.rule import rule

# The grid: every clock and number of time-outs, these spots, every down, these to go.
SPOTS = (1, 10, 20, 30, 40, 50, 60, 70, 75, 80, 85, 90, 93, 96, 98, 99)
TO_GO = (1, 5, 10, 20)
SPOT_PARTS, TO_GO_PARTS = 90, 20  # weights are whole numbers of these parts
SURE = WHOLE * SPOT_PARTS * TO_GO_PARTS  # what a won game is worth


def _below(knots: tuple[int, ...], at: int) -> int:
    """The last knot at or before a point, but not the last of all."""
    return max(0, max(k for k in range(len(knots) - 1) if knots[k] <= max(at, knots[0])))


def _weight(knots: tuple[int, ...], at: int, parts: int) -> int:
    """How far a point is on the way from that knot to the next, in parts."""
    low = _below(knots, at)
    inside = min(max(at, knots[low]), knots[low + 1])
    return (inside - knots[low]) * parts // (knots[low + 1] - knots[low])


def _line(name: str, knots: tuple[int, ...], last: int, parts: int) -> tuple[Grid, Grid]:
    """For each whole number the knot below it, and the weight of the knot above."""
    points = range(last + 1)
    return (
        Grid(f"{name} knot", [_below(knots, at) for at in points]),
        Grid(f"{name} weight", [_weight(knots, at, parts) for at in points]),
    )


SPOT_KNOT, SPOT_WEIGHT = _line("spot", SPOTS, GOAL_LINE, SPOT_PARTS)
TO_GO_KNOT, TO_GO_WEIGHT = _line("to go", TO_GO, TO_GO[-1], TO_GO_PARTS)
ROW = 4 * len(TO_GO)  # downs and to go
BLOCK = len(SPOTS) * ROW
SIZE = (FULL_CLOCK + 1) * (TIME_OUTS + 1) * BLOCK


@rule
def lookup(m: Match, at: int) -> int:
    """One entry of the table."""
    return m.values[at]


@rule
def entry(clock: int, timeouts: int, spot: int, down: int, to_go: int) -> int:
    """Where the knot of a spot and a distance stands in the table."""
    block = (clock * (TIME_OUTS + 1) + timeouts) * BLOCK
    return block + spot * ROW + (down - 1) * len(TO_GO) + to_go


@rule
def interpolate(m: Match, clock: int, timeouts: int, spot: int, down: int, to_go: int) -> int:
    """The value between the four knots around a spot and a distance."""
    to_go = min(to_go, TO_GO[-1])
    at = entry(clock, timeouts, SPOT_KNOT[spot], down, TO_GO_KNOT[to_go])
    along = SPOT_WEIGHT[spot]
    across = TO_GO_WEIGHT[to_go]
    near = lookup(m, at) * (SPOT_PARTS - along) + lookup(m, at + ROW) * along
    far = lookup(m, at + 1) * (SPOT_PARTS - along) + lookup(m, at + ROW + 1) * along
    return near * (TO_GO_PARTS - across) + far * across


@rule
def worth(
    m: Match,
    g: Position,
    clock: int,
    spot: int,
    hash_mark: int,
    down: int,
    to_go: int,
    timeouts: int,
) -> int:
    """What a play begins with: 0 without time, else between 0 and SURE."""
    if clock <= 0:
        return 0
    return interpolate(m, clock, timeouts, spot + GOAL_LINE - line(g), down, to_go)


@rule
def chance_worth(
    m: Match, g: Position, clock: int, spot: int, hash_mark: int, timeouts: int
) -> int:
    """What a last chance is worth: it succeeds so often, and the ball is back."""
    back = worth(m, g, clock - 1, spot, hash_mark, 1, 10, timeouts)
    return back * CHANCE // WHOLE


@rule
def win_worth(m: Match, g: Position, clock: int) -> int:
    """What a won drive is worth: everything, less the other team's reply if there is one."""
    if g.possession == AWAY or not m.reply or clock <= 0:
        return SURE
    spot = min(GOAL_LINE, m.start_spot + GOAL_LINE - REPLY_LINE)
    return SURE - interpolate(m, clock, m.start_timeouts, spot, 1, 10)
