"""Secret calls, their reveal, and audibles (R7, R111 to R114)."""

from __future__ import annotations

from hashmark.engine.effects import emit, roll
from hashmark.engine.rule import rule
from hashmark.games.data_driven import events as e
from hashmark.games.data_driven import position as p
from hashmark.games.data_driven.dice import FALSE_READ_DIE
from hashmark.games.data_driven.position import Match, Position
from hashmark.games.data_driven.tables import FORMATIONS

AGAINST_OFFENSE, AGAINST_DEFENSE = 1, 2  # bits in the mismatch table
FORMATION_COUNT = len(FORMATIONS)


@rule
def call_play(g: Position, play: int) -> None:
    """R7: Set the offense's secret call; after its own audible the formation already stands."""
    g.play = play
    if g.formation < 0:
        g.asks = p.ASK_FORMATION
    else:
        g.asks = p.TO_SNAP


@rule
def call_formation(m: Match, g: Position, formation: int) -> None:
    """R7: Set the defense's secret call; then both are revealed."""
    g.formation = formation
    if g.audibled or m.audibles == p.AUDIBLES_OFF:
        g.asks = p.TO_SNAP
    elif m.audibles == p.AUDIBLES_BOARD:
        emit(g, e.REVEALS, g.possession, g.play, g.formation)
        ask_on_board(g, p.OFFENSE)
    else:
        prompt_sides(m, g)


@rule
def redact(m: Match, g: Position, viewer: int) -> None:
    """R7, R113: Hide the other side's call until the reveal, with PC prompts until the snap.

    A spectator sees neither call. Whether the defense will be prompted too is hidden from everyone.
    """
    window = g.asks == p.ASK_OFFENSE_AUDIBLE or g.asks == p.ASK_DEFENSE_AUDIBLE
    if (
        (window and m.audibles == p.AUDIBLES_PC)
        or g.asks == p.ASK_PLAY
        or g.asks == p.ASK_FORMATION
    ):
        g.prompted = 0
        if viewer != g.possession:
            g.play = p.NO_PLAY
        if viewer != 1 - g.possession:
            g.formation = -1


@rule
def side_team(g: Position, side: int) -> int:
    """Return the team on this side of the ball."""
    return g.possession if side == p.OFFENSE else 1 - g.possession


@rule
def ask_side(g: Position, side: int) -> None:
    """Ask this side for an audible."""
    g.asks = p.ASK_OFFENSE_AUDIBLE if side == p.OFFENSE else p.ASK_DEFENSE_AUDIBLE


@rule
def may_audible(g: Position, side: int) -> bool:
    """R112: Return whether this side has an audible or, instead, a timeout to spend."""
    team = side_team(g, side)
    return g.audibles[team][side] > 0 or g.timeouts[team] > 0


@rule
def ask_on_board(g: Position, first: int) -> None:
    """R112: Ask after the reveal, offense first; a side with nothing to spend is not asked."""
    for side in range(first, 2):
        if may_audible(g, side):
            ask_side(g, side)
            return
    g.asks = p.TO_SNAP


@rule
def is_mismatched(m: Match, g: Position, side: int) -> bool:
    """R112, R113: Return whether play and formation are a mismatch against this side."""
    against = AGAINST_OFFENSE if side == p.OFFENSE else AGAINST_DEFENSE
    return m.mismatch[g.play * FORMATION_COUNT + g.formation] & against != 0


@rule
def is_prompted(m: Match, g: Position, side: int) -> bool:
    """R113, R114: Return whether this side is prompted: a mismatch, or a false read without any."""
    team = side_team(g, side)
    if g.audibles[team][side] == 0:
        return False
    if m.mismatch[g.play * FORMATION_COUNT + g.formation] == 0:
        return roll(g, FALSE_READ_DIE, team) == 1
    return is_mismatched(m, g, side)


@rule
def prompt_sides(m: Match, g: Position) -> None:
    """R113: Ask each prompted side, without revealing whether the read was true."""
    offense = is_prompted(m, g, p.OFFENSE)
    defense = is_prompted(m, g, p.DEFENSE)
    if offense:
        g.prompted = int(defense)
        ask_side(g, p.OFFENSE)
    elif defense:
        ask_side(g, p.DEFENSE)
    else:
        g.asks = p.TO_SNAP


@rule
def answer_audible(m: Match, g: Position, side: int, call: int) -> None:
    """R112, R113: Call again, for an audible or a timeout, or stand."""
    team = side_team(g, side)
    if call == p.STAND:
        stand_pat(m, g, side)
        return
    g.audibled = 1
    g.prompted = 0
    emit(g, e.AUDIBLES, team, int(call == p.AUDIBLE_TIMEOUT))
    if call == p.AUDIBLE:
        g.audibles[team][side] -= 1
    else:
        g.timeouts[team] -= 1
        emit(g, e.CALLS_TIMEOUT, team)
    only_own = m.audibles == p.AUDIBLES_PC and call == p.AUDIBLE
    call_again(g, side, only_own)


@rule
def stand_pat(m: Match, g: Position, side: int) -> None:
    """Decline the audible; the defense may still have one."""
    if side == p.DEFENSE:
        g.asks = p.TO_SNAP
    elif m.audibles == p.AUDIBLES_BOARD:
        ask_on_board(g, p.DEFENSE)
    elif g.prompted:
        g.prompted = 0
        ask_side(g, p.DEFENSE)
    else:
        g.asks = p.TO_SNAP


@rule
def call_again(g: Position, side: int, only_own: bool) -> None:
    """R112, R113: Withdraw both calls, or on a PC prompt only the side's own call."""
    if side == p.DEFENSE and only_own:
        g.formation = -1
        g.asks = p.ASK_FORMATION
        return
    g.play = p.NO_PLAY
    if not only_own:
        g.formation = -1
    g.asks = p.ASK_PLAY
