"""The dice of a play: rolling, choosing six of them, pips, and the groups among them.

R6 to R12, and the dice side of R13 to R20. Nothing here moves the ball.
"""

from __future__ import annotations

from hashmark.engine.dice import D4, D6, D8, D10, D12
from hashmark.engine.effects import emit, roll
from hashmark.engine.rule import rule
from hashmark.games.two_minute_drill import position as p
from hashmark.games.two_minute_drill import tables as t
from hashmark.games.two_minute_drill.position import Match, Position


@rule
def opponent(g: Position) -> int:
    """Return the team on defense."""
    return 1 - g.possession


# --- Rolling --------------------------------------------------------------------------


@rule
def roll_all(m: Match, g: Position) -> None:
    """R4, R6: roll the offense's dice that are in play, then the defense's."""
    g.dice[t.FOUR] = roll(g, D4)
    g.dice[t.SIX_A] = roll(g, D6)
    g.dice[t.SIX_B] = roll(g, D6)
    g.dice[t.EIGHT] = roll(g, D8)
    if g.clock > m.d10_leaves_at:
        g.dice[t.TEN] = roll(g, D10)
    if g.clock > m.d12_leaves_at:
        g.dice[t.TWELVE] = roll(g, D12)
    g.dice[t.DT_A] = roll(g, D6, opponent(g))
    g.dice[t.DT_B] = roll(g, D6, opponent(g))
    emit(g, p.ROLLS, g.possession, offense_faces(g), defense_faces(g))


@rule
def roll_again(g: Position, die: int) -> int:
    """R30: roll the same OT die again for extra effort."""
    if die == t.FOUR:
        return roll(g, D4)
    if die == t.EIGHT:
        return roll(g, D8)
    if die == t.TEN:
        return roll(g, D10)
    if die == t.TWELVE:
        return roll(g, D12)
    return roll(g, D6)


@rule
def reroll(g: Position, call: int) -> None:
    """R7: roll one or both DT dice again; the new faces stay."""
    if call != p.REROLL_B:
        g.dice[t.DT_A] = roll(g, D6, opponent(g))
    if call != p.REROLL_A:
        g.dice[t.DT_B] = roll(g, D6, opponent(g))
    emit(g, p.REROLLS, g.possession, defense_faces(g))


@rule
def offense_faces(g: Position) -> int:
    """Return the OT faces packed into one number, the d4 in the lowest four bits."""
    faces = 0
    for die in t.OT:
        faces += g.dice[die] << (4 * die)
    return faces


@rule
def defense_faces(g: Position) -> int:
    """Return the DT faces packed into one number, dta in the lowest four bits."""
    return g.dice[t.DT_A] + (g.dice[t.DT_B] << 4)


# --- Choosing six ---------------------------------------------------------------------


@rule
def must_choose(g: Position) -> bool:
    """R9: return whether there are more than six dice in play."""
    return g.dice[t.TEN] > 0 or g.dice[t.TWELVE] > 0


@rule
def can_keep(g: Position, kept: int) -> bool:
    """Return whether all dice of this set were rolled."""
    rolled = True
    for die in t.OT:
        if t.KEEPS_DIE[kept, die] and g.dice[die] == 0:
            rolled = False
    return rolled


@rule
def lowest_left_out(g: Position, kept: int) -> int:
    """Return the lowest face among the dice in play that the set leaves out."""
    lowest = t.HIGHEST_FACE + 1
    for die in t.OT:
        if not t.KEEPS_DIE[kept, die] and g.dice[die] > 0:
            lowest = min(lowest, g.dice[die])
    return lowest


@rule
def highest_kept_besides(g: Position, kept: int, six: int) -> int:
    """Return the highest face of the set apart from the d4 and one d6."""
    highest = 0
    for die in t.OT:
        if t.KEEPS_DIE[kept, die] and die != six and die != t.FOUR:
            highest = max(highest, g.dice[die])
    return highest


@rule
def is_free(g: Position, kept: int) -> bool:
    """R9: free if, one d6 aside, no die left out is lower than either of the other two."""
    limit = lowest_left_out(g, kept)
    if t.KEEPS_DIE[kept, t.SIX_A] and highest_kept_besides(g, kept, t.SIX_A) <= limit:
        return True
    return bool(t.KEEPS_DIE[kept, t.SIX_B]) and highest_kept_besides(g, kept, t.SIX_B) <= limit


@rule
def keep(g: Position, kept: int) -> None:
    """R8, R9: clear the dice that the set leaves out."""
    for die in t.OT:
        if not t.KEEPS_DIE[kept, die]:
            g.dice[die] = 0
    emit(g, p.KEEPS, g.possession, offense_faces(g))


# --- Groups and pips ------------------------------------------------------------------


@rule
def count_showing(g: Position, face: int) -> int:
    """Return how many of the six dice show this face."""
    count = 0
    for die in t.ALL_DICE:
        if g.dice[die] == face:
            count += 1
    return count


@rule
def count_defense_showing(g: Position, face: int) -> int:
    """Return how many DT dice show this face."""
    count = 0
    for die in t.DT:
        if g.dice[die] == face:
            count += 1
    return count


@rule
def largest_group(g: Position) -> int:
    """R11: return the size of the largest group of equal faces."""
    largest = 0
    for face in t.FACES:
        largest = max(largest, count_showing(g, face))
    return largest


@rule
def face_of_group(g: Position, size: int) -> int:
    """Return the lowest face that exactly `size` dice show; 0 if there is none."""
    for face in t.FACES:
        if count_showing(g, face) == size:
            return face
    return 0


@rule
def count_pips(g: Position) -> None:
    """R12: every die in a pair gives its own team a pip."""
    g.pips[p.FOR_OT] = 0
    g.pips[p.FOR_DT] = 0
    for face in t.FACES:
        if count_showing(g, face) == 2:
            g.pips[p.FOR_DT] += count_defense_showing(g, face)
            g.pips[p.FOR_OT] += 2 - count_defense_showing(g, face)


@rule
def pips_left(g: Position) -> bool:
    """Return whether either team's dice may still be turned."""
    return g.pips[p.FOR_OT] + g.pips[p.FOR_DT] > 0


@rule
def pip_owner(die: int) -> int:
    """Return which team's pips turn this die."""
    return p.FOR_DT if die >= t.DT_A else p.FOR_OT


@rule
def turned_die(call: int) -> int:
    """Return the die that a `turn:` call names."""
    return (call - p.FIRST_TURN) // 2


@rule
def turned_face(g: Position, call: int) -> int:
    """Return the face that a `turn:` call leads to."""
    return g.dice[turned_die(call)] + 1 - 2 * ((call - p.FIRST_TURN) % 2)


@rule
def has_face(die: int, face: int) -> bool:
    """Return whether the die has this face."""
    return 1 <= face <= t.TOP_FACE[die]


@rule
def turn(g: Position, call: int) -> None:
    """R12: spend one pip on one die."""
    die = turned_die(call)
    g.dice[die] = turned_face(g, call)
    g.pips[pip_owner(die)] -= 1
    emit(g, p.TURNS, g.possession, die, g.dice[die])


# --- Placing --------------------------------------------------------------------------


@rule
def referee_sum(g: Position) -> int:
    """R22: return the sum of the first pair, once it is placed."""
    return g.dice[g.referee_ot] + g.dice[g.referee_dt]


@rule
def yards_dt(g: Position) -> int:
    """R21: return the DT die that the referee did not get."""
    return t.DT_A + t.DT_B - g.referee_dt


@rule
def side(g: Position) -> int:
    """R29: return the side that the two remaining OT dice give: even left, odd right."""
    total = 0
    for die in t.OT:
        if die != g.referee_ot and die != g.yards_ot:
            total += g.dice[die]
    return p.LEFT if total % 2 == 0 else p.RIGHT


@rule
def clear(g: Position) -> None:
    """Pick up all dice."""
    for die in t.ALL_DICE:
        g.dice[die] = 0
    g.pips[p.FOR_OT] = 0
    g.pips[p.FOR_DT] = 0
    g.combined = 0
    g.referee_ot = -1
    g.referee_dt = -1
    g.yards_ot = -1
    g.gain = 0
    g.efforts = 0
