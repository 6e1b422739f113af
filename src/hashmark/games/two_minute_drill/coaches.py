"""Built-in coaches of the two-minute drill; the searching one is in `search.py`."""

from __future__ import annotations

from hashmark.engine.rule import rule
from hashmark.engine.rule_set import RANDOM_COACH, Coach
from hashmark.games.two_minute_drill import position as p
from hashmark.games.two_minute_drill import tables as t
from hashmark.games.two_minute_drill.hand import is_free
from hashmark.games.two_minute_drill.play import is_flagged, loses_game
from hashmark.games.two_minute_drill.position import Match, Position
from hashmark.games.two_minute_drill.search import search

NO_DIE = -1
LATE_SPACES = 12  # spaces left from which the book coach saves time


# --- Calls ----------------------------------------------------------------------------


@rule
def keep_call(g: Position, a: int, b: int, c: int) -> int:
    """Return the call that keeps these three dice, paying only if necessary."""
    for kept in range(t.SET_COUNT):
        if t.KEEPS_DIE[kept, a] and t.KEEPS_DIE[kept, b] and t.KEEPS_DIE[kept, c]:
            return p.FIRST_PICK + kept if is_free(g, kept) else p.FIRST_BUY + kept
    return p.FIRST_PICK


@rule
def referee_call(ot: int, dt: int) -> int:
    """Return the call that gives this pair to the referee."""
    return p.FIRST_REFEREE + 2 * ot + dt - t.DT_A


@rule
def default_call(phase: int) -> int:
    """Return the default call of a window."""
    if phase == p.REROLL:
        return p.STAND
    if phase == p.SPECIAL:
        return p.ACCEPT
    if phase == p.EFFORT:
        return p.STOP
    return p.PLAY if phase == p.RESULT else p.DONE


# --- Choosing dice --------------------------------------------------------------------


@rule
def beats(g: Position, die: int, best: int) -> bool:
    """Return whether a die is preferable: the higher face, then more sides."""
    if best == NO_DIE or g.dice[die] > g.dice[best]:
        return True
    return g.dice[die] == g.dice[best] and t.TOP_FACE[die] > t.TOP_FACE[best]


@rule
def highest(g: Position, taken: int, also: int) -> int:
    """Return the highest OT die apart from two; more sides first among equals, then d6a.

    A die that is not in play shows 0, which is lower than any face.
    """
    best = NO_DIE
    for die in t.OT:
        if die != taken and die != also and beats(g, die, best):
            best = die
    return best


@rule
def next_highest(g: Position, first: int, second: int) -> int:
    """Return the highest OT die besides the d4 and two others."""
    best = NO_DIE
    for die in t.OT:
        if die in (t.FOUR, first) or die == second or g.dice[die] == 0:
            continue
        if beats(g, die, best):
            best = die
    return best


@rule
def next_lowest(g: Position, first: int, second: int) -> int:
    """Return the lowest OT die besides the d4 and two others, fewer sides first among equals."""
    best = NO_DIE
    for die in t.OT:
        if die in (t.FOUR, first, second) or g.dice[die] == 0:
            continue
        if best == NO_DIE or not beats(g, die, best):
            best = die
    return best


@rule
def lower_six(g: Position) -> int:
    """Return the lower d6 among those kept; d6a if they are equal."""
    if g.dice[t.SIX_B] == 0:
        return t.SIX_A
    if g.dice[t.SIX_A] == 0:
        return t.SIX_B
    return t.SIX_B if g.dice[t.SIX_B] < g.dice[t.SIX_A] else t.SIX_A


@rule
def higher_six(g: Position) -> int:
    """Return the higher d6; d6a if they are equal."""
    return t.SIX_B if g.dice[t.SIX_B] > g.dice[t.SIX_A] else t.SIX_A


@rule
def lower_defense_die(g: Position) -> int:
    """Return the lower DT die; dtb if they are equal."""
    return t.DT_A if g.dice[t.DT_A] < g.dice[t.DT_B] else t.DT_B


@rule
def pair_of_five(g: Position) -> int:
    """Return a referee call whose dice add up to 5, for a last chance; without one, any call."""
    for ot in t.OT:
        for dt in t.DT:
            if g.dice[ot] > 0 and g.dice[ot] + g.dice[dt] == 5:
                return referee_call(ot, dt)
    return referee_call(t.FOUR, t.DT_A)


# --- forced and bold: the benchmarks of the rule notes ------------------------------------


@rule
def forced_set(g: Position) -> int:
    """Keep the lower d6 and the two lowest of the others, which are always free."""
    six = lower_six(g)
    low = next_lowest(g, six, NO_DIE)
    return keep_call(g, six, low, next_lowest(g, six, low))


@rule
def forced(m: Match, g: Position) -> int:
    """Keep the lowest dice, which are free, and take every play."""
    if g.phase == p.PICK:
        return forced_set(g)
    if g.phase == p.REFEREE:
        return referee_call(t.FOUR, t.DT_A)
    if g.phase == p.YARDS:
        return p.FIRST_YARDS + next_highest(g, lower_six(g), g.referee_ot)
    return default_call(g.phase)


@rule
def bold_set(g: Position) -> int:
    """Keep the higher d6 and the two highest of the others, paying if needed and possible."""
    if g.clock == 0:
        return forced_set(g)
    six = higher_six(g)
    high = next_highest(g, six, NO_DIE)
    return keep_call(g, six, high, next_highest(g, six, high))


@rule
def bold_referee(g: Position) -> int:
    """Place the higher DT die with the OT die that gives the largest sum other than 5."""
    if g.chance:
        return pair_of_five(g)
    dt = t.DT_A + t.DT_B - lower_defense_die(g)
    yards = highest(g, NO_DIE, NO_DIE)
    best = highest(g, yards, NO_DIE)
    if g.dice[best] + g.dice[dt] == 5:
        best = highest_below(g, yards, best)
    return referee_call(best, dt)


@rule
def highest_below(g: Position, yards: int, best: int) -> int:
    """Return the highest OT die that shows less than the best; the best if there is none."""
    lower = NO_DIE
    for die in t.OT:
        if 0 < g.dice[die] < g.dice[best] and die != yards and beats(g, die, lower):
            lower = die
    return best if lower == NO_DIE else lower


@rule
def bold_result(m: Match, g: Position) -> int:
    """Take the penalty instead of a play that gains less than 5 or loses the game."""
    if is_flagged(g) and (g.gain < 5 or loses_game(m, g)):
        return p.PENALTY
    return p.PLAY


@rule
def bold(m: Match, g: Position) -> int:
    """Take the highest dice at any price, and every extra effort."""
    if g.phase == p.PICK:
        return bold_set(g)
    if g.phase == p.REFEREE:
        return bold_referee(g)
    if g.phase == p.YARDS:
        return p.FIRST_YARDS + highest(g, g.referee_ot, NO_DIE)
    if g.phase == p.EFFORT:
        return p.EFFORT_ROLL
    if g.phase == p.RESULT:
        return bold_result(m, g)
    return default_call(g.phase)


# --- book: the rulebook's example player --------------------------------------------------


@rule
def book_turn(g: Position) -> int:
    """Spend pips on the yards: the highest OT die up, the lower DT die down."""
    die = highest(g, NO_DIE, NO_DIE)
    if g.pips[p.FOR_OT] > 0 and g.dice[die] < t.TOP_FACE[die]:
        return p.FIRST_TURN + 2 * die
    dt = lower_defense_die(g)
    if g.pips[p.FOR_DT] > 0 and g.dice[dt] > 1:
        return p.FIRST_TURN + 2 * dt + 1
    return p.DONE


@rule
def book_effort(g: Position) -> int:
    """Make an extra effort for a first down, or while there is plenty of time."""
    return p.EFFORT_ROLL if g.gain < g.to_go or g.clock > LATE_SPACES else p.STOP


@rule
def book_result(m: Match, g: Position) -> int:
    """Decide as bold does, but late in the game use a timeout on a play that counts."""
    call = bold_result(m, g)
    if call == p.PLAY and g.clock <= LATE_SPACES and g.timeouts > 0 and not loses_game(m, g):
        return p.TIME_OUT
    return call


@rule
def book(m: Match, g: Position) -> int:
    """High dice, pips for the yards, time-outs for the clock when it runs short."""
    if g.phase == p.PIPS and not g.chance:
        return book_turn(g)
    if g.phase == p.EFFORT:
        return book_effort(g)
    if g.phase == p.RESULT:
        return book_result(m, g)
    return bold(m, g)


COACHES = (
    RANDOM_COACH,
    Coach(
        "forced",
        "Keeps the lowest dice and never pays: a benchmark with exact odds.",
        forced,
        level="Rookie",
    ),
    Coach(
        "bold",
        "Keeps the highest dice at any price: a benchmark with exact odds.",
        bold,
        level="Backup",
    ),
    Coach(
        "book",
        "Keeps high dice, turns pips into yards, and calls time-outs late.",
        book,
        level="Starter",
    ),
    Coach(
        "search",
        "Looks ahead through every choice and die to the end of the play.",
        search,
        level="All-Pro",
    ),
)
