"""Figures about a call that a coach of Data-Driven Football wants to see."""

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
    YARDS,
    Figure,
    ball_figures,
    same_half,
)
from hashmark.engine.rule import rule
from hashmark.games.data_driven import position as p
from hashmark.games.data_driven.abstraction import progress
from hashmark.games.data_driven.position import Match, Position


@rule
def has_ball(before: Position, after: Position, team: int) -> bool:
    """Return whether this team has the ball at the line before the half is over."""
    if after.possession != team or after.phase != p.SCRIMMAGE:
        return False
    return same_half(before, after)


@rule
def seconds(m: Match, before: Position, after: Position, us: int) -> int:
    """Return the time used."""
    return progress(m, after) - progress(m, before)


FIGURES = (
    Figure("expected_yards", "yards", ("yards",), YARDS),
    Figure("first_down_chance", "first down", ("first_downs",)),
    TOUCHDOWN,
    FIELD_GOAL,
    Figure("turnover_chance", "turnover", ("turnovers",)),
    *ball_figures(has_ball),
    MAKES_POINTS,
    GIVES_POINTS,
    NET_POINTS,
    Figure("time", "seconds", seconds, TIME),
)
_SECRET = ("expected_yards", "first_down_chance", "touchdown_chance", "turnover_chance")
_CLOCK = ("time",)
COLUMNS = {
    "coin": (),
    "toss": (),
    "kick": KICK_COLUMNS,
    "kick-return": RETURN_COLUMNS,
    "rekick": RETURN_COLUMNS,
    "play": DOWN_COLUMNS,
    "formation": (*_SECRET, "net_points"),
    "offence-audible": (*_SECRET, "net_points"),
    "defence-audible": (*_SECRET, "net_points"),
    "roll-or-return": RETURN_COLUMNS,
    "fumble-return": RETURN_COLUMNS,
    "penalty": DOWN_COLUMNS,
    "tack-on": DOWN_COLUMNS,
    "try": TRY_COLUMNS,
    "offence-timeout": _CLOCK,
    "defence-timeout": _CLOCK,
    "tempo": _CLOCK,
    "roll-again": DOWN_COLUMNS,
}
