"""Figures of a call: numbers that compare a position with the outcomes of a call, for one team.

Examples: the chance of a touchdown, the spot of the ball afterwards. A game declares its own
figures and which of them are shown for which question (`RuleSet.figures`, `RuleSet.columns`). The
ones here use only what every position has; a game that declares none is shown these.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hashmark.engine.record import MatchRecord, PositionRecord
from hashmark.engine.rule import rule
from hashmark.number_text import percent

OutcomeRule = Callable[[Any, Any, Any, int], int]
"""A rule on the match, the position before, the position after, and a team."""

TeamStatistics = Mapping[str, float]
"""Statistics of one team, by name."""

CHANCE, POINTS, YARDS, SPOT, TIME = "chance", "points", "yards", "spot", "time"
FORMATS = {POINTS: "{:+.2f}", YARDS: "{:+.1f}", TIME: "{:.1f}"}


@dataclass(frozen=True)
class Figure:
    """One figure: the mean of a rule over all outcomes, or over those that meet a condition.

    The mean of a rule that returns 0 or 1 is a chance. With `condition`, only outcomes for which
    that rule returns 1 count, such as the spot of the ball if we still have it. A figure may also
    come from the statistics that the step counts: the chance that one of several exclusive ones is
    above zero, or their mean.
    """

    name: str  # in JSON
    heading: str
    source: OutcomeRule | tuple[str, ...]
    unit: str = CHANCE
    condition: OutcomeRule | None = None

    def value(
        self, sums: Sequence[float], means: TeamStatistics, any_chances: TeamStatistics
    ) -> float | None:
        """Compute the figure from rule sums or from statistics; None if no outcome counts."""
        if isinstance(self.source, tuple):
            values = any_chances if self.unit == CHANCE else means
            return sum(values[name] for name in self.source)
        return sums[0] / sums[1] if sums[1] > 0 else None

    def format(self, value: float | None) -> str:
        """Format a value for display."""
        if value is None:
            return "-"
        if self.unit == SPOT:
            return describe_spot(value)
        if self.unit == CHANCE:
            return percent(value, 1)
        return FORMATS[self.unit].format(value)


def describe_spot(spot: float) -> str:
    """Describe a spot on the field, as seen by the team with the ball."""
    yard = round(spot)
    if yard == 50:
        return "midfield"
    return f"own {yard}" if yard < 50 else f"opp {100 - yard}"


@rule
def gained(before: PositionRecord, after: PositionRecord, team: int) -> int:
    """Points that a team has scored."""
    return after.score[team] - before.score[team]


@rule
def points_for(m: MatchRecord, before: PositionRecord, after: PositionRecord, us: int) -> int:
    """1 if the team has scored."""
    return 1 if gained(before, after, us) > 0 else 0


@rule
def points_against(m: MatchRecord, before: PositionRecord, after: PositionRecord, us: int) -> int:
    """1 if the opponents have scored."""
    return 1 if gained(before, after, 1 - us) > 0 else 0


@rule
def points_net(m: MatchRecord, before: PositionRecord, after: PositionRecord, us: int) -> int:
    """Points for minus points against."""
    return gained(before, after, us) - gained(before, after, 1 - us)


@rule
def touchdown_for(m: MatchRecord, before: PositionRecord, after: PositionRecord, us: int) -> int:
    """1 if the team has scored a touchdown."""
    return 1 if gained(before, after, us) >= 6 else 0


@rule
def field_goal_for(m: MatchRecord, before: PositionRecord, after: PositionRecord, us: int) -> int:
    """1 if the team has kicked a field goal."""
    return 1 if gained(before, after, us) == 3 else 0


@rule
def ball_lost(m: MatchRecord, before: PositionRecord, after: PositionRecord, us: int) -> int:
    """1 if the opponents have the ball in the same period and we have not scored."""
    if after.possession != 1 - us or after.period != before.period:
        return 0
    return 1 if gained(before, after, us) == 0 else 0


@rule
def same_half(before: PositionRecord, after: PositionRecord) -> bool:
    """Whether no half has ended; play continues after the first and third of four quarters."""
    return after.period == before.period or before.period == 1 or before.period == 3


@rule
def ball_spot(m: MatchRecord, before: PositionRecord, after: PositionRecord, us: int) -> int:
    """Spot of the ball, as seen by the team that has it."""
    return after.spot


@rule
def always(m: MatchRecord, before: PositionRecord, after: PositionRecord, us: int) -> int:
    """Count every outcome."""
    return 1


TOUCHDOWN = Figure("touchdown_chance", "touchdown", touchdown_for)
FIELD_GOAL = Figure("field_goal_chance", "field goal", field_goal_for)
MAKES_POINTS = Figure("makes_points_chance", "points", points_for)
GIVES_POINTS = Figure("gives_points_chance", "points against", points_against)
NET_POINTS = Figure("net_points", "net points", points_net, POINTS)
BALL_LOST = Figure("loses_ball_chance", "ball lost", ball_lost)


def ball_figures(has_ball: Callable[[Any, Any, int], bool]) -> tuple[Figure, ...]:
    """Return figures of who has the ball afterwards, and where.

    The game's own rule says whether a team has the ball: of the position before, the one after, and
    the team.
    """

    @rule
    def our_ball(m: MatchRecord, before: PositionRecord, after: PositionRecord, us: int) -> int:
        """1 if we have the ball."""
        return 1 if has_ball(before, after, us) else 0

    @rule
    def their_ball(m: MatchRecord, before: PositionRecord, after: PositionRecord, us: int) -> int:
        """1 if they have the ball and we have not scored."""
        return 1 if has_ball(before, after, 1 - us) and gained(before, after, us) == 0 else 0

    return (
        Figure("our_ball_chance", "our ball", our_ball),
        Figure("our_spot", "ours at", ball_spot, SPOT, our_ball),
        Figure("their_ball_chance", "their ball", their_ball),
        Figure("their_spot", "theirs at", ball_spot, SPOT, their_ball),
    )


# Columns for questions that many games ask.
KICK_COLUMNS = ("our_ball_chance", "our_spot", "their_spot", "gives_points_chance")
RETURN_COLUMNS = (
    "our_spot",
    "touchdown_chance",
    "their_ball_chance",
    "their_spot",
    "gives_points_chance",
)
DOWN_COLUMNS = (
    "first_down_chance",
    "touchdown_chance",
    "field_goal_chance",
    "our_spot",
    "their_ball_chance",
    "their_spot",
    "gives_points_chance",
)
TRY_COLUMNS = ("makes_points_chance", "gives_points_chance", "net_points")

DEFAULT_FIGURES = (MAKES_POINTS, GIVES_POINTS, BALL_LOST, NET_POINTS)
