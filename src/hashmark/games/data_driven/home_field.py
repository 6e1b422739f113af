"""E3, our extension of the rules: yards come a little easier at home.

The rulebook models home field only by audibles, which are worth next to nothing. With the option
`home_field` the home team rolls a twenty-sided die after a gain of either team, and the home field
may add a yard to it or cost one. The option sets on how many faces; it is off by default, and on
neutral ground.
"""

from __future__ import annotations

from hashmark.engine.effects import check
from hashmark.engine.record import HOME
from hashmark.engine.rule import rule
from hashmark.games.data_driven import position as p
from hashmark.games.data_driven.dice import CROWD_DIE
from hashmark.games.data_driven.position import Match, Position


@rule
def crowd_counts(g: Position, gain: int) -> bool:
    """Return whether the crowd counts: a gain of a yard or more short of the goal, not on a try."""
    return g.phase == p.SCRIMMAGE and gain > 0 and g.spot + gain < 100


@rule
def roll_crowd(m: Match, g: Position, gain: int) -> int:
    """E3: Return the yard added to a gain of the home team, or taken from the visitors."""
    if m.home_field == 0 or not crowd_counts(g, gain):
        return 0
    if not check(g, CROWD_DIE, m.home_field, HOME):
        return 0
    return 1 if g.possession == HOME else -1
