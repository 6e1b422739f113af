"""E3, our extension of the rules: yards come a little easier at home.

The rulebook knows home field only as audibles, which are worth next to nothing. With the option
`home_field` the home team rolls a twenty-sided die after a gain, its own or the visitors', and
the ground may add a yard to it, or cost one. The option says on how many faces; off unless asked
for, and on neutral ground.
"""

from __future__ import annotations

from hashmark.games.data_driven import position as p
from hashmark.games.data_driven.dice import CROWD
from hashmark.games.data_driven.position import Match, Position
from hashmark.table.effects import check
from hashmark.table.record import HOME
from hashmark.table.rule import rule


@rule
def is_heard(g: Position, gain: int) -> bool:
    """A gain of a yard or more that does not reach the goal line; a try is none."""
    return g.phase == p.SCRIMMAGE and gain > 0 and g.spot + gain < 100


@rule
def roll_crowd(m: Match, g: Position, gain: int) -> int:
    """E3: the yard that the ground adds to a gain of the home team, or takes from the visitors."""
    if m.home_field == 0 or not is_heard(g, gain):
        return 0
    if not check(g, CROWD, m.home_field, HOME):
        return 0
    return 1 if g.possession == HOME else -1
