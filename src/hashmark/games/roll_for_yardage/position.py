"""Match and position records of Roll For Yardage!, and the names of their values."""

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
    row,
    team_or_none,
    whole,
)
from hashmark.games.roll_for_yardage.tables import PLAYS_PER_QUARTER, REGULAR_OVERTIME_PLAYS

PHASES = (
    "coin-toss",
    "choice",
    "kickoff",
    "safety-kick",
    "return",
    "scrimmage",
    "penalty",
    "try",
    "over",
)
COIN_TOSS, CHOICE, KICKOFF, SAFETY_KICK, RETURN, SCRIMMAGE, PENALTY, TRY, OVER = range(len(PHASES))

CALLS = (
    "receive",
    "kick",
    "defer",
    "kickoff",
    "onside-kick",
    "safety-kick",
    "return",
    "fair-catch",
    "scrimmage",
    "field-goal",
    "punt",
    "hail-mary",
    "accept",
    "decline",
    "extra-point",
    "two-point",
)
(
    RECEIVE,
    KICK,
    DEFER,
    KICK_OFF,
    ONSIDE_KICK,
    KICK_AFTER_SAFETY,
    RETURN_KICK,
    FAIR_CATCH,
    RUN_PLAY,
    FIELD_GOAL,
    PUNT,
    HAIL_MARY,
    ACCEPT,
    DECLINE,
    EXTRA_POINT,
    TWO_POINT,
) = range(len(CALLS))

SEASONS = ("regular", "preseason", "postseason")
POSTSEASON = SEASONS.index("postseason")
FIRST_POSSESSION, SECOND_POSSESSION, SUDDEN_DEATH = range(3)
PENALTY_SPOTS = ("end", "start")
START_OF_PLAY = PENALTY_SPOTS.index("start")
DECLINE_RULES = ("listed", "any")
ANY_GROUND = DECLINE_RULES.index("any")
PUNT_RULES = ("fourth-down", "out-of-range", "any-down")
FOURTH_DOWN, OUT_OF_RANGE, ANY_DOWN = range(len(PUNT_RULES))
NO_SCORE_RULES = ("take-over", "kickoff")
TAKES_OVER = NO_SCORE_RULES.index("take-over")
NO_SPOT = -1
MAX_OVERTIME_PLAYS = 999  # of an overtime
MAX_PERIODS = 9999  # a postseason game that is still level then is a tie


class Match(MatchRecord):
    """Options in force."""

    plays_per_quarter: int = whole(1, 99, default=PLAYS_PER_QUARTER)
    season: int = named(*SEASONS)
    overtime_plays: int = whole(1, MAX_OVERTIME_PLAYS, default=REGULAR_OVERTIME_PLAYS)
    tries_count: int = flag(True)
    defensive_penalty_spot: int = named(*PENALTY_SPOTS)
    decline_rule: int = named(*DECLINE_RULES)
    punt_rule: int = named(*PUNT_RULES)
    overtime_last_play: int = flag()
    overtime_no_score: int = named(*NO_SCORE_RULES)
    declined_extends: int = flag()


class Position(PositionRecord):
    """State of a game of Roll For Yardage!."""

    phase: int = named(*PHASES)
    period: int = whole(1, MAX_PERIODS, default=1)
    clock: int = whole(0, MAX_OVERTIME_PLAYS, default=PLAYS_PER_QUARTER)
    possession: int = team_or_none()
    spot: int = whole(1, 99, null_value=0)
    score: list[int] = per_team(points())
    down: int = whole(1, 4, null_value=0)
    to_go: int = whole(1, 99, null_value=0)
    chooser: int = team_or_none()
    toss_winner: int = team_or_none()
    second_half_choice: int = team_or_none()
    ot_stage: int = named_or_none("first", "second", "sudden-death")
    winner: int = named_or_none("home", "away", "tie")
    line: list[list[int]] = per_team(row(points(), 5))
    # In phase `penalty`: the face of the check, and how the play itself ended.
    penalty_face: int = whole(1, 6, null_value=0)
    play_end: int = whole(
        0, 100, default=NO_SPOT, null_value=NO_SPOT
    )  # from the offense's goal line
    play_lost: int = flag()  # recovered by the defense


STATISTICS = Statistics(
    "points",
    "plays",
    "yards",
    "first_downs",
    "touchdowns",
    "field_goals",
    "field_goals_tried",
    "extra_points",
    "extra_points_tried",
    "two_points",
    "two_points_tried",
    "safeties",
    "fumbles",
    "turnovers",
    "lost_on_downs",
    "fourth_downs_made",
    "fourth_downs_tried",
    "punts",
    "punt_yards",
    "returns",
    "return_yards",
    "onside_kicks",
    "onside_kicks_tried",
    "penalties",
    "penalty_yards",
)

_event = STATISTICS.declare

# Dice: final totals of the team and of its opponents, 2 being snake eyes.
ROLLS = _event("rolls", "total", "opponent_total", "doubled")  # the team's own total was doubled
SCRAMBLES = _event("scrambles", "total", "opponent_total")  # recovery check

# Toss, halves, end.
WINS_TOSS = _event("wins toss")
CHOOSES = _event("chooses", "call")
PERIOD_OVER = _event("period over", "period")
GAME_OVER = _event("game over", "winner")

# Kicks.
KICKS_OFF = _event("kicks off", "distance")
SHANKS = _event("shanks", "opponent_spot")
TOUCHBACK = _event("touchback", "spot")  # the team is the receiving team
CATCHES = _event("catches", "spot")
RETURNS = _event("returns", "gain", "spot", adds={"returns": 1, "return_yards": "gain"})
MUFFS = _event("muffs", "spot", adds={"returns": 1, "fumbles": 1})
ONSIDE_KEPT = _event("onside kept", "spot", adds={"onside_kicks": 1, "onside_kicks_tried": 1})
ONSIDE_LOST = _event("onside lost", "opponent_spot", adds={"onside_kicks_tried": 1})
ONSIDE_RUN_BACK = _event("onside run back", adds={"onside_kicks_tried": 1})
PUNTS = _event("punts", "distance", adds={"plays": 1, "punts": 1, "punt_yards": "distance"})
PUNT_BLOCKED = _event("punt blocked", adds={"plays": 1, "punts": 1})
SAFETY_KICKS = _event("safety kicks", "distance")
KICK_GOOD = _event(
    "kick good",
    "distance",
    adds={"points": 3, "plays": 1, "field_goals": 1, "field_goals_tried": 1},
)
KICK_MISSED = _event("kick missed", "distance", adds={"plays": 1, "field_goals_tried": 1})
KICK_BLOCKED = _event("kick blocked", "distance", adds={"plays": 1, "field_goals_tried": 1})
FAKES_KICK = _event("fakes kick", "distance", adds={"plays": 1, "field_goals_tried": 1})

# Scrimmage plays.
GAINS = _event("gains", "gain", "spot", adds={"plays": 1, "yards": "gain"})
FUMBLES = _event("fumbles", "spot", adds={"plays": 1, "fumbles": 1})
KEEPS = _event("keeps", "gain", "spot", adds={"yards": "gain"})  # its own fumble on a down
RECOVERS = _event("recovers", "gain", "spot")  # the team is the one that recovers
HAIL_MARY_CAUGHT = _event("hail mary caught", "gain", adds={"plays": 1, "yards": "gain"})
HAIL_MARY_DROPPED = _event("hail mary dropped", adds={"plays": 1})
FOURTH_MADE = _event("fourth made", adds={"fourth_downs_made": 1, "fourth_downs_tried": 1})
FOURTH_FAILED = _event("fourth failed", adds={"fourth_downs_tried": 1})
FIRST_DOWN = _event("first down", "spot", adds={"first_downs": 1})
LOSES_BALL = _event("loses ball", "opponent_spot", adds={"turnovers": 1})
OVER_ON_DOWNS = _event("over on downs", "opponent_spot", adds={"lost_on_downs": 1})
TOUCHDOWN = _event("touchdown", adds={"points": 6, "touchdowns": 1})
SAFETY = _event("safety", adds={"points": 2, "safeties": 1})

# Penalties.
FLAG = _event("flag", "yards")  # the team is the penalized one
ACCEPTED = _event("accepted", "yards", "spot", adds={"penalties": 1, "penalty_yards": "yards"})
DECLINED = _event("declined")  # the team is the one that declines
UNDONE = _event("undone", "correction", adds={"yards": "correction"})  # minus the yards undone

# Tries.
EXTRA_POINT_GOOD = _event(
    "extra point good", adds={"points": 1, "extra_points": 1, "extra_points_tried": 1}
)
EXTRA_POINT_MISSED = _event("extra point missed", adds={"extra_points_tried": 1})
EXTRA_POINT_BLOCKED = _event("extra point blocked", adds={"extra_points_tried": 1})
EXTRA_POINT_FAKED = _event("extra point faked", adds={"points": 2, "extra_points_tried": 1})
TWO_POINTS_GOOD = _event(
    "two points good", adds={"points": 2, "two_points": 1, "two_points_tried": 1}
)
TWO_POINTS_FAILED = _event("two points failed", adds={"two_points_tried": 1})
TWO_POINTS_FUMBLED = _event("two points fumbled", adds={"two_points_tried": 1, "fumbles": 1})
TRY_CARRIED_IN = _event("try carried in", "points", adds={"points": "points"})  # a loose ball
