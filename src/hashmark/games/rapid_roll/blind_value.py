"""Worth of a position between two plays, from the solved blind game.

The worth is a team's win probability plus half the tie probability, in parts of `WHOLE`. The table
is compressed (`blind_table.py`): a value is the product of two short rows of integers, one for the
state and one for the time and the lead. Time-outs are not part of it: near the end of a half each
one counts as another box for the team that wants time. Magic yards have a small price.
"""

from __future__ import annotations

from collections.abc import Sequence

from hashmark.engine.record import AWAY, HOME
from hashmark.engine.rule import rule
from hashmark.games.rapid_roll import position as p
from hashmark.games.rapid_roll.blind_states import KICKOFF_ROW, scrimmage_row, state_row
from hashmark.games.rapid_roll.blind_table import (
    COLUMN_START,
    FIRST_HALF_KICKS,
    FIRST_HALF_RECEIVES,
    HALF_BOXES,
    MAX_LEAD,
    OVERTIME,
    OVERTIME_BOXES,
    RANK,
    ROW_START,
    SECOND_HALF,
    WHOLE,
)
from hashmark.games.rapid_roll.clock import ends_half
from hashmark.games.rapid_roll.position import Match, Position
from hashmark.games.rapid_roll.tables import LAST_QUARTER

HURRY_BOXES = 12  # boxes left in a half from which time-outs count
MAGIC_YARD_PRICE = WHOLE // 400  # of a magic yard, with two halves to go


@rule
def table_worth(table: Sequence[int], part: int, boxes: int, row: int, lead: int) -> int:
    """Return the worth of a state to the team with the ball."""
    rank = RANK[part, boxes]
    state = ROW_START[part, boxes] + row * rank
    column = 0 if part == OVERTIME else min(max(lead, -MAX_LEAD), MAX_LEAD) + MAX_LEAD
    time = COLUMN_START[part, boxes] + column * rank
    total = 0
    for k in range(rank):
        total += table[state + k] * table[time + k]
    return min(max(total, 0), WHOLE)


@rule
def half_part(g: Position) -> int:
    """Return which part of the table holds this period; away kicks off after the first half."""
    if g.period > 2:
        return SECOND_HALF
    return FIRST_HALF_RECEIVES if g.possession == HOME else FIRST_HALF_KICKS


@rule
def by_score(g: Position, team: int) -> int:
    """Return the worth of the score at the end; a level score leads to a tie or to overtime."""
    ahead = g.score[team] - g.score[1 - team]
    return WHOLE // 2 if ahead == 0 else (WHOLE if ahead > 0 else 0)


@rule
def second_half_worth(table: Sequence[int], g: Position, team: int) -> int:
    """R80: return the worth of the kickoff of the second half, by the away team."""
    ahead = g.score[AWAY] - g.score[HOME]
    worth = table_worth(table, SECOND_HALF, HALF_BOXES, KICKOFF_ROW, ahead)
    return worth if team == AWAY else WHOLE - worth


@rule
def row_worth(
    m: Match, g: Position, table: Sequence[int], team: int, row: int, written: int
) -> int:
    """Return the worth to a team of a state after so many more boxes are written.

    `written` may be negative: boxes that time-outs are going to save.
    """
    boxes = g.clock - written
    if g.period > LAST_QUARTER:
        if g.score[HOME] != g.score[AWAY] or boxes <= 0:
            return by_score(g, team)
        worth = table_worth(table, OVERTIME, min(boxes, OVERTIME_BOXES), row, 0)
        return worth if g.possession == team else WHOLE - worth
    if not ends_half(g):
        boxes += m.numbers_per_quarter
    elif boxes <= 0 and g.phase != p.TRY:
        return second_half_worth(table, g, team) if g.period == 2 else by_score(g, team)
    boxes = min(max(boxes, 0), HALF_BOXES)
    ahead = g.score[g.possession] - g.score[1 - g.possession]
    worth = table_worth(table, half_part(g), boxes, row, ahead)
    return worth if g.possession == team else WHOLE - worth


@rule
def timed_worth(
    m: Match, g: Position, table: Sequence[int], team: int, row: int, written: int
) -> int:
    """Return the worth to a team of a state, with the boxes that time-outs can still save."""
    worth = row_worth(m, g, table, team, row, written)
    if not ends_half(g) or g.clock > HURRY_BOXES or g.clock <= written:
        return worth
    ours, theirs = g.timeouts[team], g.timeouts[1 - team]
    if ours > 0:
        worth = max(worth, row_worth(m, g, table, team, row, written - ours))
    if theirs > 0:
        worth = min(worth, row_worth(m, g, table, team, row, written - theirs))
    return worth


@rule
def settled_worth(m: Match, g: Position, table: Sequence[int], team: int, written: int) -> int:
    """Return the worth to a team after a play, once its box is written (1) or left out (0)."""
    worth = timed_worth(m, g, table, team, state_row(g), written)
    yards = g.magic[team] - g.magic[1 - team]
    if yards != 0 and g.period <= LAST_QUARTER:
        quarters_left = LAST_QUARTER - g.period
        boxes = g.clock - written + quarters_left * m.numbers_per_quarter
        worth += yards * MAGIC_YARD_PRICE * boxes // (LAST_QUARTER * m.numbers_per_quarter)
    return worth


@rule
def spiked_worth(m: Match, g: Position, table: Sequence[int], team: int) -> int:
    """R74: return the worth to a team if the team with the ball spikes it before fourth down."""
    row = scrimmage_row(g.spot, g.down + 1, g.to_go)
    return timed_worth(m, g, table, team, row, 0)
