"""Team colors of drawings: the CSS class of each team, and the colors of a match.

Colors are names (`engine/drawings.py`), which the style sheet defines for light and dark mode. A
page puts the classes from `color_classes` around all drawings of a match. Color is never the only
signal: a team also has a name, a letter or a pattern.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hashmark.engine.drawings import DEFAULT_COLORS, TEAM_COLORS, TeamColors
from hashmark.engine.record import TEAMS
from hashmark.engine.rule_set import RuleSet

# Pairs that are hard to tell apart with any of the common kinds of color blindness,
# in light or dark mode. A test derives them from the style sheet.
SIMILAR_COLORS = frozenset(
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


def team_class(team: int) -> str:
    """Return the CSS class of a team; empty for no team."""
    return f"is-{TEAMS[team]}" if team in (0, 1) else ""


def color_classes(rules: RuleSet, options: Mapping[str, Any] | None = None) -> str:
    """Return the CSS classes of a match's colors: "home-navy away-gold"."""
    values = rules.parse_options(options or {})
    home, away = (
        DEFAULT_COLORS
        if rules.presentation.color_teams is None
        else rules.presentation.color_teams(values)
    )
    return f"home-{home[0]} away-{_distinct_color(home[0], away)}"


def _distinct_color(other: str, preferred: TeamColors) -> str:
    """Return the first color of a team that is not mistaken for the other team's."""
    candidates = (*preferred, DEFAULT_COLORS[1][0], DEFAULT_COLORS[0][0], *TEAM_COLORS)
    return next(color for color in candidates if not are_similar(color, other))


def are_similar(color: str, other: str) -> bool:
    """Return whether two colors could be mistaken for each other."""
    return color == other or frozenset((color, other)) in SIMILAR_COLORS
