"""The two printed charts of Rapid Roll Football, and the grids that the rules read.

The charts are transcribed as printed: a row for each sum of the dice, a column for each kind of
play. They are parsed once into three grids: the kind of a cell (`KIND`), its yards (`YARDS`) and
the marks beside it (`MARKS`).
"""

from __future__ import annotations

import re

from hashmark.engine.grid import Grid

# Section 6 of the notes: the chart of plays and returns, ...
PLAYS_CHART = """
   | line-run | end-run  | short-pass | medium-pass | deep-pass | long-pass | punt-return | fumble       | interception-return
 2 | 0-FUMBLE | 0-FUMBLE | long       | long        | 22        | touchdown | 0-FUMBLE    | defense 8    | 30
 3 | FLAG     | FLAG     | scramble   | scramble    | long      | inc       | long        | defense 15   | 20
 4 | (2)      | (x2)     | inc        | (x2) ob     | scramble  | scramble  | ball ob     | offense 0    | 10 TM
 5 | 5        | 8 ob     | inc        | inc         | inc       | inc       | (x2)        | defense long | 3
 6 | 2        | (1) ob   | (2)        | inc         | inc       | inc       | rd          | defense 0    | 0
 7 | loss     | loss     | (1)        | (x2)        | inc       | long      | fair catch  | defense 0    | long
 8 | 1        | -5       | (x2)       | inc         | 25 ob     | inc       | (2)         | defense 0    | 0
 9 | (1)      | 6        | (2) ob     | 13          | inc       | inc       | (1)         | offense 0    | 7
10 | 6        | 3        | inc        | 17          | 29        | inc       | loss TM     | defense 5    | 15
11 | (x2)     | (2) ob   | FLAG       | FLAG        | INT 20    | INT 30    | (2)         | defense 10   | 25
12 | long     | long     | INT 8      | INT 12      | FLAG      | FLAG      | FLAG        | defense 20   | 0-FUMBLE
"""  # noqa: E501

# ... and the chart of kicks and flags.
KICKS_CHART = """
   | field-goal | punt        | short-punt | kickoff      | onside | flag-kickoff | flag-run  | flag-pass | flag-kick
 2 | blocked -8 | blocked -12 | fumble -15 | fumble at 10 | RT 20  | KT 5+        | off 10    | off 15    | off 15
 3 | 61         | 64          | 35 rd      | long from 2  | RT 16  | RT 15        | def 15+   | def 15+   | def 5
 4 | 55         | 58          | ob at 5    | long from 2  | KT 9   | KT 5         | off 15    | def 5+    | def 15+
 5 | 52         | 50          | 29 rd      | ret to 18    | RT 14  | RT 5         | def 5     | off 5 TM  | off 10
 6 | 48         | 45          | rd from 12 | ret to 25    | RT 11  | RT 10        | off 5     | off 10    | off 5
 7 | 45         | 42          | rd from 12 | ret to 20    | KT 12  | RT 10        | off 10 TM | DPI       | off 5
 8 | 42         | 38          | 30         | ret to 15    | RT 10  | RT 10        | off 10    | off 10    | def 5
 9 | 38         | 32          | touchback  | ret to 30    | RT 8   | KT 5+        | off 5     | def 5     | off 10
10 | 34         | 27          | 40         | ret to 40    | RT 6   | KT 10        | def 5+    | def 10    | def 5+
11 | missed     | 21          | 35         | touchback    | RT 13  | KT 15+       | def 5+    | off 5     | off 15
12 | FLAG       | FLAG        | FLAG       | FLAG         | RT 18  | RT 5         | def 10    | off 15    | off 10
"""  # noqa: E501

SUMS = range(2, 13)


def _columns(chart: str) -> dict[str, list[str]]:
    """Return the columns of a chart by name, each with its cells of rows 2 to 12."""
    head, *rows = [
        [cell.strip() for cell in line.split("|")] for line in chart.strip("\n").splitlines()
    ]
    return {name: [row[index] for row in rows] for index, name in enumerate(head) if name}


CHARTS = (_columns(PLAYS_CHART), _columns(KICKS_CHART))
CELLS = {**CHARTS[0], **CHARTS[1]}
COLUMNS = tuple(CELLS)
(
    LINE_RUN,
    END_RUN,
    SHORT_PASS,
    MEDIUM_PASS,
    DEEP_PASS,
    LONG_PASS,
    PUNT_RETURN,
    FUMBLE,
    INTERCEPTION_RETURN,
    FIELD_GOAL,
    PUNT,
    SHORT_PUNT,
    KICKOFF,
    ONSIDE,
    FLAG_KICKOFF,
    FLAG_RUN,
    FLAG_PASS,
    FLAG_KICK,
) = range(len(COLUMNS))
NO_COLUMN = -1
SHADEABLE = COLUMNS[: LONG_PASS + 1]

# R28, G1: the default set of shaded cells.
SHADING: dict[str, tuple[int, ...]] = {
    "line-run": (6,),
    "end-run": (9,),
    "short-pass": (8,),
    "medium-pass": (7,),
    "deep-pass": (8,),
    "long-pass": (7,),
}

# The kinds of cells as printed; `n` stands for the yards.
KINDS = (
    "n",
    "(1)",
    "(2)",
    "(x2)",
    "long",
    "loss",
    "0-FUMBLE",
    "inc",
    "touchdown",
    "scramble",
    "INT n",
    "FLAG",
    "ball",
    "rd",
    "fair catch",
    "offense n",
    "defense n",
    "defense long",
    "blocked n",
    "fumble n",
    "missed",
    "n rd",
    "ob at n",
    "rd from n",
    "touchback",
    "fumble at n",
    "long from n",
    "ret to n",
    "RT n",
    "KT n",
    "off n",
    "def n",
    "DPI",
)
(
    GAIN,
    FIRST_DIGIT,
    SUM,
    TWICE_SUM,
    LONG,
    LOSS,
    NO_GAIN_FUMBLE,
    INCOMPLETE,
    TOUCHDOWN,
    SCRAMBLE,
    INTERCEPTION,
    FLAG,
    BALL,
    ROLLS_DEAD,
    FAIR_CATCH,
    OFFENSE,
    DEFENSE,
    DEFENSE_LONG,
    BLOCKED,
    BAD_SNAP,
    MISSED,
    LENGTH_THEN_ROLLS,
    OUT_AT,
    ROLLS_FROM,
    TOUCHBACK,
    FUMBLED_AT,
    LONG_FROM,
    RETURNED_TO,
    RETURN_TEAM,
    KICK_TEAM,
    OFFENSE_FOUL,
    DEFENSE_FOUL,
    INTERFERENCE,
) = range(len(KINDS))

OUT_OF_BOUNDS, TIME_OUT, PLUS = 1, 2, 4  # marks beside a cell, as bit flags


def parse_cell(cell: str) -> tuple[int, int, int]:
    """Parse a printed cell into (kind, yards, marks)."""
    marks = 0
    for mark, word in ((OUT_OF_BOUNDS, " ob"), (TIME_OUT, " TM"), (PLUS, "+")):
        if cell.endswith(word):
            cell, marks = cell.removesuffix(word), marks | mark
    if cell in KINDS:
        return KINDS.index(cell), 0, marks
    figure = re.search(r"(?<![\w(])-?\d+", cell)
    if figure is None:
        raise ValueError(f"a chart has a cell that cannot be read: {cell!r}")
    kind = cell[: figure.start()] + "n" + cell[figure.end() :]
    return KINDS.index(kind), int(figure.group()), marks


_PARSED = [[(-1, 0, 0), (-1, 0, 0), *map(parse_cell, CELLS[name])] for name in COLUMNS]
KIND = Grid("kind of cell", [[cell[0] for cell in column] for column in _PARSED])
YARDS = Grid("yards of cell", [[cell[1] for cell in column] for column in _PARSED])
MARKS = Grid("marks of cell", [[cell[2] for cell in column] for column in _PARSED])

TRY_SPOT = 98
FIRST_DOWN_YARDS = 10
LAST_QUARTER = 4
FUMBLED_SUM = 66  # R38: the number on which a `(2)` is fumbled
FUMBLED_AT_20, FUMBLED_AT_10 = 80, 90  # R37: where a long gain is fumbled
KICK_LENGTH_BASE_YARDS = 117  # R67: the length of a kick is this less the line
MISSED_KICK_BASE_SPOT = 107  # R67: the opponents' spot after a missed kick is this less the line
SAFETY_KICK_SPOT = 20
MAX_KICKOFF_SPOT = 79  # an onside kick from farther up could leave the field
KICKOFF_FOUL_SPOT = 10
SHORT_PUNT_MIN_SPOT = 55
MAX_END_ZONE_DEPTH_YARDS = 9  # yards behind the goal line where a ball can still be caught
