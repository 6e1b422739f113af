"""The two-minute drill: its questions and steps, after docs/rules/two-minute-drill.md.

The dice of a play are in `hand.py`, what becomes of it in `play.py`, the sheet in `ball.py`.
"""

from __future__ import annotations

from hashmark.games.two_minute_drill import position as p
from hashmark.games.two_minute_drill.ball import (
    mark,
)
from hashmark.games.two_minute_drill.hand import (
    can_keep,
    count_pips,
    has_face,
    is_free,
    keep,
    largest_group,
    must_choose,
    pips_left,
    reroll,
    roll_all,
    turn,
    turned_die,
    turned_face,
    whose,
)
from hashmark.games.two_minute_drill.play import (
    answer_result,
    carry_out,
    extra_effort,
    flagged,
    loses,
    place_referee,
    place_yards,
    whistle,
)
from hashmark.games.two_minute_drill.position import (
    Match,
    Position,
)
from hashmark.table.effects import tell
from hashmark.table.rule import rule

# What `refusal` answers: the indices of REFUSALS.
REFUSALS = (
    "",
    "",
    "a free set leaves no die out that is lowest; buy: marks a space for any other",
    "this set is free; pick: takes it without a mark",
    "no clock space is left to pay with",
    "no pips are left for that team",
    "the die would go past its faces",
    "no time-outs left",
    "one time-out a play may change the dice",
    "a play that loses the game cannot be saved by a time-out",
    "only after a referee sum of 10 or more",
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
    roll_all(m, g)
    g.phase = p.REROLL


@rule
def answer_reroll(m: Match, g: Position, call: int) -> None:
    """R7, R10: a space for another roll of DT dice, or none."""
    if call != p.STAND:
        mark(g, 1)
        reroll(g, call)
    if must_choose(g):
        g.phase = p.PICK
    else:
        look_for_groups(m, g)


@rule
def choose(m: Match, g: Position, call: int) -> None:
    """R8 to R10: the dice to keep, free or for a space."""
    if call >= p.FIRST_BUY:
        mark(g, 1)
        tell(g, p.BUYS, g.possession)
        keep(g, call - p.FIRST_BUY)
    else:
        keep(g, call - p.FIRST_PICK)
    look_for_groups(m, g)


@rule
def look_for_groups(m: Match, g: Position) -> None:
    """R11, R12, R19: pairs give pips; three or more end the play unless a time-out may help."""
    count_pips(g)
    if largest_group(g) < 3:
        place_or_turn(g)
    elif pips_left(g) and g.timeouts > 0:
        g.phase = p.SPECIAL
    else:
        carry_out(m, g)


@rule
def place_or_turn(g: Position) -> None:
    """R12, R21: the dice may be turned while there are pips, then they are placed."""
    if pips_left(g):
        g.phase = p.PIPS
    else:
        place(g)


@rule
def place(g: Position) -> None:
    """R21: pips not used by now are gone."""
    g.pips[p.FOR_OT] = 0
    g.pips[p.FOR_DT] = 0
    g.combined = 0
    g.phase = p.REFEREE


@rule
def stop_for_dice(g: Position) -> None:
    """R19: a time-out, so that groups made or broken by pips count."""
    g.timeouts -= 1
    g.combined = 1
    g.phase = p.COMBINE
    tell(g, p.STOPS_FOR_DICE, g.possession, g.timeouts)


@rule
def read_again(m: Match, g: Position) -> None:
    """R20: after the time-out the groups are read on the dice as they lie."""
    if largest_group(g) >= 3:
        carry_out(m, g)
    else:
        place_or_turn(g)


# --- Questions and steps ------------------------------------------------------------


@rule
def question(m: Match, g: Position) -> int:
    """Each phase has one question of its own."""
    return g.phase


@rule
def asked(m: Match, g: Position) -> int:
    """The offence decides everything."""
    return g.possession


@rule
def refusal(m: Match, g: Position, call: int) -> int:
    """Why this call of the question is not allowed, or LEGAL."""
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
    if not can_keep(g, kept):
        return ILLEGAL
    if is_free(g, kept):
        return IS_FREE if buys else LEGAL
    if not buys:
        return NOT_LOWEST
    return NO_SPACE if g.clock == 0 else LEGAL


@rule
def refuse_pips(g: Position, call: int) -> int:
    """R12, R19: one pip for a die of the right team within its faces; one time-out a play."""
    if call == p.DONE:
        return LEGAL
    if call == p.TIME_OUT:
        if g.timeouts == 0:
            return NO_TIME_OUTS
        return ONCE_A_PLAY if g.combined else LEGAL
    if g.dice[turned_die(call)] == 0:
        return ILLEGAL
    if g.pips[whose(turned_die(call))] == 0:
        return NO_PIPS
    return LEGAL if has_face(turned_die(call), turned_face(g, call)) else PAST_FACES


@rule
def refuse_yards(g: Position, die: int) -> int:
    """R21: one of the OT dice that are left."""
    return ILLEGAL if g.dice[die] == 0 or die == g.referee_ot else LEGAL


@rule
def refuse_result(m: Match, g: Position, call: int) -> int:
    """R28, R33: what may be made of the play."""
    if call == p.PENALTY:
        return LEGAL if flagged(g) else NO_PENALTY
    if call == p.TIME_OUT:
        if g.timeouts == 0:
            return NO_TIME_OUTS
        return LOSING_PLAY if loses(m, g) else LEGAL
    return LEGAL


@rule
def answer_dice(m: Match, g: Position, call: int) -> None:
    """R12, R19, R20: turn dice one pip at a time; `done` reads or places them."""
    if call == p.TIME_OUT:
        stop_for_dice(g)
    elif call != p.DONE:
        turn(g, call)
    elif g.phase == p.COMBINE:
        read_again(m, g)
    else:
        place(g)


@rule
def step(m: Match, g: Position, call: int) -> None:
    """One call and all the dice that follow it."""
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
            carry_out(m, g)
    elif g.phase == p.COMBINE or g.phase == p.PIPS:
        answer_dice(m, g, call)
    elif g.phase == p.REFEREE:
        place_referee(m, g, call)
    elif g.phase == p.YARDS:
        place_yards(m, g, call)
    elif g.phase == p.EFFORT:
        if call == p.EFFORT_ROLL:
            extra_effort(m, g)
        else:
            whistle(m, g)
    else:
        answer_result(m, g, call)
