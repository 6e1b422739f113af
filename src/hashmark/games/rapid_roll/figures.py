"""Figures that the odds panel shows for each call of Rapid Roll Football."""

from __future__ import annotations

from hashmark.engine.figures import (
    DOWN_COLUMNS,
    FIELD_GOAL,
    GIVES_POINTS,
    KICK_COLUMNS,
    MAKES_POINTS,
    NET_POINTS,
    RETURN_COLUMNS,
    TIME,
    TOUCHDOWN,
    TRY_COLUMNS,
    Figure,
    ball_figures,
    same_half,
)
from hashmark.engine.rule import rule
from hashmark.games.rapid_roll import position as p
from hashmark.games.rapid_roll.abstraction import progress
from hashmark.games.rapid_roll.position import Match, Position


@rule
def has_ball(before: Position, after: Position, team: int) -> bool:
    """Return whether this team has the ball at the line in the same half."""
    if after.possession != team or after.phase != p.SCRIMMAGE:
        return False
    return same_half(before, after)


@rule
def first_down(m: Match, before: Position, after: Position, us: int) -> int:
    """Return 1 if we have a new set of downs."""
    return 1 if has_ball(before, after, us) and after.down == 1 else 0


@rule
def numbers(m: Match, before: Position, after: Position, us: int) -> int:
    """Return how many numbers were written on the clock line."""
    return progress(m, after) - progress(m, before)


FIGURES = (
    TOUCHDOWN,
    FIELD_GOAL,
    Figure("first_down_chance", "first down", first_down),
    *ball_figures(has_ball),
    MAKES_POINTS,
    GIVES_POINTS,
    NET_POINTS,
    Figure("time", "numbers", numbers, TIME),
)
_CLOCK = ("time",)
COLUMNS = {
    "kickoff": KICK_COLUMNS,
    "safety-kick": KICK_COLUMNS,
    "scrimmage": DOWN_COLUMNS,
    "try": TRY_COLUMNS,
    "coin-toss": (),
    "home-quarterback": (),
    "away-quarterback": (),
    "toss": (),
    "sideline": DOWN_COLUMNS,
    "punt": RETURN_COLUMNS,
    "end-zone": RETURN_COLUMNS,
    "penalty": DOWN_COLUMNS,
    "magic": DOWN_COLUMNS,
    "clock": _CLOCK,
    "other-clock": _CLOCK,
}
