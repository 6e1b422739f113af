"""Built-in coaches of 4th Down!; each is one short rule that answers every question."""

from __future__ import annotations

from hashmark.engine.rule import rule
from hashmark.engine.rule_set import RANDOM_COACH, Coach
from hashmark.games.fourth_down import position as p
from hashmark.games.fourth_down.position import Match, Position
from hashmark.games.fourth_down.rules import opponent, to_goal
from hashmark.games.fourth_down.tables import MAKE_DISTANCES

LATE_BLOCKS = 60  # blocks left from which the rulebook gives advice for the end of the game
MAX_KICK_YARDS = max(MAKE_DISTANCES)  # yards: no longer kick can be good


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
    """Run, kick from close, punt everything else, and pass only when far behind late."""
    if g.phase == p.DRIVE:
        return p.PASS_FIRST if is_late(g) and lead(g) < -8 else p.RUN_FIRST
    if g.phase == p.TRY:
        return p.ONE_POINT
    if g.phase == p.UNTIMED_DOWN:
        return untimed_down_call(g, 40)
    if to_goal(g) <= 35:
        return p.FIELD_GOAL
    if is_late(g) and lead(g) < 0 and g.to_go <= 3:
        return p.GO_FOR_IT
    return p.PUNT


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


COACHES = (
    RANDOM_COACH,
    Coach(
        "cautious",
        "Runs, kicks from close range and punts; avoids every risk it can.",
        cautious,
        level="Walk-on",
    ),
    Coach(
        "plain",
        "Balanced drives and simple kicks: the baseline with exact odds.",
        plain,
        level="Backup",
    ),
    Coach("bold", "Passes, goes for it past midfield and tries for two.", bold, level="Starter"),
    Coach(
        "book",
        "Follows the rulebook: goes for it on 4th & short, takes risks when behind.",
        book,
        level="Starter",
    ),
)
