"""What a coach of Roll For Yardage! wants to know of a call."""

from __future__ import annotations

from hashmark.games.roll_for_yardage import position as p
from hashmark.games.roll_for_yardage.position import Match, Position
from hashmark.table.figures import (
    FIELD_GOAL,
    GIVES_POINTS,
    MAKES_POINTS,
    NET_POINTS,
    SPOT,
    TOUCHDOWN,
    Figure,
    gained,
)
from hashmark.table.rule import rule


@rule
def has_ball(before: Position, after: Position, team: int) -> bool:
    """This team has the ball on the field, before the half is over."""
    if after.possession != team or (after.phase != p.SCRIMMAGE and after.phase != p.RETURN):
        return False
    return after.period == before.period or before.period == 1 or before.period == 3


@rule
def our_ball(m: Match, before: Position, after: Position, us: int) -> int:
    """We have the ball."""
    return 1 if has_ball(before, after, us) else 0


@rule
def their_ball(m: Match, before: Position, after: Position, us: int) -> int:
    """They have the ball, and we have no points for it."""
    return 1 if has_ball(before, after, 1 - us) and gained(before, after, us) == 0 else 0


@rule
def first_down(m: Match, before: Position, after: Position, us: int) -> int:
    """A new set of downs of ours."""
    return 1 if has_ball(before, after, us) and after.down == 1 else 0


@rule
def flag(m: Match, before: Position, after: Position, us: int) -> int:
    """A penalty is to be accepted or declined."""
    return 1 if after.phase == p.PENALTY else 0


@rule
def spot(m: Match, before: Position, after: Position, us: int) -> int:
    """Where the ball lies, as the team that has it sees it."""
    return after.spot


FIGURES = (
    TOUCHDOWN,
    FIELD_GOAL,
    Figure("first_down_chance", "first down", first_down),
    Figure("our_ball_chance", "our ball", our_ball),
    Figure("our_spot", "ours at", spot, SPOT, our_ball),
    Figure("their_ball_chance", "their ball", their_ball),
    Figure("their_spot", "theirs at", spot, SPOT, their_ball),
    Figure("flag_chance", "flag", flag),
    MAKES_POINTS,
    GIVES_POINTS,
    NET_POINTS,
)
_KICK = ("our_ball_chance", "our_spot", "their_spot", "gives_points_chance")
_DOWN = (
    "first_down_chance",
    "touchdown_chance",
    "field_goal_chance",
    "our_spot",
    "their_ball_chance",
    "their_spot",
    "flag_chance",
    "gives_points_chance",
)
COLUMNS = {
    "coin-toss": (),
    "choice": (),
    "kickoff": _KICK,
    "safety-kick": _KICK,
    "return": (
        "our_spot",
        "touchdown_chance",
        "their_ball_chance",
        "their_spot",
        "gives_points_chance",
    ),
    "scrimmage": _DOWN,
    "penalty": _DOWN,
    "try": ("makes_points_chance", "gives_points_chance", "net_points"),
}
