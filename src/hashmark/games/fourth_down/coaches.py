"""Built-in coaches of 4th Down!; each is one short rule that answers every question."""

from __future__ import annotations

from hashmark.engine.grid import Grid
from hashmark.engine.rule import rule
from hashmark.engine.rule_set import RANDOM_COACH, Coach
from hashmark.games.fourth_down import position as p
from hashmark.games.fourth_down.position import Match, Position
from hashmark.games.fourth_down.rules import opponent, to_goal
from hashmark.games.fourth_down.tables import MAKE_DISTANCES

LATE_BLOCKS = 60  # blocks left from which the rulebook gives advice for the end of the game
LAST_BLOCKS = 40  # blocks left from which the score decides the calls of `thumb` and `card`
CHASE_BLOCKS = 80  # blocks left from which `card` takes more risks when behind
HURRY_BLOCKS = 20  # with fewer blocks left hurrying is in vain
SURE_GO_YARDS = 4  # yards to go beyond which `card` kicks late if three points are enough
BIG_LEAD, BIG_LEAD_BLOCKS, SMALL_LEAD_BLOCKS = 8, 100, 60  # leads that `card` runs to protect
MAX_KICK_YARDS = max(MAKE_DISTANCES)  # yards: no longer kick can be good
KICK_YARDS, SURE_KICK_YARDS = 40, 25  # yards to the goal line: good kicks, and safe ones
SHORT_YARDS = 5
ALWAYS_GO_YARDS = 99  # more yards to go than there can be
SPOTS = 100

# Maximum yards to go with which to go for it on 4th down, as (last spot, yards to go).
OPEN_LIMITS = ((7, 7), (25, 6), (42, 7), (47, 8), (52, 10), (62, 14), (67, 7), (77, 5), (87, 6))
CHASING_LIMITS = ((7, 10), (12, 8), (35, 7), (42, 8), (47, 10), (52, 14), (62, 99), (67, 14))
AHEAD_LIMITS = ((12, 4), (42, 3), (47, 4), (52, 5), (57, 6), (62, 8), (67, 10), (72, 8), (77, 14))

# Second half: blocks left from which two points are better, by the lead after the touchdown.
_WIDEST = 13
_TWO_POINT_BLOCKS = {
    -13: 40, -12: 80, -11: 120, -10: 80, -9: 180, -8: 120, -5: 40, -4: 10, -3: 10, -2: 120,
    1: 40, 4: 20, 5: 180, 11: 10, 12: 180,
}  # fmt: skip
TWO_POINT_BLOCKS = Grid(
    "blocks for two points",
    [_TWO_POINT_BLOCKS.get(ahead, -1) for ahead in range(-_WIDEST, _WIDEST + 1)],
)

OPEN_LIMIT = Grid.of_steps("card goes for it", OPEN_LIMITS, SPOTS, ALWAYS_GO_YARDS)
CHASING_LIMIT = Grid.of_steps("when behind", CHASING_LIMITS, SPOTS, ALWAYS_GO_YARDS)
AHEAD_LIMIT = Grid.of_steps("when ahead late", AHEAD_LIMITS, SPOTS, ALWAYS_GO_YARDS)


@rule
def lead(g: Position) -> int:
    """Return the points that the team in possession is ahead."""
    return g.score[g.possession] - g.score[opponent(g)]


@rule
def is_late(g: Position) -> bool:
    """Return whether these are the last ten minutes of the game."""
    return g.period == 2 and g.clock <= LATE_BLOCKS


@rule
def untimed_down_call(g: Position, longest_kick: int) -> int:
    """Answer an untimed down: kick if that can help, else go for the goal line."""
    needs_touchdown = g.period == 2 and lead(g) < -3
    if g.period == 2 and lead(g) > 0:
        return p.END_HALF
    if to_goal(g) <= longest_kick and not needs_touchdown:
        return p.FIELD_GOAL
    return p.GO_FOR_IT


@rule
def book_try(g: Position) -> int:
    """Follow the rulebook for the last 60 blocks: try for two if the touchdown leaves us behind."""
    if is_late(g) and lead(g) <= -1:
        return p.TWO_POINT
    return p.ONE_POINT


@rule
def book(m: Match, g: Position) -> int:
    """Follow the rulebook's guidelines: short fourth downs, more risk when trailing late."""
    trailing_late = is_late(g) and lead(g) < 0
    if g.phase == p.DRIVE:
        if trailing_late:
            return p.PASS_FIRST
        if is_late(g) and lead(g) > 0:
            return p.RUN_FIRST
        return p.BALANCED
    if g.phase == p.TRY:
        return book_try(g)
    if g.phase == p.UNTIMED_DOWN:
        return untimed_down_call(g, MAX_KICK_YARDS)
    if trailing_late and lead(g) < -3:
        return p.GO_FOR_IT
    if g.to_go <= 3 and (to_goal(g) <= 40 or trailing_late):
        return p.GO_FOR_IT
    if g.to_go <= 5 and to_goal(g) <= 5:
        return p.GO_FOR_IT
    if to_goal(g) <= 40:
        return p.FIELD_GOAL
    if g.to_go <= 5 and trailing_late:
        return p.GO_FOR_IT
    if g.to_go <= 2 and g.spot >= 50:
        return p.GO_FOR_IT
    return p.PUNT


@rule
def cautious(m: Match, g: Position) -> int:
    """Balanced drives; kick from very close, and punt every other fourth down."""
    if g.phase == p.DRIVE:
        return p.BALANCED
    if g.phase == p.TRY:
        return p.ONE_POINT
    if g.phase == p.UNTIMED_DOWN:
        return untimed_down_call(g, SURE_KICK_YARDS)
    return p.FIELD_GOAL if to_goal(g) <= SURE_KICK_YARDS else p.PUNT


@rule
def bold(m: Match, g: Position) -> int:
    """Pass, go for it with five or fewer to go or beyond kicking range, and try for two."""
    if g.phase == p.DRIVE:
        return p.RUN_FIRST if is_late(g) and lead(g) > 8 else p.PASS_FIRST
    if g.phase == p.TRY:
        return p.TWO_POINT
    if g.phase == p.UNTIMED_DOWN:
        return untimed_down_call(g, 30)
    if g.to_go <= 5 and g.spot >= 40:
        return p.GO_FOR_IT
    if is_late(g) and lead(g) < 0 and (g.to_go <= 10 or lead(g) < -3):
        return p.GO_FOR_IT
    if to_goal(g) <= 35:
        return p.FIELD_GOAL
    return p.GO_FOR_IT if g.spot >= 60 else p.PUNT


@rule
def plain(m: Match, g: Position) -> int:
    """Reference coach of the rule notes, whose whole-game odds are known exactly."""
    if g.phase == p.DRIVE:
        return p.BALANCED
    if g.phase == p.TRY:
        return p.ONE_POINT
    if to_goal(g) <= MAX_KICK_YARDS:
        return p.FIELD_GOAL
    if g.phase == p.UNTIMED_DOWN:
        return p.GO_FOR_IT
    return p.GO_FOR_IT if g.to_go <= 2 and g.spot >= 50 else p.PUNT


@rule
def short_yardage(m: Match, g: Position) -> int:
    """Go for it with five or fewer yards to go, wherever the ball is."""
    if g.phase == p.DRIVE:
        return p.BALANCED
    if g.phase == p.TRY:
        return p.ONE_POINT
    if g.phase == p.UNTIMED_DOWN:
        return untimed_down_call(g, KICK_YARDS)
    return fourth_down_call(g, SHORT_YARDS)


@rule
def fourth_down_call(g: Position, most_to_go: int) -> int:
    """Go for it with at most this many yards to go; else kick if close enough, or punt."""
    if g.to_go <= most_to_go:
        return p.GO_FOR_IT
    return p.FIELD_GOAL if to_goal(g) < KICK_YARDS else p.PUNT


# --- thumb and card: what a person can learn from best play ---------------------------


@rule
def is_last(g: Position) -> bool:
    """Return whether these are the last blocks, in which the score decides the calls."""
    return g.period == 2 and g.clock <= LAST_BLOCKS


@rule
def thumb(m: Match, g: Position) -> int:
    """Follow the rule of thumb that the solved game teaches."""
    if g.phase == p.DRIVE:
        return p.RUN_FIRST if is_last(g) and lead(g) > 0 else p.BALANCED
    if g.phase == p.TRY:
        two = g.period == 2 and (lead(g) == -5 or lead(g) == -2 or lead(g) == 5)
        return p.TWO_POINT if two else p.ONE_POINT
    if g.phase == p.UNTIMED_DOWN:
        return untimed_down_call(g, KICK_YARDS)
    if is_last(g) and lead(g) < 0:
        return p.GO_FOR_IT
    return fourth_down_call(g, 10 if 45 <= g.spot <= 60 else 6)


@rule
def card_style(g: Position) -> int:
    """Use up time with a lead in the second half; save it when a half nears its end."""
    ahead = lead(g)
    if g.period == 2 and ahead > 0:
        lasts = BIG_LEAD_BLOCKS if ahead >= BIG_LEAD else SMALL_LEAD_BLOCKS
        return p.RUN_FIRST if g.clock <= lasts else p.BALANCED
    return p.PASS_FIRST if HURRY_BLOCKS <= g.clock < LAST_BLOCKS else p.BALANCED


@rule
def card_try(g: Position) -> int:
    """Look up the lead after a touchdown in the second half."""
    ahead = lead(g)
    if g.period == 1 or ahead < -_WIDEST or ahead > _WIDEST:
        return p.ONE_POINT
    return p.TWO_POINT if g.clock <= TWO_POINT_BLOCKS[ahead + _WIDEST] else p.ONE_POINT


@rule
def card_limit(g: Position) -> int:
    """Look up the yards to go with which to go for it, by field position and lead."""
    if g.period == 2 and g.clock <= CHASE_BLOCKS and lead(g) < 0:
        if is_last(g):
            return ALWAYS_GO_YARDS
        return CHASING_LIMIT[g.spot]
    if is_last(g) and lead(g) > 0:
        return AHEAD_LIMIT[g.spot]
    return OPEN_LIMIT[g.spot]


@rule
def card_kick_decides(g: Position) -> bool:
    """Return whether three points are enough late in the game and the kick is short."""
    three_help = is_last(g) and -3 <= lead(g) <= 0
    return three_help and g.to_go > SURE_GO_YARDS and to_goal(g) <= SURE_KICK_YARDS + 5


@rule
def card(m: Match, g: Position) -> int:
    """Play by a card: limits by field position for three situations, and a list of leads."""
    if g.phase == p.DRIVE:
        return card_style(g)
    if g.phase == p.TRY:
        return card_try(g)
    if g.phase == p.UNTIMED_DOWN:
        return untimed_down_call(g, MAX_KICK_YARDS)
    if card_kick_decides(g):
        return p.FIELD_GOAL
    return fourth_down_call(g, card_limit(g))


COACHES = (
    RANDOM_COACH,
    Coach(
        "book",
        "Follows the rulebook: goes for it on 4th & short, takes risks when behind.",
        book,
        level="Starter",
    ),
    Coach(
        "cautious",
        "Kicks from 25 yards or closer and punts every other fourth down.",
        cautious,
        level="Rookie",
    ),
    Coach("bold", "Passes, goes for it past midfield and tries for two.", bold, level="Backup"),
    Coach(
        "plain",
        "Balanced drives and simple kicks: the baseline with exact odds.",
        plain,
        level="Rookie",
    ),
    Coach(
        "short-yardage",
        "Goes for it on 4th & 5 or less anywhere, else kicks from inside the 40 or punts.",
        short_yardage,
        level="Veteran",
    ),
    Coach(
        "thumb",
        "Goes for it on 4th & 6 (& 10 near midfield), and always when behind late.",
        thumb,
        level="Pro Bowler",
    ),
    Coach(
        "card",
        "Plays by a card: limits for each field position when ahead, behind or tied.",
        card,
        level="All-Pro",
    ),
)
