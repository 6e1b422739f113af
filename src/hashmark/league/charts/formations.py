"""League design of the six formations: the effect of each on each play, before any team.

Formations are not in the play-by-play. This table gives every formation its character; a team's
own strength is added to it (`defense.py`). Each entry is a shift in yards on a normal gain,
followed by events by row of the defense dice (rows 3, 4 and 5 weigh 9, 3 and 1 of 36).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from hashmark.games.data_driven.dice import DEFENSE_WEIGHTS
from hashmark.games.data_driven.tables import FORMATIONS, PLAYS
from hashmark.league.data.arrays import Floats

DESIGN_TABLE = {  # columns: plunge, tackle, end, draw; screen, short, medium, long, sideline
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
# Yards added to every gain against a formation, so that all formations allow equally much over the
# calls they meet: no single formation is better than the mix.
LEVEL_YARDS = {
    "standard": 0.1,
    "jam-middle": -0.2,
    "rush-wide": 0.0,
    "nickel": -0.3,
    "dime": -0.6,
    "blitz": 0.0,
}
# How often a league-average defense calls each; charts are calibrated under this mix.
DEFAULT_MIX = np.array([0.40, 0.10, 0.08, 0.22, 0.08, 0.12])
BUILD_ORDER = (0, 3, 5, 1, 2, 4)  # A D F B C E: rounding error is carried to the next

# Kinds of defense cells in the builder.
NUMBER, INC, INT, QT, F, PAREN, LONG_PAREN, PAREN_TD = range(8)
EVENTS = ("#", "INC", "INT", "QT", "F", "(#)", "(#) again", "(TD)")
# Share of the league's rate of an event that comes from the defense charts.
DEFENSE_SHARE = {INC: 0.35, INT: 0.45, QT: 0.45, F: 0.40}
# Share of an event that is spread evenly over formations, not by the table.
UNIFORM_SHARE = {INC: 0.7, INT: 0.8, QT: 0.85, F: 0.8}


@dataclass(frozen=True)
class FormationDesign:
    """The design table as arrays [formation, column(, event)]."""

    shift: Floats  # yards, centered so that the mix has mean 0
    ways: Floats  # of 36, by event
    paren_yards: Floats  # yards of the `(#)` cells, first and second kind
    relative_rate: Floats  # rate of an event relative to the whole mix


def read_design(mix: Floats | None = None) -> FormationDesign:
    """Parse the design table for a mix [column, formation]."""
    mix = normalize_mix(mix)
    shape = (len(FORMATIONS), len(PLAYS))
    shift, paren = np.zeros(shape), np.zeros((*shape, 2))
    ways = np.zeros((*shape, len(EVENTS)))
    for f, formation in enumerate(FORMATIONS):
        for c, cell in enumerate(DESIGN_TABLE[formation].split("|")):
            yards, _, events = cell.strip().partition(";")
            shift[f, c] = float(yards) + LEVEL_YARDS[formation]
            for row, event in re.findall(r"(\d) (\S+?)(?:,|$)", events.strip()):
                if event[0] == "(" and event != "(TD)":
                    kind = LONG_PAREN if ways[f, c, PAREN] else PAREN
                    paren[f, c, kind - PAREN] = float(event.strip("()"))
                else:
                    kind = EVENTS.index(event)
                ways[f, c, kind] += DEFENSE_WEIGHTS[int(row) - 1]
    shift -= np.einsum("cf,fc->c", mix, shift)
    mix_ways = np.einsum("cf,fce->ce", mix, ways)
    relative = np.where(mix_ways > 0, ways / np.maximum(mix_ways, 1e-9), 1.0)
    for event, uniform in UNIFORM_SHARE.items():
        relative[:, :, event] = uniform + (1 - uniform) * relative[:, :, event]
    return FormationDesign(shift, ways, paren, relative)


def normalize_mix(mix: Floats | None = None) -> Floats:
    """Return a normalized formation mix for every column: [column, formation]."""
    shares = DEFAULT_MIX if mix is None else np.asarray(mix, dtype=float)
    by_column = np.broadcast_to(shares, (len(PLAYS), len(FORMATIONS)))
    return np.asarray(by_column / by_column.sum(axis=1, keepdims=True))
