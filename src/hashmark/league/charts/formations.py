"""The league's design of the six formations: what each does to each play, before any team.

Formations are not in the play-by-play. This table gives every formation its character; a
team's own strength is laid over it (`defence.py`). A shift is in yards on a normal gain; then
events by row of the defence dice (rows 3, 4 and 5 weigh 9, 3 and 1 of 36).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from hashmark.games.data_driven.dice import DEFENCE_WEIGHTS
from hashmark.games.data_driven.tables import FORMATIONS, PLAYS
from hashmark.league.charts.tallies import Array

TEMPLATE = {  # columns: plunge, tackle, end, draw; screen, short, medium, long, sideline
    "standard": (
        "0.3; 4 (1) | -0.1; 4 (1) | -0.1; 4 (0) | -0.1; 4 (1) | -0.1; 4 INC | -0.5; 4 INC |"
        " 0.2; 4 INC | 0; 4 INC, 5 INT | -0.2; 4 INC"
    ),
    "jam-middle": (
        "-1.3; 4 (0), 5 F | -0.6; 4 (0), 5 F | 0.7; 5 (14) | -0.7; 4 (0), 5 F | -0.3; 5 (8) |"
        " 0.3; 5 (9) | 0.9; 5 (17) | 2; 5 (34) | 0.5; 5 (11)"
    ),
    "rush-wide": (
        "0.5; 5 (13) | -0.3; 4 (0) | -1; 4 (-2), 5 F | 0.4; 5 (14) | -1; 4 (-2), 5 INC |"
        " 0.4; 5 (9) | 0.7; 5 (15) | 1.3; 5 (33) | -0.7; 4 INC, 5 INT"
    ),
    "nickel": (
        "0.6; 5 (11) | 0.5; | 0.3; | -0.1; 4 (2) | 0; 4 INC | 0; 4 INC, 5 INT |"
        " -0.8; 4 INC, 5 INT | -0.7; 4 INC, 5 INT | -0.9; 4 INC, 5 INT"
    ),
    "dime": (
        "1; 5 (9) | 1; 5 (9) | 0.7; 5 (10) | 0.4; | 0.6; | -0.1; 4 (4), 5 INC |"
        " -0.9; 4 INC, 5 INT | -2.4; 4 INC, 5 INT | -0.4; 4 INC, 5 INT"
    ),
    "blitz": (
        "-0.5; 4 (-2), 5 (16) | -0.3; 4 (-2), 5 (16) | -0.2; 4 (-3), 5 (19) | 0.5; 5 (13) |"
        " 0.7; 5 (14) | 1.1; 4 QT, 5 INC | 1.3; 4 QT, 5 INC | 2.5; 4 QT, 5 INC |"
        " 0.8; 4 QT, 5 INC"
    ),
}
# Yards on every gain against a formation, so that over the calls that it meets it gives up no more
# and no less than the others: a coach who mixes them has no better one to call.
LEVEL = {
    "standard": 0.1,
    "jam-middle": -0.2,
    "rush-wide": 0.0,
    "nickel": -0.3,
    "dime": -0.6,
    "blitz": 0.0,
}
# How often a league-average defence calls each; charts are true under this mix.
MIX = np.array([0.40, 0.10, 0.08, 0.22, 0.08, 0.12])
BUILD_ORDER = (0, 3, 5, 1, 2, 4)  # A D F B C E: error is carried on to the next

# What a defence cell can be, as the builder sees it.
NUMBER, INC, INT, QT, F, PAREN, LONG_PAREN, PAREN_TD = range(8)
EVENTS = ("#", "INC", "INT", "QT", "F", "(#)", "(#) again", "(TD)")
# The part of the league's rate of an event that comes from the defence charts.
DEFENCE_PART = {INC: 0.35, INT: 0.45, QT: 0.45, F: 0.40}
# The part of an event's spread over formations that is even, not by the table.
EVEN_PART = {INC: 0.7, INT: 0.8, QT: 0.85, F: 0.8}


@dataclass(frozen=True)
class Design:
    """The table as arrays [formation, column(, event)]."""

    shift: Array  # yards, centred so that the mix comes to 0
    ways: Array  # of 36, by event
    paren: Array  # the yards of the `(#)` cells, of the first kind and of the second
    relative: Array  # how often an event happens here, against the mix as a whole


def design(mix: Array | None = None) -> Design:
    """The table read, for a mix [column, formation]."""
    mix = mixes(mix)
    shape = (len(FORMATIONS), len(PLAYS))
    shift, paren = np.zeros(shape), np.zeros((*shape, 2))
    ways = np.zeros((*shape, len(EVENTS)))
    for f, formation in enumerate(FORMATIONS):
        for c, cell in enumerate(TEMPLATE[formation].split("|")):
            yards, _, events = cell.strip().partition(";")
            shift[f, c] = float(yards) + LEVEL[formation]
            for row, event in re.findall(r"(\d) (\S+?)(?:,|$)", events.strip()):
                if event[0] == "(" and event != "(TD)":
                    kind = LONG_PAREN if ways[f, c, PAREN] else PAREN
                    paren[f, c, kind - PAREN] = float(event.strip("()"))
                else:
                    kind = EVENTS.index(event)
                ways[f, c, kind] += DEFENCE_WEIGHTS[int(row) - 1]
    shift -= np.einsum("cf,fc->c", mix, shift)
    whole = np.einsum("cf,fce->ce", mix, ways)
    relative = np.where(whole > 0, ways / np.maximum(whole, 1e-9), 1.0)
    for event, even in EVEN_PART.items():
        relative[:, :, event] = even + (1 - even) * relative[:, :, event]
    return Design(shift, ways, paren, relative)


def mixes(mix: Array | None = None) -> Array:
    """A mix of formations for every column: [column, formation]."""
    given = MIX if mix is None else np.asarray(mix, dtype=float)
    made = np.broadcast_to(given, (len(PLAYS), len(FORMATIONS)))
    return np.asarray(made / made.sum(axis=1, keepdims=True))
