"""State abstraction of Roll For Yardage!: what the rest of a game depends on.

The conformance kit checks the rules against it.
"""

from __future__ import annotations

from hashmark.engine.record import NOBODY
from hashmark.engine.rule import rule
from hashmark.engine.solver_spec import SolverSpec
from hashmark.games.roll_for_yardage import position as p
from hashmark.games.roll_for_yardage import tables as t
from hashmark.games.roll_for_yardage.flow import in_overtime, period_plays
from hashmark.games.roll_for_yardage.position import Match, Position


@rule
def toss_matters(m: Match, g: Position) -> bool:
    """R4, R61: return whether a rule still reads the toss winner.

    The winner may defer, and the choice alternates in the overtimes of a postseason.
    """
    if g.phase == p.CHOICE and g.period == 1:
        return True
    if not in_overtime(g) or m.season != p.POSTSEASON:
        return False
    return (g.period - t.LAST_QUARTER) % t.OVERTIMES_PER_TOSS != 0


@rule
def drop_irrelevant(m: Match, g: Position) -> None:
    """Clear the points by quarter, the winner, and the toss winner once no rule reads it.

    R61: overtimes of a postseason come in fours.
    """
    for team in range(2):
        for quarter in range(5):
            g.line[team][quarter] = 0
    g.winner = NOBODY
    if in_overtime(g):
        g.period = t.LAST_QUARTER + 1 + (g.period - t.LAST_QUARTER - 1) % t.OVERTIMES_PER_TOSS
    if not toss_matters(m, g) or g.phase == p.OVER:
        g.toss_winner = NOBODY


@rule
def score_matters(m: Match, g: Position) -> bool:
    """R54 to R60: return whether a level score matters: on the last play, and in overtime."""
    return in_overtime(g) or (g.period == t.LAST_QUARTER and g.clock <= 1)


@rule
def progress(m: Match, g: Position) -> int:
    """R51: return the plays used."""
    before = min(g.period - 1, t.LAST_QUARTER) * m.plays_per_quarter
    before += max(g.period - 1 - t.LAST_QUARTER, 0) * m.overtime_plays
    return before + period_plays(m, g.period) - g.clock


WITHIN_A_QUARTER, LAST_BEFORE_BREAK, OVERTIME = 1, 2, 3


@rule
def steady_layer(m: Match, g: Position) -> int:
    """R51: return the kind of stretch in which the clock does not matter, or 0.

    Only the last play of a half depends on the clock; overtime also ends in other ways.
    """
    if g.clock == 0 or g.phase == p.COIN_TOSS or g.phase == p.CHOICE:
        return 0
    if in_overtime(g):
        return OVERTIME if g.clock > 1 else 0
    if g.clock > 1:
        return WITHIN_A_QUARTER
    return LAST_BEFORE_BREAK if g.period % 2 == 1 else 0


@rule
def is_instant(m: Match, g: Position) -> bool:
    """R43: return whether the call rolls no dice: accepting or declining a penalty."""
    return g.phase == p.PENALTY


@rule
def keeps_lead(m: Match, g: Position) -> bool:
    """R56 to R59: return whether the score is kept: in overtime the teams are 0 or 3 apart."""
    return in_overtime(g)


SOLVING = SolverSpec(
    steady_layer, is_instant, keeps_lead, carried_fields=("second_half_choice", "toss_winner")
)
