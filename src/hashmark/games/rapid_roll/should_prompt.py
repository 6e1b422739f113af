"""Windows of Rapid Roll Football that are worth a prompt.

A window passes by itself where no coach would give another answer. `ask always` prompts for
every window.
"""

from __future__ import annotations

from hashmark.engine.record import ONE_SCORE_POINTS
from hashmark.engine.rule import rule
from hashmark.games.rapid_roll import position as p
from hashmark.games.rapid_roll.clock import LATE_NUMBERS, ends_half
from hashmark.games.rapid_roll.position import Match, Position
from hashmark.games.rapid_roll.tables import LAST_QUARTER

END_OF_HALF_NUMBERS = 10  # numbers left from which clock management matters


@rule
def should_prompt(m: Match, g: Position) -> bool:
    """Return whether the open window can matter; windows not listed here always do."""
    if g.window == p.SIDELINE_CHOICE:
        return ends_half(g) and g.clock <= LATE_NUMBERS
    if g.window == p.MAGIC_CHOICE:
        return magic_matters(g)
    if g.window == p.CLOCK_CHOICE:
        return clock_matters(g, g.possession)
    if g.window == p.OTHER_CLOCK_CHOICE:
        return clock_matters(g, 1 - g.possession)
    return True


@rule
def magic_matters(g: Position) -> bool:
    """R15: return whether the remaining yards can reach a score or first down, or undo a safety."""
    most = min(g.magic[g.possession], p.MAX_MAGIC_YARDS)
    if g.at + most >= 100:
        return True
    if g.phase == p.TRY:
        return False
    if g.at <= 0:
        return g.at + most > 0
    line = g.spot + g.to_go
    return g.at < line <= g.at + most


@rule
def clock_matters(g: Position, team: int) -> bool:
    """R73: near the end of a half; in the last quarter only for a team that is not well ahead."""
    if not ends_half(g) or g.clock > END_OF_HALF_NUMBERS:
        return False
    return g.period < LAST_QUARTER or g.score[team] - g.score[1 - team] <= ONE_SCORE_POINTS
