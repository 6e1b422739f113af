"""Fouls: noting, offsetting, walking off, the defense's penalty chart (R69 to R76, R88 to R92)."""

from __future__ import annotations

from hashmark.engine.effects import emit, look_up
from hashmark.engine.grid import Grid
from hashmark.engine.rule import rule
from hashmark.games.data_driven import events as e
from hashmark.games.data_driven import position as p
from hashmark.games.data_driven.charts import cells as c
from hashmark.games.data_driven.charts import layout
from hashmark.games.data_driven.charts.cells import kind_of, number_of
from hashmark.games.data_driven.charts.lookups import kind_of_set, roll_long, roll_set
from hashmark.games.data_driven.dice import OFFENSE_DICE, roll_choice_die
from hashmark.games.data_driven.ending import stop_play
from hashmark.games.data_driven.position import Match, Position
from hashmark.games.data_driven.tables import FIFTEEN_YARDS, FIVE_YARDS, SCREEN, TEN_YARDS

_5, _10, _15 = FIVE_YARDS, TEN_YARDS, FIFTEEN_YARDS
#                               none  5  10   15  40 #* 5   5X   15  PI holding
YARDS = Grid("yards of a foul", (0, _5, _10, _15, 0, 0, _5, _5, _15, 0, _10))
FIRST_DOWN = Grid("automatic first down", (0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0))


@rule
def is_pass(play: int) -> bool:
    """R5: Return whether this is one of plays 5 to 9."""
    return SCREEN <= play < p.PLAY_PUNT


@rule
def foul_of(cell: int) -> int:
    """Return the foul that a yellow box shows."""
    return kind_of(cell) - c.OFF_5 + p.OFF_5


@rule
def is_offensive(foul: int) -> bool:
    """Return whether this is a foul of the team with the ball."""
    return p.OFF_5 <= foul <= p.GROUNDING or foul == p.HOLDING


@rule
def fouling_team(g: Position, foul: int) -> int:
    """Return the team that committed a foul of the play or kick chart."""
    return g.possession if is_offensive(foul) else 1 - g.possession


@rule
def yards_of(foul: int, own: int) -> int:
    """Return the yards of a foul; pass interference and grounding have their `own`."""
    if foul == p.PI or foul == p.GROUNDING:
        return own
    return YARDS[foul]


@rule
def is_heavier(foul: int, own: int, noted: int, noted_own: int) -> bool:
    """R72: Compare yards, then automatic first down; on a tie the first foul counts."""
    yards, before = yards_of(foul, own), yards_of(noted, noted_own)
    return yards > before or (yards == before and FIRST_DOWN[foul] > FIRST_DOWN[noted])


# --- Walking off ---------------------------------------------------------------------


@rule
def walk_back(spot: int, yards: int) -> int:
    """R74: Walk off yards toward the own goal line, at most half the distance."""
    if spot < 2 * yards:
        return (spot + 1) // 2
    return spot - yards


@rule
def walk_forward(spot: int, yards: int) -> int:
    """R74: Walk off yards toward the opponents' goal line, at most half the distance."""
    return 100 - walk_back(100 - spot, yards)


@rule
def shifted_spot(spot: int, yards: int) -> int:
    """Return a kicking spot moved forward or, by negative yards, back."""
    if yards < 0:
        return walk_back(spot, -yards)
    return walk_forward(spot, yards)


@rule
def mid_point(start: int) -> int:
    """R76: Return the point halfway from a return's start to the goal line, rounded to midfield."""
    total = start + 100
    if total < 100:
        return (total + 1) // 2
    return total // 2


# --- Noting a foul -------------------------------------------------------------------


@rule
def is_five_fifteen(foul: int, other: int) -> bool:
    """R71: Return whether a 5-yard foul without first down meets the other team's 15-yard foul."""
    if foul == p.OFF_5:
        return other == p.DEF_15
    return foul == p.DEF_5 and other == p.OFF_15


@rule
def offset_fouls(m: Match, g: Position, foul: int) -> None:
    """R70, R71: Offset fouls of both teams without more rolls; 15 yards beat 5."""
    if m.five_fifteen and is_five_fifteen(g.foul, foul):
        g.foul = foul
        stop_play(g, p.ENDS_FIFTEEN)
    elif m.five_fifteen and is_five_fifteen(foul, g.foul):
        stop_play(g, p.ENDS_FIFTEEN)
    else:
        stop_play(g, p.ENDS_OFFSET)


@rule
def is_before_snap(m: Match, g: Position, foul: int) -> bool:
    """R77, R82: Return whether a 5-yard foul is dead-ball: in basic mode, or by the chart."""
    if foul == p.OFF_5:
        if m.mode == p.FULL and kind_of_set(m, g.possession, layout.PRE_SNAP):
            return roll_set(m, g, g.possession, layout.PRE_SNAP)
        return True
    if foul == p.DEF_5:
        if m.mode == p.BASIC:
            return True
        if m.def5_presnap_roll and kind_of_set(m, g.possession, layout.PRE_SNAP):
            return roll_set(m, g, g.possession, layout.PRE_SNAP)
    return False


@rule
def note_heavier(g: Position, foul: int, own: int) -> None:
    """R72: Keep the heavier of two fouls of one team."""
    if g.foul == p.NO_FOUL or is_heavier(foul, own, g.foul, g.foul_yards):
        g.foul = foul
        g.foul_yards = own


@rule
def note_foul(m: Match, g: Position, foul: int, own: int) -> bool:
    """R69, R70, R72, R81: Note a foul on a play or field goal; return whether play continues."""
    emit(g, e.FLAG, fouling_team(g, foul), foul, own)
    if g.foul != p.NO_FOUL and is_offensive(g.foul) != is_offensive(foul):
        offset_fouls(m, g, foul)
        return False
    if foul == p.GROUNDING:
        g.foul = foul
        g.foul_yards = own
        stop_play(g, p.ENDS_GROUNDED)
        return False
    if is_before_snap(m, g, foul):
        g.foul = foul
        g.foul_yards = 0
        stop_play(g, p.ENDS_DEAD_BALL)
        return False
    note_heavier(g, foul, own)
    return True


@rule
def note_on_punt(m: Match, g: Position, foul: int) -> bool:
    """R62: Note a foul on a punt, where no foul is dead-ball; return if play continues."""
    emit(g, e.FLAG, fouling_team(g, foul), foul, 0)
    if g.foul != p.NO_FOUL and is_offensive(g.foul) != is_offensive(foul):
        offset_fouls(m, g, foul)
        return False
    note_heavier(g, foul, 0)
    return True


@rule
def note_on_return(m: Match, g: Position, foul: int) -> bool:
    """R53, R62, G17, G18: Note a foul on a return; an earlier one by the other team offsets."""
    by = g.holder if is_offensive(foul) else 1 - g.holder
    emit(g, e.FLAG, by, foul, 0)
    either = m.all_punt_fouls_offset and g.play == p.PLAY_PUNT
    against_play = g.foul != p.NO_FOUL and (either or fouling_team(g, g.foul) != by)
    if against_play or (g.return_foul != p.NO_FOUL and g.return_foul_by != by):
        stop_play(g, p.ENDS_OFFSET)
        return False
    if g.return_foul == p.NO_FOUL or is_heavier(foul, 0, g.return_foul, 0):
        g.return_foul = foul
        g.return_foul_by = by
        g.mid_point = p.NO_MID_POINT
        if by == g.holder:
            g.mid_point = mid_point(g.start)
    return True


# --- The defensive penalty chart -----------------------------------------------------


@rule
def roll_penalty_chart(m: Match, g: Position) -> None:
    """R89: Roll offense dice for the defense once a play; store a bit for each matching column."""
    if g.penalty_roll == 0:
        defense = 1 - g.possession
        g.penalty_roll = look_up(g, OFFENSE_DICE, m.penalty_rows, defense * c.LONG_SIZE, defense)


@rule
def roll_shows(g: Position, which: int) -> bool:
    """Return whether the defense's roll is a row of this column."""
    return (g.penalty_roll >> (which - layout.DEF_5_ROWS)) & 1 == 1


@rule
def is_cancelled(m: Match, g: Position, foul: int) -> bool:
    """R90: Return whether a disciplined defense did not commit the foul the column shows."""
    defense = 1 - g.possession
    which = layout.DEF_5_ROWS + foul - p.DEF_5
    if not m.def_penalties or kind_of_set(m, defense, which) != layout.CANCELS:
        return False
    roll_penalty_chart(m, g)
    if not roll_shows(g, which):
        return False
    emit(g, e.FLAG_CANCELLED, defense, foul)
    return True


@rule
def commits_foul(m: Match, g: Position, which: int) -> bool:
    """R91: Return whether the roll is a commit row of this column; PI counts on passes only."""
    if which == layout.PI_ROWS and not is_pass(g.play):
        return False
    return roll_shows(g, which) and kind_of_set(m, 1 - g.possession, which) == layout.COMMITS


@rule
def has_commit_rows(m: Match, team: int) -> bool:
    """R89: Return whether the chart has any commit row."""
    for which in range(layout.DEF_5_ROWS, layout.PI_ROWS + 1):
        if kind_of_set(m, team, which) == layout.COMMITS:
            return True
    return False


@rule
def committed_foul(m: Match, g: Position) -> int:
    """R92: Return the foul that the defense's roll shows; a choice die picks among several."""
    column = 0
    fouls = 0
    faces = 0
    for which in range(layout.DEF_5_ROWS, layout.PI_ROWS + 1):
        if commits_foul(m, g, which):
            column = which
            fouls += 1
            faces += m.pi_weight if which == layout.PI_ROWS else 1
    if fouls == 0:
        return p.NO_FOUL
    if fouls > 1:
        face = roll_choice_die(g, faces, 1 - g.possession)
        for which in range(layout.DEF_5_ROWS, layout.PI_ROWS + 1):
            if commits_foul(m, g, which) and face > 0:
                column = which
                face -= m.pi_weight if which == layout.PI_ROWS else 1
    return p.DEF_5 + column - layout.DEF_5_ROWS


@rule
def apply_penalty_chart(m: Match, g: Position) -> bool:
    """R89, R91, R92: Apply the defense's penalty chart; return whether the play continues."""
    defense = 1 - g.possession
    if not m.def_penalties or not has_commit_rows(m, defense):
        return True
    roll_penalty_chart(m, g)
    if g.foul != p.NO_FOUL and not is_offensive(g.foul):
        return True
    foul = committed_foul(m, g)
    if foul == p.NO_FOUL:
        return True
    own = 0
    if foul == p.PI and g.foul == p.NO_FOUL:
        own = number_of(roll_long(m, g, defense, layout.PI_YARDS + g.play - SCREEN))
    return note_foul(m, g, foul, own)
