"""One play of search with the numbers that are on the clock line, for the coach `best`.

The line is public: for each of the 36 rolls the further numbers of a play are known. Every call is
therefore played out 36 times with the rules themselves, on positions of a work space, and every
window on the way is answered by what is better for the team that decides. The position after the
play has its worth from the solved blind game (`blind_value.py`).

Where the line is too short, made-up numbers are put before it, several times over.
"""

from __future__ import annotations

from collections.abc import Sequence

from hashmark.engine.grid import Grid
from hashmark.engine.rule import rule
from hashmark.games.rapid_roll import position as p
from hashmark.games.rapid_roll import rules
from hashmark.games.rapid_roll.blind_states import KICKOFF_ROW
from hashmark.games.rapid_roll.blind_table import OVERTIME, OVERTIME_BOXES, WHOLE
from hashmark.games.rapid_roll.blind_value import (
    HURRY_BOXES,
    settled_worth,
    spiked_worth,
    table_worth,
)
from hashmark.games.rapid_roll.clock import ASK, WRITE, ends_half
from hashmark.games.rapid_roll.flags import answer_penalty, offended_team
from hashmark.games.rapid_roll.numbers import NUMBERS
from hashmark.games.rapid_roll.position import Match, Position
from hashmark.games.rapid_roll.rules import (
    add_magic,
    answer_in_play,
    begin_play,
    end_action,
    qualifies_for_magic,
    settle_play,
    team_to_act,
)
from hashmark.games.rapid_roll.scrimmage import is_fake
from hashmark.games.rapid_roll.tables import LAST_QUARTER

LINE_NUMBERS = 96  # numbers of the line that a play can be expected to reach
SHORT_LINE, SHORT_LINE_TRIALS = 18, 4  # a shorter line is completed in several ways
# The work space: the position, a play, and the positions after its choices.
BASE, PLAY, ANSWERED, PENALIZED, WITH_MAGIC, WORK_SIZE = range(6)
UNKNOWN_WORTH = -WHOLE
PRIME, MULTIPLIER = 2**31 - 1, 48_271  # of the generator of made-up numbers
QUARTERBACK_PRICE = WHOLE // 100

# The calls that are compared, by question; without a difference in worth the first one is made.
_CANDIDATES = {
    p.KICKOFF: (p.KICK_OFF, p.ONSIDE),
    p.SAFETY_KICK: (p.KICK_OFF, p.ONSIDE),
    p.SCRIMMAGE: (*range(p.LINE_RUN, p.FAKE_FIELD_GOAL_SHORT_PASS), p.PUNT, p.FIELD_GOAL),
    p.TRY: (p.EXTRA_POINT, *range(p.LINE_RUN, p.FAKE_PUNT_SHORT_PASS)),
    p.OVER + p.HOME_QUARTERBACK: (p.KEEP_QB, p.REPLACE_QB),
    p.OVER + p.AWAY_QUARTERBACK: (p.KEEP_QB, p.REPLACE_QB),
    p.OVER + p.TOSS: (p.RECEIVE, p.KICK),
    p.OVER + p.SIDELINE_CHOICE: (p.STAY_IN, p.SIDELINE),
    p.OVER + p.PUNT_CHOICE: (p.RETURN, p.ROLL),
    p.OVER + p.END_ZONE_CHOICE: (p.TOUCHBACK, p.RETURN),
    p.OVER + p.PENALTY_CHOICE: (p.ACCEPT, p.DECLINE),
    p.OVER + p.CLOCK_CHOICE: (p.NO_TIMEOUT, p.TIMEOUT, p.SPIKE),
    p.OVER + p.OTHER_CLOCK_CHOICE: (p.NO_TIMEOUT, p.TIMEOUT),
}
MAX_CANDIDATES = max(map(len, _CANDIDATES.values()))
_QUESTION_COUNT = p.OVER + len(p.WINDOWS)
CANDIDATES = Grid(
    "calls to compare",
    [
        (*calls, *[p.NO_PLAY] * (MAX_CANDIDATES - len(calls)))
        for calls in (_CANDIDATES.get(question, ()) for question in range(_QUESTION_COUNT))
    ],
)

# Rolls that differ: two digits in either order have the same sum and step.
_PAIRS = [number for number in NUMBERS if number // 10 <= number % 10]
ROLL = Grid("rolls of two dice", _PAIRS)
WAYS = Grid("ways to roll them", [1 if number % 11 == 0 else 2 for number in _PAIRS])


# --- The work space ----------------------------------------------------------------------


@rule
def copy_play(g: Position, source: Position) -> None:
    """Copy a position but for its clock line and its statistics."""
    g.phase = source.phase
    g.period = source.period
    g.clock = source.clock
    g.possession = source.possession
    g.spot = source.spot
    g.down = source.down
    g.to_go = source.to_go
    g.last_play = source.last_play
    g.window = source.window
    g.call = source.call
    g.roll = source.roll
    g.rewinds = source.rewinds
    g.flagged = source.flagged
    g.play = source.play
    g.carrier = source.carrier
    g.at = source.at
    g.gain = source.gain
    g.return_spot = source.return_spot
    g.result = source.result
    g.ended = source.ended
    g.fumbled = source.fumbled
    g.timeout_due = source.timeout_due
    g.foul = source.foul
    g.foul_yards = source.foul_yards
    g.foul_timeout = source.foul_timeout
    for team in range(2):
        g.score[team] = source.score[team]
        g.timeouts[team] = source.timeouts[team]
        g.magic[team] = source.magic[team]
        g.fake_used[team] = source.fake_used[team]
        g.new_qb[team] = source.new_qb[team]
        g.lost[team] = source.lost[team]


@rule
def made_up_number(g: Position, index: int, trial: int) -> int:
    """Return a number for a place before the line, the same whenever the position is looked at.

    The products fit into 63 signed bits, so that compiled code computes the same.
    """
    word = 1 + 7919 * index + 104_729 * trial + 1_299_709 * g.log[0]
    for _ in range(3):
        word = (word % PRIME + 1) * MULTIPLIER % PRIME
    return 10 * (1 + (word // 64) % 6) + 1 + (word // 65_536) % 6


@rule
def copy_line(g: Position, source: Position, trial: int) -> None:
    """Copy the end of the clock line, completed with made-up numbers where it is too short."""
    g.log[0] = LINE_NUMBERS
    missing = LINE_NUMBERS - source.log[0]
    for index in range(LINE_NUMBERS):
        if index < missing:
            g.log[1 + index] = made_up_number(source, index, trial)
        else:
            g.log[1 + index] = source.log[1 + index - missing]


@rule
def prepare(w: Sequence[Position], g: Position, trial: int) -> None:
    """Fill the work space for a position."""
    copy_play(w[BASE], g)
    for at in range(PLAY, WORK_SIZE):
        copy_line(w[at], g, trial)


# --- The end of a play -------------------------------------------------------------------


@rule
def clock_worth(m: Match, g: Position, table: Sequence[int], team: int) -> int:
    """R73, R74: return the worth after the clock window, if both teams answer it well."""
    ours = g.possession == team
    written = settled_worth(m, g, table, team, 1)
    if not ends_half(g) or g.clock > HURRY_BOXES:
        return written
    theirs = other_clock_worth(m, g, table, team, written)
    best = theirs
    for call in (p.TIMEOUT, p.SPIKE):
        if can_stop_clock(g, call):
            worth = stopped_worth(m, g, table, team, call)
            if (worth > best) == ours and worth != best:
                best = worth
    return best


@rule
def other_clock_worth(m: Match, g: Position, table: Sequence[int], team: int, written: int) -> int:
    """R73: return the worth once the team without the ball has answered the clock window."""
    other = 1 - g.possession
    if not m.defense_timeouts or g.timeouts[other] == 0:
        return written
    kept = timeout_worth(m, g, table, team, other)
    return max(kept, written) if team == other else min(kept, written)


@rule
def can_stop_clock(g: Position, call: int) -> bool:
    """Return whether the team with the ball can stop the clock and keeps the ball."""
    if call == p.TIMEOUT:
        return g.timeouts[g.possession] > 0
    return g.phase == p.SCRIMMAGE and g.down < 4


@rule
def stopped_worth(m: Match, g: Position, table: Sequence[int], team: int, call: int) -> int:
    """R73, R74: return the worth of a time-out or a spike of the team with the ball."""
    if call == p.SPIKE:
        return spiked_worth(m, g, table, team)
    return timeout_worth(m, g, table, team, g.possession)


@rule
def timeout_worth(m: Match, g: Position, table: Sequence[int], team: int, by: int) -> int:
    """R73: return the worth to a team of a time-out by one of them."""
    g.timeouts[by] -= 1
    worth = settled_worth(m, g, table, team, 0)
    g.timeouts[by] += 1
    return worth


@rule
def settle_worth(m: Match, g: Position, table: Sequence[int], team: int) -> int:
    """Settle a play and return its worth."""
    stage = settle_play(m, g)
    if stage == ASK:
        return clock_worth(m, g, table, team)
    return settled_worth(m, g, table, team, 1 if stage == WRITE else 0)


@rule
def magic_target(g: Position, which: int) -> int:
    """Return no yards, or those that reach the goal line, the line to gain or the field of play."""
    if which == 0:
        return 0
    if which == 1:
        return 100 - g.at
    return g.spot + g.to_go - g.at if which == 2 else 1 - g.at


@rule
def magic_worth(m: Match, w: Sequence[Position], table: Sequence[int], team: int, at: int) -> int:
    """R15: return the worth of a play if its magic yards are spent well."""
    balance = w[at].magic[w[at].possession]
    if balance == 0 or not qualifies_for_magic(w[at]):
        return settle_worth(m, w[at], table, team)
    best = UNKNOWN_WORTH
    is_ours = w[at].possession == team
    for which in range(4):
        yards = magic_target(w[at], which)
        if yards == 0 or (0 < yards <= balance and w[at].at + yards <= 100):
            copy_play(w[WITH_MAGIC], w[at])
            add_magic(w[WITH_MAGIC], yards)
            best = better(settle_worth(m, w[WITH_MAGIC], table, team), best, is_ours)
    return best


@rule
def better(worth: int, best: int, is_ours: bool) -> int:
    """Return the better worth for the team that decides; any worth is better than none."""
    if best == UNKNOWN_WORTH:
        return worth
    return max(worth, best) if is_ours else min(worth, best)


@rule
def penalty_worth(
    m: Match, w: Sequence[Position], table: Sequence[int], team: int, at: int, only: int
) -> int:
    """R53: return the worth of a play whose penalty is to be decided, or of one answer to it."""
    best = UNKNOWN_WORTH
    is_ours = offended_team(w[at]) == team
    for call in range(p.ACCEPT, p.DECLINE + 1):
        if only == p.NO_PLAY or only == call:
            copy_play(w[PENALIZED], w[at])
            answer_penalty(w[PENALIZED], call)
            best = better(magic_worth(m, w, table, team, PENALIZED), best, is_ours)
    return best


@rule
def window_worth(
    m: Match, w: Sequence[Position], table: Sequence[int], team: int, at: int, call: int
) -> int:
    """Return the worth of an answer to a choice that comes before the flag, if there is one.

    Returns, recoveries and the flag are played out.
    """
    copy_play(w[ANSWERED], w[at])
    if w[at].window != p.NONE:
        answer_in_play(m, w[ANSWERED], call)
    end_action(m, w[ANSWERED])
    if w[ANSWERED].window == p.PENALTY_CHOICE:
        return penalty_worth(m, w, table, team, ANSWERED, p.NO_PLAY)
    return magic_worth(m, w, table, team, ANSWERED)


@rule
def answer_in_window(g: Position, index: int) -> int:
    """Return an answer to a choice in a play, or NO_PLAY; without a choice there is one."""
    if g.window == p.NONE:
        return p.RETURN if index == 0 else p.NO_PLAY
    if g.window == p.SIDELINE_CHOICE:
        if index == 0:
            return p.STAY_IN
        return p.SIDELINE if ends_half(g) and g.clock <= HURRY_BOXES else p.NO_PLAY
    if index == 0:
        return p.RETURN
    return p.ROLL if g.window == p.PUNT_CHOICE else p.TOUCHBACK


@rule
def roll_worth(
    m: Match, w: Sequence[Position], table: Sequence[int], team: int, call: int, number: int
) -> int:
    """Return the worth of a call if it is rolled with this number."""
    copy_play(w[PLAY], w[BASE])
    w[PLAY].call = call
    if is_fake(call):
        w[PLAY].fake_used[w[PLAY].possession] = 1
    begin_play(m, w[PLAY], number)
    best = UNKNOWN_WORTH
    is_ours = team_to_act(m, w[PLAY]) == team
    for index in range(2):
        answer = answer_in_window(w[PLAY], index)
        if answer != p.NO_PLAY:
            best = better(window_worth(m, w, table, team, PLAY, answer), best, is_ours)
    return best


@rule
def play_worth(m: Match, w: Sequence[Position], table: Sequence[int], team: int, call: int) -> int:
    """Return the mean worth of a call over the 36 rolls."""
    total = 0
    for index in range(21):
        total += WAYS[index] * roll_worth(m, w, table, team, call, ROLL[index])
    return total // 36


# --- Answers -----------------------------------------------------------------------------


@rule
def is_change_wise(m: Match, g: Position, team: int) -> bool:
    """R32: return whether to change quarterbacks: when behind in the last quarter, or a worn one.

    The table knows nothing of quarterbacks, so this is a rule of thumb.
    """
    if g.new_qb[team] == 3:
        return m.new_quarterbacks == p.TWICE
    return g.new_qb[team] < 0 and g.period >= LAST_QUARTER and g.score[team] < g.score[1 - team]


@rule
def quarterback_worth(m: Match, g: Position, table: Sequence[int], team: int, call: int) -> int:
    """Return the worth of changing or keeping the quarterback; a wrong choice has a price."""
    worth = settled_worth(m, g, table, team, 0)
    is_right = (call == p.REPLACE_QB) == is_change_wise(m, g, team)
    return worth if is_right else worth - QUARTERBACK_PRICE


@rule
def toss_worth(table: Sequence[int], call: int) -> int:
    """R83: return the worth of kicking off or receiving in overtime."""
    kicking = table_worth(table, OVERTIME, OVERTIME_BOXES, KICKOFF_ROW, 0)
    return kicking if call == p.KICK else WHOLE - kicking


@rule
def clock_answer_worth(m: Match, g: Position, table: Sequence[int], team: int, call: int) -> int:
    """R73, R74: return the worth of an answer to a clock window."""
    if call == p.TIMEOUT:
        if g.clock > HURRY_BOXES or not ends_half(g):
            return 0
        return timeout_worth(m, g, table, team, team)
    if call == p.SPIKE:
        return spiked_worth(m, g, table, team) if g.down < 4 else 0
    written = settled_worth(m, g, table, team, 1)
    if g.window == p.OTHER_CLOCK_CHOICE:
        return written
    return other_clock_worth(m, g, table, team, written)


@rule
def answer_worth(
    m: Match, w: Sequence[Position], table: Sequence[int], team: int, call: int
) -> int:
    """Return the worth of a legal call to the team that makes it; the work space is prepared."""
    g = w[BASE]
    if g.window == p.NONE:
        return play_worth(m, w, table, team, call)
    if g.window <= p.AWAY_QUARTERBACK:
        return quarterback_worth(m, g, table, team, call)
    if g.window == p.TOSS:
        return toss_worth(table, call)
    if g.window <= p.END_ZONE_CHOICE:
        return window_worth(m, w, table, team, BASE, call)
    if g.window == p.PENALTY_CHOICE:
        return penalty_worth(m, w, table, team, BASE, call)
    if g.window == p.MAGIC_CHOICE:
        copy_play(w[WITH_MAGIC], g)
        add_magic(w[WITH_MAGIC], call - p.MAGIC_0)
        return settle_worth(m, w[WITH_MAGIC], table, team)
    return clock_answer_worth(m, g, table, team, call)


@rule
def trials(g: Position) -> int:
    """Return how many ways to complete the line are tried."""
    return SHORT_LINE_TRIALS if g.log[0] < SHORT_LINE and g.window == p.NONE else 1


@rule
def mean_worth(
    m: Match, g: Position, w: Sequence[Position], table: Sequence[int], call: int
) -> int:
    """Return the worth of a legal call to the team that makes it."""
    team, total, count = team_to_act(m, g), 0, trials(g)
    for trial in range(count):
        prepare(w, g, trial)
        total += answer_worth(m, w, table, team, call)
    return total // count


@rule
def question_row(g: Position) -> int:
    """Return the row of CANDIDATES for the pending question."""
    return g.phase if g.window == p.NONE else p.OVER + g.window


@rule
def candidate(g: Position, index: int) -> int:
    """Return a call that may be the best answer, or NO_PLAY; of equal ones the first is made."""
    if g.window == p.MAGIC_CHOICE:
        return p.MAGIC_0 + max(magic_target(g, index), 0) if index < 4 else p.NO_PLAY
    return CANDIDATES[question_row(g), index]


@rule
def is_candidate(m: Match, g: Position, call: int) -> bool:
    """Return whether a call is legal and not out of place."""
    if call == p.NO_PLAY or rules.refusal(m, g, call) != rules.LEGAL:
        return False
    if call == p.PUNT:
        return g.down == 4
    return call != p.FIELD_GOAL or g.down == 4 or (ends_half(g) and g.clock <= HURRY_BOXES)


@rule
def best_answer(m: Match, g: Position, w: Sequence[Position], table: Sequence[int]) -> int:
    """Return the call with the highest worth."""
    best, most = p.NO_PLAY, UNKNOWN_WORTH
    for index in range(MAX_CANDIDATES):
        call = candidate(g, index)
        if is_candidate(m, g, call):
            worth = mean_worth(m, g, w, table, call)
            if worth > most or best == p.NO_PLAY:
                best, most = call, worth
    return best
