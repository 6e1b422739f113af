"""What a coach of Data-Driven Football wants to know of a call."""

from __future__ import annotations

from hashmark.games.data_driven import position as p
from hashmark.games.data_driven.essence import progress
from hashmark.games.data_driven.position import Match, Position
from hashmark.table.figures import (
    FIELD_GOAL,
    GIVES_POINTS,
    MAKES_POINTS,
    NET_POINTS,
    SPOT,
    TIME,
    TOUCHDOWN,
    YARDS,
    Figure,
    gained,
)
from hashmark.table.rule import rule


@rule
def has_ball(before: Position, after: Position, team: int) -> bool:
    """This team has the ball at the line, before the half is over."""
    if after.possession != team or after.phase != p.SCRIMMAGE:
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
def spot(m: Match, before: Position, after: Position, us: int) -> int:
    """Where the ball lies, as the team that has it sees it."""
    return after.spot


@rule
def seconds(m: Match, before: Position, after: Position, us: int) -> int:
    """Time used."""
    return progress(m, after) - progress(m, before)


FIGURES = (
    Figure("expected_yards", "yards", ("yards",), YARDS),
    Figure("first_down_chance", "first down", ("first_downs",)),
    TOUCHDOWN,
    FIELD_GOAL,
    Figure("turnover_chance", "turnover", ("turnovers",)),
    Figure("our_ball_chance", "our ball", our_ball),
    Figure("our_spot", "ours at", spot, SPOT, our_ball),
    Figure("their_ball_chance", "their ball", their_ball),
    Figure("their_spot", "theirs at", spot, SPOT, their_ball),
    MAKES_POINTS,
    GIVES_POINTS,
    NET_POINTS,
    Figure("time", "seconds", seconds, TIME),
)
_KICK = ("our_ball_chance", "our_spot", "their_spot", "gives_points_chance")
_RETURN = (
    "our_spot",
    "touchdown_chance",
    "their_ball_chance",
    "their_spot",
    "gives_points_chance",
)
_DOWN = (
    "first_down_chance",
    "touchdown_chance",
    "field_goal_chance",
    "our_spot",
    "their_ball_chance",
    "their_spot",
    "gives_points_chance",
)
_SECRET = ("expected_yards", "first_down_chance", "touchdown_chance", "turnover_chance")
_CLOCK = ("time",)
COLUMNS = {
    "coin": (),
    "toss": (),
    "kick": _KICK,
    "kick-return": _RETURN,
    "rekick": _RETURN,
    "play": _DOWN,
    "formation": (*_SECRET, "net_points"),
    "offence-audible": (*_SECRET, "net_points"),
    "defence-audible": (*_SECRET, "net_points"),
    "roll-or-return": _RETURN,
    "fumble-return": _RETURN,
    "penalty": _DOWN,
    "tack-on": _DOWN,
    "try": ("makes_points_chance", "gives_points_chance", "net_points"),
    "offence-timeout": _CLOCK,
    "defence-timeout": _CLOCK,
    "tempo": _CLOCK,
    "roll-again": _DOWN,
}
