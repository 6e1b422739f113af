"""Figures of 4th Down! that the odds of a call show."""

from __future__ import annotations

from hashmark.engine.figures import (
    FIELD_GOAL,
    GIVES_POINTS,
    MAKES_POINTS,
    NET_POINTS,
    SPOT,
    TIME,
    TOUCHDOWN,
    Figure,
    ball_spot,
    gained,
)
from hashmark.engine.rule import rule
from hashmark.games.fourth_down import position as p
from hashmark.games.fourth_down.abstraction import progress
from hashmark.games.fourth_down.position import Match, Position


@rule
def has_ball(before: Position, after: Position, team: int) -> bool:
    """Return whether this team has the ball in the same half."""
    return after.possession == team and after.period == before.period and after.phase != p.TRY


@rule
def faces_fourth_down(m: Match, before: Position, after: Position, us: int) -> int:
    """Count outcomes in which we face a fourth down."""
    return 1 if has_ball(before, after, us) and after.phase == p.FOURTH_DOWN else 0


@rule
def first_down(m: Match, before: Position, after: Position, us: int) -> int:
    """Count outcomes in which we keep the ball for another drive."""
    return 1 if has_ball(before, after, us) and after.phase == p.DRIVE else 0


@rule
def their_ball(m: Match, before: Position, after: Position, us: int) -> int:
    """Count outcomes in which they have the ball and we scored no points."""
    return 1 if has_ball(before, after, 1 - us) and gained(before, after, us) == 0 else 0


@rule
def blocks_used(m: Match, before: Position, after: Position, us: int) -> int:
    """Return the time used."""
    return progress(m, after) - progress(m, before)


FIGURES = (
    TOUCHDOWN,
    FIELD_GOAL,
    Figure("first_down_chance", "first down", first_down),
    Figure("fourth_down_chance", "4th down", faces_fourth_down),
    Figure("fourth_down_spot", "4th down at", ball_spot, SPOT, faces_fourth_down),
    Figure("their_ball_chance", "their ball", their_ball),
    Figure("their_spot", "they start at", ball_spot, SPOT, their_ball),
    MAKES_POINTS,
    GIVES_POINTS,
    NET_POINTS,
    Figure("time", "blocks", blocks_used, TIME),
)
COLUMNS = {
    "coin-toss": (),
    "drive": (
        "touchdown_chance",
        "fourth_down_chance",
        "fourth_down_spot",
        "their_ball_chance",
        "their_spot",
        "gives_points_chance",
        "time",
    ),
    "fourth-down": (
        "first_down_chance",
        "touchdown_chance",
        "field_goal_chance",
        "their_ball_chance",
        "their_spot",
        "gives_points_chance",
    ),
    "untimed-down": ("touchdown_chance", "field_goal_chance", "net_points"),
    "try": ("makes_points_chance", "net_points"),
}
