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
    return _event(f"{name} called", **adds)


# Events; the letters are the numbers emitted with them. Spots are from the event's team's side.
WINS_TOSS = _event("wins toss")  # a: period
RECEIVES = _event("receives")
KICKS_OFF = _event("kicks off")  # a yards, b landing spot
SQUIBS = _event("squibs")  # a yards, b landing spot
ONSIDE_KICK = _event("onside kick")  # a: 1 recovered, b spot
KICKS_OUT_OF_BOUNDS = _event("kicks out of bounds")
CALLS_PLAY = _event("calls")  # a play, b formation
REVEALS = _event("reveals")  # a play, b formation, while audibles may still change them
AUDIBLES = _event("audibles")  # a: 1 with a timeout
MEETS = _event("meets")  # a the offense's cell, b the defense's, c the chart's row and its word
MUFFS_SNAP = _event("muffs snap")
FLAG = _event("flag")  # a foul, b yards of pass interference or grounding
FLAG_CANCELLED = _event("flag cancelled")  # a foul
BREAKS_AWAY = _event("breaks away")
BIG_PLAY = _event("big play")
TRAPPED = _event("trapped")
MISSES_SACK = _event("misses sack")
FORCES_SACK = _event("forces sack")
PICKED_OFF = _event("picked off")  # a spot
FUMBLES = _event("fumbles")  # a spot
RECOVERS = _event("recovers")  # a spot
RETURNS = _event("returns")  # a yards, b spot where it ends
RETURNS_TO_SCORE = _event("returns to score")
FALLS_ON_IT = _event("falls on it")
FAIR_CATCH = _event("fair catch")  # a spot
LETS_ROLL = _event("lets roll")  # a yards toward the own goal line
OFFSETTING = _event("offsetting")
DECLINED = _event("declined", penalties_declined=1)  # team: the one that fouled; a foul
PENALIZED = _event("penalised", penalties=1, penalty_yards="a")  # a yards, b foul
REKICKS = _event("rekick")
RUNS = _event("runs", rushes=1, rushing_yards="a", yards="a", plays=1)  # a yards, b spot
COMPLETES = _event(
    "completes", passes=1, completions=1, passing_yards="a", yards="a", plays=1
)  # a yards, b spot
THROWS_INCOMPLETE = _event("incomplete", passes=1, plays=1)
THROWS_INTERCEPTION = _event("intercepted", passes=1, interceptions=1, plays=1)
SACKED = _event("sacked", sacked=1, sack_yards="a", yards="a", plays=1)  # a yards, b spot
SCRAMBLES = _event("scrambles", scrambles=1, rushes=1, rushing_yards="a", yards="a", plays=1)
KNEELS = _event("kneels", rushes=1, rushing_yards="a", yards="a", plays=1)
SPIKES = _event("spikes", passes=1, plays=1)
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
LOSES_FUMBLE = _event("loses fumble", fumbles_lost=1, turnovers=1)
LOSES_PASS = _event("loses pass", turnovers=1)
FIRST_DOWN = _event("first down", first_downs=1)
FIRST_DOWN_BY_PENALTY = _event("first down by penalty", first_downs=1, first_downs_by_penalty=1)
THIRD_DOWN = _event("third down", third_downs=1, third_downs_made="a")
FOURTH_DOWN = _event("fourth down", fourth_downs=1, fourth_downs_made="a")
OVER_ON_DOWNS = _event("over on downs")
BEGINS_DRIVE = _event("begins drive", drives=1)  # a spot
KICKOFF_OVER = _event("kickoff over", kickoffs=1)
KICK_RETURNED = _event("kick returned", kick_returns=1, kick_return_yards="a")
PUNTS = _event("punts")  # a yards, b landing spot
PUNT_OVER = _event("punt over", punts=1, punt_yards="a")
PUNT_RETURNED = _event("punt returned", punt_returns=1, punt_return_yards="a")
BLOCKED = _event("blocked")  # a spot
TOUCHBACK = _event("touchback", touchbacks=1)
FIELD_GOAL_GOOD = _event(
    "field goal good", points=t.FIELD_GOAL_POINTS, field_goals=1, field_goals_tried=1
)  # a length
FIELD_GOAL_MISSED = _event("field goal missed", field_goals_tried=1)  # a length
TOUCHDOWN = _event("touchdown", points=t.TOUCHDOWN_POINTS, touchdowns=1)
SAFETY_SCORED = _event("safety", points=t.SAFETY_POINTS, safeties=1)
EXTRA_POINT_GOOD = _event(
    "extra point good", points=t.EXTRA_POINT_POINTS, extra_points=1, extra_points_tried=1
)
EXTRA_POINT_MISSED = _event("extra point missed", extra_points_tried=1)
TWO_POINTS_GOOD = _event(
    "two points good", points=t.TWO_POINT_POINTS, two_points=1, two_points_tried=1
)
TWO_POINTS_FAILED = _event("two points failed", two_points_tried=1)
CALLS_TIMEOUT = _event("timeout", timeouts_used=1)
HURRIES = _event("hurries")
TIME = _event("time", seconds="a")  # a seconds; team: the one that had the ball
PERIOD_OVER = _event("period over")  # a period
WINS = _event("wins")
BREAKS_UP = _event("breaks up")  # E1: the pass becomes incomplete
STOPS_SHORT = _event("stops short")  # E1: a yards gained after all
LACKS_INCHES = _event("lacks inches")  # E2
CROWD_CARRIES = _event("crowd carries")  # E3: the home team, a yard farther
CROWD_HINDERS = _event("crowd hinders")  # E3: the visitors, a yard less


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
