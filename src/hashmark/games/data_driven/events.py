"""Events of a game, what they count, and the statistics of the box score."""

from __future__ import annotations

from hashmark.engine.effects import emit
from hashmark.engine.events import EventKind, Statistics
from hashmark.engine.rule import rule
from hashmark.games.data_driven import position as p
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
    adds: dict[str, int | str] = {f"{name}_calls": 1, f"{name}_yards": "a"}
    return _event(f"{name} called", "a", "b", "c", adds=adds)


# Events; the letters are the numbers emitted with them. Spots are from the event's team's side.
WINS_TOSS = _event("wins toss", "a", "b", "c")  # a: period
RECEIVES = _event("receives", "a", "b", "c")
KICKS_OFF = _event("kicks off", "a", "b", "c")  # a yards, b landing spot
SQUIBS = _event("squibs", "a", "b", "c")  # a yards, b landing spot
ONSIDE_KICK = _event("onside kick", "a", "b", "c")  # a: 1 recovered, b spot
KICKS_OUT_OF_BOUNDS = _event("kicks out of bounds", "a", "b", "c")
CALLS_PLAY = _event("calls", "a", "b", "c")  # a play, b formation
REVEALS = _event(
    "reveals", "a", "b", "c"
)  # a play, b formation, while audibles may still change them
AUDIBLES = _event("audibles", "a", "b", "c")  # a: 1 with a timeout
MEETS = _event(
    "meets", "a", "b", "c"
)  # a the offense's cell, b the defense's, c the chart's row and its word
MUFFS_SNAP = _event("muffs snap", "a", "b", "c")
FLAG = _event("flag", "a", "b", "c")  # a foul, b yards of pass interference or grounding
FLAG_CANCELLED = _event("flag cancelled", "a", "b", "c")  # a foul
BREAKS_AWAY = _event("breaks away", "a", "b", "c")
BIG_PLAY = _event("big play", "a", "b", "c")
TRAPPED = _event("trapped", "a", "b", "c")
MISSES_SACK = _event("misses sack", "a", "b", "c")
FORCES_SACK = _event("forces sack", "a", "b", "c")
PICKED_OFF = _event("picked off", "a", "b", "c")  # a spot
FUMBLES = _event("fumbles", "a", "b", "c")  # a spot
RECOVERS = _event("recovers", "a", "b", "c")  # a spot
RETURNS = _event("returns", "a", "b", "c")  # a yards, b spot where it ends
RETURNS_TO_SCORE = _event("returns to score", "a", "b", "c")
FALLS_ON_IT = _event("falls on it", "a", "b", "c")
FAIR_CATCH = _event("fair catch", "a", "b", "c")  # a spot
LETS_ROLL = _event("lets roll", "a", "b", "c")  # a yards toward the own goal line
OFFSETTING = _event("offsetting", "a", "b", "c")
DECLINED = _event(
    "declined", "a", "b", "c", adds={"penalties_declined": 1}
)  # team: the one that fouled; a foul
PENALIZED = _event(
    "penalised", "a", "b", "c", adds={"penalties": 1, "penalty_yards": "a"}
)  # a yards, b foul
REKICKS = _event("rekick", "a", "b", "c")
RUNS = _event(
    "runs", "a", "b", "c", adds={"rushes": 1, "rushing_yards": "a", "yards": "a", "plays": 1}
)  # a yards, b spot
COMPLETES = _event(
    "completes",
    "a",
    "b",
    "c",
    adds={"passes": 1, "completions": 1, "passing_yards": "a", "yards": "a", "plays": 1},
)  # a yards, b spot
THROWS_INCOMPLETE = _event("incomplete", "a", "b", "c", adds={"passes": 1, "plays": 1})
THROWS_INTERCEPTION = _event(
    "intercepted", "a", "b", "c", adds={"passes": 1, "interceptions": 1, "plays": 1}
)
SACKED = _event(
    "sacked", "a", "b", "c", adds={"sacked": 1, "sack_yards": "a", "yards": "a", "plays": 1}
)  # a yards, b spot
SCRAMBLES = _event(
    "scrambles",
    "a",
    "b",
    "c",
    adds={"scrambles": 1, "rushes": 1, "rushing_yards": "a", "yards": "a", "plays": 1},
)
KNEELS = _event(
    "kneels", "a", "b", "c", adds={"rushes": 1, "rushing_yards": "a", "yards": "a", "plays": 1}
)
SPIKES = _event("spikes", "a", "b", "c", adds={"passes": 1, "plays": 1})
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
LOSES_FUMBLE = _event("loses fumble", "a", "b", "c", adds={"fumbles_lost": 1, "turnovers": 1})
LOSES_PASS = _event("loses pass", "a", "b", "c", adds={"turnovers": 1})
FIRST_DOWN = _event("first down", "a", "b", "c", adds={"first_downs": 1})
FIRST_DOWN_BY_PENALTY = _event(
    "first down by penalty", "a", "b", "c", adds={"first_downs": 1, "first_downs_by_penalty": 1}
)
THIRD_DOWN = _event("third down", "a", "b", "c", adds={"third_downs": 1, "third_downs_made": "a"})
FOURTH_DOWN = _event(
    "fourth down", "a", "b", "c", adds={"fourth_downs": 1, "fourth_downs_made": "a"}
)
OVER_ON_DOWNS = _event("over on downs", "a", "b", "c")
BEGINS_DRIVE = _event("begins drive", "a", "b", "c", adds={"drives": 1})  # a spot
KICKOFF_OVER = _event("kickoff over", "a", "b", "c", adds={"kickoffs": 1})
KICK_RETURNED = _event(
    "kick returned", "a", "b", "c", adds={"kick_returns": 1, "kick_return_yards": "a"}
)
PUNTS = _event("punts", "a", "b", "c")  # a yards, b landing spot
PUNT_OVER = _event("punt over", "a", "b", "c", adds={"punts": 1, "punt_yards": "a"})
PUNT_RETURNED = _event(
    "punt returned", "a", "b", "c", adds={"punt_returns": 1, "punt_return_yards": "a"}
)
BLOCKED = _event("blocked", "a", "b", "c")  # a spot
TOUCHBACK = _event("touchback", "a", "b", "c", adds={"touchbacks": 1})
FIELD_GOAL_GOOD = _event(
    "field goal good",
    "a",
    "b",
    "c",
    adds={"points": t.FIELD_GOAL_POINTS, "field_goals": 1, "field_goals_tried": 1},
)  # a length
FIELD_GOAL_MISSED = _event(
    "field goal missed", "a", "b", "c", adds={"field_goals_tried": 1}
)  # a length
TOUCHDOWN = _event("touchdown", "a", "b", "c", adds={"points": t.TOUCHDOWN_POINTS, "touchdowns": 1})
SAFETY_SCORED = _event("safety", "a", "b", "c", adds={"points": t.SAFETY_POINTS, "safeties": 1})
EXTRA_POINT_GOOD = _event(
    "extra point good",
    "a",
    "b",
    "c",
    adds={"points": t.EXTRA_POINT_POINTS, "extra_points": 1, "extra_points_tried": 1},
)
EXTRA_POINT_MISSED = _event("extra point missed", "a", "b", "c", adds={"extra_points_tried": 1})
TWO_POINTS_GOOD = _event(
    "two points good",
    "a",
    "b",
    "c",
    adds={"points": t.TWO_POINT_POINTS, "two_points": 1, "two_points_tried": 1},
)
TWO_POINTS_FAILED = _event("two points failed", "a", "b", "c", adds={"two_points_tried": 1})
CALLS_TIMEOUT = _event("timeout", "a", "b", "c", adds={"timeouts_used": 1})
HURRIES = _event("hurries", "a", "b", "c")
TIME = _event(
    "time", "a", "b", "c", adds={"seconds": "a"}
)  # a seconds; team: the one that had the ball
PERIOD_OVER = _event("period over", "a", "b", "c")  # a period
WINS = _event("wins", "a", "b", "c")
BREAKS_UP = _event("breaks up", "a", "b", "c")  # E1: the pass becomes incomplete
STOPS_SHORT = _event("stops short", "a", "b", "c")  # E1: a yards gained after all
LACKS_INCHES = _event("lacks inches", "a", "b", "c")  # E2
CROWD_CARRIES = _event("crowd carries", "a", "b", "c")  # E3: the home team, a yard farther
CROWD_HINDERS = _event("crowd hinders", "a", "b", "c")  # E3: the visitors, a yard less


@rule
def tell_way(g: p.Position, team: int) -> None:
    """Emit what the offense did on a play that stands."""
    spot = g.spot + g.gain
    if g.way == p.RAN:
        emit(g, RUNS, team, g.gain, spot)
    elif g.way == p.COMPLETED:
        emit(g, COMPLETES, team, g.gain, spot)
    elif g.way == p.MISSED:
        emit(g, THROWS_INCOMPLETE, team)
    elif g.way == p.INTERCEPTED:
        emit(g, THROWS_INTERCEPTION, team)
    elif g.way == p.SACKED:
        emit(g, SACKED, team, g.gain, spot)
    elif g.way == p.SCRAMBLED:
        emit(g, SCRAMBLES, team, g.gain, spot)
    elif g.way == p.KNELT:
        emit(g, KNEELS, team, g.gain, spot)


@rule
def tell_play(g: p.Position, team: int) -> None:
    """Emit the statistics by play."""
    if g.play == t.LINE_PLUNGE:
        emit(g, PLUNGE_CALLED, team, g.gain)
    elif g.play == t.OFF_TACKLE:
        emit(g, TACKLE_CALLED, team, g.gain)
    elif g.play == t.END_RUN:
        emit(g, END_RUN_CALLED, team, g.gain)
    elif g.play == t.DRAW:
        emit(g, DRAW_CALLED, team, g.gain)
    elif g.play == t.SCREEN:
        emit(g, SCREEN_CALLED, team, g.gain)
    elif g.play == t.SHORT_PASS:
        emit(g, SHORT_CALLED, team, g.gain)
    elif g.play == t.MEDIUM_PASS:
        emit(g, MEDIUM_CALLED, team, g.gain)
    elif g.play == t.LONG_PASS:
        emit(g, LONG_CALLED, team, g.gain)
    elif g.play == t.SIDELINE_PASS:
        emit(g, SIDELINE_CALLED, team, g.gain)


@rule
def tell_turnovers(g: p.Position) -> None:
    """Emit each loss of the ball: possession alternates, and the last team has it."""
    loser = 1 - g.holder
    if g.changes % 2 == 0:
        loser = g.holder
    for change in range(g.changes):
        if change == 0 and g.way == p.INTERCEPTED:
            emit(g, LOSES_PASS, loser)
        else:
            emit(g, LOSES_FUMBLE, loser)
        loser = 1 - loser
