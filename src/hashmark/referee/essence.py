"""The essence of positions: what a game declares that its future does not depend on."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from typing import Any

from hashmark.odds import plain
from hashmark.table import keys
from hashmark.table.record import AWAY, HOME
from hashmark.table.rules import RuleSet

MORE = 7  # points that both teams, or one of them, have more in a twin

Row = tuple[tuple[int, ...], int, int, int]
"""The essence of a next position, the points of each team, and the progress made."""


def essence_of(rules: RuleSet, m: Any, g: Any) -> Any:
    """A position without what the game forgets; its score is kept."""
    kept = g.copy()
    rules.forget(m, kept)
    return kept


def twins(rules: RuleSet, m: Any, g: Any) -> list[tuple[str, Any]]:
    """Positions that must lead to the same, with a word on how they differ."""
    both = g.copy()
    both.score = [points + MORE for points in g.score]
    found = [("forgetting", essence_of(rules, m, g)), ("the height of the score", both)]
    if not rules.score_counts(m, g):
        ahead = g.copy()
        ahead.score[HOME] += MORE
        found.append(("the lead", ahead))
    return found


def answers(rules: RuleSet, m: Any, g: Any) -> tuple[Any, ...]:
    """Who is asked what, and may answer what."""
    return rules.question(m, g), rules.asked(m, g), rules.legal_calls(m, g), rules.play_over(m, g)


def rows(rules: RuleSet, m: Any, g: Any, call: int) -> dict[Row, Fraction]:
    """What a call leads to, as a solver sees it: by essence, points and progress."""
    found: dict[Row, Fraction] = defaultdict(Fraction)
    before, progress = list(g.score), rules.progress(m, g)
    for chance, after, _ in plain.leaves(rules, m, g, call):
        home, away = (after.score[team] - before[team] for team in range(2))
        time = rules.progress(m, after) - progress
        kept = essence_of(rules, m, after)
        kept.score = [0, 0]
        found[tuple(kept.flat()), home, away, time] += chance
    return found


def as_a_solver_sees(rules: RuleSet, m: Any, g: Any, call: int) -> dict[tuple[Any, ...], Fraction]:
    """What a call leads to, for the team that is asked: keys, time passed, and points."""
    us = rules.asked(m, g)
    found: dict[tuple[Any, ...], Fraction] = defaultdict(Fraction)
    for chance, after, _ in plain.leaves(rules, m, g, call):
        points = (after.score[0] - g.score[0]) - (after.score[1] - g.score[1])
        row: tuple[Any, ...] = (-points if us == AWAY else points,)
        if not rules.is_over(after):
            place = [0] * keys.PLACE
            keys.part(rules, m, after, place)
            flipped = place[keys.FLIPPED] ^ (us == AWAY)
            passed = (place[keys.PERIOD] - g.period, place[keys.CLOCK] - g.clock)
            row = (*row, tuple(after.flat()), flipped, *passed)
            row += tuple(place[keys.CARRIED : keys.LEAD])
        found[row] += chance
    return found


def solved_alike(rules: RuleSet, m: Any, g: Any) -> list[tuple[str, Any]]:
    """Positions that a solver takes for the same, with a word on how they differ."""
    assert rules.solving is not None
    swapped = g.copy()
    keys.mirror(rules, swapped)
    found = [("which team is which", swapped)]
    steady = rules.solving.steady
    for other in (g.clock - 1, g.clock + 1):
        twin = g.copy()
        twin.clock = other
        if other > 0 and 0 < steady(m, g) == steady(m, twin):
            found.append(("the time", twin))
    return found
