"""The essence of positions: what a game declares that its future does not depend on."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from typing import Any

from hashmark.odds import plain
from hashmark.table.record import HOME
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
