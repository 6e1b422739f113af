"""Questions and steps of the two-minute drill, following docs/reference/rules/two-minute-drill.md.

The dice of a play are in `hand.py`, its outcome in `play.py`, the sheet in `ball.py`.
"""

from __future__ import annotations

from hashmark.engine.effects import emit
from hashmark.engine.rule import rule
from hashmark.games.two_minute_drill import ball, hand, play
from hashmark.games.two_minute_drill import position as p
from hashmark.games.two_minute_drill.position import (
    Match,
    Position,
)

# Return values of `refusal`: the indices of REFUSALS.
REFUSALS = (
    "",
    "",
    "a free set must keep the lowest dice; buy: keeps any set for 1 space",
    "this set is free; pick: keeps it without paying",
    "no clock space is left to pay with",
    "that team has no pips left",
    "a die cannot turn past its faces",
    "no time-outs left",
    "only one time-out per play can change the dice",
    "a time-out cannot save a play that loses the game",
    "a penalty can be taken only after a referee sum of 10 or more",
)
(
    LEGAL,
    ILLEGAL,
    NOT_LOWEST,
    IS_FREE,
    NO_SPACE,
    NO_PIPS,
    PAST_FACES,
    NO_TIME_OUTS,
    ONCE_A_PLAY,
    LOSING_PLAY,
    NO_PENALTY,
) = range(len(REFUSALS))


# --- From the roll to the six dice --------------------------------------------------


@rule
def scrimmage(m: Match, g: Position) -> None:
    """R6: roll all dice in play."""
    hand.roll_all(m, g)
    g.phase = p.REROLL


@rule
def answer_reroll(m: Match, g: Position, call: int) -> None:
    """R7, R10: pay a space to roll DT dice again, or stand."""
    if call != p.STAND:
        ball.mark_clock(g, 1)
        hand.reroll(g, call)
    if hand.must_choose(g):
        g.phase = p.PICK
    else:
        look_for_groups(m, g)


@rule
def choose(m: Match, g: Position, call: int) -> None:
    """R8 to R10: keep a set of dice, free or for a space."""
    if call >= p.FIRST_BUY:
        ball.mark_clock(g, 1)
        emit(g, p.BUYS, g.possession)
        hand.keep(g, call - p.FIRST_BUY)
    else:
        hand.keep(g, call - p.FIRST_PICK)
    look_for_groups(m, g)


@rule
def look_for_groups(m: Match, g: Position) -> None:
    """R11, R12, R19: pairs give pips; three or more end the play unless a timeout may help."""
    hand.count_pips(g)
    if hand.largest_group(g) < 3:
        place_or_turn(g)
    elif hand.pips_left(g) and g.timeouts > 0:
        g.phase = p.SPECIAL
    else:
        play.apply_groups(m, g)


@rule
def place_or_turn(g: Position) -> None:
    """R12, R21: the dice may be turned while there are pips; then they are placed."""
    if hand.pips_left(g):
        g.phase = p.PIPS
    else:
        begin_placing(g)


@rule
def begin_placing(g: Position) -> None:
    """R21: begin placing the dice; unused pips are lost."""
    g.pips[p.FOR_OT] = 0
    g.pips[p.FOR_DT] = 0
    g.combined = 0
    g.phase = p.REFEREE


@rule
def stop_for_dice(g: Position) -> None:
    """R19: call a timeout so that groups made or broken by pips count."""
    g.timeouts -= 1
    g.combined = 1
    g.phase = p.COMBINE
    emit(g, p.STOPS_FOR_DICE, g.possession, g.timeouts)


@rule
def read_groups_again(m: Match, g: Position) -> None:
    """R20: after the timeout, read the groups on the dice as they lie."""
    if hand.largest_group(g) >= 3:
        play.apply_groups(m, g)
    else:
        place_or_turn(g)


# --- Questions and steps ------------------------------------------------------------


@rule
def question(m: Match, g: Position) -> int:
    """Return the question of the phase; each phase has one."""
    return g.phase


@rule
def team_to_act(m: Match, g: Position) -> int:
    """Return the team that decides: always the offense."""
    return g.possession


@rule
def refusal(m: Match, g: Position, call: int) -> int:
    """Return why this call is not allowed, or LEGAL."""
    if g.phase == p.REROLL:
        return NO_SPACE if call != p.STAND and g.clock == 0 else LEGAL
    if g.phase == p.PICK:
        return refuse_set(g, call)
    if g.phase == p.COMBINE or g.phase == p.PIPS:
        return refuse_pips(g, call)
    if g.phase == p.REFEREE:
        return LEGAL if g.dice[(call - p.FIRST_REFEREE) // 2] > 0 else ILLEGAL
    if g.phase == p.YARDS:
        return refuse_yards(g, call - p.FIRST_YARDS)
    if g.phase == p.RESULT:
        return refuse_result(m, g, call)
    return LEGAL


@rule
def refuse_set(g: Position, call: int) -> int:
    """R9, R10, Q28: `pick` takes free sets only, `buy` the others, for a space."""
    buys = call >= p.FIRST_BUY
    kept = call - p.FIRST_BUY if buys else call - p.FIRST_PICK
    if not hand.can_keep(g, kept):
        return ILLEGAL
    if hand.is_free(g, kept):
        return IS_FREE if buys else LEGAL
    if not buys:
        return NOT_LOWEST
    return NO_SPACE if g.clock == 0 else LEGAL


@rule
def refuse_pips(g: Position, call: int) -> int:
    """R12, R19: one pip for a die of the right team within its faces; one timeout a play."""
    if call == p.DONE:
        return LEGAL
    if call == p.TIME_OUT:
        if g.timeouts == 0:
            return NO_TIME_OUTS
        return ONCE_A_PLAY if g.combined else LEGAL
    if g.dice[hand.turned_die(call)] == 0:
        return ILLEGAL
    if g.pips[hand.pip_owner(hand.turned_die(call))] == 0:
        return NO_PIPS
    return LEGAL if hand.has_face(hand.turned_die(call), hand.turned_face(g, call)) else PAST_FACES


@rule
def refuse_yards(g: Position, die: int) -> int:
    """R21: the yards die is one of the OT dice that are left."""
    return ILLEGAL if g.dice[die] == 0 or die == g.referee_ot else LEGAL


@rule
def refuse_result(m: Match, g: Position, call: int) -> int:
    """R28, R33: return why this answer to the result is not allowed, or LEGAL."""
    if call == p.PENALTY:
        return LEGAL if play.is_flagged(g) else NO_PENALTY
    if call == p.TIME_OUT:
        if g.timeouts == 0:
            return NO_TIME_OUTS
        return LOSING_PLAY if play.loses_game(m, g) else LEGAL
    return LEGAL


@rule
def answer_dice(m: Match, g: Position, call: int) -> None:
    """R12, R19, R20: turn dice one pip at a time; `done` reads or places them."""
    if call == p.TIME_OUT:
        stop_for_dice(g)
    elif call != p.DONE:
        hand.turn(g, call)
    elif g.phase == p.COMBINE:
        read_groups_again(m, g)
    else:
        begin_placing(g)


@rule
def step(m: Match, g: Position, call: int) -> None:
    """Play one call with all the dice that follow it."""
    if g.phase == p.SCRIMMAGE:
        scrimmage(m, g)
    elif g.phase == p.REROLL:
        answer_reroll(m, g, call)
    elif g.phase == p.PICK:
        choose(m, g, call)
    elif g.phase == p.SPECIAL:
        if call == p.TIME_OUT:
            stop_for_dice(g)
        else:
            play.apply_groups(m, g)
    elif g.phase == p.COMBINE or g.phase == p.PIPS:
        answer_dice(m, g, call)
    elif g.phase == p.REFEREE:
        play.place_referee(m, g, call)
    elif g.phase == p.YARDS:
        play.place_yards(m, g, call)
    elif g.phase == p.EFFORT:
        if call == p.EFFORT_ROLL:
            play.extra_effort(m, g)
        else:
            play.whistle(m, g)
    else:
        play.answer_result(m, g, call)
