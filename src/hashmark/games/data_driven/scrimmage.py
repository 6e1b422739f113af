"""A play from scrimmage, from the snap to its end (R9 to R41, R107 to R110)."""

from __future__ import annotations

from hashmark.engine.effects import emit
from hashmark.engine.rule import rule
from hashmark.games.data_driven import events as e
from hashmark.games.data_driven import position as p
from hashmark.games.data_driven import tables as t
from hashmark.games.data_driven.charts import cells as c
from hashmark.games.data_driven.charts import layout
from hashmark.games.data_driven.charts.cells import (
    cell_of,
    is_bold,
    is_number,
    is_out,
    is_penalty,
    kind_of,
    number_of,
)
from hashmark.games.data_driven.charts.lookups import (
    apply_priority_chart,
    kind_of_set,
    roll_long,
    roll_set,
    roll_short,
)
from hashmark.games.data_driven.ending import end_play, roll_again, roll_on
from hashmark.games.data_driven.fumbles import fumble
from hashmark.games.data_driven.home_field import roll_crowd
from hashmark.games.data_driven.penalties import (
    apply_penalty_chart,
    foul_of,
    is_cancelled,
    is_offensive,
    is_pass,
    note_foul,
)
from hashmark.games.data_driven.position import Match, Position
from hashmark.games.data_driven.short_field import roll_chains, roll_short_field, shortened_gain

FG_ADJUST, QR, BIG_PLAY, SQUIB_RETURN = range(4)  # indices in `supplements`


@rule
def has_supplement(m: Match, team: int, which: int) -> bool:
    """Return whether the team has this supplemental chart."""
    return m.supplements[team * 4 + which] == 1


# --- The rolls -----------------------------------------------------------------------


@rule
def snap(m: Match, g: Position) -> None:
    """R10 (b), R107: Snap the ball; a muff is a fumble at once, else the play is rolled."""
    emit(g, e.CALLS_PLAY, g.possession, g.play, g.formation)
    use_play(m, g)
    g.holder = g.possession
    if is_muffed(m, g):
        emit(g, e.MUFFS_SNAP, g.possession)
        g.way = p.RAN
        fumble_from_scrimmage(m, g, -1)
        return
    roll_on(g, g.play)


@rule
def use_play(m: Match, g: Position) -> None:
    """R109: Charge the resolved call against the play's maximum."""
    if m.max_usage and g.usage[g.possession][g.play] != p.NO_LIMIT:
        g.usage[g.possession][g.play] -= 1


@rule
def is_muffed(m: Match, g: Position) -> bool:
    """R107: Roll on the muffed-snap chart; a team without the chart does not roll."""
    if not m.muffed_snap or not kind_of_set(m, g.possession, layout.MUFFED_SNAP):
        return False
    return roll_set(m, g, g.possession, layout.MUFFED_SNAP)


@rule
def flag_on_play(m: Match, g: Position, cell: int) -> None:
    """R69, R90: Cancel or note a foul on the play's column, then roll again."""
    foul = foul_of(cell)
    cancelled = not is_offensive(foul) and is_cancelled(m, g, foul)
    if cancelled or note_foul(m, g, foul, number_of(cell)):
        roll_again(g, g.play)


@rule
def continue_play(m: Match, g: Position, cell: int) -> None:
    """R10 (d) to (h): Penalty chart, breakaway or big-play roll, defense roll, Priority Chart."""
    if not apply_penalty_chart(m, g):
        return
    breakaway = kind_of(cell) == c.BREAKAWAY
    if breakaway:
        emit(g, e.BREAKS_AWAY, g.possession)
        cell = roll_long(m, g, g.possession, layout.BREAKAWAY)
    elif is_bold(cell) and m.big_play and has_supplement(m, g.possession, BIG_PLAY):
        emit(g, e.BIG_PLAY, g.possession)
        cell = roll_long(m, g, g.possession, layout.BIG_PLAY)
    if is_penalty(cell):
        flag_on_play(m, g, cell)
        return
    g.penalty_roll = 0
    defense_cell = roll_short(m, g, 1 - g.possession, g.formation * len(t.PLAYS) + g.play)
    g.formation = -1
    resolve_result(m, g, apply_priority_chart(m, g, g.possession, cell, defense_cell, breakaway))


# --- The result ----------------------------------------------------------------------


@rule
def resolve_result(m: Match, g: Position, cell: int) -> None:
    """R10 (h): Carry out the final result to the end of the play."""
    kind = kind_of(cell)
    g.way = p.COMPLETED if is_pass(g.play) else p.RAN
    if is_number(cell):
        g.out = int(is_out(cell))
        gain_yards(m, g, number_of(cell) - goal_line_deduction(m, g))
    elif kind == c.TD:
        gain_yards(m, g, 100 - g.spot)
    elif kind == c.INC:
        end_incomplete(g)
    elif kind == c.INT:
        intercept(g, g.spot + number_of(cell))
    elif kind == c.TRAPPED:
        trap_quarterback(m, g)
    else:
        fumble_from_scrimmage(m, g, number_of(cell))


@rule
def end_incomplete(g: Position) -> None:
    """R40: End the play with an incomplete pass."""
    g.way = p.MISSED
    end_play(g, p.ENDS_INCOMPLETE, g.possession, g.spot)


@rule
def gain_yards(m: Match, g: Position, gain: int) -> None:
    """R13, R16, E1 to E3: Gain the yards of a run or catch that the short field leaves."""
    gain += apply_crowd(m, g, gain)
    cell = roll_short_field(m, g, gain)
    if kind_of(cell) == c.INC:
        emit(g, e.BREAKS_UP, 1 - g.possession)
        g.out = 0
        end_incomplete(g)
        return
    left = shortened_gain(g, gain, cell)
    if left < gain:
        emit(g, e.STOPS_SHORT, 1 - g.possession, left)
        g.out = 0
    else:
        left += measure_gain(m, g, gain)
    advance(g, left)


@rule
def apply_crowd(m: Match, g: Position, gain: int) -> int:
    """E3: Return the yard that the home field adds or costs."""
    yard = roll_crowd(m, g, gain)
    if yard > 0:
        emit(g, e.CROWD_CARRIES, g.possession)
    elif yard < 0:
        emit(g, e.CROWD_HINDERS, g.possession)
    return yard


@rule
def measure_gain(m: Match, g: Position, gain: int) -> int:
    """E2: Bring out the chains; return the yards that are lacking, 0 or negative."""
    lacking = number_of(roll_chains(m, g, gain))
    if lacking < 0:
        emit(g, e.LACKS_INCHES, g.possession)
    return lacking


@rule
def goal_line_deduction(m: Match, g: Position) -> int:
    """R108: Return the yard that end run, draw and screen lose near the goal line."""
    if not m.goal_line_deduction or g.spot < t.DEDUCTION_FROM:
        return 0
    return int(g.play in t.DEDUCTED_PLAYS)


@rule
def advance(g: Position, gain: int) -> None:
    """R11: Move the ball for the offense; goal lines come first."""
    spot = g.spot + gain
    if spot >= 100:
        g.gain = 100 - g.spot
        end_play(g, p.ENDS_TOUCHDOWN, g.possession, 100)
    elif spot <= 0:
        g.gain = -g.spot
        end_play(g, p.ENDS_SAFETY, g.possession, 0)
    else:
        g.gain = gain
        end_play(g, p.ENDS_DOWN, g.possession, spot)


@rule
def fumble_from_scrimmage(m: Match, g: Position, yards: int) -> None:
    """R42: Fumble this many yards from the line of scrimmage."""
    spot = g.spot + yards
    g.gain = max(-g.spot, min(100 - g.spot, yards))
    fumble(m, g, spot)


@rule
def intercept(g: Position, point: int) -> None:
    """R35 to R39: Intercept at this point; the return must be rolled."""
    defense = 1 - g.possession
    g.way = p.INTERCEPTED
    g.holder = defense
    g.changes = 1
    point = min(point, t.END_LINE - 1)
    emit(g, e.PICKED_OFF, defense, 100 - point)
    if g.phase == p.TRY:
        end_play(g, p.ENDS_DOWN, defense, t.FAILED_TRY_SPOT)  # R68: a turnover ends the try
    elif point <= 0:
        end_play(g, p.ENDS_TOUCHDOWN, defense, 100)
    else:
        g.start = 100 - point
        roll_on(g, layout.INT_RETURN)


# --- Quarterback trapped -------------------------------------------------------------


@rule
def trap_quarterback(m: Match, g: Position) -> None:
    """R24 to R33: Apply QT chart, sack rate and containment; a fumble is played at the end."""
    emit(g, e.TRAPPED, g.possession)
    cell = roll_long(m, g, g.possession, layout.QT)
    fumbled = kind_of(cell) == c.FUMBLE
    g.out = int(is_out(cell))
    yards = number_of(cell)
    if m.sack_rate and kind_of_set(m, 1 - g.possession, layout.SACK_RATE):
        yards = adjust_sack(m, g, yards)
    g.way = p.SACKED
    if yards > 0:
        g.way = p.SCRAMBLED
        if m.containment and has_supplement(m, 1 - g.possession, QR):
            scramble = cell_of(c.NUMBER_OUT if g.out else c.NUMBER, yards)
            against = roll_short(m, g, 1 - g.possession, layout.QR)
            cell = apply_priority_chart(m, g, g.possession, scramble, against, False)
            shorter = fumbled and kind_of(cell) == c.FUMBLE  # G15: two fumbles
            yards = min(yards, number_of(cell)) if shorter else number_of(cell)
            g.out = int(is_out(cell))
            fumbled = fumbled or kind_of(cell) == c.FUMBLE
    if fumbled:
        fumble_from_scrimmage(m, g, yards)
    else:
        gain_yards(m, g, yards)


@rule
def adjust_sack(m: Match, g: Position, yards: int) -> int:
    """R25, R26: Turn a missed sack into a scramble, or a scramble into a sack."""
    offense, defense = g.possession, 1 - g.possession
    kind = kind_of_set(m, defense, layout.SACK_RATE)
    if not roll_set(m, g, defense, layout.SACK_RATE):
        return yards
    if yards <= 0 and kind == layout.SCRAMBLES and m.qr_yards[offense] > 0:
        emit(g, e.MISSES_SACK, defense)
        g.out = 0
        return m.qr_yards[offense]
    if yards > 0 and kind == layout.SACKS and m.sack_yards[defense] < 0:
        emit(g, e.FORCES_SACK, defense)
        g.out = 0
        return m.sack_yards[defense]
    return yards
