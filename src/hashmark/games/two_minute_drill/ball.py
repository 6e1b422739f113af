"""The sheet: start, clock, ball and downs, winning and losing.

R1 to R5, the penalties of R17 and R18, R34, R35, and the scores of R40.
"""

from __future__ import annotations

from hashmark.engine.effects import emit
from hashmark.engine.record import AWAY
from hashmark.engine.rule import rule
from hashmark.games.two_minute_drill import position as p
from hashmark.games.two_minute_drill import tables as t
from hashmark.games.two_minute_drill.hand import (
    clear,
    opponent,
)
from hashmark.games.two_minute_drill.position import (
    Match,
    Position,
)

# --- Sheet and start ----------------------------------------------------------------


@rule
def start(m: Match, g: Position) -> None:
    """R1, R36 to R38: first and ten at the own 25, five points down."""
    g.clock = m.start_clock
    g.score[AWAY] = t.POINTS_DOWN
    fresh_sheet(m, g)


@rule
def fresh_sheet(m: Match, g: Position) -> None:
    """R1, R39: reset everything on the sheet except the clock."""
    g.spot = m.start_spot
    g.hash = p.CENTER
    g.timeouts = m.start_timeouts
    g.chance = 0
    first_and_ten(g)


@rule
def first_and_ten(g: Position) -> None:
    """Start a new set of downs."""
    g.down = 1
    g.to_go = t.FIRST_DOWN_YARDS


@rule
def winning_line(g: Position) -> int:
    """R5, R39: return the spot that wins the drive: the goal line, in the reply the 20."""
    return t.GOAL_LINE if g.period == 1 else t.REPLY_LINE


@rule
def mark_clock(g: Position, spaces: int) -> None:
    """R2: cross off spaces, as many as are left."""
    if spaces > g.clock:
        emit(g, p.BEYOND, g.possession, spaces - g.clock)
    g.clock = max(0, g.clock - spaces)


@rule
def next_play(g: Position) -> None:
    """R6: pick up the dice; a new play begins with a roll."""
    clear(g)
    g.phase = p.SCRIMMAGE


# --- Winning and losing -------------------------------------------------------------


@rule
def finish(g: Position, winner: int) -> None:
    """End the game."""
    clear(g)
    g.phase = p.OVER
    g.chance = 0
    g.winner = winner


@rule
def lose(g: Position) -> None:
    """R5: the drive is lost; in the reply that means the first drive won."""
    finish(g, opponent(g))


@rule
def win(m: Match, g: Position) -> None:
    """R5, R39: the drive is won; the other team may reply in the time that is left."""
    if g.period == 1 and m.reply and g.clock > 0:
        begin_reply(m, g)
    else:
        finish(g, g.possession)


@rule
def begin_reply(m: Match, g: Position) -> None:
    """R39: start the reply: the other team, the same clock, a fresh sheet."""
    g.period = 2
    g.possession = AWAY
    fresh_sheet(m, g)
    next_play(g)
    emit(g, p.REPLY, AWAY, g.clock)
    if g.spot >= t.REPLY_LINE:
        reach_range(g)


@rule
def reach_range(g: Position) -> None:
    """R39, R40: the reply is at the 20: three points."""
    g.score[g.possession] += 3
    emit(g, p.REACHES_RANGE, g.possession)
    finish(g, g.possession)


@rule
def touchdown(m: Match, g: Position) -> None:
    """R40: six points, without a try."""
    g.score[g.possession] += 6
    emit(g, p.TOUCHDOWN, g.possession)
    g.spot = 0
    win(m, g)


@rule
def continue_drive(m: Match, g: Position) -> None:
    """R5, R35: start the next play, or lose if no time is left."""
    if g.clock == 0:
        emit(g, p.OUT_OF_TIME, g.possession)
        lose(g)
    else:
        next_play(g)


# --- The ball and the downs ---------------------------------------------------------


@rule
def dead_ball(m: Match, g: Position, yards: int) -> None:
    """R17: no clock; the ball and the yards to go move, and a new play starts."""
    walk_off(g, yards)
    after_penalty(m, g)


@rule
def walk_off(g: Position, yards: int) -> None:
    """R17, R18: walk off a penalty; the ball stays between the two 1-yard lines."""
    moved = penalty_move(g, yards)
    emit(g, p.DEAD_BALL, g.possession, moved, g.spot + moved)
    advance(g, moved)


@rule
def penalty_move(g: Position, yards: int) -> int:
    """R18: return the yards that a penalty actually moves the ball."""
    return min(99, max(1, g.spot + yards)) - g.spot


@rule
def advance(g: Position, yards: int) -> None:
    """R17, R34: move the ball and the yards to go; at zero to go it is first and ten."""
    g.spot += yards
    g.to_go -= yards
    if g.to_go <= 0:
        emit(g, p.FIRST_DOWN, g.possession, g.spot)
        first_and_ten(g)


@rule
def after_penalty(m: Match, g: Position) -> None:
    """R18, Q25: a penalty never scores a touchdown, but it may reach the 20 in the reply."""
    if g.spot >= winning_line(g):
        reach_range(g)
    else:
        continue_drive(m, g)


@rule
def next_down(m: Match, g: Position) -> None:
    """R26, R34: advance the down marker; after the fourth the game is lost."""
    if g.down == 4:
        emit(g, p.LOST_ON_DOWNS, g.possession)
        lose(g)
    else:
        g.down += 1
        continue_drive(m, g)
