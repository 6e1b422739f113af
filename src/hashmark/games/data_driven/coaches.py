"""Built-in coaches of Data-Driven Football; no coach looks at the other side's secret call.

Every coach except `random` follows a game plan (see `plans/`): one of the two shipped plans, or the
team's own. Rules of thumb below decide what a plan does not cover (penalties, returns).
"""

from __future__ import annotations

from hashmark.engine.effects import draw, nonneg
from hashmark.engine.grid import Grid
from hashmark.engine.record import HOME
from hashmark.engine.rule import rule
from hashmark.engine.rule_set import RANDOM_COACH, Coach
from hashmark.games.data_driven import position as p
from hashmark.games.data_driven import rules
from hashmark.games.data_driven.penalties import FIRST_DOWN, is_offensive, yards_of
from hashmark.games.data_driven.plans.lookup_tables import find_row
from hashmark.games.data_driven.plans.plan import NUMBERS, SECTIONS
from hashmark.games.data_driven.position import Match, Position
from hashmark.games.data_driven.skipped_audibles import always_stands
from hashmark.games.data_driven.tables import FIELD_GOAL_POINTS, PLAYS

BOOK, BOLD, HOME_PLAN, AWAY_PLAN = range(4)
(
    PLAY,
    FORMATION,
    INSTEAD,
    TRY,
    KICKOFF,
    OFFENSE_TIMEOUT,
    DEFENSE_TIMEOUT,
    TEMPO,
    AUDIBLE,
) = range(len(SECTIONS))
NUMBER_COUNT = len(NUMBERS)
RETURN_DEPTH, ROLL_INSIDE = range(2)

# The calls behind the shares of a section, by section and position.
_NAMES = [*SECTIONS.values()]
CALL_OF_SHARE = Grid(
    "calls of a plan's shares",
    [
        [p.CALLS.index(name) if name in p.CALLS else -1 for name in (*names, *PLAYS)][: len(PLAYS)]
        for names in _NAMES
    ],
)
CALLS_IN_SECTION = Grid("how many calls a section has", [len(names) for names in _NAMES])
DOWN_COST_YARDS = Grid("yards that a down is worth", (0, 4, 6, 20, 40))


@rule
def refused_plays(m: Match, g: Position, section: int) -> int:
    """Return the plays that are not allowed, one bit each; other calls are checked once drawn."""
    plays = 0
    if section == PLAY:
        for play in range(len(PLAYS)):
            if rules.refuse_play(m, g, play) != rules.LEGAL:
                plays += 1 << play
    return plays


@rule
def draw_share(m: Match, g: Position, plan: int, section: int, team: int) -> int:
    """Draw a call by the shares of the fitting entry; -1 if there is nothing to draw."""
    base = find_row(m, g, plan, section, team)
    if base < 0:
        return -1
    not_allowed = refused_plays(m, g, section)
    total = 0
    for call in range(CALLS_IN_SECTION[section]):
        if not_allowed >> call & 1 == 0:
            total += m.plan_rows[nonneg(base + call)]
    if total == 0:
        return -1
    drawn = draw(g, total)
    picked = 0
    cumulative = 0
    for call in range(CALLS_IN_SECTION[section]):
        if not_allowed >> call & 1 == 0:
            cumulative += m.plan_rows[nonneg(base + call)]
        if cumulative <= drawn:  # leaving the loop here would be an unpredictable branch
            picked += 1
    return picked


@rule
def pick_call(m: Match, g: Position, plan: int, section: int, default: int) -> int:
    """Return the call drawn from a section, or the default if that call is not allowed."""
    picked = draw_share(m, g, plan, section, rules.team_to_act(m, g))
    if picked < 0:
        return default
    call = CALL_OF_SHARE[section, picked]
    if call < 0 or rules.refusal(m, g, call) != rules.LEGAL:
        return default
    return call


@rule
def first_legal_play(m: Match, g: Position) -> int:
    """Return the first of the nine plays that is allowed, else a kneel-down."""
    for play in range(len(PLAYS)):
        if rules.refuse_play(m, g, play) == rules.LEGAL:
            return play
    return p.KNEEL


@rule
def fallback_try(m: Match, g: Position) -> int:
    """Return the kick, or a two-point play if fouls have made the kick too long."""
    return p.EXTRA_POINT if rules.refusal(m, g, p.EXTRA_POINT) == rules.LEGAL else p.TWO_POINT


@rule
def concedes_game(g: Position, call: int) -> bool:
    """R105: Return whether a punt or short-of-points kick would concede the last possession."""
    if g.overtime != p.REPLY or g.down != 4 or g.possession != g.overtime_team:
        return False
    behind = g.score[1 - g.possession] - g.score[g.possession]
    if call == p.FIELD_GOAL:
        return behind > FIELD_GOAL_POINTS
    return behind > 0


@rule
def call_play(m: Match, g: Position, plan: int) -> int:
    """Return a kick or kneel-down instead of a play, or one of the nine plays."""
    if g.phase == p.SCRIMMAGE:
        call = pick_call(m, g, plan, INSTEAD, -1)
        if call >= 0 and not concedes_game(g, call):
            return call
    return pick_call(m, g, plan, PLAY, first_legal_play(m, g))


@rule
def call_audible(m: Match, g: Position, plan: int) -> int:
    """Return an audible on the board only against a visible mismatch; on PC, trust the prompt."""
    if always_stands(m, g, p.OFFENSE if g.asks == p.ASK_OFFENSE_AUDIBLE else p.DEFENSE):
        return p.STAND
    return pick_call(m, g, plan, AUDIBLE, p.STAND)


# --- Rules of thumb ------------------------------------------------------------------


@rule
def gain_value(g: Position, gain: int) -> int:
    """Return what a play that gained this much is worth to the offense, in yards."""
    if gain >= g.to_go:
        return gain + 10
    return gain - DOWN_COST_YARDS[g.down]


@rule
def play_value(g: Position) -> int:
    """Return what the play as it ended is worth to the offense, in yards."""
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
    return gain_value(g, g.at - g.spot)


@rule
def penalty_value(g: Position) -> int:
    """Return what the penalty is worth to the offense, in yards."""
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
    """Accept or decline, whichever is better for the team asked."""
    if g.play == p.PLAY_PUNT:
        better = FIRST_DOWN[g.foul] == 1 or yards_of(g.foul, 0) >= g.to_go
        return p.ACCEPT if better and g.holder != g.possession else p.DECLINE
    gains = penalty_value(g) > play_value(g)
    if is_offensive(g.foul):
        gains = penalty_value(g) < play_value(g)
    return p.ACCEPT if gains else p.DECLINE


@rule
def answer_other(m: Match, g: Position, plan: int) -> int:
    """Answer questions about returns, fouls on kicks and the toss."""
    kickers_have_ball = g.holder == g.possession
    if g.asks == p.ASK_TOSS:
        return p.RECEIVE
    if g.asks == p.ASK_KICK_RETURN:
        deepest = m.plan_numbers[plan * NUMBER_COUNT + RETURN_DEPTH]
        return p.RETURN if -g.start <= deepest else p.TOUCHBACK
    if g.asks == p.ASK_ROLL_OR_RETURN:
        nearest = m.plan_numbers[plan * NUMBER_COUNT + ROLL_INSIDE]
        return p.LET_IT_ROLL if g.start <= nearest else p.RETURN
    if g.asks == p.ASK_REKICK:
        short = g.result == p.ENDS_DOWN and g.at < 18
        return p.REKICK if kickers_have_ball or short else p.KEEP
    if g.asks == p.ASK_TACK_ON:
        return p.REKICK if kickers_have_ball else p.TACK_ON
    return p.RETURN


@rule
def follow_plan(m: Match, g: Position, plan: int) -> int:
    """Answer every question as the plan says."""
    ask = g.asks
    if ask == p.ASK_PLAY:
        return call_play(m, g, plan)
    if ask == p.ASK_FORMATION:
        return pick_call(m, g, plan, FORMATION, p.FIRST_FORMATION)
    if ask == p.ASK_OFFENSE_TIMEOUT:
        return pick_call(m, g, plan, OFFENSE_TIMEOUT, p.LET_IT_RUN)
    if ask == p.ASK_DEFENSE_TIMEOUT:
        return pick_call(m, g, plan, DEFENSE_TIMEOUT, p.LET_IT_RUN)
    if ask == p.ASK_TEMPO:
        return pick_call(m, g, plan, TEMPO, p.LET_IT_RUN)
    if ask == p.ASK_KICK:
        return pick_call(m, g, plan, KICKOFF, p.KICK_OFF)
    if ask == p.ASK_TRY:
        return pick_call(m, g, plan, TRY, fallback_try(m, g))
    if ask == p.ASK_PENALTY:
        return judge_penalty(g)
    if ask == p.ASK_OFFENSE_AUDIBLE or ask == p.ASK_DEFENSE_AUDIBLE:
        return call_audible(m, g, plan)
    return answer_other(m, g, plan)


@rule
def book(m: Match, g: Position) -> int:
    """The shipped plan `book`."""
    return follow_plan(m, g, BOOK)


@rule
def bold(m: Match, g: Position) -> int:
    """The shipped plan `bold`."""
    return follow_plan(m, g, BOLD)


@rule
def own_plan(m: Match, g: Position) -> int:
    """The plan that the options give the team."""
    return follow_plan(m, g, HOME_PLAN if rules.team_to_act(m, g) == HOME else AWAY_PLAN)


COACHES = (
    RANDOM_COACH,
    Coach(
        "book",
        "Calls by down, distance, score and clock, with a mix of plays.",
        book,
        level="Starter",
    ),
    Coach("bold", "Throws more, goes for it on fourth down and blitzes.", bold, level="Veteran"),
    Coach(
        "plan", "Follows the game plan given by home_plan or away_plan.", own_plan, level="Starter"
    ),
)
