"""Figures that the odds panel shows for each answer in the two-minute drill."""

from __future__ import annotations

from hashmark.engine.figures import NET_POINTS, SPOT, TIME, Figure, ball_spot
from hashmark.engine.rule import rule
from hashmark.games.two_minute_drill import position as p
from hashmark.games.two_minute_drill.abstraction import progress
from hashmark.games.two_minute_drill.position import Match, Position


@rule
def is_play_over(m: Match, g: Position) -> bool:
    """Return whether no dice are on the table."""
    return g.phase == p.SCRIMMAGE or g.phase == p.OVER


@rule
def won(m: Match, before: Position, after: Position, us: int) -> int:
    """Return 1 if the drive is won at once."""
    if after.phase == p.OVER:
        return 1 if after.winner == us else 0
    return 1 if after.possession != before.possession else 0


@rule
def lost(m: Match, before: Position, after: Position, us: int) -> int:
    """Return 1 if the game is lost at once."""
    return 1 if after.phase == p.OVER and after.winner != us else 0


@rule
def our_ball(m: Match, before: Position, after: Position, us: int) -> int:
    """Return 1 if the drive continues."""
    return 1 if after.phase != p.OVER and after.possession == us and after.chance == 0 else 0


@rule
def spaces_used(m: Match, before: Position, after: Position, us: int) -> int:
    """Return how many spaces of the clock were crossed off."""
    return progress(m, after) - progress(m, before)


_FUMBLES = ("referee_fumble_lost", "referee_fumble_kept")
_GROUPS = ("triples_forward", "triples_back", "quads_forward", "quads_back", "fives", "sixes")
FIGURES = (
    Figure("good_play_chance", "good play", ("referee_good", "referee_defence_penalty")),
    Figure("first_down_chance", "first down", ("first_downs",)),
    Figure("wins_at_once_chance", "drive won", won),
    Figure("incomplete_chance", "incomplete", ("referee_incomplete",)),
    Figure("fumble_chance", "fumble", _FUMBLES),
    Figure("offence_penalty_chance", "penalty", ("referee_offence_penalty",)),
    Figure("group_chance", "3 of a kind", _GROUPS),
    Figure("loses_at_once_chance", "lost", lost),
    Figure("our_spot", "ball at", ball_spot, SPOT, our_ball),
    Figure("time", "spaces", spaces_used, TIME, our_ball),
    NET_POINTS,
)
_PLAY = (
    "good_play_chance",
    "first_down_chance",
    "wins_at_once_chance",
    "incomplete_chance",
    "fumble_chance",
    "offence_penalty_chance",
    "group_chance",
    "loses_at_once_chance",
    "our_spot",
    "time",
)
COLUMNS = dict.fromkeys(p.PHASES[: p.OVER], _PLAY)
