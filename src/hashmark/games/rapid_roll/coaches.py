"""Built-in coaches of Rapid Roll Football: rules of thumb for every question."""

from __future__ import annotations

from hashmark.engine.record import AWAY, HOME
from hashmark.engine.rule import rule
from hashmark.games.rapid_roll import position as p
from hashmark.games.rapid_roll.clock import ends_half
from hashmark.games.rapid_roll.flags import (
    is_wiped_out,
    move_back,
    move_forward,
    offended_team,
    receivers_foul_spot,
)
from hashmark.games.rapid_roll.heuristic_value import (
    KICKOFF_COST,
    down_value,
    first_down_value,
    pending_play_value,
)
from hashmark.games.rapid_roll.kicks import kick_length
from hashmark.games.rapid_roll.position import Match, Position
from hashmark.games.rapid_roll.tables import LAST_QUARTER

LATE_NUMBERS = 12  # numbers left from which the end of a half matters
HURRY_NUMBERS = 6  # numbers left from which timeouts are worth most


@rule
def lead(g: Position, team: int) -> int:
    """Return how many points this team is ahead."""
    return g.score[team] - g.score[1 - team]


@rule
def is_late(g: Position) -> bool:
    """Return whether these are the last numbers of the game."""
    return g.period >= LAST_QUARTER and g.clock <= LATE_NUMBERS


# --- Questions that all coaches answer alike ---------------------------------------------


@rule
def penalty_choice(m: Match, g: Position) -> int:
    """Accept if the foul leaves the offended team better off than the play as it stands."""
    if g.phase == p.TRY:
        good = g.result == p.TOUCHDOWN or g.result == p.GOOD
        return p.ACCEPT if good or g.foul != p.OFF else p.DECLINE
    better = accepted_value(m, g) - pending_play_value(g)
    if offended_team(g) != g.possession:
        better = -better
    return p.ACCEPT if better > 0 else p.DECLINE


@rule
def accepted_value(m: Match, g: Position) -> int:
    """Return the value with the foul accepted, to the team that snapped or kicked."""
    if g.phase != p.SCRIMMAGE:
        return accepted_kickoff_value(m, g)
    if g.foul == p.OFF:
        spot = move_back(g.spot, g.foul_yards)
        return down_value(spot, g.down, g.to_go + g.spot - spot)
    if g.foul == p.DPI:
        return first_down_value(min(g.spot + g.foul_yards, 99))
    if g.foul == p.DEF_PLUS:
        end = g.spot if is_wiped_out(g) else max(g.at, g.spot)
        return first_down_value(move_forward(end, g.foul_yards))
    if g.call == p.PUNT and g.play != p.BLOCKED:
        return -first_down_value(move_back(max(g.return_spot, 1), g.foul_yards))
    spot = move_forward(g.spot, g.foul_yards)
    if spot - g.spot >= g.to_go:
        return first_down_value(spot)
    return down_value(spot, g.down, g.to_go - (spot - g.spot))


@rule
def accepted_kickoff_value(m: Match, g: Position) -> int:
    """Return the value with the foul accepted on a kickoff, to the kicking team."""
    if g.foul == p.KICKERS:
        return -KICKOFF_COST - g.foul_yards
    if g.foul == p.RETURNERS:
        return -first_down_value(receivers_foul_spot(m, g))
    at = g.at if g.carrier != g.possession else g.return_spot
    return -first_down_value(move_forward(at, g.foul_yards))


@rule
def magic_choice(g: Position, most: int) -> int:
    """Spend magic yards where they make a score or, on late downs, a first down."""
    balance = min(g.magic[g.possession], most)
    to_goal = 100 - g.at
    if to_goal <= balance:
        return p.MAGIC_0 + to_goal
    if g.phase == p.TRY:
        return p.MAGIC_0
    if g.at <= 0:
        return p.MAGIC_0 + 1 - g.at if 1 - g.at <= balance else p.MAGIC_0
    short = g.to_go - (g.at - g.spot)
    if g.down >= 3 and 0 < short <= balance:
        return p.MAGIC_0 + short
    return p.MAGIC_0


@rule
def needs_clock_stop(g: Position, team: int) -> bool:
    """Return whether a team needs the clock to stop: behind late, or driving before the half."""
    if not ends_half(g) or g.clock > HURRY_NUMBERS or g.phase != p.SCRIMMAGE:
        return False
    if g.period == 2:
        return team == g.possession and g.spot >= 40
    return lead(g, team) < 0 or (lead(g, team) == 0 and team == g.possession and g.spot >= 40)


@rule
def clock_choice(g: Position, team: int) -> int:
    """Use timeouts first, then a spike while there are downs to spare."""
    if not needs_clock_stop(g, team):
        return p.NO_TIMEOUT
    if g.timeouts[team] > 0:
        return p.TIMEOUT
    if team == g.possession and g.down <= 2 and g.clock <= 2:
        return p.SPIKE
    return p.NO_TIMEOUT


@rule
def sideline_choice(g: Position) -> int:
    """Go out of bounds where that saves the number and does not lose the first down."""
    saves = ends_half(g) and g.clock <= 3 and needs_clock_stop(g, g.possession)
    gain = g.at - g.spot
    if saves and (gain - 3 >= g.to_go or gain < g.to_go):
        return p.SIDELINE
    return p.STAY_IN


@rule
def answer_window(m: Match, g: Position, roll_inside: int, new_qb_from: int) -> int:
    """Answer any window; the last two parameters are the coach's preferences.

    A punt at or inside `roll_inside` is left to roll. The quarterback is replaced when the team
    trails in period `new_qb_from` or later, and, where allowed, when the new one is worn.
    """
    if g.window <= p.AWAY_QUARTERBACK:
        team = HOME if g.window == p.HOME_QUARTERBACK else AWAY
        needed = g.new_qb[team] < 0 and g.period >= new_qb_from and lead(g, team) < 0
        worn = g.new_qb[team] == 3 and m.new_quarterbacks == p.TWICE
        return p.REPLACE_QB if needed or worn else p.KEEP_QB
    if g.window == p.TOSS:
        return p.RECEIVE
    if g.window == p.SIDELINE_CHOICE:
        return sideline_choice(g)
    if g.window == p.PUNT_CHOICE:
        return p.ROLL if g.at <= roll_inside else p.RETURN
    if g.window == p.END_ZONE_CHOICE:
        return p.TOUCHBACK
    if g.window == p.PENALTY_CHOICE:
        return penalty_choice(m, g)
    if g.window == p.MAGIC_CHOICE:
        return magic_choice(g, p.MAX_MAGIC_YARDS)
    if g.window == p.CLOCK_CHOICE:
        return clock_choice(g, g.possession)
    return clock_choice(g, 1 - g.possession)


@rule
def kick_choice(g: Position) -> int:
    """Kick onside when behind with little time left."""
    behind = lead(g, g.possession) < 0
    return (
        p.ONSIDE if behind and g.period == LAST_QUARTER and g.clock <= LATE_NUMBERS else p.KICK_OFF
    )


@rule
def is_desperate(g: Position) -> bool:
    """Return whether the team is behind so late that it must not give the ball away."""
    return is_late(g) and lead(g, g.possession) < 0


@rule
def unless_repeated(g: Position, call: int, other: int) -> int:
    """Return the call, or the other one if the call would repeat the last."""
    return other if call == g.last_play else call


# --- The book ----------------------------------------------------------------------------


@rule
def try_by_the_book(g: Position) -> int:
    """Go for two late in the game where one point does not help."""
    ahead = lead(g, g.possession)
    if g.period >= LAST_QUARTER and (ahead == -2 or ahead == -5 or ahead == 1 or ahead == -10):
        return p.END_RUN
    return p.EXTRA_POINT


@rule
def play_by_the_book(g: Position) -> int:
    """Choose a run or pass by the yards to go; avoid repeats where another call is as good."""
    if g.to_go == 1:
        return p.SNEAK
    if g.spot >= 95:
        return unless_repeated(g, p.END_RUN, p.LINE_RUN)
    if g.to_go <= 2 or g.spot >= 90:
        return unless_repeated(g, p.SHORT_PASS, p.LINE_RUN)
    if g.to_go >= 15 or (is_desperate(g) and g.clock <= 4):
        return unless_repeated(g, p.DEEP_PASS, p.LONG_PASS)
    if g.to_go <= 5:
        return unless_repeated(g, p.SHORT_PASS, p.MEDIUM_PASS)
    return unless_repeated(g, p.MEDIUM_PASS, p.DEEP_PASS)


@rule
def fourth_by_the_book(g: Position) -> int:
    """Kick from 48 yards or less, go for short yardage across midfield, else punt."""
    length = kick_length(g)
    if is_desperate(g):
        close = lead(g, g.possession) >= -3 and length <= 48
        return p.FIELD_GOAL if close and g.to_go > 1 else play_by_the_book(g)
    if g.to_go == 1 and g.spot >= 50:
        return p.SNEAK
    if length <= 48:
        return p.FIELD_GOAL
    if g.to_go <= 3 and g.spot >= 55:
        return play_by_the_book(g)
    return p.PUNT


@rule
def is_last_snap(g: Position) -> bool:
    """Return whether this is the last number of the half, when only points count."""
    return g.clock == 1 and ends_half(g)


@rule
def scrimmage_by_the_book(g: Position) -> int:
    """Return the book's call for this down."""
    kick_helps = g.period == 2 or -3 <= lead(g, g.possession) <= 0
    if is_last_snap(g) and kick_helps and kick_length(g) <= 55:
        return p.FIELD_GOAL
    if is_last_snap(g) and g.spot < 90:
        return p.LONG_PASS
    if g.down == 4:
        return fourth_by_the_book(g)
    return play_by_the_book(g)


@rule
def book(m: Match, g: Position) -> int:
    """Passes by the yards to go, kicks within 48 yards, saves the clock when behind."""
    if g.window != p.NONE:
        return answer_window(m, g, 7, 4)
    if g.phase <= p.SAFETY_KICK:
        return kick_choice(g)
    if g.phase == p.TRY:
        return try_by_the_book(g)
    return scrimmage_by_the_book(g)


# --- Cautious and bold -------------------------------------------------------------------


@rule
def cautious_play(g: Position) -> int:
    """Alternate runs and short passes."""
    if g.to_go == 1:
        return p.SNEAK
    if g.down == 3 and g.to_go >= 6:
        return unless_repeated(g, p.SHORT_PASS, p.MEDIUM_PASS)
    if g.last_play == p.LINE_RUN:
        return p.SCREEN_PASS if g.to_go > 5 else p.END_RUN
    return p.LINE_RUN


@rule
def cautious(m: Match, g: Position) -> int:
    """Runs and screens, kicks from close, punts the rest; like the book when far behind."""
    if g.window != p.NONE:
        return answer_window(m, g, 10, 9)
    if g.phase <= p.SAFETY_KICK:
        return p.KICK_OFF
    if g.phase == p.TRY:
        return p.EXTRA_POINT
    if is_last_snap(g) or is_desperate(g):
        return scrimmage_by_the_book(g)
    if g.down < 4:
        return cautious_play(g)
    return p.FIELD_GOAL if kick_length(g) <= 42 else p.PUNT


@rule
def bold_play(g: Position) -> int:
    """Alternate deep, long and trick passes; reverses near the goal line."""
    if g.to_go == 1:
        return p.SNEAK
    if g.spot >= 90:
        return unless_repeated(g, p.REVERSE, p.SHORT_PASS)
    if g.down == 1:
        return p.LONG_PASS
    return unless_repeated(g, p.DEEP_PASS, p.TRICK_PASS)


@rule
def bold_fourth(g: Position) -> int:
    """Go for it across midfield or with five or fewer to go; one fake a game."""
    if g.to_go <= 5 and g.spot >= 40:
        return p.FAKE_PUNT_SHORT_PASS if can_fake(g) else bold_play(g)
    if kick_length(g) <= 45:
        return p.FIELD_GOAL
    return p.MEDIUM_PASS if g.spot >= 60 or is_desperate(g) else p.PUNT


@rule
def can_fake(g: Position) -> bool:
    """Return whether the one fake is left and suits the distance."""
    return g.fake_used[g.possession] == 0 and g.to_go > 2


@rule
def bold(m: Match, g: Position) -> int:
    """Throws deep, goes for it beyond midfield, tries for two, changes quarterbacks early."""
    if g.window != p.NONE:
        return answer_window(m, g, 3, 3)
    if g.phase <= p.SAFETY_KICK:
        return kick_choice(g)
    if g.phase == p.TRY:
        return p.END_RUN
    return bold_fourth(g) if g.down == 4 else bold_play(g)
