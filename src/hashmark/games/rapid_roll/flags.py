"""Flags: who fouled, who may decline, and where the ball goes (R51 to R58, R66, G53)."""

from __future__ import annotations

from hashmark.engine.effects import emit
from hashmark.engine.rule import rule
from hashmark.games.rapid_roll import position as p
from hashmark.games.rapid_roll import tables as t
from hashmark.games.rapid_roll.numbers import take_number, take_row
from hashmark.games.rapid_roll.position import Match, Position
from hashmark.games.rapid_roll.scrimmage import CALL_KIND, PASS, RUN
from hashmark.games.rapid_roll.tables import KICKOFF_FOUL_SPOT, KIND, MARKS, YARDS

MAX_INTERFERENCE_YARDS = 50


@rule
def flag_column(g: Position) -> int:
    """R51: return the flag column for the call."""
    if g.call == p.KICK_OFF:
        return t.FLAG_KICKOFF
    if CALL_KIND[g.call] == RUN:
        return t.FLAG_RUN
    if CALL_KIND[g.call] == PASS:
        return t.FLAG_PASS
    return t.FLAG_KICK


@rule
def read_flag(m: Match, g: Position) -> None:
    """R51, G50: take a further number and read the foul from it."""
    column = flag_column(g)
    row = take_row(g)
    emit(g, p.READS, g.possession, column, row)
    g.foul = foul_of(KIND[column, row], MARKS[column, row] == t.PLUS)
    g.foul_yards = YARDS[column, row]
    if g.foul == p.KICKERS and m.kickers_foul == p.TACK_ON:
        g.foul = p.KICKERS_PLUS
    g.foul_timeout = 1 if MARKS[column, row] == t.TIME_OUT else 0
    if g.foul == p.DPI:
        read_interference(g)


@rule
def foul_of(kind: int, plus: bool) -> int:
    """Return the foul that a cell of a flag column stands for."""
    if kind == t.OFFENSE_FOUL:
        return p.OFF
    if kind == t.DEFENSE_FOUL:
        return p.DEF_PLUS if plus else p.DEF
    if kind == t.KICK_TEAM:
        return p.KICKERS_PLUS if plus else p.KICKERS
    if kind == t.RETURN_TEAM:
        return p.RETURNERS
    return p.DPI


@rule
def read_interference(g: Position) -> None:
    """R55, G53: take a number as it stands if the pass was not completed, else `def 5+`.

    A flag that is dropped because the offense has scored takes no number.
    """
    g.foul_yards = 5
    if g.phase == p.TRY:
        g.foul = p.DEF
    elif offended_scored(g):
        g.foul_yards = 0
    elif g.play == p.INCOMPLETE or g.play == p.INTERCEPTED:
        g.foul_yards = min(take_number(g), MAX_INTERFERENCE_YARDS)
    else:
        g.foul = p.DEF_PLUS


@rule
def offended_team(g: Position) -> int:
    """R53: return the team that may decline."""
    if g.foul == p.OFF or g.foul == p.KICKERS or g.foul == p.KICKERS_PLUS:
        return 1 - g.possession
    return g.possession


@rule
def offended_scored(g: Position) -> bool:
    """R53, G49: if true the flag is dropped; on a try a safety is a failed try, not a score."""
    if g.result == p.TOUCHDOWN or g.result == p.GOOD:
        return offended_team(g) == g.carrier
    return g.result == p.SAFETY and g.phase != p.TRY and offended_team(g) != g.carrier


@rule
def throw_flag(m: Match, g: Position) -> None:
    """R51, R53: read the flag of a flagged play; drop it, ask, or accept it at once."""
    read_flag(m, g)
    if offended_scored(g):
        emit(g, p.FLAGGED, 1 - offended_team(g), g.foul, g.foul_yards, 1)
        drop_flag(g)
    else:
        emit(g, p.FLAGGED, 1 - offended_team(g), g.foul, g.foul_yards)
        if m.decline:
            g.window = p.PENALTY_CHOICE
        else:
            accept(g)


@rule
def drop_flag(g: Position) -> None:
    """R53, G54: the play stands, and a timeout printed beside the flag is void."""
    g.foul = -1
    g.foul_yards = 0
    g.foul_timeout = 0


@rule
def accept(g: Position) -> None:
    """G54: the foul counts; the timeout of a wiped return is void, that of the flag is due."""
    if is_wiped_out(g):
        g.timeout_due = 0
    if g.foul_timeout:
        g.timeout_due = 1


@rule
def answer_penalty(g: Position, call: int) -> None:
    """R53: take the choice of the offended team."""
    g.window = p.NONE
    emit(g, p.CHOOSES, offended_team(g), call)
    if call == p.DECLINE:
        drop_flag(g)
    else:
        accept(g)


@rule
def is_wiped_out(g: Position) -> bool:
    """R54, R58, R66, G53: return whether an accepted foul wipes out the play."""
    if g.foul < 0 or g.foul == p.KICKERS_PLUS:
        return False
    if g.foul != p.DEF_PLUS or g.phase == p.TRY or CALL_KIND[g.call] > PASS:
        return True
    return g.carrier != g.possession or g.result == p.SAFETY


# --- Marking off ---------------------------------------------------------------------


@rule
def move_forward(spot: int, yards: int) -> int:
    """R56: move forward this many yards, at most half the distance to the goal line."""
    return spot + min(yards, (100 - spot) // 2)


@rule
def move_back(spot: int, yards: int) -> int:
    """R56: move back this many yards, at most half the distance to the goal line."""
    return spot - min(yards, spot // 2)


@rule
def receivers_foul_spot(m: Match, g: Position) -> int:
    """R58, G50: return where a foul by the receivers on a kickoff puts the ball."""
    if m.receivers_foul == p.AT_THE_TEN:
        return KICKOFF_FOUL_SPOT
    return move_back(KICKOFF_FOUL_SPOT, g.foul_yards)
