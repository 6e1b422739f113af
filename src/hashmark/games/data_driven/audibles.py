"""Secret calls, their reveal, and audibles (R7, R111 to R114)."""

from __future__ import annotations

from hashmark.games.data_driven import events as e
from hashmark.games.data_driven import position as p
from hashmark.games.data_driven.dice import FALSE_READ
from hashmark.games.data_driven.position import Match, Position
from hashmark.games.data_driven.tables import FORMATIONS
from hashmark.table.effects import roll, tell
from hashmark.table.rule import rule

AGAINST_OFFENCE, AGAINST_DEFENCE = 1, 2  # bits in the table of mismatches
WIDTH = len(FORMATIONS)


@rule
def call_play(g: Position, play: int) -> None:
    """R7: the offence's secret call; after an audible of its own the formation already stands."""
    g.play = play
    if g.formation < 0:
        g.asks = p.ASK_FORMATION
    else:
        g.asks = p.TO_SNAP


@rule
def call_formation(m: Match, g: Position, formation: int) -> None:
    """R7: the defence's secret call; then both are revealed."""
    g.formation = formation
    if g.audibled or m.audibles == p.AUDIBLES_OFF:
        g.asks = p.TO_SNAP
    elif m.audibles == p.BOARD:
        tell(g, e.REVEALS, g.possession, g.play, g.formation)
        ask_on_board(g, p.OFFENCE)
    else:
        prompt(m, g)


@rule
def veil(m: Match, g: Position, viewer: int) -> None:
    """R7, R113: hide the other side's call until the reveal, with a PC's prompts until the snap.

    A watcher sees neither call; whether the defence will be prompted too nobody knows.
    """
    window = g.asks == p.ASK_OFFENCE_AUDIBLE or g.asks == p.ASK_DEFENCE_AUDIBLE
    if (window and m.audibles == p.PC) or g.asks == p.ASK_PLAY or g.asks == p.ASK_FORMATION:
        g.prompted = 0
        if viewer != g.possession:
            g.play = p.NO_PLAY
        if viewer != 1 - g.possession:
            g.formation = -1


@rule
def side_team(g: Position, side: int) -> int:
    """The team that is on this side of the ball."""
    return g.possession if side == p.OFFENCE else 1 - g.possession


@rule
def ask_side(g: Position, side: int) -> None:
    """Ask for an audible of this side."""
    g.asks = p.ASK_OFFENCE_AUDIBLE if side == p.OFFENCE else p.ASK_DEFENCE_AUDIBLE


@rule
def may_audible(g: Position, side: int) -> bool:
    """R112: an audible of the side he is on, or a timeout instead."""
    team = side_team(g, side)
    return g.audibles[team][side] > 0 or g.timeouts[team] > 0


@rule
def ask_on_board(g: Position, first: int) -> None:
    """R112: after the reveal, offence first; who has nothing to spend is not asked."""
    for side in range(first, 2):
        if may_audible(g, side):
            ask_side(g, side)
            return
    g.asks = p.TO_SNAP


@rule
def is_mismatched(m: Match, g: Position, side: int) -> bool:
    """R112, R113: whether play and formation are a mismatch against this side."""
    against = AGAINST_OFFENCE if side == p.OFFENCE else AGAINST_DEFENCE
    return m.mismatch[g.play * WIDTH + g.formation] & against != 0


@rule
def is_prompted(m: Match, g: Position, side: int) -> bool:
    """R113, R114: a mismatch against him, or without any a false read; only with an audible."""
    team = side_team(g, side)
    if g.audibles[team][side] == 0:
        return False
    if m.mismatch[g.play * WIDTH + g.formation] == 0:
        return roll(g, FALSE_READ, team) == 1
    return is_mismatched(m, g, side)


@rule
def prompt(m: Match, g: Position) -> None:
    """R113: who is prompted is asked, and not told whether the read was true."""
    offence = is_prompted(m, g, p.OFFENCE)
    defence = is_prompted(m, g, p.DEFENCE)
    if offence:
        g.prompted = int(defence)
        ask_side(g, p.OFFENCE)
    elif defence:
        ask_side(g, p.DEFENCE)
    else:
        g.asks = p.TO_SNAP


@rule
def answer_audible(m: Match, g: Position, side: int, call: int) -> None:
    """R112, R113: call again, for an audible or a timeout, or stand."""
    team = side_team(g, side)
    if call == p.STAND:
        stand_pat(m, g, side)
        return
    g.audibled = 1
    g.prompted = 0
    tell(g, e.AUDIBLES, team, int(call == p.AUDIBLE_TIMEOUT))
    if call == p.AUDIBLE:
        g.audibles[team][side] -= 1
    else:
        g.timeouts[team] -= 1
        tell(g, e.CALLS_TIMEOUT, team)
    only_own = m.audibles == p.PC and call == p.AUDIBLE
    call_again(g, side, only_own)


@rule
def stand_pat(m: Match, g: Position, side: int) -> None:
    """No audible here; perhaps the defence has one."""
    if side == p.DEFENCE:
        g.asks = p.TO_SNAP
    elif m.audibles == p.BOARD:
        ask_on_board(g, p.DEFENCE)
    elif g.prompted:
        g.prompted = 0
        ask_side(g, p.DEFENCE)
    else:
        g.asks = p.TO_SNAP


@rule
def call_again(g: Position, side: int, only_own: bool) -> None:
    """R112, R113: both calls are withdrawn, or on a PC prompt only the own."""
    if side == p.DEFENCE and only_own:
        g.formation = -1
        g.asks = p.ASK_FORMATION
        return
    g.play = p.NO_PLAY
    if not only_own:
        g.formation = -1
    g.asks = p.ASK_PLAY
