"""The built-in coaches of Data-Driven Football; none looks at the other side's secret call.

Each coach but `random` follows a game plan (`plans.py`): two that are shipped, or the
team's own. What a plan does not say (penalties, returns) is decided by rules of thumb here.
"""

from __future__ import annotations

from hashmark.games.data_driven import position as p
from hashmark.games.data_driven import rules
from hashmark.games.data_driven.audibles import AGAINST_DEFENCE, AGAINST_OFFENCE
from hashmark.games.data_driven.audibles import WIDTH as FORMATIONS_WIDTH
from hashmark.games.data_driven.penalties import FIRST_DOWN, is_offensive, yards_of
from hashmark.games.data_driven.plans.plan import (
    KEYS,
    MOST_LEAD,
    MOST_ROWS,
    NUMBERS,
    SECTIONS,
    WIDTH,
)
from hashmark.games.data_driven.position import Match, Position
from hashmark.games.data_driven.tables import PLAYS
from hashmark.table.effects import draw
from hashmark.table.grid import Grid
from hashmark.table.record import HOME
from hashmark.table.rule import rule
from hashmark.table.rules import RANDOM, Coach

BOOK, BOLD, HOME_PLAN, AWAY_PLAN = range(4)
(
    PLAY,
    FORMATION,
    INSTEAD,
    TRY,
    KICKOFF,
    OFFENCE_TIMEOUT,
    DEFENCE_TIMEOUT,
    TEMPO,
    AUDIBLE,
) = range(len(SECTIONS))
KEY_DOWN, KEY_TO_GO, KEY_SPOT, KEY_LEAD, KEY_TIME, KEY_PERIOD = range(len(KEYS))
SECTIONS_WIDTH = len(SECTIONS) + 1
NUMBERS_WIDTH = len(NUMBERS)
KEYS_WIDTH = len(KEYS)
SHARES = 2 * KEYS_WIDTH
RETURN_DEPTH, ROLL_INSIDE = range(2)

# The calls behind the shares of a section, by section and place.
_NAMES = [*SECTIONS.values()]
CALL_OF = Grid(
    "calls of a plan's shares",
    [
        [p.CALLS.index(name) if name in p.CALLS else -1 for name in (*names, *PLAYS)][: len(PLAYS)]
        for names in _NAMES
    ],
)
DOWN_COST = Grid("yards that a down is worth", (0, 4, 6, 20, 40))


@rule
def seconds_left(m: Match, g: Position) -> int:
    """Time left in the half, or in overtime."""
    if g.period == 1 or g.period == 3:
        return g.clock + m.quarter_seconds
    return g.clock


@rule
def measure(m: Match, g: Position, key: int, team: int) -> int:
    """One value of the situation, as the plan's keys name them."""
    if key == KEY_DOWN:
        return g.down
    if key == KEY_TO_GO:
        return g.to_go
    if key == KEY_SPOT:
        return g.spot
    if key == KEY_LEAD:
        return max(-MOST_LEAD, min(MOST_LEAD, g.score[team] - g.score[1 - team]))
    if key == KEY_TIME:
        return seconds_left(m, g)
    return g.period


@rule
def find_row(m: Match, g: Position, plan: int, section: int, team: int) -> int:
    """Where the first entry that fits begins, or -1."""
    first = m.plan_starts[plan * SECTIONS_WIDTH + section]
    for row in range(first, m.plan_starts[plan * SECTIONS_WIDTH + section + 1]):
        base = (plan * MOST_ROWS + row) * WIDTH
        fits = True
        for key in range(KEYS_WIDTH):
            value = measure(m, g, key, team)
            if value < m.plan_rows[base + 2 * key] or value > m.plan_rows[base + 2 * key + 1]:
                fits = False
                break
        if fits:
            return base + SHARES
    return -1


@rule
def share(m: Match, g: Position, base: int, section: int, place: int) -> int:
    """The share of a call in an entry; a play that is not allowed has none."""
    if section == PLAY and rules.refuse_play(m, g, place) != rules.LEGAL:
        return 0
    return m.plan_rows[base + place]


@rule
def pick(m: Match, g: Position, plan: int, section: int, team: int) -> int:
    """A place drawn by the shares of the entry that fits; -1 if there is nothing to draw."""
    base = find_row(m, g, plan, section, team)
    if base < 0:
        return -1
    total = 0
    for place in range(len(PLAYS)):
        total += share(m, g, base, section, place)
    if total == 0:
        return -1
    left = draw(g, total)
    for place in range(len(PLAYS)):
        left -= share(m, g, base, section, place)
        if left < 0:
            return place
    return -1


@rule
def pick_call(m: Match, g: Position, plan: int, section: int, default: int) -> int:
    """The call drawn from a section, or the default where that is not allowed."""
    place = pick(m, g, plan, section, rules.asked(m, g))
    if place < 0:
        return default
    call = CALL_OF[section, place]
    if call < 0 or rules.refusal(m, g, call) != rules.LEGAL:
        return default
    return call


@rule
def any_play(m: Match, g: Position) -> int:
    """The first of the nine plays that is allowed, else a knee."""
    for play in range(len(PLAYS)):
        if rules.refuse_play(m, g, play) == rules.LEGAL:
            return play
    return p.KNEEL


@rule
def any_try(m: Match, g: Position) -> int:
    """The kick, or a play where fouls have made it too long."""
    return p.EXTRA_POINT if rules.refusal(m, g, p.EXTRA_POINT) == rules.LEGAL else p.TWO_POINT


@rule
def call_play(m: Match, g: Position, plan: int) -> int:
    """A kick or a knee instead of a play, or one of the nine."""
    if g.phase == p.SCRIMMAGE:
        call = pick_call(m, g, plan, INSTEAD, -1)
        if call >= 0:
            return call
    return pick_call(m, g, plan, PLAY, any_play(m, g))


@rule
def call_audible(m: Match, g: Position, plan: int) -> int:
    """On the board only against a mismatch that he can see; prompted, he trusts the prompt."""
    offence = g.asks == p.ASK_OFFENCE_AUDIBLE
    if m.audibles == p.BOARD:
        against = AGAINST_OFFENCE if offence else AGAINST_DEFENCE
        if m.mismatch[g.play * FORMATIONS_WIDTH + g.formation] & against == 0:
            return p.STAND
    return pick_call(m, g, plan, AUDIBLE, p.STAND)


# --- Rules of thumb ------------------------------------------------------------------


@rule
def worth(g: Position, gain: int) -> int:
    """What the offence has from a play that gained so much, in yards."""
    if gain >= g.to_go:
        return gain + 10
    return gain - DOWN_COST[g.down]


@rule
def play_worth(g: Position) -> int:
    """What the offence has from the play as it ended, in yards."""
    if g.result == p.ENDS_TOUCHDOWN:
        return 100 if g.holder == g.possession else -100
    if g.result == p.ENDS_GOOD:
        return 60
    if g.result == p.ENDS_SAFETY:
        return -70
    if g.phase == p.TRY:
        return -100
    if g.holder != g.possession:
        return -50
    return worth(g, g.at - g.spot)


@rule
def penalty_worth(g: Position) -> int:
    """What the offence has from the penalty, in yards."""
    yards = yards_of(g.foul, g.foul_yards)
    if g.foul == p.HOLDING:
        return -70
    if is_offensive(g.foul):
        return -yards
    if FIRST_DOWN[g.foul] or yards >= g.to_go:
        return yards + 10
    return yards


@rule
def judge_penalty(g: Position) -> int:
    """Accept what is better for the own side."""
    if g.play == p.PLAY_PUNT:
        better = FIRST_DOWN[g.foul] == 1 or yards_of(g.foul, 0) >= g.to_go
        return p.ACCEPT if better and g.holder != g.possession else p.DECLINE
    gains = penalty_worth(g) > play_worth(g)
    if is_offensive(g.foul):
        gains = penalty_worth(g) < play_worth(g)
    return p.ACCEPT if gains else p.DECLINE


@rule
def answer_other(m: Match, g: Position, plan: int) -> int:
    """Returns, fouls on kicks and the toss."""
    lost = g.holder == g.possession
    if g.asks == p.ASK_TOSS:
        return p.RECEIVE
    if g.asks == p.ASK_KICK_RETURN:
        deepest = m.plan_numbers[plan * NUMBERS_WIDTH + RETURN_DEPTH]
        return p.RETURN if -g.start <= deepest else p.TOUCHBACK
    if g.asks == p.ASK_ROLL_OR_RETURN:
        nearest = m.plan_numbers[plan * NUMBERS_WIDTH + ROLL_INSIDE]
        return p.LET_IT_ROLL if g.start <= nearest else p.RETURN
    if g.asks == p.ASK_REKICK:
        short = g.result == p.ENDS_DOWN and g.at < 18
        return p.REKICK if lost or short else p.KEEP
    if g.asks == p.ASK_TACK_ON:
        return p.REKICK if lost else p.TACK_ON
    return p.RETURN


@rule
def follow(m: Match, g: Position, plan: int) -> int:
    """Answer every question as the plan says."""
    ask = g.asks
    if ask == p.ASK_PLAY:
        return call_play(m, g, plan)
    if ask == p.ASK_FORMATION:
        return pick_call(m, g, plan, FORMATION, p.FIRST_FORMATION)
    if ask == p.ASK_OFFENCE_TIMEOUT:
        return pick_call(m, g, plan, OFFENCE_TIMEOUT, p.LET_IT_RUN)
    if ask == p.ASK_DEFENCE_TIMEOUT:
        return pick_call(m, g, plan, DEFENCE_TIMEOUT, p.LET_IT_RUN)
    if ask == p.ASK_TEMPO:
        return pick_call(m, g, plan, TEMPO, p.LET_IT_RUN)
    if ask == p.ASK_KICK:
        return pick_call(m, g, plan, KICKOFF, p.KICK_OFF)
    if ask == p.ASK_TRY:
        return pick_call(m, g, plan, TRY, any_try(m, g))
    if ask == p.ASK_PENALTY:
        return judge_penalty(g)
    if ask == p.ASK_OFFENCE_AUDIBLE or ask == p.ASK_DEFENCE_AUDIBLE:
        return call_audible(m, g, plan)
    return answer_other(m, g, plan)


@rule
def book(m: Match, g: Position) -> int:
    """The shipped plan `book`."""
    return follow(m, g, BOOK)


@rule
def bold(m: Match, g: Position) -> int:
    """The shipped plan `bold`."""
    return follow(m, g, BOLD)


@rule
def own_plan(m: Match, g: Position) -> int:
    """The plan that the options give the team."""
    return follow(m, g, HOME_PLAN if rules.asked(m, g) == HOME else AWAY_PLAN)


COACHES = (
    RANDOM,
    Coach("book", "By down, distance, score and clock; mixes its calls.", book),
    Coach("bold", "Throws more, goes for it on fourth down, blitzes.", bold),
    Coach("plan", "As the game plan says that home_plan or away_plan names.", own_plan),
)
