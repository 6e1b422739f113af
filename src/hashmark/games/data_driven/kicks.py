"""Kickoffs, punts, field goals and the kicked try (R50 to R68)."""

from __future__ import annotations

from hashmark.games.data_driven import cells as c
from hashmark.games.data_driven import events as e
from hashmark.games.data_driven import layout
from hashmark.games.data_driven import position as p
from hashmark.games.data_driven.cells import is_number, is_out, is_penalty, kind_of, number_of
from hashmark.games.data_driven.dice import BOUNCE, DEFENCE_DICE
from hashmark.games.data_driven.downs import TRY_SPOT
from hashmark.games.data_driven.ending import end_play
from hashmark.games.data_driven.fumbles import block, fumble
from hashmark.games.data_driven.lookups import roll_long, roll_set, roll_short
from hashmark.games.data_driven.penalties import foul_of, note, note_on_punt
from hashmark.games.data_driven.position import Match, Position
from hashmark.games.data_driven.returns import return_kick
from hashmark.games.data_driven.scrimmage import FG_ADJUST, STOPPED, has_supplement
from hashmark.table.effects import roll, tell
from hashmark.table.rule import rule

SQUIB_YARDS = 50
ONSIDE_YARDS = 12
KICKED_OUT_SPOT = 40
NO_RETURN_POOCH = 10
ADJUSTED_FROM = 31  # yards to the goal line: FG Adj. is used on or inside
MISS_SPOT = 20


# --- Kickoffs ------------------------------------------------------------------------


@rule
def kick(m: Match, g: Position, call: int) -> None:
    """R50, R54, R55: kickoff, squib or onside, after a safety too (R56)."""
    if call == p.ONSIDE:
        g.play = p.PLAY_ONSIDE
        kick_onside(m, g)
    elif call == p.SQUIB:
        g.play = p.PLAY_SQUIB
        tell(g, e.SQUIBS, g.possession, SQUIB_YARDS, g.spot + SQUIB_YARDS)
        land_kickoff(m, g, g.spot + SQUIB_YARDS)
    else:
        g.play = p.PLAY_KICKOFF
        roll_kickoff(m, g)


@rule
def roll_kickoff(m: Match, g: Position) -> None:
    """R50, R53: the kickoff chart; offside is noted, a kick out of bounds is final."""
    while True:
        cell = roll_long(m, g, g.possession, layout.KICKOFF)
        if not is_penalty(cell):
            break
        tell(g, e.FLAG, g.possession, foul_of(cell))
        if kind_of(cell) == c.OFF_40:
            g.foul = p.NO_FOUL
            tell(g, e.KICKED_OUT, g.possession)
            end_play(g, p.ENDS_DOWN, 1 - g.possession, KICKED_OUT_SPOT)
            return
        g.foul = p.OFF_5
    landing = g.spot + number_of(cell)
    tell(g, e.KICKS_OFF, g.possession, number_of(cell), landing)
    land_kickoff(m, g, landing)


@rule
def land_kickoff(m: Match, g: Position, landing: int) -> None:
    """R51: over the end line a touchback, in the end zone a choice, in the field a return."""
    g.holder = 1 - g.possession
    g.start = 100 - landing
    if landing >= 110:
        end_play(g, p.ENDS_TOUCHBACK, g.holder, 0)
    elif landing >= 100:
        g.asks = p.ASK_KICK_RETURN
    else:
        return_kickoff(m, g)


@rule
def return_kickoff(m: Match, g: Position) -> None:
    """R52, R54: the kick return chart, or the league's for a squib."""
    column = layout.SQUIB_RETURN if g.play == p.PLAY_SQUIB else layout.KICK_RETURN
    return_kick(m, g, column, layout.KICK_COVERAGE)


@rule
def answer_kick_return(m: Match, g: Position, call: int) -> None:
    """R51: the receivers' choice in their end zone."""
    if call == p.TOUCHBACK:
        end_play(g, p.ENDS_TOUCHBACK, g.holder, 0)
    else:
        return_kickoff(m, g)


@rule
def kick_onside(m: Match, g: Position) -> None:
    """R55: twelve yards; the league's rows keep the ball. No return."""
    spot = min(g.spot + ONSIDE_YARDS, 99)
    if roll_set(m, g, g.possession, layout.ONSIDE):
        tell(g, e.ONSIDE_KICK, g.possession, 1, spot)
        end_play(g, p.ENDS_DOWN, g.possession, spot)
    else:
        tell(g, e.ONSIDE_KICK, g.possession, 0, spot)
        end_play(g, p.ENDS_DOWN, 1 - g.possession, 100 - spot)


# --- Punts ---------------------------------------------------------------------------


@rule
def punt(m: Match, g: Position, shorter: int) -> None:
    """R57, R59, R62, R63: the punt chart; a pooch is so many yards shorter."""
    g.play = p.PLAY_PUNT
    g.holder = g.possession
    while True:
        cell = roll_long(m, g, g.possession, layout.PUNT)
        if not is_penalty(cell):
            break
        if not note_on_punt(m, g, foul_of(cell)):
            return
    if kind_of(cell) == c.BLOCK:
        block(m, g, number_of(cell))
    elif kind_of(cell) == c.FUMBLE:
        fumble(m, g, g.spot + number_of(cell))
    else:
        dead = is_out(cell) or shorter >= NO_RETURN_POOCH
        land_punt(m, g, max(number_of(cell) - shorter, 0), dead)


@rule
def land_punt(m: Match, g: Position, yards: int, dead: bool) -> None:
    """R57, R59, R61: touchback, dead where it lands, a choice inside the 10, or a return."""
    landing = g.spot + yards
    g.gain = min(yards, 100 - g.spot)
    g.holder = 1 - g.possession
    tell(g, e.PUNTS, g.possession, g.gain, landing)
    if landing >= 100:
        end_play(g, p.ENDS_TOUCHBACK, g.holder, 0)
    elif dead:
        end_play(g, p.ENDS_DOWN, g.holder, 100 - landing)
    elif landing >= 90:
        g.start = 100 - landing
        g.asks = p.ASK_ROLL_OR_RETURN
    else:
        g.start = 100 - landing
        return_kick(m, g, layout.PUNT_RETURN, layout.PUNT_COVERAGE)


@rule
def answer_roll_or_return(m: Match, g: Position, call: int) -> None:
    """R61: return it, or let it roll: two or three forward, any other total backward."""
    if call == p.RETURN:
        return_kick(m, g, layout.PUNT_RETURN, layout.PUNT_COVERAGE)
        return
    yards = roll(g, BOUNCE, g.holder)
    total = roll(g, DEFENCE_DICE, g.holder)
    if total == 2 or total == 3:
        if yards == 0:
            yards = 10
    else:
        yards = -yards
    tell(g, e.LETS_ROLL, g.holder, yards)
    if g.start - yards <= 0:
        end_play(g, p.ENDS_TOUCHBACK, g.holder, 0)
    else:
        end_play(g, p.ENDS_DOWN, g.holder, g.start - yards)
    g.start = p.NOWHERE


# --- Field goals and the kicked try --------------------------------------------------


@rule
def roll_field_goal(m: Match, g: Position) -> int:
    """R65, R67: the kicker's cell; penalties as on scrimmage plays."""
    while True:
        cell = roll_long(m, g, g.possession, layout.FIELD_GOAL)
        if not is_penalty(cell):
            return cell
        if not note(m, g, foul_of(cell), number_of(cell)):
            return STOPPED


@rule
def reaches(g: Position, cell: int) -> bool:
    """R65: the number is the longest line of scrimmage that it makes."""
    return is_number(cell) and number_of(cell) >= 100 - g.spot


@rule
def field_goal(m: Match, g: Position) -> None:
    """R65 to R67: the kick, the defence's adjustment of a number, blocks and fumbles."""
    g.play = p.PLAY_FIELD_GOAL
    g.holder = g.possession
    cell = roll_field_goal(m, g)
    if cell == STOPPED:
        return
    if kind_of(cell) == c.BLOCK:
        block(m, g, number_of(cell))
    elif kind_of(cell) == c.FUMBLE:
        fumble(m, g, g.spot + number_of(cell))
    elif is_good(m, g, cell):
        end_play(g, p.ENDS_GOOD, g.possession, g.spot)
    else:
        spot = min(max(100 - g.spot + m.fg_depth, MISS_SPOT), 99)
        end_play(g, p.ENDS_DOWN, 1 - g.possession, spot)


@rule
def is_good(m: Match, g: Position, cell: int) -> bool:
    """R65, R67: FG Adj. meets numbers only, from on or inside the 31."""
    good = reaches(g, cell)
    defence = 1 - g.possession
    if not is_number(cell) or 100 - g.spot > ADJUSTED_FROM:
        return good
    if not m.fg_adjust or not has_supplement(m, defence, FG_ADJUST):
        return good
    adjusted = kind_of(roll_short(m, g, defence, layout.FG_ADJUST))
    if adjusted == c.GOOD:
        return True
    return good and adjusted != c.NO_GOOD


@rule
def extra_point(m: Match, g: Position) -> None:
    """R68: the rows of the PAT misses; from farther out the field goal column."""
    g.play = p.PLAY_EXTRA_POINT
    g.holder = g.possession
    if g.spot >= TRY_SPOT:
        good = not roll_set(m, g, g.possession, layout.PAT_MISS)
    else:
        cell = roll_field_goal(m, g)
        if cell == STOPPED:
            return
        good = reaches(g, cell)
    if good:
        end_play(g, p.ENDS_GOOD, g.possession, g.spot)
    else:
        end_play(g, p.ENDS_DOWN, 1 - g.possession, 50)
