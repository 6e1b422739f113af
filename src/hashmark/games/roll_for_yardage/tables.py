"""Printed numbers of Roll For Yardage!, laid out as on paper."""

from __future__ import annotations

from hashmark.engine.grid import Grid

# R1: points.
TOUCHDOWN, FIELD_GOAL, EXTRA_POINT, TWO_POINT, SAFETY = 6, 3, 1, 2, 2

# R2, R54: plays of a period.
PLAYS_PER_QUARTER = 30
REGULAR_OVERTIME_PLAYS, POSTSEASON_OVERTIME_PLAYS = 20, 30
LAST_QUARTER = 4
OVERTIMES_PER_TOSS = 4  # overtimes of a postseason between two tosses (R61)

# Spots of a kick and of the series after it, counted for the team that has the ball then.
KICKOFF_SPOT, KICKOFF_YARDS_PER_PIP = 35, 10  # R10, R12
KICKOFF_SHANK_SPOT, TOUCHBACK_SPOT = 40, 25  # R12
SAFETY_KICK_SPOT, SAFETY_KICK_SHANK_SPOT = 20, 50  # R36
PUNT_YARDS_PER_PIP, PUNT_TOUCHBACK_SPOT = 7, 20  # R33, R35; a safety kick has the same yards
ONSIDE_LOST_SPOT, ONSIDE_KEPT_SPOT, ONSIDE_KEPT_MIN_ROLL = 55, 45, 11  # R37
MISSED_KICK_SPOT = 20  # R32

MAX_LOSS_YARDS = 20  # yards, R8
SERIES_YARDS = 10  # R18: yards to the line to gain
KICK_RANGE_YARDS = 47  # R31
EXTRA_POINT_SPOT, TWO_POINT_SPOT = 85, 98  # R44, R46
HAIL_MARY_MIN_YARDS, HAIL_MARY_ROLL = 40, 12  # R49

# R32: bonus of the kicking team's total, as (longest distance, bonus).
KICK_BONUS_BANDS = (
    (5, +10),
    (10, +8),
    (15, +6),
    (20, +4),
    (25, +2),
    (30, 0),
    (35, -2),
    (40, -4),
    (45, -6),
    (47, -8),
)

# R38: penalty yards by the face that both teams show; odd faces are against the defense.
PENALTY_YARDS_BY_FACE = (0, 5, 5, 10, 10, 15, 15)


def _bonus(distance: int) -> int:
    return next((bonus for most, bonus in KICK_BONUS_BANDS if distance <= most), 0)


KICK_BONUS = Grid("kick bonus", [_bonus(distance) for distance in range(101)])
PENALTY_YARDS = Grid("penalty yards", PENALTY_YARDS_BY_FACE)
