"""The searching coach: at every question it plays the rest of the play out in its mind.

Each answer is followed through all choices and all dice that are still to come in this play,
exactly; the positions that it may end in are weighed by `value.py`. The best answer is taken,
among equals the first.
"""

from __future__ import annotations

from itertools import product

from hashmark.games.two_minute_drill import lookahead as a
from hashmark.games.two_minute_drill import position as p
from hashmark.games.two_minute_drill.hand import (
    can_keep,
    is_free,
    must_choose,
    referee_sum,
    side,
    turned_die,
    turned_face,
    whose,
    yards_dt,
)
from hashmark.games.two_minute_drill.lookahead import (
    gain_worth,
    play_worth,
    refused_worth,
    rolled_worth,
    survey,
    taken_worth,
)
from hashmark.games.two_minute_drill.play import flagged
from hashmark.games.two_minute_drill.position import Match, Position
from hashmark.games.two_minute_drill.rules import LEGAL, refusal
from hashmark.games.two_minute_drill.tables import (
    DT_A,
    DT_B,
    HIGHEST_FACE,
    KEEPS,
    OT,
    SETS,
    TOP,
)
from hashmark.table.effects import scratch
from hashmark.table.grid import Grid
from hashmark.table.rule import rule


def _turns(dice: int, most: int) -> list[tuple[int, ...]]:
    """Every way to turn some dice by at most so many pips: pips used, then each die's turn."""
    ways = product(range(-most, most + 1), repeat=dice)
    used = [(sum(map(abs, way)), *way) for way in ways if sum(map(abs, way)) <= most]
    return sorted(used)


OT_WAYS, DT_WAYS = _turns(4, 4), _turns(2, 2)
OT_TURNS, DT_TURNS = Grid("OT turns", OT_WAYS), Grid("DT turns", DT_WAYS)
OT_COUNT = Grid("OT turns by pips", [sum(w[0] <= n for w in OT_WAYS) for n in range(5)])
DT_COUNT = Grid("DT turns by pips", [sum(w[0] <= n for w in DT_WAYS) for n in range(3)])

# A hand as one number: four bits for each face, counting the dice that show it.
ADD_FIVE = sum(5 << (4 * face) for face in range(1, HIGHEST_FACE + 1))
THREE_OR_MORE = sum(8 << (4 * face) for face in range(1, HIGHEST_FACE + 1))

BEST = a.SPACE  # the best worth for each pair of DT faces
WORK = a.SPACE + 36


# --- The hand -------------------------------------------------------------------------


@rule
def take_up(g: Position, w: list[int], kept: int) -> None:
    """Put the OT dice of a set into the work space; all that lie there if the set is -1."""
    at = 0
    for die in OT:
        if g.dice[die] > 0 and (kept < 0 or KEEPS[kept, die]):
            w[a.FACE + at] = g.dice[die]
            w[a.HIGHEST + at] = TOP[die]
            at += 1
    w[a.DEFENCE] = g.dice[DT_A]
    w[a.DEFENCE + 1] = g.dice[DT_B]


@rule
def place_of(g: Position, die: int) -> int:
    """Where a kept die stands in the work space."""
    if die >= DT_A:
        return a.DEFENCE + die - DT_A
    at = 0
    for other in OT:
        if other < die and g.dice[other] > 0:
            at += 1
    return a.FACE + at


@rule
def counted(w: list[int], first: int, count: int) -> int:
    """Some dice as one number that counts them by face."""
    key = 0
    for at in range(first, first + count):
        key += 1 << (4 * w[at])
    return key


@rule
def is_group(key: int) -> bool:
    """Whether three or more of a kind are among the dice."""
    return (key + ADD_FIVE) & THREE_OR_MORE != 0


@rule
def kind_of_group(key: int, defence: int) -> int:
    """R13 to R16: what the groups of these dice mean."""
    kind = a.EVEN
    for face in range(1, HIGHEST_FACE + 1):
        count = (key >> (4 * face)) & 15
        with_dt = (defence >> (4 * face)) & 15 > 0
        if count == 6:
            return a.SIX_ODD if face % 2 else a.SIX_EVEN
        if count == 5:
            return a.ERASE
        if count == 4:
            return a.FORWARD_15 if with_dt else a.QUAD_LOSS
        if count == 3:
            kind += 1 if with_dt else -1
    return kind


# --- The best use of six dice ---------------------------------------------------------


@rule
def ended_worth(w: list[int], s: int, ot: int, dt: int, ot_pips: int, dt_pips: int) -> int:
    """R22 to R25: the best referee sum up to 6 that this pair can be turned to."""
    least = max(1, w[a.FACE + ot] - ot_pips) + max(1, w[a.DEFENCE + dt] - dt_pips)
    most = min(w[a.HIGHEST + ot], w[a.FACE + ot] + ot_pips)
    most += min(6, w[a.DEFENCE + dt] + dt_pips)
    best = 0
    for total in range(least, min(6, most) + 1):
        best = max(best, w[s + a.REFEREE + total - 2])
    return best


@rule
def referee_fits(
    m: Match,
    g: Position,
    w: list[int],
    s: int,
    dt: int,
    runs: int,
    face: int,
    minus: int,
    ot_pips: int,
    dt_pips: int,
    best: int,
) -> int:
    """R27 to R31: the best referee pair and side for yards that are settled.

    One of the pips that are left changes the side if need be; the others decide which sums
    the referee may see.
    """
    top = w[a.HIGHEST + runs]
    low_dt = max(1, w[a.DEFENCE + dt] - dt_pips)
    high_dt = min(6, w[a.DEFENCE + dt] + dt_pips)
    for ot in range(4):
        if ot == runs:
            continue
        sides = w[0] + w[1] + w[2] + w[3] - w[ot] - w[runs]
        for swapped in range(min(2, ot_pips + 1)):
            spare = ot_pips - swapped
            odd = (sides + swapped) % 2
            most = min(w[a.HIGHEST + ot], w[ot] + spare) + high_dt
            if most >= 10:
                best = max(best, gain_worth(m, g, w, s, face, top, minus, odd, 1))
            if most >= 7 and max(1, w[ot] - spare) + low_dt <= 9:
                best = max(best, gain_worth(m, g, w, s, face, top, minus, odd, 0))
    return best


@rule
def gained_worth(
    m: Match,
    g: Position,
    w: list[int],
    s: int,
    dt: int,
    runs: int,
    ot_pips: int,
    dt_pips: int,
    best: int,
) -> int:
    """R27 to R31: the best play with this die for the yards and this DT die for the referee.

    Pips may go to the yards pair first. Yards that could not be better than the best so
    far, with any side and sum, are passed over.
    """
    top = w[a.HIGHEST + runs]
    for raised in range(ot_pips, -ot_pips - 1, -1):
        face = w[runs] + raised
        if face < 1 or face > top:
            continue
        spare = ot_pips - abs(raised)
        for turned in range(-dt_pips, dt_pips + 1):
            minus = w[a.DEFENCE + 1 - dt] + turned
            if minus < 1 or minus > 6:
                continue
            if face < top and w[s + a.PEAK + face - minus - a.LOWEST_GAIN] <= best:
                continue
            left = dt_pips - abs(turned)
            best = referee_fits(m, g, w, s, dt, runs, face, minus, spare, left, best)
    return best


@rule
def place_worth(
    m: Match, g: Position, w: list[int], s: int, ot_pips: int, dt_pips: int, best: int
) -> int:
    """R12, R21: the best way to turn and place the dice when groups mean nothing."""
    for ot in range(4):
        for dt in range(2):
            best = max(best, ended_worth(w, s, ot, dt, ot_pips, dt_pips))
    if g.chance:
        return best
    for runs in range(3, -1, -1):
        for dt in range(2):
            best = gained_worth(m, g, w, s, dt, runs, ot_pips, dt_pips, best)
    return best


@rule
def read_worth(
    m: Match, g: Position, w: list[int], s: int, ot_pips: int, dt_pips: int, best: int
) -> int:
    """R20: groups are read, and if there is none the dice are placed."""
    defence = counted(w, a.DEFENCE, 2)
    key = counted(w, a.FACE, 4) + defence
    if is_group(key):
        return max(best, w[s + a.SPECIAL + kind_of_group(key, defence)])
    return place_worth(m, g, w, s, ot_pips, dt_pips, best)


@rule
def turn_by(w: list[int], first: int, turns: Grid, way: int, count: int, sign: int) -> bool:
    """Turn some dice, or back with sign -1; whether all their faces exist."""
    fits = True
    for at in range(count):
        w[first + at] += sign * turns[way, at + 1]
        highest = w[first + at + a.HIGHEST - a.FACE] if first == a.FACE else 6
        if w[first + at] < 1 or w[first + at] > highest:
            fits = False
    return fits


@rule
def breaks_sooner(w: list[int], key: int, first: int, turns: Grid, way: int, count: int) -> bool:
    """Whether with one pip less on one of these dice there would be no group either."""
    for at in range(count):
        turned = turns[way, at + 1]
        if turned != 0:
            face = w[first + at]
            before = face - 1 if turned > 0 else face + 1
            if not is_group(key - (1 << (4 * face)) + (1 << (4 * before))):
                return True
    return False


@rule
def six_odd_fits(w: list[int], ot_pips: int, dt_pips: int) -> bool:
    """R16: whether all six dice can be turned to the same odd face."""
    for face in range(1, 4, 2):
        ot_turns = 0
        for at in range(4):
            ot_turns += abs(w[at] - face)
        dt_turns = abs(w[a.DEFENCE] - face) + abs(w[a.DEFENCE + 1] - face)
        if ot_turns <= ot_pips and dt_turns <= dt_pips:
            return True
    return False


@rule
def combine_worth(
    m: Match, g: Position, w: list[int], s: int, ot_pips: int, dt_pips: int, best: int
) -> int:
    """R19, R20: the best that turning can do when groups count.

    Six of a kind first, for it wins. Groups are tried only while one of them could be better
    than the best so far, and breaking them only if there is one to break.
    """
    if not g.chance and six_odd_fits(w, ot_pips, dt_pips):
        best = max(best, w[s + a.SPECIAL + a.SIX_ODD])
    grouped = is_group(counted(w, a.FACE, 4) + counted(w, a.DEFENCE, 2))
    for way in range(OT_COUNT[ot_pips]):
        if not grouped and w[s + a.BEST_SPECIAL] <= best:
            break
        if turn_by(w, a.FACE, OT_TURNS, way, 4, 1):
            for other in range(DT_COUNT[dt_pips]):
                if turn_by(w, a.DEFENCE, DT_TURNS, other, 2, 1):
                    left = ot_pips - OT_TURNS[way, 0]
                    left_dt = dt_pips - DT_TURNS[other, 0]
                    best = turned_so(m, g, w, s, way, other, left, left_dt, grouped, best)
                turn_by(w, a.DEFENCE, DT_TURNS, other, 2, -1)
        turn_by(w, a.FACE, OT_TURNS, way, 4, -1)
    return best


@rule
def turned_so(
    m: Match,
    g: Position,
    w: list[int],
    s: int,
    way: int,
    other: int,
    ot_pips: int,
    dt_pips: int,
    grouped: bool,
    best: int,
) -> int:
    """R20: the groups as they lie, or the dice placed once the groups are broken.

    A break that a shorter turn makes too leaves nothing new: the pips that it saves can
    still be used.
    """
    defence = counted(w, a.DEFENCE, 2)
    key = counted(w, a.FACE, 4) + defence
    if is_group(key):
        return max(best, w[s + a.SPECIAL + kind_of_group(key, defence)])
    if not grouped:
        return best
    if breaks_sooner(w, key, a.FACE, OT_TURNS, way, 4):
        return best
    if breaks_sooner(w, key, a.DEFENCE, DT_TURNS, other, 2):
        return best
    return place_worth(m, g, w, s, ot_pips, dt_pips, best)


@rule
def hand_worth(m: Match, g: Position, w: list[int], paid: int, best: int) -> int:
    """R11 to R20: six dice that have just been chosen, after so many payments.

    As everywhere here, `best` is the best answer so far: less need not be told apart.
    """
    clock = g.clock - paid
    s = survey(m, g, w, 2 * paid, clock, g.timeouts)
    defence = counted(w, a.DEFENCE, 2)
    key = counted(w, a.FACE, 4) + defence
    ot_pips = 0
    dt_pips = 0
    for face in range(1, HIGHEST_FACE + 1):
        if (key >> (4 * face)) & 15 == 2:
            of_dt = (defence >> (4 * face)) & 15
            dt_pips += of_dt
            ot_pips += 2 - of_dt
    best = read_worth(m, g, w, s, ot_pips, dt_pips, best)
    if g.timeouts > 0 and ot_pips + dt_pips > 0:
        s = survey(m, g, w, 2 * paid + 1, clock, g.timeouts - 1)
        best = combine_worth(m, g, w, s, ot_pips, dt_pips, best)
    return best


# --- Answers --------------------------------------------------------------------------


@rule
def set_worth(m: Match, g: Position, w: list[int], kept: int, best: int) -> int:
    """R9: a set of dice, if it can be had."""
    if not can_keep(g, kept):
        return best
    price = 0 if is_free(g, kept) else 1
    if g.clock < price:
        return best
    take_up(g, w, kept)
    return hand_worth(m, g, w, price, best)


@rule
def choice_worth(m: Match, g: Position, w: list[int]) -> int:
    """R9: the best set; with six dice there is only one."""
    if not must_choose(g):
        take_up(g, w, -1)
        return hand_worth(m, g, w, 0, 0)
    best = 0
    for kept in range(SETS):
        best = set_worth(m, g, w, kept, best)
    return best


@rule
def weigh_defence(m: Match, g: Position, w: list[int], kept: int) -> None:
    """Keep, for each pair of DT faces, the best of the sets tried so far after a reroll."""
    paid = 1
    if kept >= 0:
        if not can_keep(g, kept):
            return
        paid += 0 if is_free(g, kept) else 1
    if g.clock < paid:
        return
    take_up(g, w, kept)
    for x in range(1, 7):
        for y in range(1, x + 1):
            w[a.DEFENCE] = x
            w[a.DEFENCE + 1] = y
            found = hand_worth(m, g, w, paid, w[BEST + 6 * x + y - 7])
            w[BEST + 6 * x + y - 7] = found
            w[BEST + 6 * y + x - 7] = found


@rule
def reroll_answer(m: Match, g: Position, w: list[int]) -> int:
    """R7: whether other DT dice are worth a clock space; sums over all 36 pairs of faces."""
    stand = 36 * choice_worth(m, g, w)
    for at in range(BEST, WORK):
        w[at] = 0
    if must_choose(g):
        for kept in range(SETS):
            weigh_defence(m, g, w, kept)
    else:
        weigh_defence(m, g, w, -1)
    first = 0
    second = 0
    both = 0
    for x in range(1, 7):
        first += 6 * w[BEST + 6 * x + g.dice[DT_B] - 7]
        second += 6 * w[BEST + 6 * g.dice[DT_A] + x - 7]
        for y in range(1, 7):
            both += w[BEST + 6 * x + y - 7]
    if stand >= max(first, second, both):
        return p.STAND
    if both >= max(first, second):
        return p.REROLL_BOTH
    return p.REROLL_A if first >= second else p.REROLL_B


@rule
def pick_answer(m: Match, g: Position, w: list[int]) -> int:
    """R9: the best set, free or paid for."""
    best = -1
    answer = p.FIRST_PICK
    for kept in range(SETS):
        found = set_worth(m, g, w, kept, best)
        if found > best:
            best = found
            answer = p.FIRST_PICK + kept if is_free(g, kept) else p.FIRST_BUY + kept
    return answer


@rule
def special_answer(m: Match, g: Position, w: list[int]) -> int:
    """R19: whether a time-out can make more of the groups."""
    take_up(g, w, -1)
    s = survey(m, g, w, 0, g.clock, g.timeouts)
    t = survey(m, g, w, 1, g.clock, g.timeouts - 1)
    ot_pips = g.pips[p.FOR_OT]
    dt_pips = g.pips[p.FOR_DT]
    accept = read_worth(m, g, w, s, 0, 0, 0)
    stop = combine_worth(m, g, w, t, ot_pips, dt_pips, accept)
    return p.TIME_OUT if stop > accept else p.ACCEPT


@rule
def turned_worth(m: Match, g: Position, w: list[int], s: int, call: int, best: int) -> int:
    """The best that may follow one turn."""
    die = turned_die(call)
    at = place_of(g, die)
    face = w[at]
    w[at] = turned_face(g, call)
    ot_pips = g.pips[p.FOR_OT] - (1 if whose(die) == p.FOR_OT else 0)
    dt_pips = g.pips[p.FOR_DT] - (1 if whose(die) == p.FOR_DT else 0)
    if g.phase == p.COMBINE:
        best = read_worth(m, g, w, s, ot_pips, dt_pips, best)
        best = combine_worth(m, g, w, s, ot_pips, dt_pips, best)
    else:
        best = place_worth(m, g, w, s, ot_pips, dt_pips, best)
    w[at] = face
    return best


@rule
def done_worth(m: Match, g: Position, w: list[int], s: int) -> int:
    """R12, R20: no more turns."""
    if g.phase == p.COMBINE:
        return read_worth(m, g, w, s, g.pips[p.FOR_OT], g.pips[p.FOR_DT], 0)
    return place_worth(m, g, w, s, 0, 0, 0)


@rule
def pips_answer(m: Match, g: Position, w: list[int]) -> int:
    """R12, R19, R20: the best turn, or none, or a time-out for the dice."""
    take_up(g, w, -1)
    s = survey(m, g, w, 0, g.clock, g.timeouts)
    answer = p.DONE
    best = done_worth(m, g, w, s)
    for call in range(p.FIRST_TURN, p.FIRST_REFEREE):
        if refusal(m, g, call) == LEGAL:
            found = turned_worth(m, g, w, s, call, best)
            if found > best:
                best = found
                answer = call
    if g.phase == p.PIPS and refusal(m, g, p.TIME_OUT) == LEGAL:
        s = survey(m, g, w, 1, g.clock, g.timeouts - 1)
        if combine_worth(m, g, w, s, g.pips[p.FOR_OT], g.pips[p.FOR_DT], best) > best:
            answer = p.TIME_OUT
    return answer


@rule
def best_run(m: Match, g: Position, w: list[int], s: int, ot: int, dt: int) -> int:
    """R29, R30: the best of the yards dice once the referee has this pair."""
    best = 0
    flag = 1 if w[ot] + w[a.DEFENCE + dt] >= 10 else 0
    for runs in range(4):
        if runs != ot:
            odd = (w[0] + w[1] + w[2] + w[3] - w[ot] - w[runs]) % 2
            minus = w[a.DEFENCE + 1 - dt]
            top = w[a.HIGHEST + runs]
            best = max(best, gain_worth(m, g, w, s, w[runs], top, minus, odd, flag))
    return best


@rule
def referee_answer(m: Match, g: Position, w: list[int]) -> int:
    """R21: the best pair for the referee, with the best pairs after it in mind."""
    take_up(g, w, -1)
    s = survey(m, g, w, 0, g.clock, g.timeouts)
    best = -1
    answer = p.FIRST_REFEREE
    for call in range(p.FIRST_REFEREE, p.FIRST_YARDS):
        if refusal(m, g, call) == LEGAL:
            ot = place_of(g, (call - p.FIRST_REFEREE) // 2)
            dt = (call - p.FIRST_REFEREE) % 2
            found = ended_worth(w, s, ot, dt, 0, 0)
            if w[ot] + w[a.DEFENCE + dt] >= 7 and not g.chance:
                found = best_run(m, g, w, s, ot, dt)
            if found > best:
                best = found
                answer = call
    return answer


@rule
def yards_answer(m: Match, g: Position, w: list[int]) -> int:
    """R29, R30: the best die to run with."""
    take_up(g, w, -1)
    s = survey(m, g, w, 0, g.clock, g.timeouts)
    sides = w[0] + w[1] + w[2] + w[3] - g.dice[g.referee_ot]
    flag = 1 if flagged(g) else 0
    best = -1
    answer = p.FIRST_YARDS
    for die in OT:
        if refusal(m, g, p.FIRST_YARDS + die) == LEGAL:
            face = g.dice[die]
            minus = g.dice[yards_dt(g)]
            odd = (sides - face) % 2
            found = gain_worth(m, g, w, s, face, TOP[die], minus, odd, flag)
            if found > best:
                best = found
                answer = p.FIRST_YARDS + die
    return answer


@rule
def effort_answer(m: Match, g: Position) -> int:
    """R30: one more roll, or the yards in hand."""
    flag = flagged(g)
    stop = play_worth(m, g, g.clock, g.gain, side(g), g.efforts, flag, g.timeouts)
    top = TOP[g.yards_ot]
    more = rolled_worth(m, g, g.clock, top, g.gain, side(g), g.efforts, flag, g.timeouts)
    return p.EFFORT_ROLL if more > stop else p.STOP


@rule
def result_answer(m: Match, g: Position) -> int:
    """R28, R33: the play, a time-out, or the penalty."""
    flag = referee_sum(g) >= 10
    to = side(g)
    answer = p.PLAY
    best = taken_worth(m, g, g.clock, g.gain, to, g.efforts, flag, g.timeouts, 0)
    if refusal(m, g, p.TIME_OUT) == LEGAL:
        saved = taken_worth(m, g, g.clock, g.gain, to, g.efforts, flag, g.timeouts, 1)
        if saved > best:
            best = saved
            answer = p.TIME_OUT
    if flag and refused_worth(m, g, g.clock, g.timeouts) > best:
        answer = p.PENALTY
    return answer


@rule
def search(m: Match, g: Position) -> int:
    """The best answer to any question."""
    if g.phase == p.EFFORT:
        return effort_answer(m, g)
    if g.phase == p.RESULT:
        return result_answer(m, g)
    w = scratch(WORK)
    if g.phase == p.REROLL:
        return reroll_answer(m, g, w)
    if g.phase == p.PICK:
        return pick_answer(m, g, w)
    if g.phase == p.SPECIAL:
        return special_answer(m, g, w)
    if g.phase == p.REFEREE:
        return referee_answer(m, g, w)
    if g.phase == p.YARDS:
        return yards_answer(m, g, w)
    return pips_answer(m, g, w)
