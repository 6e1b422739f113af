"""Tables that the rulebook prints for every team: plays, formations, Priority Chart, mismatches."""

from __future__ import annotations

from hashmark.games.data_driven.charts import cells as c

PLAYS = (  # R5
    "line-plunge",
    "off-tackle",
    "end-run",
    "draw",
    "screen",
    "short-pass",
    "medium-pass",
    "long-pass",
    "sideline-pass",
)
(
    LINE_PLUNGE,
    OFF_TACKLE,
    END_RUN,
    DRAW,
    SCREEN,
    SHORT_PASS,
    MEDIUM_PASS,
    LONG_PASS,
    SIDELINE_PASS,
) = range(9)
RUNS, PASSES = PLAYS[:SCREEN], PLAYS[SCREEN:]
FORMATIONS = ("standard", "jam-middle", "rush-wide", "nickel", "dime", "blitz")  # R6, A to F

# The Priority Chart: which result counts, by the offense's result (down) and the defense's (across)
ACTIONS = ("ADD", "OFF", "DEF", "INC", "SHORT", "F@DEF", "NOTE")
ADD, OFF, DEF, INCOMPLETE, SHORTER, FUMBLE_AT_DEFENSE, _ = range(len(ACTIONS))
PRIORITY_COLUMNS = ("#", "(#)", "(TD)", "QT", "INC", "INT", "F")
PRIORITY_CHART = {
    #         #      (#)      (TD)   QT     INC    INT      F
    "#": ("ADD", "DEF", "DEF", "DEF", "DEF", "DEF", "DEF"),
    "B": ("ADD", "DEF", "DEF", "DEF", "DEF", "DEF", "DEF"),
    "(#)": ("OFF", "DEF", "DEF", "DEF", "DEF", "DEF", "DEF"),
    "TD": ("OFF", "DEF", "DEF", "DEF", "DEF", "DEF", "DEF"),
    "QT": ("OFF", "DEF", "DEF", "DEF", "OFF", "DEF", "DEF"),
    "INC": ("OFF", "DEF", "DEF", "DEF", "OFF", "DEF", "DEF"),
    "INT": ("OFF", "INC", "INC", "OFF", "OFF", "SHORT", "OFF"),
    "F": ("OFF", "F@DEF", "DEF", "OFF", "OFF", "DEF", "SHORT"),
    "penalty": ("NOTE",) * len(PRIORITY_COLUMNS),
    "FC": ("OFF",) * len(PRIORITY_COLUMNS),
}
PRIORITY_ROWS = tuple(PRIORITY_CHART)


def _row_name(kind: int) -> str:
    """Return the row of the Priority Chart for a kind of cell."""
    if kind >= c.OFF_5:
        return "penalty"
    if kind == c.PAREN_TD:
        return "TD"
    return c.KINDS[kind] if c.KINDS[kind] in PRIORITY_ROWS else "#"


# The row and the column of the Priority Chart for each kind of cell.
ROW_OF_KIND = tuple(PRIORITY_ROWS.index(_row_name(kind)) for kind in range(len(c.KINDS)))
COLUMN_OF_KIND = tuple(
    PRIORITY_COLUMNS.index(name if name in PRIORITY_COLUMNS else "#") for name in c.KINDS
)

# R114: mismatched calls, as play number and formation letter.
MISMATCHES = {
    "offence": "1B 2B 3C 4B 5C 6D 7D 7E 8E 9C 9D",
    "defence": "1E 2E 3B 3E 4F 5F 6B 7B 7C 8B 8C 9B",
}
ONSIDE_ROWS = "13-20"  # R55
KICKOFF_SPOT = 35  # R50
TOUCHBACK_SPOT = 20  # R51, R57
KICKOFF_TOUCHBACK_SPOTS = ((2025, 35), (2024, 30), (2016, 25))  # first season, spot for kickoffs

NO_LONG_PASS_FROM, NO_DRAW_FROM = 80, 97  # R8
DEDUCTION_FROM, DEDUCTED_PLAYS = 95, (END_RUN, DRAW, SCREEN)  # R108: these plays gain a yard less
REFUSED_FROM = {LONG_PASS: NO_LONG_PASS_FROM, DRAW: NO_DRAW_FROM}
FIRST_DOWN_YARDS = 10  # R12
TRY_SPOT = 98  # R68
FAILED_TRY_SPOT = 50  # where the ball lies after a failed try; it is not played from there
TOUCHDOWN_POINTS, FIELD_GOAL_POINTS, SAFETY_POINTS = 6, 3, 2  # R49
EXTRA_POINT_POINTS, TWO_POINT_POINTS = 1, 2  # R68
FIELD_GOAL_EXTRA_YARDS = 18  # length of a field goal beyond the distance to the goal line
END_LINE = 110  # R51
DEEPEST_RETURN_SPOT = 101 - END_LINE  # of a kick or an interception that can be returned
PUNT_ROLL_FROM = 90  # R61: a punt that lands here or beyond may be left to roll
FIVE_YARDS, TEN_YARDS, FIFTEEN_YARDS = 5, 10, 15  # R73
QUARTER_SECONDS = 900  # R94
TIMEOUTS_PER_HALF = 3  # R94
OVERTIME_FORMATS = ("sudden-death", "modified", "none", "both")  # R105
SECONDS_ALLOWED = range(10, 3601)  # length of a quarter or an overtime
TIMEOUTS_ALLOWED = range(TIMEOUTS_PER_HALF + 1)
SPOTS = range(1, 100)
