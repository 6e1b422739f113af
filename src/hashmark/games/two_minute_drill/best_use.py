"""The best use of six dice: turning them, groups, and the three pairs, read from a survey.

`best` is always the best value so far; candidates that cannot beat it are skipped.
"""

from __future__ import annotations

from itertools import product

from hashmark.engine.grid import Grid
from hashmark.engine.rule import rule
from hashmark.games.two_minute_drill import lookahead as a
from hashmark.games.two_minute_drill.lookahead import gain_value, survey
from hashmark.games.two_minute_drill.position import Match, Position
from hashmark.games.two_minute_drill.tables import DT_A, DT_B, FACES, KEEPS_DIE, OT, TOP_FACE


def _turns(dice: int, most: int) -> list[tuple[int, ...]]:
    """Return every way to turn dice by at most `most` pips: pips used, then each die's turn."""
    ways = product(range(-most, most + 1), repeat=dice)
    return sorted((sum(map(abs, way)), *way) for way in ways if sum(map(abs, way)) <= most)


OT_WAYS, DT_WAYS = _turns(4, 4), _turns(2, 2)
OT_TURNS, DT_TURNS = Grid("OT turns", OT_WAYS), Grid("DT turns", DT_WAYS)
OT_COUNT = Grid("OT turns by pips", [sum(w[0] <= n for w in OT_WAYS) for n in range(5)])
DT_COUNT = Grid("DT turns by pips", [sum(w[0] <= n for w in DT_WAYS) for n in range(3)])

# A hand as one number: four bits for each face, counting the dice that show it.
ADD_FIVE = sum(5 << (4 * face) for face in FACES)
THREE_OR_MORE = sum(8 << (4 * face) for face in FACES)

# Modes of evaluating a hand:
IMPOSSIBLE = -1  # impossible hand
FRESH = 0  # just chosen: groups count, pairs give pips, a timeout is possible
TIMEOUT_NOW = 1  # a timeout is called now: the dice may be turned, then groups count
TIMEOUT_TAKEN = 2  # a timeout was called: like TIMEOUT_NOW, but it is already paid for
AS_THEY_LIE = 3  # groups count, and nothing is turned before they are read
PLACE = 4  # groups no longer count


# --- The hand -------------------------------------------------------------------------


@rule
def take_up(g: Position, w: list[int], kept: int) -> None:
    """Put the OT dice of a set into the work space; all dice on the table if it is ANY."""
    at = 0
    for die in OT:
        if g.dice[die] > 0 and (kept == a.ANY or KEEPS_DIE[kept, die]):
            w[a.FACE + at] = g.dice[die]
            w[a.HIGHEST + at] = TOP_FACE[die]
            at += 1
    w[a.DEFENSE] = g.dice[DT_A]
    w[a.DEFENSE + 1] = g.dice[DT_B]


@rule
def count_faces(w: list[int], first: int, count: int) -> int:
    """Return some dice as one number that counts them by face."""
    key = 0
    for at in range(first, first + count):
        key += 1 << (4 * w[at])
    return key


@rule
def is_group(key: int) -> bool:
    """Return whether three or more of a kind are among the dice."""
    return (key + ADD_FIVE) & THREE_OR_MORE != 0


@rule
def kind_of_group(key: int, defense: int) -> int:
    """R13 to R16: return the end that the groups of these dice lead to."""
    kind = a.FORWARD_0
    for face in FACES:
        count = (key >> (4 * face)) & 15
        with_dt = (defense >> (4 * face)) & 15 > 0
        if count == 6:
            kind = a.SIX_ODD if face % 2 else a.SIX_EVEN
        if count == 5:
            kind = a.ERASE
        if count == 4:
            kind = a.FORWARD_15 if with_dt else a.QUAD_LOSS
        if count == 3:
            kind += 1 if with_dt else -1
    return kind


@rule
def pips_of(key: int, part: int) -> int:
    """R12: return how many dice of one team are in pairs."""
    pips = 0
    for face in FACES:
        if (key >> (4 * face)) & 15 == 2:
            pips += (part >> (4 * face)) & 15
    return pips


# --- Placing --------------------------------------------------------------------------


@rule
def best_ending_value(
    w: list[int], s: int, ot: int, dt: int, ot_pips: int, dt_pips: int, best: int
) -> int:
    """R22 to R25: return the best value of a referee sum up to 6 that this pair can be turned to.

    Turning a DT die beyond its 6 faces adds no such sums, so that limit is not checked.
    """
    least = max(1, w[a.FACE + ot] - ot_pips) + max(1, w[a.DEFENSE + dt] - dt_pips)
    most = min(w[a.HIGHEST + ot], w[a.FACE + ot] + ot_pips) + w[a.DEFENSE + dt] + dt_pips
    for total in range(least, min(6, most) + 1):
        best = max(best, w[s + a.END + a.SUM_2 + total - 2])
    return best


@rule
def best_referee_value(
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
    """R27 to R31: return the best value over referee pairs and sides for given yards.

    One of the remaining pips changes the side if needed; the others decide which sums the referee
    may get: 10 or more is a flag, 7 to 9 is none.
    """
    low_dt = max(1, w[a.DEFENSE + dt] - dt_pips)
    high_dt = min(6, w[a.DEFENSE + dt] + dt_pips)
    for ot in range(4):
        if ot == runs or w[a.ONLY_OT] not in (a.ANY, ot):
            continue
        sides = w[0] + w[1] + w[2] + w[3] - w[ot] - w[runs]
        for swapped in range(min(2, ot_pips + 1)):
            spare = ot_pips - swapped
            most = min(w[a.HIGHEST + ot], w[ot] + spare) + high_dt
            least = w[ot] - spare + low_dt
            for flag in range(1 if most >= 10 else 0, -1, -1):
                if flag or (most >= 7 and least <= 9):
                    odd = (sides + swapped) % 2
                    top = w[a.HIGHEST + runs]
                    best = max(best, gain_value(m, g, w, s, face, top, minus, odd, flag))
    return best


@rule
def best_gain_value(
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
    """R27 to R31: return the best play with this yards die and this DT die for the referee.

    Pips may go to the yards pair first. Yards that could not beat the best value so far, with any
    side and sum, are skipped.
    """
    top = w[a.HIGHEST + runs]
    for raised in range(ot_pips, -ot_pips - 1, -1):
        face = w[runs] + raised
        if face < 1 or face > top:
            continue
        spare = ot_pips - abs(raised)
        for turned in range(-dt_pips, dt_pips + 1):
            minus = w[a.DEFENSE + 1 - dt] + turned
            if minus < 1 or minus > 6:
                continue
            if face < top and w[s + a.PEAK + face - minus - a.LOWEST_GAIN] <= best:
                continue
            left = dt_pips - abs(turned)
            best = best_referee_value(m, g, w, s, dt, runs, face, minus, spare, left, best)
    return best


@rule
def best_placing_value(
    m: Match, g: Position, w: list[int], s: int, ot_pips: int, dt_pips: int, best: int
) -> int:
    """R12, R21: return the best way to turn and place the dice when groups no longer count."""
    for at in range(7, -1, -1):
        die = at // 2
        dt = at % 2
        if w[a.ONLY_DT] not in (a.ANY, dt):
            continue
        if w[a.ONLY_OT] in (a.ANY, die):
            best = best_ending_value(w, s, die, dt, ot_pips, dt_pips, best)
        if not g.chance and w[a.ONLY_RUNS] in (a.ANY, die):
            best = best_gain_value(m, g, w, s, dt, die, ot_pips, dt_pips, best)
    return best


# --- Groups ---------------------------------------------------------------------------


@rule
def turn_by(w: list[int], ot_way: int, dt_way: int, sign: int) -> bool:
    """Turn the dice, or back with sign -1; return whether all their faces exist."""
    fits = True
    for at in range(4):
        w[a.FACE + at] += sign * OT_TURNS[ot_way, at + 1]
        if w[a.FACE + at] < 1 or w[a.FACE + at] > w[a.HIGHEST + at]:
            fits = False
    for at in range(2):
        w[a.DEFENSE + at] += sign * DT_TURNS[dt_way, at + 1]
        if w[a.DEFENSE + at] < 1 or w[a.DEFENSE + at] > 6:
            fits = False
    return fits


@rule
def breaks_sooner(w: list[int], key: int, ot_way: int, dt_way: int) -> bool:
    """Return whether one pip less would also leave no group.

    Such a turn adds nothing new: the pip that it saves can still be used.
    """
    for at in range(6):
        turned = OT_TURNS[ot_way, at + 1] if at < 4 else DT_TURNS[dt_way, at - 3]
        if turned != 0:
            face = w[a.FACE + at] if at < 4 else w[a.DEFENSE + at - 4]
            before = face - 1 if turned > 0 else face + 1
            if not is_group(key - (1 << (4 * face)) + (1 << (4 * before))):
                return True
    return False


@rule
def six_odd_fits(w: list[int], ot_pips: int, dt_pips: int) -> bool:
    """R16: return whether all six dice can be turned to the same odd face."""
    for face in range(1, 4, 2):
        turns = 0
        for at in range(4):
            turns += abs(w[at] - face)
        dt_turns = abs(w[a.DEFENSE] - face) + abs(w[a.DEFENSE + 1] - face)
        if turns <= ot_pips and dt_turns <= dt_pips:
            return True
    return False


@rule
def best_settled_value(
    m: Match,
    g: Position,
    w: list[int],
    s: int,
    mode: int,
    ot_pips: int,
    dt_pips: int,
    best: int,
) -> int:
    """R11 to R21: return the best of groups, as they lie or turned, and of placing the dice.

    Groups are made only while one of them could beat the best so far (six odd dice are checked
    separately, since they win), and broken only if there is one to break.
    """
    turns = mode in (TIMEOUT_NOW, TIMEOUT_TAKEN)
    if turns and six_odd_fits(w, ot_pips, dt_pips):
        best = max(best, w[s + a.END + a.SIX_ODD])
    grouped = is_group(count_faces(w, a.FACE, 4) + count_faces(w, a.DEFENSE, 2))
    first = 0 if grouped or mode != TIMEOUT_NOW else 1
    ways = OT_COUNT[ot_pips] * DT_COUNT[dt_pips] if turns else 1
    for way in range(first, ways):
        if way > 0 and not grouped and w[s + a.BEST_SPECIAL] <= best:
            break
        ot_way = way // DT_COUNT[dt_pips]
        dt_way = way % DT_COUNT[dt_pips]
        if turn_by(w, ot_way, dt_way, 1):
            defense = count_faces(w, a.DEFENSE, 2)
            key = count_faces(w, a.FACE, 4) + defense
            if mode != PLACE and is_group(key):
                best = max(best, w[s + a.END + kind_of_group(key, defense)])
            elif way == 0 or (grouped and not breaks_sooner(w, key, ot_way, dt_way)):
                left = ot_pips - OT_TURNS[ot_way, 0]
                dt_left = dt_pips - DT_TURNS[dt_way, 0]
                best = best_placing_value(m, g, w, s, left, dt_left, best)
        turn_by(w, ot_way, dt_way, -1)
    return best


@rule
def hand_value(m: Match, g: Position, w: list[int], mode: int, best: int) -> int:
    """R11 to R21: return the value of the hand in the work space; a fresh hand counts its pips."""
    ot_pips = w[a.OT_PIPS]
    dt_pips = w[a.DT_PIPS]
    first = 1 if mode == TIMEOUT_NOW else 0
    last = first
    if mode == FRESH:
        defense = count_faces(w, a.DEFENSE, 2)
        offense = count_faces(w, a.FACE, 4)
        ot_pips = pips_of(offense + defense, offense)
        dt_pips = pips_of(offense + defense, defense)
        last = 1 if g.timeouts > 0 and ot_pips + dt_pips > 0 else 0
    for spent in range(first, last + 1):
        s = survey(m, g, w, w[a.PAID], spent)
        now = mode
        if mode == FRESH:
            now = TIMEOUT_NOW if spent else AS_THEY_LIE
        best = best_settled_value(m, g, w, s, now, ot_pips, dt_pips, best)
    return best
