"""Match and position records of Roll For Yardage!, and the names of their values."""

from __future__ import annotations

from hashmark.engine.events import Statistics
from hashmark.engine.record import (
    Record,
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
REGULAR, PRESEASON, POSTSEASON = range(len(SEASONS))
FIRST_POSSESSION, SECOND_POSSESSION, SUDDEN_DEATH = range(3)
PENALTY_SPOTS = ("end", "start")
END_OF_PLAY, START_OF_PLAY = range(len(PENALTY_SPOTS))
DECLINE_RULES = ("listed", "any")
LISTED_GROUNDS, ANY_GROUND = range(len(DECLINE_RULES))
PUNT_RULES = ("fourth-down", "out-of-range", "any-down")
FOURTH_DOWN, OUT_OF_RANGE, ANY_DOWN = range(len(PUNT_RULES))
NO_SCORE_RULES = ("take-over", "kickoff")
TAKES_OVER, KICKED_OFF = range(len(NO_SCORE_RULES))
NO_SPOT = -1
MAX_OVERTIME_PLAYS = 999  # of an overtime
MAX_PERIODS = 9999  # a postseason game that is still level then is a tie


class Match(Record):
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


class Position(Record):
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

# Event kinds; the comments explain the numbers a, b and c that are emitted with each.
_event = STATISTICS.declare

# Dice: final totals of the team and of its opponents, 2 being snake eyes.
ROLLS = _event("rolls", "a", "b", "c")  # a, b totals, c whether the team's own was doubled
SCRAMBLES = _event("scrambles", "a", "b", "c")  # a, b totals of the recovery check

# Toss, halves, end.
WINS_TOSS = _event("wins toss", "a", "b", "c")
CHOOSES = _event("chooses", "a", "b", "c")  # a: the call
PERIOD_OVER = _event("period over", "a", "b", "c")  # a: period
GAME_OVER = _event("game over", "a", "b", "c")  # a: winner

# Kicks.
KICKS_OFF = _event("kicks off", "a", "b", "c")  # a yards
SHANKS = _event("shanks", "a", "b", "c")  # a: the receiving team's spot
TOUCHBACK = _event("touchback", "a", "b", "c")  # a spot; the team is the receiving team
CATCHES = _event("catches", "a", "b", "c")  # a spot
RETURNS = _event("returns", "a", "b", "c", adds={"returns": 1, "return_yards": "a"})  # a yards
MUFFS = _event("muffs", "a", "b", "c", adds={"returns": 1, "fumbles": 1})  # a spot
ONSIDE_KEPT = _event(
    "onside kept", "a", "b", "c", adds={"onside_kicks": 1, "onside_kicks_tried": 1}
)  # a spot
ONSIDE_LOST = _event(
    "onside lost", "a", "b", "c", adds={"onside_kicks_tried": 1}
)  # a: the receiving team's spot
ONSIDE_RUN_BACK = _event("onside run back", "a", "b", "c", adds={"onside_kicks_tried": 1})
PUNTS = _event("punts", "a", "b", "c", adds={"plays": 1, "punts": 1, "punt_yards": "a"})  # a yards
PUNT_BLOCKED = _event("punt blocked", "a", "b", "c", adds={"plays": 1, "punts": 1})
SAFETY_KICKS = _event("safety kicks", "a", "b", "c")  # a yards
KICK_GOOD = _event(
    "kick good",
    "a",
    "b",
    "c",
    adds={"points": 3, "plays": 1, "field_goals": 1, "field_goals_tried": 1},
)  # a yards
KICK_MISSED = _event(
    "kick missed", "a", "b", "c", adds={"plays": 1, "field_goals_tried": 1}
)  # a yards
KICK_BLOCKED = _event(
    "kick blocked", "a", "b", "c", adds={"plays": 1, "field_goals_tried": 1}
)  # a yards
FAKES_KICK = _event(
    "fakes kick", "a", "b", "c", adds={"plays": 1, "field_goals_tried": 1}
)  # a yards

# Scrimmage plays.
GAINS = _event("gains", "a", "b", "c", adds={"plays": 1, "yards": "a"})  # a yards, b spot
FUMBLES = _event("fumbles", "a", "b", "c", adds={"plays": 1, "fumbles": 1})  # a spot
KEEPS = _event(
    "keeps", "a", "b", "c", adds={"yards": "a"}
)  # a yards, b spot: recovers its own fumble on a down
RECOVERS = _event("recovers", "a", "b", "c")  # a yards, b spot; the team is the one that recovers
HAIL_MARY_CAUGHT = _event(
    "hail mary caught", "a", "b", "c", adds={"plays": 1, "yards": "a"}
)  # a yards
HAIL_MARY_DROPPED = _event("hail mary dropped", "a", "b", "c", adds={"plays": 1})
FOURTH_MADE = _event(
    "fourth made", "a", "b", "c", adds={"fourth_downs_made": 1, "fourth_downs_tried": 1}
)
FOURTH_FAILED = _event("fourth failed", "a", "b", "c", adds={"fourth_downs_tried": 1})
FIRST_DOWN = _event("first down", "a", "b", "c", adds={"first_downs": 1})  # a spot
LOSES_BALL = _event("loses ball", "a", "b", "c", adds={"turnovers": 1})  # a: the opponents' spot
OVER_ON_DOWNS = _event(
    "over on downs", "a", "b", "c", adds={"lost_on_downs": 1}
)  # a: the opponents' spot
TOUCHDOWN = _event("touchdown", "a", "b", "c", adds={"points": 6, "touchdowns": 1})
SAFETY = _event("safety", "a", "b", "c", adds={"points": 2, "safeties": 1})

# Penalties.
FLAG = _event("flag", "a", "b", "c")  # a yards; the team is the penalized one
ACCEPTED = _event(
    "accepted", "a", "b", "c", adds={"penalties": 1, "penalty_yards": "a"}
)  # a yards walked off, b spot
DECLINED = _event("declined", "a", "b", "c")  # the team is the one that declines
UNDONE = _event(
    "undone", "a", "b", "c", adds={"yards": "a"}
)  # a: minus the yards that do not count

# Tries.
EXTRA_POINT_GOOD = _event(
    "extra point good",
    "a",
    "b",
    "c",
    adds={"points": 1, "extra_points": 1, "extra_points_tried": 1},
)
EXTRA_POINT_MISSED = _event("extra point missed", "a", "b", "c", adds={"extra_points_tried": 1})
EXTRA_POINT_BLOCKED = _event("extra point blocked", "a", "b", "c", adds={"extra_points_tried": 1})
EXTRA_POINT_FAKED = _event(
    "extra point faked", "a", "b", "c", adds={"points": 2, "extra_points_tried": 1}
)
TWO_POINTS_GOOD = _event(
    "two points good", "a", "b", "c", adds={"points": 2, "two_points": 1, "two_points_tried": 1}
)
TWO_POINTS_FAILED = _event("two points failed", "a", "b", "c", adds={"two_points_tried": 1})
TWO_POINTS_FUMBLED = _event(
    "two points fumbled", "a", "b", "c", adds={"two_points_tried": 1, "fumbles": 1}
)
TRY_CARRIED_IN = _event(
    "try carried in", "a", "b", "c", adds={"points": "a"}
)  # a points, after a recovery
