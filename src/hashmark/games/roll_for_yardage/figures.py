"""Figures of Roll For Yardage! that the odds of a call show."""

from __future__ import annotations

from hashmark.engine.figures import (
    DOWN_COLUMNS,
    FIELD_GOAL,
    GIVES_POINTS,
    KICK_COLUMNS,
    MAKES_POINTS,
    NET_POINTS,
    RETURN_COLUMNS,
    TOUCHDOWN,
    TRY_COLUMNS,
    Figure,
    ball_figures,
    same_half,
)
from hashmark.engine.rule import rule
from hashmark.games.roll_for_yardage import position as p
from hashmark.games.roll_for_yardage.position import Match, Position


@rule
def has_ball(before: Position, after: Position, team: int) -> bool:
    """Return whether this team has the ball on the field in the same half."""
    if after.possession != team or (after.phase != p.SCRIMMAGE and after.phase != p.RETURN):
        return False
    return same_half(before, after)


@rule
def first_down(m: Match, before: Position, after: Position, us: int) -> int:
    """Count outcomes in which we have a new set of downs."""
    return 1 if has_ball(before, after, us) and after.down == 1 else 0


@rule
def flag(m: Match, before: Position, after: Position, us: int) -> int:
    """Count outcomes with a penalty to accept or decline."""
    return 1 if after.phase == p.PENALTY else 0


FIGURES = (
    TOUCHDOWN,
    FIELD_GOAL,
    Figure("first_down_chance", "first down", first_down),
    *ball_figures(has_ball),
    Figure("flag_chance", "flag", flag),
    MAKES_POINTS,
    GIVES_POINTS,
    NET_POINTS,
)
_DOWN_COLUMNS = (*DOWN_COLUMNS[:-1], "flag_chance", DOWN_COLUMNS[-1])
COLUMNS = {
    "coin-toss": (),
    "choice": (),
    "kickoff": KICK_COLUMNS,
    "safety-kick": KICK_COLUMNS,
    "return": RETURN_COLUMNS,
    "scrimmage": _DOWN_COLUMNS,
    "penalty": _DOWN_COLUMNS,
    "try": TRY_COLUMNS,
}
