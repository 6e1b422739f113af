"""Who is who on a drawing: the class of each team, and the colours that a match is played in.

Colours are names (`table/drawings.py`), and the style sheet says what they look like by day and by
night: a page puts the classes that `worn` gives round all that it draws of a match. They are no
more than a help: wherever a team has a colour it has its name, a letter or a pattern too.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hashmark.table.drawings import COLOURS, USUAL, Colours
from hashmark.table.record import TEAMS
from hashmark.table.rules import RuleSet

# Pairs that somebody could take for each other, with any of the common kinds of colour blindness,
# by day or by night. A test works them out from the style sheet.
ALIKE = frozenset(
    frozenset(pair.split())
    for pair in (
        "black navy",
        "black purple",
        "black silver",
        "black teal",
        "blue green",
        "blue navy",
        "blue purple",
        "blue teal",
        "brown gold",
        "brown green",
        "brown red",
        "gold orange",
        "gold red",
        "green red",
        "green teal",
        "navy purple",
        "navy silver",
        "orange red",
        "silver teal",
    )
)


def side(team: int) -> str:
    """The class of what belongs to a team; of nobody's none."""
    return f"is-{TEAMS[team]}" if team in (0, 1) else ""


def worn(rules: RuleSet, options: Mapping[str, Any] | None = None) -> str:
    """The classes that give a match its colours: "home-navy away-gold"."""
    given = rules.read_options(options or {})
    home, away = USUAL if rules.colours is None else rules.colours(given)
    return f"home-{home[0]} away-{_other_than(home[0], away)}"


def _other_than(taken: str, wanted: Colours) -> str:
    """The first of a team's colours that nobody takes for the other team's."""
    usual = (*wanted, USUAL[1][0], USUAL[0][0], *COLOURS)
    return next(one for one in usual if not alike(one, taken))


def alike(one: str, other: str) -> bool:
    """Whether two colours could be taken for each other."""
    return one == other or frozenset((one, other)) in ALIKE
