"""The searching coach: evaluates every answer by looking ahead to the end of the play.

Each answer is followed exactly, through all choices and all dice that are still to come in this
play; `value.py` evaluates the positions in which it may end. The best answer is taken, the first
among equals.

While the dice are chosen, turned and placed, each answer leads to a hand of six dice. These hands
are the candidates: `prepare` puts one into the work space, `hand_value` evaluates it. Before a
reroll the candidates are all hands that it may lead to.
"""

from __future__ import annotations

from hashmark.engine.effects import scratch
from hashmark.engine.rule import rule
from hashmark.games.two_minute_drill import best_use as use
from hashmark.games.two_minute_drill import lookahead as a
from hashmark.games.two_minute_drill import position as p
from hashmark.games.two_minute_drill.best_use import hand_value, take_up
from hashmark.games.two_minute_drill.hand import (
    can_keep,
    has_face,
    is_free,
    must_choose,
    pip_owner,
    referee_sum,
    side,
    turned_die,
    turned_face,
)
from hashmark.games.two_minute_drill.lookahead import (
    best_result_value,
    effort_value,
    penalty_value,
    taken_play_value,
)
from hashmark.games.two_minute_drill.play import loses_game
from hashmark.games.two_minute_drill.position import Match, Position
from hashmark.games.two_minute_drill.tables import DT_A, DT_B, OT, SET_COUNT, TOP_FACE

PAIR_COUNT = 36  # of DT faces
BEST_BY_PAIR = a.LOOKAHEAD_SIZE  # the best hand for each pair of DT faces after a reroll
BEST_STANDING = BEST_BY_PAIR + PAIR_COUNT  # the best hand without one
WORK_SIZE = BEST_STANDING + 1

TURN_COUNT = 16  # candidates before the dice are placed: as they lie, each turn, a timeout


# --- Candidates -----------------------------------------------------------------------


@rule
def candidates(g: Position) -> int:
    """Return how many hands there are to compare."""
    sets = SET_COUNT if must_choose(g) else 1
    if g.phase == p.REROLL:
        return sets * (1 + PAIR_COUNT)
    if g.phase == p.PICK:
        return sets
    if g.phase == p.REFEREE:
        return 2 * len(OT)
    return len(OT) if g.phase == p.YARDS else 1 + TURN_COUNT + 1


@rule
def prepare(g: Position, w: list[int], at: int) -> int:
    """Put a candidate's hand into the work space; return the mode to evaluate it in."""
    w[a.PAID] = 0
    w[a.OT_PIPS] = 0
    w[a.DT_PIPS] = 0
    w[a.ONLY_OT] = a.ANY
    w[a.ONLY_DT] = a.ANY
    w[a.ONLY_RUNS] = a.ANY
    if g.phase == p.REROLL or g.phase == p.PICK:
        return prepare_choice(g, w, at)
    take_up(g, w, a.ANY)
    if g.phase == p.REFEREE or g.phase == p.YARDS:
        return prepare_place(g, w, at)
    w[a.OT_PIPS] = g.pips[p.FOR_OT]
    w[a.DT_PIPS] = g.pips[p.FOR_DT]
    if at == 0:
        return prepare_as_it_is(g, w)
    return prepare_turn(g, w, p.FIRST_TURN + at - 1) if at <= TURN_COUNT else prepare_stop(g)


@rule
def prepare_choice(g: Position, w: list[int], at: int) -> int:
    """R7, R9: prepare a set of dice, with a pair of DT faces if they are rolled again.

    Of two pairs that differ only in their order, one is enough.
    """
    sets = SET_COUNT if must_choose(g) else 1
    pair = at // sets - 1
    kept = at % sets if must_choose(g) else a.ANY
    if pair >= 0 and pair // 6 < pair % 6:
        return use.IMPOSSIBLE
    paid = 0 if pair < 0 else 1
    if kept != a.ANY:
        if not can_keep(g, kept):
            return use.IMPOSSIBLE
        if not is_free(g, kept):
            paid += 1
    if paid > g.clock:
        return use.IMPOSSIBLE
    take_up(g, w, kept)
    w[a.PAID] = paid
    if pair >= 0:
        w[a.DEFENSE] = 1 + pair // 6
        w[a.DEFENSE + 1] = 1 + pair % 6
    return use.FRESH


@rule
def prepare_as_it_is(g: Position, w: list[int]) -> int:
    """R12, R20: accept, or stop turning; after a timeout the remaining pips may still be used."""
    if g.phase != p.COMBINE:
        w[a.OT_PIPS] = 0
        w[a.DT_PIPS] = 0
    return use.PLACE if g.phase == p.PIPS else use.AS_THEY_LIE


@rule
def prepare_turn(g: Position, w: list[int], call: int) -> int:
    """R12: prepare the hand with one die turned and one pip less."""
    die = turned_die(call)
    if g.phase == p.SPECIAL or g.dice[die] == 0 or g.pips[pip_owner(die)] == 0:
        return use.IMPOSSIBLE
    if not has_face(die, turned_face(g, call)):
        return use.IMPOSSIBLE
    w[place_of(g, die)] = turned_face(g, call)
    w[a.OT_PIPS + pip_owner(die)] -= 1
    return use.TIMEOUT_TAKEN if g.phase == p.COMBINE else use.PLACE


@rule
def prepare_stop(g: Position) -> int:
    """R19: prepare a timeout for the dice."""
    if g.phase == p.COMBINE or g.timeouts == 0 or g.combined:
        return use.IMPOSSIBLE
    return use.TIMEOUT_NOW


@rule
def prepare_place(g: Position, w: list[int], at: int) -> int:
    """R21: prepare a pair for the referee, or a die for the yards."""
    die = at // 2 if g.phase == p.REFEREE else at
    if g.dice[die] == 0 or die == g.referee_ot:
        return use.IMPOSSIBLE
    if g.phase == p.REFEREE:
        w[a.ONLY_OT] = place_of(g, die)
        w[a.ONLY_DT] = at % 2
    else:
        w[a.ONLY_OT] = place_of(g, g.referee_ot)
        w[a.ONLY_DT] = g.referee_dt - DT_A
        w[a.ONLY_RUNS] = place_of(g, die)
    return use.PLACE


@rule
def place_of(g: Position, die: int) -> int:
    """Return the index of a kept die in the work space."""
    if die >= DT_A:
        return a.DEFENSE + die - DT_A
    at = 0
    for other in OT:
        if other < die and g.dice[other] > 0:
            at += 1
    return a.FACE + at


# --- Answers --------------------------------------------------------------------------


@rule
def compare(m: Match, g: Position, w: list[int], count: int) -> int:
    """Return the best candidate; before a reroll, store the best for each pair of DT faces."""
    best = -1
    answer = 0
    sets = SET_COUNT if must_choose(g) else 1
    for at in range(count):
        mode = prepare(g, w, at)
        if mode == use.IMPOSSIBLE:
            continue
        pair = at // sets - 1 if g.phase == p.REROLL else PAIR_COUNT
        slot = BEST_BY_PAIR + pair if pair >= 0 else BEST_STANDING
        value = hand_value(m, g, w, mode, w[slot] if pair < PAIR_COUNT else best)
        if pair < PAIR_COUNT:
            w[slot] = value
        elif value > best:
            best = value
            answer = at
    return answer


@rule
def choice_value(m: Match, g: Position, w: list[int]) -> int:
    """R9: return the value of freshly rolled dice, without a reroll."""
    w[BEST_STANDING] = 0
    compare(m, g, w, SET_COUNT if must_choose(g) else 1)
    return w[BEST_STANDING]


@rule
def pair_value(w: list[int], x: int, y: int) -> int:
    """Return the value of the best hand with these DT faces after a reroll."""
    return w[BEST_BY_PAIR + 6 * max(x, y) + min(x, y) - 7]


@rule
def reroll_answer(g: Position, w: list[int]) -> int:
    """R7: return whether to pay a space for other DT dice, by sums over all 36 pairs of faces."""
    first = 0
    second = 0
    both = 0
    for x in range(1, 7):
        first += 6 * pair_value(w, x, g.dice[DT_B])
        second += 6 * pair_value(w, g.dice[DT_A], x)
        for y in range(1, 7):
            both += pair_value(w, x, y)
    if PAIR_COUNT * w[BEST_STANDING] >= max(first, second, both):
        return p.STAND
    if both >= max(first, second):
        return p.REROLL_BOTH
    return p.REROLL_A if first >= second else p.REROLL_B


@rule
def call_of(g: Position, at: int) -> int:
    """Return the call that leads to a candidate."""
    if g.phase == p.PICK:
        return p.FIRST_PICK + at if is_free(g, at) else p.FIRST_BUY + at
    if g.phase == p.REFEREE:
        return p.FIRST_REFEREE + at
    if g.phase == p.YARDS:
        return p.FIRST_YARDS + at
    if at == 0:
        return p.ACCEPT if g.phase == p.SPECIAL else p.DONE
    return p.FIRST_TURN + at - 1 if at <= TURN_COUNT else p.TIME_OUT


@rule
def effort_answer(m: Match, g: Position) -> int:
    """R30: roll again, or keep the yards."""
    flag = 1 if referee_sum(g) >= 10 else 0
    to = side(g)
    refused = penalty_value(m, g, g.clock, flag, g.timeouts)
    stop = best_result_value(m, g, g.clock, g.gain, to, g.efforts, flag, g.timeouts, refused)
    top = TOP_FACE[g.yards_ot]
    more = effort_value(m, g, g.clock, top, g.gain, to, g.efforts, flag, g.timeouts)
    return p.EFFORT_ROLL if more > stop else p.STOP


@rule
def result_answer(m: Match, g: Position) -> int:
    """R28, R33: take the play, a timeout, or the penalty."""
    flag = 1 if referee_sum(g) >= 10 else 0
    to = side(g)
    answer = p.PLAY
    best = 0
    for spent in range(1 if g.timeouts == 0 or loses_game(m, g) else 2):
        value = taken_play_value(m, g, g.clock, g.gain, to, g.efforts, flag, g.timeouts, spent)
        if value > best:
            best = value
            answer = p.TIME_OUT if spent else p.PLAY
    if penalty_value(m, g, g.clock, flag, g.timeouts) > best:
        answer = p.PENALTY
    return answer


@rule
def search(m: Match, g: Position) -> int:
    """Return the best answer to any question."""
    if g.phase == p.EFFORT:
        return effort_answer(m, g)
    if g.phase == p.RESULT:
        return result_answer(m, g)
    w = scratch(WORK_SIZE)
    at = compare(m, g, w, candidates(g))
    return reroll_answer(g, w) if g.phase == p.REROLL else call_of(g, at)
