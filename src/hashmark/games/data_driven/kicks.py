"""Kickoffs, punts, field goals and the kicked try (R50 to R68)."""

from __future__ import annotations

from hashmark.engine.effects import emit, roll
from hashmark.engine.rule import rule
from hashmark.games.data_driven import events as e
from hashmark.games.data_driven import position as p
from hashmark.games.data_driven.charts import cells as c
from hashmark.games.data_driven.charts import layout
from hashmark.games.data_driven.charts.cells import is_number, is_out, kind_of, number_of
from hashmark.games.data_driven.charts.lookups import roll_set, roll_short
from hashmark.games.data_driven.dice import BOUNCE_DIE, DEFENSE_DICE
from hashmark.games.data_driven.ending import end_play, roll_again, roll_on
from hashmark.games.data_driven.fumbles import block_kick, fumble
from hashmark.games.data_driven.penalties import foul_of, note_foul, note_on_punt
from hashmark.games.data_driven.position import Match, Position
from hashmark.games.data_driven.scrimmage import FG_ADJUST, has_supplement
from hashmark.games.data_driven.tables import END_LINE, FAILED_TRY_SPOT, PUNT_ROLL_FROM, TRY_SPOT

SQUIB_YARDS = 50
ONSIDE_YARDS = 12
OUT_OF_BOUNDS_SPOT = 40
NO_RETURN_POOCH_YARDS = 10
FG_ADJUST_MAX_YARDS = 31  # yards to the goal line; FG Adj. applies on or inside it
MIN_MISS_SPOT = 20


# --- Kickoffs ------------------------------------------------------------------------


@rule
def call_kickoff(m: Match, g: Position, call: int) -> None:
    """R50, R54, R55: Play a kickoff, squib or onside kick, also after a safety (R56)."""
    g.holder = g.possession
    if call == p.ONSIDE:
        g.play = p.PLAY_ONSIDE
        kick_onside(m, g)
    elif call == p.SQUIB:
        g.play = p.PLAY_SQUIB
        emit(g, e.SQUIBS, g.possession, SQUIB_YARDS, g.spot + SQUIB_YARDS)
        land_kickoff(g, g.spot + SQUIB_YARDS)
    else:
        g.play = p.PLAY_KICKOFF
        roll_on(g, layout.KICKOFF)


@rule
def flag_on_kickoff(g: Position, cell: int) -> None:
    """R53, R72: Note offside and kick again; a kick out of bounds ends the play."""
    emit(g, e.FLAG, g.possession, foul_of(cell))
    if kind_of(cell) == c.OFF_40:
        g.foul = p.NO_FOUL
        emit(g, e.KICKS_OUT_OF_BOUNDS, g.possession)
        end_play(g, p.ENDS_DOWN, 1 - g.possession, OUT_OF_BOUNDS_SPOT)
    else:
        g.foul = p.OFF_5
        roll_again(g, layout.KICKOFF)


@rule
def kick_off(g: Position, cell: int) -> None:
    """R50: Kick off this many yards from the spot of the kick."""
    landing = g.spot + number_of(cell)
    emit(g, e.KICKS_OFF, g.possession, number_of(cell), landing)
    land_kickoff(g, landing)


@rule
def land_kickoff(g: Position, landing: int) -> None:
    """R51: Touchback beyond the end line, a choice in the end zone, a return in the field."""
    g.holder = 1 - g.possession
    g.start = 100 - landing
    if landing >= END_LINE:
        end_play(g, p.ENDS_TOUCHBACK, g.holder, 0)
    elif landing >= 100:
        g.asks = p.ASK_KICK_RETURN
    else:
        return_kickoff(g)


@rule
def return_kickoff(g: Position) -> None:
    """R52, R54: Roll on the kick return chart, or on the league's chart for a squib."""
    roll_on(g, layout.SQUIB_RETURN if g.play == p.PLAY_SQUIB else layout.KICK_RETURN)


@rule
def answer_kick_return(g: Position, call: int) -> None:
    """R51: Apply the receiving team's choice in its end zone."""
    if call == p.TOUCHBACK:
        end_play(g, p.ENDS_TOUCHBACK, g.holder, 0)
    else:
        return_kickoff(g)


@rule
def kick_onside(m: Match, g: Position) -> None:
    """R55: Kick 12 yards; the league's rows keep the ball. There is no return."""
    spot = min(g.spot + ONSIDE_YARDS, 99)
    if roll_set(m, g, g.possession, layout.ONSIDE):
        emit(g, e.ONSIDE_KICK, g.possession, 1, spot)
        end_play(g, p.ENDS_DOWN, g.possession, spot)
    else:
        emit(g, e.ONSIDE_KICK, g.possession, 0, spot)
        end_play(g, p.ENDS_DOWN, 1 - g.possession, 100 - spot)


# --- Punts ---------------------------------------------------------------------------


@rule
def call_punt(g: Position, shorter: int) -> None:
    """R57, R59, R60: Start a punt, or a pooch punt this many yards shorter."""
    g.play = p.PLAY_PUNT
    g.holder = g.possession
    g.shorter = shorter
    roll_on(g, layout.PUNT)


@rule
def flag_on_punt(m: Match, g: Position, cell: int) -> None:
    """R62: Note a foul of the punt chart and roll again for the result."""
    if note_on_punt(m, g, foul_of(cell)):
        roll_again(g, layout.PUNT)


@rule
def punt(m: Match, g: Position, cell: int) -> None:
    """R57, R59, R63: Resolve a punt: blocked, fumbled or kicked; a pooch may rule out a return."""
    shorter = g.shorter
    g.shorter = 0
    if kind_of(cell) == c.BLOCK:
        block_kick(m, g, number_of(cell))
    elif kind_of(cell) == c.FUMBLE:
        fumble(m, g, g.spot + number_of(cell))
    else:
        dead = is_out(cell) or shorter >= NO_RETURN_POOCH_YARDS
        land_punt(g, max(number_of(cell) - shorter, 0), dead)


@rule
def land_punt(g: Position, yards: int, dead: bool) -> None:
    """R57, R59, R61: Touchback, dead ball, a choice inside the 10, or a return."""
    landing = g.spot + yards
    g.gain = min(yards, 100 - g.spot)
    g.holder = 1 - g.possession
    emit(g, e.PUNTS, g.possession, g.gain, landing)
    if landing >= 100:
        end_play(g, p.ENDS_TOUCHBACK, g.holder, 0)
    elif dead:
        end_play(g, p.ENDS_DOWN, g.holder, 100 - landing)
    elif landing >= PUNT_ROLL_FROM:
        g.start = 100 - landing
        g.asks = p.ASK_ROLL_OR_RETURN
    else:
        g.start = 100 - landing
        roll_on(g, layout.PUNT_RETURN)


@rule
def answer_roll_or_return(g: Position, call: int) -> None:
    """R61: Return the punt or let it roll: a total of 2 or 3 forward, any other backward."""
    if call == p.RETURN:
        roll_on(g, layout.PUNT_RETURN)
        return
    yards = roll(g, BOUNCE_DIE, g.holder)
    total = roll(g, DEFENSE_DICE, g.holder)
    if total == 2 or total == 3:
        if yards == 0:
            yards = 10
    else:
        yards = -yards
    emit(g, e.LETS_ROLL, g.holder, yards)
    if g.start - yards <= 0:
        end_play(g, p.ENDS_TOUCHBACK, g.holder, 0)
    else:
        end_play(g, p.ENDS_DOWN, g.holder, g.start - yards)
    g.start = p.NOWHERE


# --- Field goals and the kicked try --------------------------------------------------


@rule
def call_field_goal(g: Position, play: int) -> None:
    """R65, R68: Start a field goal, or an extra point from farther out than the 2."""
    g.play = play
    g.holder = g.possession
    roll_on(g, layout.FIELD_GOAL)


@rule
def flag_on_field_goal(m: Match, g: Position, cell: int) -> None:
    """R67: Note a foul on a field goal as on a scrimmage play."""
    if note_foul(m, g, foul_of(cell), number_of(cell)):
        roll_again(g, layout.FIELD_GOAL)


@rule
def kick_reaches(g: Position, cell: int) -> bool:
    """R65: Return whether the kick reaches; a number is the longest line of scrimmage it makes."""
    return is_number(cell) and number_of(cell) >= 100 - g.spot


@rule
def field_goal(m: Match, g: Position, cell: int) -> None:
    """R65 to R68: Resolve the kick: the defense's adjustment of a number, blocks and fumbles."""
    if g.play == p.PLAY_EXTRA_POINT:
        end_extra_point(g, kick_reaches(g, cell))
    elif kind_of(cell) == c.BLOCK:
        block_kick(m, g, number_of(cell))
    elif kind_of(cell) == c.FUMBLE:
        fumble(m, g, g.spot + number_of(cell))
    elif is_good(m, g, cell):
        end_play(g, p.ENDS_GOOD, g.possession, g.spot)
    else:
        spot = min(max(100 - g.spot + m.fg_depth, MIN_MISS_SPOT), 99)
        end_play(g, p.ENDS_DOWN, 1 - g.possession, spot)


@rule
def is_good(m: Match, g: Position, cell: int) -> bool:
    """R65, R67: Return whether the kick is good; FG Adj. applies to numbers on or inside the 31."""
    good = kick_reaches(g, cell)
    defense = 1 - g.possession
    if not is_number(cell) or 100 - g.spot > FG_ADJUST_MAX_YARDS:
        return good
    if not m.fg_adjust or not has_supplement(m, defense, FG_ADJUST):
        return good
    adjusted = kind_of(roll_short(m, g, defense, layout.FG_ADJUST))
    if adjusted == c.GOOD:
        return True
    return good and adjusted != c.NO_GOOD


@rule
def extra_point(m: Match, g: Position) -> None:
    """R68: Roll on the PAT miss rows, or from farther out on the field goal column."""
    if g.spot < TRY_SPOT:
        call_field_goal(g, p.PLAY_EXTRA_POINT)
        return
    g.play = p.PLAY_EXTRA_POINT
    end_extra_point(g, not roll_set(m, g, g.possession, layout.PAT_MISS))


@rule
def end_extra_point(g: Position, good: bool) -> None:
    """R68: End the try, good or not."""
    if good:
        end_play(g, p.ENDS_GOOD, g.possession, g.spot)
    else:
        end_play(g, p.ENDS_DOWN, 1 - g.possession, FAILED_TRY_SPOT)
