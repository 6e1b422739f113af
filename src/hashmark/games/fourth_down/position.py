"""Match and position records of 4th Down!, and the names of their values."""

from __future__ import annotations

from hashmark.engine.events import Statistics
from hashmark.engine.record import (
    MatchRecord,
    PositionRecord,
    flag,
    named,
    named_or_none,
    per_team,
    points,
    team_or_none,
    whole,
)
from hashmark.games.fourth_down.tables import FULL_CLOCK_BLOCKS

PHASES = ("coin-toss", "drive", "fourth-down", "untimed-down", "try", "over")
COIN_TOSS, DRIVE, FOURTH_DOWN, UNTIMED_DOWN, TRY, OVER = range(len(PHASES))

CALLS = (
    "balanced",
    "run-first",
    "pass-first",
    "go-for-it",
    "field-goal",
    "punt",
    "end-half",
    "one-point",
    "two-point",
)
(
    BALANCED,
    RUN_FIRST,
    PASS_FIRST,
    GO_FOR_IT,
    FIELD_GOAL,
    PUNT,
    END_HALF,
    ONE_POINT,
    TWO_POINT,
) = range(len(CALLS))

TURNOVER_SPOTS = ("end", "start")
END_OF_DRIVE = TURNOVER_SPOTS.index("end")
PUNT_TOUCHBACKS = ("twenty", "goal-line")
INSIDE_TWENTY = PUNT_TOUCHBACKS.index("twenty")
TOUCHDOWN_TIMES = ("row", "die")
TIME_OF_DIE = TOUCHDOWN_TIMES.index("die")


class Match(MatchRecord):
    """Options in force; each holds the index of its value, 0 being the default."""

    turnover_spot: int = named(*TURNOVER_SPOTS)
    punt_touchback: int = named(*PUNT_TOUCHBACKS)
    late_half_ends: int = flag()
    touchdown_time: int = named(*TOUCHDOWN_TIMES)


class Position(PositionRecord):
    """State of a game of 4th Down!."""

    phase: int = named(*PHASES)
    period: int = whole(1, 2, default=1)
    clock: int = whole(0, FULL_CLOCK_BLOCKS, default=FULL_CLOCK_BLOCKS)
    possession: int = team_or_none()
    spot: int = whole(1, 99, null_value=0)
    score: list[int] = per_team(points())
    down: int = whole(1, 4, null_value=0)
    to_go: int = whole(1, 20, null_value=0)
    received_first: int = team_or_none()
    untimed: int = flag()
    winner: int = named_or_none("home", "away", "tie")


STATISTICS = Statistics(
    "points",
    "drives",
    "yards",
    "blocks",
    "touchdowns",
    "field_goals",
    "field_goals_tried",
    "safeties",
    "turnovers",
    "lost_on_downs",
    "fourth_downs_tried",
    "fourth_downs_made",
    "punts",
    "one_points",
    "one_points_tried",
    "two_points",
    "two_points_tried",
)

_event = STATISTICS.declare

RECEIVES = _event("receives", "half")
DRIVES = _event(
    "drives", "gain", "blocks", "spot", adds={"drives": 1, "yards": "gain", "blocks": "blocks"}
)
STALLS = _event("stalls", adds={"drives": 1})  # no row fits: nothing but the roll
CUT_SHORT = _event("cut short")  # the drive does not fit into the half
GETS_UNTIMED = _event("gets untimed", "spot")
LOSES_BALL = _event("loses ball", "opponent_spot", "lost_touchdown", adds={"turnovers": 1})
TOUCHDOWN = _event("touchdown", adds={"points": 6, "touchdowns": 1})
SAFETY = _event("safety", adds={"points": 2, "safeties": 1})
FACES_FOURTH = _event("faces fourth", "to_go", "spot")
CONVERTS = _event(
    "converts",
    "gain",
    "spot",
    adds={"fourth_downs_tried": 1, "fourth_downs_made": 1, "yards": "gain"},
)
FAILS = _event(
    "fails",
    "gain",
    "opponent_spot",
    adds={"fourth_downs_tried": 1, "lost_on_downs": 1, "yards": "gain"},
)
SCORES_ON_FOURTH = _event(
    "scores on fourth",
    "gain",
    adds={"fourth_downs_tried": 1, "fourth_downs_made": 1, "yards": "gain"},
)
CAUGHT_ON_FOURTH = _event(
    "caught on fourth", "gain", adds={"fourth_downs_tried": 1, "yards": "gain"}
)
TRIES_UNTIMED = _event("tries untimed", "gain", adds={"yards": "gain"})
KICK_GOOD = _event(
    "kick good", "distance", adds={"points": 3, "field_goals": 1, "field_goals_tried": 1}
)
KICK_MISSED = _event(
    "kick missed", "distance", "opponent_spot", adds={"field_goals_tried": 1}
)  # no spot if the half is over
PUNTS = _event("punts", "opponent_spot", adds={"punts": 1})
ONE_POINT_GOOD = _event(
    "one point good", adds={"points": 1, "one_points": 1, "one_points_tried": 1}
)
ONE_POINT_MISSED = _event("one point missed", adds={"one_points_tried": 1})
TWO_POINTS_GOOD = _event(
    "two points good", adds={"points": 2, "two_points": 1, "two_points_tried": 1}
)
TWO_POINTS_MISSED = _event("two points missed", adds={"two_points_tried": 1})
LETS_HALF_END = _event("lets half end")
HALF_OVER = _event("half over", "half")
