"""Events of a game, what they count, and the statistics of the box score."""

from __future__ import annotations

from hashmark.engine.events import EventKind, Statistics
from hashmark.games.data_driven import tables as t

_BY_PLAY = tuple(name.replace("-", "_") for name in t.PLAYS)
STATISTICS = Statistics(
    "points",
    "yards",
    "plays",
    "turnovers",
    "first_downs",
    "first_downs_by_penalty",
    "third_downs",
    "third_downs_made",
    "fourth_downs",
    "fourth_downs_made",
    "rushes",
    "rushing_yards",
    "passes",
    "completions",
    "passing_yards",
    "interceptions",
    "sacked",
    "sack_yards",
    "scrambles",
    "fumbles_lost",
    "penalties",
    "penalty_yards",
    "penalties_declined",
    "punts",
    "punt_yards",
    "punt_returns",
    "punt_return_yards",
    "kickoffs",
    "kick_returns",
    "kick_return_yards",
    "touchbacks",
    "field_goals",
    "field_goals_tried",
    "touchdowns",
    "extra_points",
    "extra_points_tried",
    "two_points",
    "two_points_tried",
    "safeties",
    "timeouts_used",
    "seconds",
    "drives",
    *(f"{name}_calls" for name in _BY_PLAY),
    *(f"{name}_yards" for name in _BY_PLAY),
)

_event = STATISTICS.declare


def _play_event(name: str) -> EventKind:
    """Return the event that counts one call of a play and its yards."""
    adds: dict[str, int | str] = {f"{name}_calls": 1, f"{name}_yards": "yards"}
    return _event(f"{name} called", "yards", adds=adds)


# Events. Spots are from the side of the event's team.
WINS_TOSS = _event("wins toss", "period")
RECEIVES = _event("receives")
KICKS_OFF = _event("kicks off", "yards", "spot")
SQUIBS = _event("squibs", "yards", "spot")
ONSIDE_KICK = _event("onside kick", "recovered", "spot")
KICKS_OUT_OF_BOUNDS = _event("kicks out of bounds")
CALLS_PLAY = _event("calls", "play", "formation")
REVEALS = _event("reveals", "play", "formation")  # while audibles may still change them
AUDIBLES = _event("audibles", "with_timeout")
MEETS = _event("meets", "offense_cell", "defense_cell", "row_and_action")  # on the Priority Chart
MUFFS_SNAP = _event("muffs snap")
FLAG = _event("flag", "foul", "yards")  # yards of pass interference or grounding
FLAG_CANCELLED = _event("flag cancelled", "foul")
BREAKS_AWAY = _event("breaks away")
BIG_PLAY = _event("big play")
TRAPPED = _event("trapped")
MISSES_SACK = _event("misses sack")
FORCES_SACK = _event("forces sack")
PICKED_OFF = _event("picked off", "spot")
FUMBLES = _event("fumbles", "spot")
RECOVERS = _event("recovers", "spot")
RETURNS = _event("returns", "yards", "spot")  # spot where it ends
RETURNS_TO_SCORE = _event("returns to score")
FALLS_ON_IT = _event("falls on it")
FAIR_CATCH = _event("fair catch", "spot")
LETS_ROLL = _event("lets roll", "yards")  # toward the own goal line
OFFSETTING = _event("offsetting")
DECLINED = _event("declined", "foul", adds={"penalties_declined": 1})  # team: the one that fouled
PENALIZED = _event("penalised", "yards", "foul", adds={"penalties": 1, "penalty_yards": "yards"})
REKICKS = _event("rekick")
_RUSH: dict[str, int | str] = {
    "rushes": 1,
    "rushing_yards": "yards",
    "yards": "yards",
    "plays": 1,
}
RUNS = _event("runs", "yards", "spot", adds=_RUSH)
COMPLETES = _event(
    "completes",
    "yards",
    "spot",
    adds={"passes": 1, "completions": 1, "passing_yards": "yards", "yards": "yards", "plays": 1},
)
THROWS_INCOMPLETE = _event("incomplete", adds={"passes": 1, "plays": 1})
THROWS_INTERCEPTION = _event("intercepted", adds={"passes": 1, "interceptions": 1, "plays": 1})
SACKED = _event(
    "sacked",
    "yards",
    "spot",
    adds={"sacked": 1, "sack_yards": "yards", "yards": "yards", "plays": 1},
)
SCRAMBLES = _event("scrambles", "yards", "spot", adds={"scrambles": 1, **_RUSH})
KNEELS = _event("kneels", "yards", "spot", adds=_RUSH)
SPIKES = _event("spikes", adds={"passes": 1, "plays": 1})
(
    PLUNGE_CALLED,
    TACKLE_CALLED,
    END_RUN_CALLED,
    DRAW_CALLED,
    SCREEN_CALLED,
    SHORT_CALLED,
    MEDIUM_CALLED,
    LONG_CALLED,
    SIDELINE_CALLED,
) = (_play_event(name) for name in _BY_PLAY)
LOSES_FUMBLE = _event("loses fumble", adds={"fumbles_lost": 1, "turnovers": 1})
LOSES_PASS = _event("loses pass", adds={"turnovers": 1})
FIRST_DOWN = _event("first down", adds={"first_downs": 1})
FIRST_DOWN_BY_PENALTY = _event(
    "first down by penalty", adds={"first_downs": 1, "first_downs_by_penalty": 1}
)
THIRD_DOWN = _event("third down", "made", adds={"third_downs": 1, "third_downs_made": "made"})
FOURTH_DOWN = _event("fourth down", "made", adds={"fourth_downs": 1, "fourth_downs_made": "made"})
OVER_ON_DOWNS = _event("over on downs")
BEGINS_DRIVE = _event("begins drive", "spot", adds={"drives": 1})
KICKOFF_OVER = _event("kickoff over", adds={"kickoffs": 1})
KICK_RETURNED = _event(
    "kick returned", "yards", adds={"kick_returns": 1, "kick_return_yards": "yards"}
)
PUNTS = _event("punts", "yards", "spot")
PUNT_OVER = _event("punt over", "yards", adds={"punts": 1, "punt_yards": "yards"})
PUNT_RETURNED = _event(
    "punt returned", "yards", adds={"punt_returns": 1, "punt_return_yards": "yards"}
)
BLOCKED = _event("blocked", "spot")
TOUCHBACK = _event("touchback", adds={"touchbacks": 1})
FIELD_GOAL_GOOD = _event(
    "field goal good",
    "yards",
    adds={"points": t.FIELD_GOAL_POINTS, "field_goals": 1, "field_goals_tried": 1},
)
FIELD_GOAL_MISSED = _event("field goal missed", "yards", adds={"field_goals_tried": 1})
TOUCHDOWN = _event("touchdown", adds={"points": t.TOUCHDOWN_POINTS, "touchdowns": 1})
SAFETY_SCORED = _event("safety", adds={"points": t.SAFETY_POINTS, "safeties": 1})
EXTRA_POINT_GOOD = _event(
    "extra point good",
    adds={"points": t.EXTRA_POINT_POINTS, "extra_points": 1, "extra_points_tried": 1},
)
EXTRA_POINT_MISSED = _event("extra point missed", adds={"extra_points_tried": 1})
TWO_POINTS_GOOD = _event(
    "two points good",
    adds={"points": t.TWO_POINT_POINTS, "two_points": 1, "two_points_tried": 1},
)
TWO_POINTS_FAILED = _event("two points failed", adds={"two_points_tried": 1})
CALLS_TIMEOUT = _event("timeout", adds={"timeouts_used": 1})
HURRIES = _event("hurries")
TIME = _event("time", "seconds", adds={"seconds": "seconds"})  # team: the one that had the ball
PERIOD_OVER = _event("period over", "period")
WINS = _event("wins")
BREAKS_UP = _event("breaks up")  # E1: the pass becomes incomplete
STOPS_SHORT = _event("stops short", "yards")  # E1: gained after all
LACKS_INCHES = _event("lacks inches")  # E2
CROWD_CARRIES = _event("crowd carries")  # E3: the home team, a yard farther
CROWD_HINDERS = _event("crowd hinders")  # E3: the visitors, a yard less
