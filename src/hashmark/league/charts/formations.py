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
        "0; 4 (1) | 0; 4 (1) | 0; 4 (0) | 0; 4 (1) | 0; 4 INC | 0; 4 INC | 0; 4 INC |"
        " 0; 4 INC, 5 INT | 0; 4 INC"
    ),
    "jam-middle": (
        "-1.2; 4 (0), 5 F | -0.7; 4 (0), 5 F | 0.9; 5 (14) | -0.8; 4 (0), 5 F | -0.5; 4 (8) |"
        " 0.8; 4 (9) | 1.2; 4 (17), 5 (TD) | 3; 4 (34), 5 (TD) | 0.8; 4 (11)"
    ),
    "rush-wide": (
        "0.8; 5 (13) | -0.4; 4 (0) | -1.3; 4 (-2), 5 F | 0.6; 5 (14) | -1.5; 4 (-2), 5 INC |"
        " 0.8; 4 (9) | 1; 4 (15) | 2; 4 (33), 5 (TD) | -1; 4 INC, 5 INT"
    ),
    "nickel": (
        "0.6; 5 (11) | 0.6; | 0.4; | -0.3; 4 (2) | 0; 4 INC | -0.8; 4 INC, 5 INT |"
        " -1; 4 INC, 5 INT | -1; 4 INC, 5 INT | -1.5; 4 INC, 5 INT"
    ),
    "dime": (
        "1.2; 4 (9) | 1.2; 4 (9) | 0.9; 4 (10) | 0.4; | 0.8; | -0.8; 4 (4), 5 INC |"
        " -1.5; 4 INC, 5 INT | -4; 3 INC, 5 INT | -1.2; 4 INC, 5 INT"
    ),
    "blitz": (
        "-1.4; 4 (-2), 5 (16) | -1.4; 4 (-2), 5 (16) | -1.2; 4 (-3), 5 (19) | 0.8; 4 (13), 5 F |"
        " 1; 2 INC, 4 (14) | 2; 2 INC, 3 INC, 4 QT | 2; 2 QT, 3 INC | 4; 3 QT, 4 INC, 5 INT |"
        " 2; 2 INC, 3 INC, 4 QT, 5 INT"
    ),
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
EVEN_PART = {INC: 0.3, INT: 0.3, QT: 0.5, F: 0.3}


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
            shift[f, c] = float(yards)
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
