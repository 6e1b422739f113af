"""Measures by which a simulated season is compared with the real one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Measure:
    """A ratio of counts, or a count per game."""

    key: str
    words: str
    top: str
    bottom: tuple[str, ...] = ()  # per game if empty
    percent: bool = False
    main: bool = True  # one of the rates that a faithful season must reproduce

    def value(self, count: Callable[[str], Any], games: Any) -> Any:
        """Compute the measure from a function that returns the count of a name."""
        denominator: Any = sum((count(name) for name in self.bottom), 0) if self.bottom else games
        return count(self.top) / _not_zero(denominator)

    def said(self, value: float) -> str:
        return f"{100 * value:.1f} %" if self.percent else f"{value:.2f}"


def _not_zero(denominator: Any) -> Any:
    """Return 1 for 0, so that no attempts give a rate of 0."""
    return denominator + (denominator == 0)


MEASURES = (
    Measure("points", "points a game", "points"),
    Measure("plays", "plays a game", "plays"),
    Measure("yards_per_play", "yards a play", "yards", ("plays",)),
    Measure("yards_per_rush", "yards a rush", "rushing_yards", ("rushes",)),
    Measure("yards_per_pass", "yards a pass", "passing_yards", ("passes",)),
    Measure("completion", "completions", "completions", ("passes",), percent=True),
    Measure("interception", "interceptions", "interceptions", ("passes",), percent=True),
    Measure("sack", "sacks", "sacked", ("passes", "sacked"), percent=True),
    Measure("rush_share", "rushes of all plays", "rushes", ("plays",), percent=True),
    Measure("fumbles_lost", "fumbles lost a game", "fumbles_lost"),
    Measure("field_goal", "field goals made", "field_goals", ("field_goals_tried",), percent=True),
    Measure("field_goals_tried", "field goals tried a game", "field_goals_tried"),
    Measure("punts", "punts a game", "punts"),
    Measure("punt_average", "yards a punt", "punt_yards", ("punts",)),
    Measure("penalties", "penalties a game", "penalties"),
    Measure("penalty_yards", "penalty yards a game", "penalty_yards"),
    Measure("third_down", "third downs made", "third_downs_made", ("third_downs",), percent=True),
    Measure("first_downs", "first downs a game", "first_downs", main=False),
    Measure("touchdowns", "touchdowns a game", "touchdowns", main=False),
    Measure("fourth_downs", "fourth downs played a game", "fourth_downs", main=False),
    Measure(
        "kick_return", "yards a kick return", "kick_return_yards", ("kick_returns",), main=False
    ),
    Measure(
        "punt_return", "yards a punt return", "punt_return_yards", ("punt_returns",), main=False
    ),
)
BY_KEY = {measure.key: measure for measure in MEASURES}
