"""Notation of a chart cell, and the integer that encodes it in the match.

    ""  7  -3*  8!  (4)  (TD)  TD  B  QT  INC  INT 12  F -2  FC  G  NG  BLK -8
    OFF 5  OFF 10  OFF 15  OFF 40  OFF 12*  DEF 5  DEF 5X  DEF 15  PI 23

A cell is a kind and a number: `kind * 1024 + number + 512`. Parsing is for people and runs
uncompiled; the rules only take cells apart and put them together.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from hashmark.engine.drawings import CellColor
from hashmark.engine.rule import rule
from hashmark.sanitize import quote

KINDS = (
    "number",
    "number*",
    "number!",
    "number*!",
    "(#)",
    "TD",
    "(TD)",
    "B",
    "QT",
    "INC",
    "INT",
    "F",
    "FC",
    "NG",
    "G",
    "BLK",
    "OFF 5",
    "OFF 10",
    "OFF 15",
    "OFF 40",
    "OFF #*",
    "DEF 5",
    "DEF 5X",
    "DEF 15",
    "PI",
)
(
    NUMBER,
    NUMBER_OUT,
    NUMBER_BOLD,
    NUMBER_OUT_BOLD,
    PAREN,
    TD,
    PAREN_TD,
    BREAKAWAY,
    TRAPPED,
    INC,
    INT,
    FUMBLE,
    FAIR_CATCH,
    NO_GOOD,
    GOOD,
    BLOCK,
    OFF_5,
    OFF_10,
    OFF_15,
    OFF_40,
    GROUNDING,
    DEF_5,
    DEF_5X,
    DEF_15,
    PI,
) = range(len(KINDS))

KIND_FACTOR = 1024
NUMBER_OFFSET = 512
MIN_YARDS, MAX_YARDS = -150, 150  # limits of a number in a chart; the sum of two still fits
BLANK = NUMBER * KIND_FACTOR + NUMBER_OFFSET


@rule
def cell_of(kind: int, number: int) -> int:
    """Return the cell of this kind with this number."""
    return kind * KIND_FACTOR + number + NUMBER_OFFSET


@rule
def kind_of(cell: int) -> int:
    """Return the kind of result that a cell holds."""
    return cell >> 10


@rule
def number_of(cell: int) -> int:
    """Return the yards of a cell; 0 if it has none."""
    return (cell & 1023) - NUMBER_OFFSET


@rule
def is_number(cell: int) -> bool:
    """Return whether a cell is plain yards, with or without asterisk and bold type."""
    return kind_of(cell) < PAREN


@rule
def is_out(cell: int) -> bool:
    """R20: Return whether a cell is yards with an asterisk."""
    return kind_of(cell) in (NUMBER_OUT, NUMBER_OUT_BOLD)


@rule
def is_bold(cell: int) -> bool:
    """R110: Return whether a cell is yards in bold type."""
    return kind_of(cell) in (NUMBER_BOLD, NUMBER_OUT_BOLD)


@rule
def is_penalty(cell: int) -> bool:
    """Return whether a cell is a yellow box."""
    return kind_of(cell) >= OFF_5


_SIGNED = r"[+-]?[0-9]{1,9}"
_PATTERNS = (
    (re.compile(rf"({_SIGNED})"), NUMBER),
    (re.compile(rf"({_SIGNED})\*"), NUMBER_OUT),
    (re.compile(rf"({_SIGNED})!"), NUMBER_BOLD),
    (re.compile(rf"({_SIGNED})\*!"), NUMBER_OUT_BOLD),
    (re.compile(rf"\(({_SIGNED})\)"), PAREN),
    (re.compile(rf"INT(?: ({_SIGNED}))?"), INT),
    (re.compile(rf"F(?: ({_SIGNED}))?"), FUMBLE),
    (re.compile(rf"BLK(?: ({_SIGNED}))?"), BLOCK),
    (re.compile(r"OFF ([0-9]{1,9})\*"), GROUNDING),
    (re.compile(r"PI ([0-9]{1,9})"), PI),
)
_WORDS = {
    "": NUMBER,
    "(TD)": PAREN_TD,
    **{KINDS[kind]: kind for kind in (TD, BREAKAWAY, TRAPPED, INC, FAIR_CATCH, NO_GOOD, GOOD)},
    **{KINDS[kind]: kind for kind in (OFF_5, OFF_10, OFF_15, OFF_40, DEF_5, DEF_5X, DEF_15)},
}


def parse(text: str) -> int:
    """Parse the text of a cell; a ValueError says what is wrong with it."""
    if text in _WORDS:
        return cell_of(_WORDS[text], 0)
    for pattern, kind in _PATTERNS:
        match = pattern.fullmatch(text)
        if match:
            number = int(match[1] or 0)
            if not MIN_YARDS <= number <= MAX_YARDS:
                raise ValueError(f"{number} yards is not between {MIN_YARDS} and {MAX_YARDS}")
            return cell_of(kind, number)
    raise ValueError(f"{quote(text)} is not a result of a chart")


def spell(cell: int) -> str:
    """Return the text of a cell, as `parse` reads it; a white box is empty."""
    kind, number = kind_of(cell), number_of(cell)
    if cell == BLANK:
        return ""
    if is_number(cell):
        return f"{number}{'*' if is_out(cell) else ''}{'!' if is_bold(cell) else ''}"
    if kind == PAREN:
        return f"({number})"
    if kind == GROUNDING:
        return f"OFF {number}*"
    if kind in (INT, FUMBLE, BLOCK, PI):
        return f"{KINDS[kind]} {number}"
    return KINDS[kind]


def color(cell: int) -> str:
    """Return the color of the box: green gains, red losses, black incomplete, yellow penalties."""
    if is_penalty(cell):
        return "yellow"
    kind, number = kind_of(cell), number_of(cell)
    if kind == INC:
        return "black"
    if is_number(cell) or kind == PAREN:
        return "green" if number > 0 else "red" if number < 0 else "white"
    return "green" if kind in (TD, PAREN_TD, BREAKAWAY, GOOD) else "red"


# The background on which a box of each color is printed.
GROUNDS: dict[str, CellColor] = {
    "green": "green",
    "red": "red",
    "black": "black",
    "yellow": "yellow",
    "white": "",
}

OFFENSE_ROWS = range(10, 40)
DEFENSE_ROWS = range(1, 6)
LONG_SIZE, SHORT_SIZE = len(OFFENSE_ROWS), len(DEFENSE_ROWS)  # cells of a column


def first_row(cells: Sequence[object]) -> int:
    """Return the row number of a column's first cell, which follows from its length."""
    return (DEFENSE_ROWS if len(cells) == SHORT_SIZE else OFFENSE_ROWS)[0]


def parse_rows(text: str) -> int:
    """Parse a set of rows such as "10-18,20-32,38" into a mask; bit 0 is row 10."""
    mask = 0
    for piece in text.split(","):
        match = re.fullmatch(r"([0-9]{1,9})(?:-([0-9]{1,9}))?", piece.strip())
        if not match:
            raise ValueError(f"{quote(text)} is not a set of rows such as '10-18,20-32,38'")
        first, last = int(match[1]), int(match[2] or match[1])
        if first not in OFFENSE_ROWS or last not in OFFENSE_ROWS or last < first:
            raise ValueError(
                f"{quote(piece.strip())} is not a range of rows from {OFFENSE_ROWS[0]} to "
                f"{OFFENSE_ROWS[-1]}"
            )
        for row in range(first, last + 1):
            if mask >> (row - OFFENSE_ROWS[0]) & 1:
                raise ValueError(f"row {row} is listed twice in {quote(text)}")
            mask |= 1 << (row - OFFENSE_ROWS[0])
    return mask


def spell_rows(mask: int) -> str:
    """Return a mask as text, in the shortest ranges."""
    rows = [row for row in OFFENSE_ROWS if mask >> (row - OFFENSE_ROWS[0]) & 1]
    ranges: list[list[int]] = []
    for row in rows:
        if ranges and ranges[-1][1] == row - 1:
            ranges[-1][1] = row
        else:
            ranges.append([row, row])
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in ranges)
