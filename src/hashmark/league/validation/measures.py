"""Measures by which a simulated season is compared with the real one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import TypeVar

from hashmark.league.data.arrays import Floats

Number = TypeVar("Number", float, Floats)


@dataclass(frozen=True)
class Measure:
    """A ratio of counts, or a count per game."""

    key: str
    label: str
    numerator: str
    denominators: tuple[str, ...] = ()  # per game if empty
    is_percent: bool = False
    is_main: bool = True  # one of the rates that a faithful season must reproduce

    def value(self, count: Callable[[str], Number], games: Number) -> Number:
        """Compute the measure from a function that gives counts; 0 without attempts."""
        denominator = reduce(add, map(count, self.denominators)) if self.denominators else games
        value: Number = count(self.numerator) / (denominator + (denominator == 0))
        return value

    def format(self, value: float) -> str:
        return f"{100 * value:.1f} %" if self.is_percent else f"{value:.2f}"


MEASURES = (
    Measure("points", "points per game", "points"),
    Measure("plays", "plays per game", "plays"),
    Measure("yards_per_play", "yards per play", "yards", ("plays",)),
    Measure("yards_per_rush", "yards per rush", "rushing_yards", ("rushes",)),
    Measure("yards_per_pass", "yards per pass", "passing_yards", ("passes",)),
    Measure("completion", "completions", "completions", ("passes",), is_percent=True),
    Measure("interception", "interceptions", "interceptions", ("passes",), is_percent=True),
    Measure("sack", "sacks", "sacked", ("passes", "sacked"), is_percent=True),
    Measure("rush_share", "share of rushes", "rushes", ("plays",), is_percent=True),
    Measure("fumbles_lost", "fumbles lost per game", "fumbles_lost"),
    Measure(
        "field_goal",
        "field goal percentage",
        "field_goals",
        ("field_goals_tried",),
        is_percent=True,
    ),
    Measure("field_goals_tried", "field goals tried per game", "field_goals_tried"),
    Measure("punts", "punts per game", "punts"),
    Measure("punt_average", "yards per punt", "punt_yards", ("punts",)),
    Measure("penalties", "penalties per game", "penalties"),
    Measure("penalty_yards", "penalty yards per game", "penalty_yards"),
    Measure(
        "third_down",
        "third-down conversions",
        "third_downs_made",
        ("third_downs",),
        is_percent=True,
    ),
    Measure("first_downs", "first downs per game", "first_downs", is_main=False),
    Measure("touchdowns", "touchdowns per game", "touchdowns", is_main=False),
    Measure("fourth_downs", "fourth-down tries per game", "fourth_downs", is_main=False),
    Measure(
        "kick_return",
        "yards per kick return",
        "kick_return_yards",
        ("kick_returns",),
        is_main=False,
    ),
    Measure(
        "punt_return",
        "yards per punt return",
        "punt_return_yards",
        ("punt_returns",),
        is_main=False,
    ),
)
BY_KEY = {measure.key: measure for measure in MEASURES}
