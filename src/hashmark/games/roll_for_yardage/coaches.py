"""Built-in coaches of Roll For Yardage!; each is a few short rules that answer every question.

The yards to go with which they go for it, and the leads after which they try for two, are
rules of thumb derived from the exact values of going for it, kicking and punting.
"""

from __future__ import annotations

from hashmark.engine.grid import Grid
from hashmark.engine.rule import rule
from hashmark.engine.rule_set import RANDOM_COACH, Coach
from hashmark.games.roll_for_yardage import position as p
from hashmark.games.roll_for_yardage import tables as t
from hashmark.games.roll_for_yardage.flow import in_overtime, to_goal
from hashmark.games.roll_for_yardage.plays import accepted_spot, offended_team, reaches_line
from hashmark.games.roll_for_yardage.position import Match, Position
from hashmark.games.roll_for_yardage.rules import LEGAL, refusal, team_to_act

LATE_PLAYS = 12  # plays left in the game from which the score decides the call
CLOSE_KICK_YARDS, LONG_KICK_YARDS = (
    35,
    40,
)  # yards of field goals tried for three points, and to win

# Maximum yards to go with which to go for it on 4th down, as (last spot, yards to go).
BOOK_LIMITS = ((25, 4), (35, 5), (42, 6), (50, 8), (57, 12), (64, 19), (69, 14), (74, 9), (92, 6))
CAUTIOUS_LIMITS = ((40, 0), (50, 1), (64, 3), (90, 2))
BOLD_LIMITS = ((20, 5), (40, 8), (57, 14))
ALWAYS_GO_YARDS = 99  # yards to go beyond the last spot of a list: always go for it


def _by_spot(name: str, limits: tuple[tuple[int, int], ...]) -> Grid:
    """Return the limit at each spot as a grid."""

    def limit(spot: int) -> int:
        return next((most for last, most in limits if spot <= last), ALWAYS_GO_YARDS)

    return Grid(name, [limit(spot) for spot in range(101)])


BOOK_LIMIT = _by_spot("book goes for it", BOOK_LIMITS)
CAUTIOUS_LIMIT = _by_spot("cautious goes for it", CAUTIOUS_LIMITS)
BOLD_LIMIT = _by_spot("bold goes for it", BOLD_LIMITS)

# Leads after a touchdown at which a two-point try is better late in the game.
_TWO_POINT_LEADS = (-12, -10, -8, -5, -4, -2, 1, 4, 5)
_WIDEST = 20
TRY_FOR_TWO = Grid(
    "try for two", [int(lead - _WIDEST in _TWO_POINT_LEADS) for lead in range(2 * _WIDEST + 1)]
)


# --- The situation -------------------------------------------------------------------


@rule
def lead(m: Match, g: Position) -> int:
    """Return the points that the team to call is ahead."""
    team = team_to_act(m, g)
    return g.score[team] - g.score[1 - team]


@rule
def is_late(g: Position) -> bool:
    """Return whether these are the last plays of the 4th quarter."""
    return g.period == t.LAST_QUARTER and g.clock <= LATE_PLAYS


@rule
def must_score(m: Match, g: Position) -> bool:
    """Return whether we are behind and this may be the last possession."""
    if in_overtime(g):
        return lead(m, g) < 0
    return is_late(g) and lead(m, g) < 0


@rule
def field_goal_wins(m: Match, g: Position) -> bool:
    """Return whether overtime is level and the other team has had its possession."""
    return in_overtime(g) and g.ot_stage != p.FIRST_POSSESSION and lead(m, g) == 0


@rule
def is_last_play(g: Position) -> bool:
    """Return whether only a try can follow before the half or the game ends."""
    return g.clock == 1 and g.period != 1 and g.period != 3


# --- Decisions that all coaches share ------------------------------------------------


@rule
def last_play_call(m: Match, g: Position) -> int:
    """Kick if three points help, protect a lead, else go for the goal line."""
    ahead = lead(m, g)
    final = g.period != 2
    if final and ahead > 0:
        return p.HAIL_MARY if refusal(m, g, p.HAIL_MARY) == LEGAL else p.RUN_PLAY
    three_help = ahead >= -t.FIELD_GOAL or not final
    if three_help and to_goal(g) <= t.KICK_RANGE_YARDS and (final or to_goal(g) > 3):
        return p.FIELD_GOAL
    if g.spot <= 40 and refusal(m, g, p.HAIL_MARY) == LEGAL:
        return p.HAIL_MARY
    return p.RUN_PLAY


@rule
def fourth_down_call_behind(m: Match, g: Position) -> int:
    """Go for it, or kick where three points are enough; never punt."""
    missing = -lead(m, g)
    kick = to_goal(g) <= CLOSE_KICK_YARDS or (g.clock <= 2 and to_goal(g) <= t.KICK_RANGE_YARDS)
    if missing > t.FIELD_GOAL:
        two_scores = 9 <= missing <= 11 and g.clock >= 4
        return p.FIELD_GOAL if two_scores and kick else p.RUN_PLAY
    if kick and (g.to_go > 3 or g.clock <= 2):
        return p.FIELD_GOAL
    return p.RUN_PLAY


@rule
def fourth_down_call(m: Match, g: Position, most_to_go: int) -> int:
    """Go for it with at most this many yards to go, else kick from close, else punt."""
    if field_goal_wins(m, g) and to_goal(g) <= LONG_KICK_YARDS:
        return p.FIELD_GOAL
    if g.to_go <= most_to_go:
        return p.RUN_PLAY
    if to_goal(g) <= CLOSE_KICK_YARDS:
        return p.FIELD_GOAL
    if refusal(m, g, p.PUNT) == LEGAL:
        return p.PUNT
    return p.FIELD_GOAL if to_goal(g) <= LONG_KICK_YARDS else p.RUN_PLAY


@rule
def down_call(m: Match, g: Position, most_to_go: int) -> int:
    """Choose a play: the end of a half comes first, then the down."""
    if is_last_play(g):
        return last_play_call(m, g)
    if g.down < 4:
        return p.RUN_PLAY
    if must_score(m, g):
        return fourth_down_call_behind(m, g)
    return fourth_down_call(m, g, most_to_go)


@rule
def penalty_call(m: Match, g: Position) -> int:
    """Decline to keep points, the ball or a long loss; otherwise accept the yards."""
    if refusal(m, g, p.DECLINE) != LEGAL:
        return p.ACCEPT
    end = g.play_end
    lost = g.play_lost
    reached = reaches_line(g, end, lost)
    if offended_team(g) == g.possession:
        wins_now = g.clock == 1 and g.period >= t.LAST_QUARTER and lead(m, g) > 0 and lost == 0
        further = reached and end > accepted_spot(m, g)
        return p.DECLINE if end == 100 or further or (wins_now and end > 0) else p.ACCEPT
    if lost == 1 or end == 0 or (g.down == 4 and not reached):
        return p.DECLINE
    if reached:
        return p.ACCEPT
    brings_up_fourth = g.down == 3 and g.spot + g.to_go - end > 2
    return p.DECLINE if end < accepted_spot(m, g) or brings_up_fourth else p.ACCEPT


@rule
def two_points_needed(m: Match, g: Position) -> bool:
    """Return whether it is late and one point does not help the lead but two do."""
    ahead = lead(m, g)
    if g.period != t.LAST_QUARTER or ahead < -_WIDEST or ahead > _WIDEST:
        return False
    return TRY_FOR_TWO[ahead + _WIDEST] == 1


@rule
def kickoff_call(m: Match, g: Position, plays_left: int) -> int:
    """Kick onside when the ball would otherwise not come back in time."""
    trails = g.period == t.LAST_QUARTER and lead(m, g) < 0
    return p.ONSIDE_KICK if trails and g.clock <= plays_left else p.KICK_OFF


@rule
def return_call(m: Match, g: Position, from_spot: int) -> int:
    """Return kicks that land far enough from the goal line; none with a lead at the end."""
    protects = is_late(g) and g.clock <= 6 and lead(m, g) > 0
    if protects or g.spot < from_spot:
        return p.FAIR_CATCH
    return p.RETURN_KICK


@rule
def answer(m: Match, g: Position, most_to_go: int, return_from: int, onside: int, two: bool) -> int:
    """Answer every question with the given thresholds of one coach."""
    if g.phase == p.SCRIMMAGE:
        return down_call(m, g, most_to_go)
    if g.phase == p.PENALTY:
        return penalty_call(m, g)
    if g.phase == p.RETURN:
        return return_call(m, g, return_from)
    if g.phase == p.KICKOFF:
        return kickoff_call(m, g, onside)
    if g.phase == p.TRY:
        return p.TWO_POINT if two else p.EXTRA_POINT
    return p.KICK_AFTER_SAFETY if g.phase == p.SAFETY_KICK else p.RECEIVE


# --- The coaches themselves ----------------------------------------------------------


@rule
def book(m: Match, g: Position) -> int:
    """Follow the odds by rule of thumb."""
    most = BOOK_LIMIT[g.spot]
    if is_late(g) and lead(m, g) > 0 and g.spot < 65:
        most = most // 3
    return_from = 10 if is_late(g) and lead(m, g) >= 0 else 3
    return answer(m, g, most, return_from, 4, two_points_needed(m, g))


@rule
def cautious(m: Match, g: Position) -> int:
    """Punt and kick wherever possible, and return nothing from deep."""
    two = is_late(g) and lead(m, g) == -t.TWO_POINT
    return answer(m, g, CAUTIOUS_LIMIT[g.spot], 16, 2, two)


@rule
def bold(m: Match, g: Position) -> int:
    """Go for it across midfield, try for two after touchdowns, and return everything."""
    two = not is_late(g) or lead(m, g) != -t.EXTRA_POINT
    return answer(m, g, BOLD_LIMIT[g.spot], 1, 8, two)


COACHES = (
    RANDOM_COACH,
    Coach(
        "cautious",
        "Punts, kicks and takes fair catches; goes for it only when it must.",
        cautious,
        level="Rookie",
    ),
    Coach(
        "bold",
        "Goes for it past midfield, tries for two and returns every kick.",
        bold,
        level="Backup",
    ),
    Coach("book", "Follows the odds by rules of thumb.", book, level="Starter"),
)
