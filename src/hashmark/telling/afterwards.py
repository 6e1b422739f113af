"""Outcomes of a call in football terms: who has the ball where, clock, score.

    outcomes = told_apart(rules, m, before, [(0.25, after), (0.75, other)])
    headings, rows = as_table(outcomes, now=rules.words.when(m, before))

Positions that read the same share a line: what distinguishes them (a count on the sheet, who
received first) does not interest a coach.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from hashmark.table.names import NAMES
from hashmark.table.rules import RuleSet
from hashmark.telling.speech import capital

Rows = list[list[str]]
SMALLEST = 5e-7  # a smaller chance would be shown as 0.0000 %


@dataclass(frozen=True)
class Afterwards:
    """An outcome of a call as text."""

    clock: str
    scored: str  # what was scored, if anything
    then: str


def afterwards(rules: RuleSet, m: Any, before: Any, after: Any) -> Afterwards:
    """Describe a position compared with the one before."""
    words = rules.words
    then = (words.ahead or words.situation)(m, after)
    return Afterwards(words.when(m, after), _points_text(before, after), capital(then))


def _points_text(before: Any, after: Any) -> str:
    """Return the points of each team that scored: "home +6"."""
    score_before, score_after = getattr(before, "score", ()), getattr(after, "score", ())
    gained = [new - old for old, new in zip(score_before, score_after, strict=True)]
    return ", ".join(f"{NAMES[team]} {points:+d}" for team, points in enumerate(gained) if points)


def told_apart(
    rules: RuleSet, m: Any, before: Any, found: Iterable[tuple[float, Any]]
) -> list[tuple[float, Afterwards]]:
    """Return the distinct outcomes with their chances, the likeliest first."""
    chances: dict[Afterwards, float] = {}
    for chance, after in found:
        outcome = afterwards(rules, m, before, after)
        chances[outcome] = chances.get(outcome, 0.0) + chance
    rows = [(chance, outcome) for outcome, chance in chances.items()]
    return sorted(rows, key=lambda one: -one[0])


def as_table(said: Sequence[tuple[float, Afterwards]], now: str) -> tuple[list[str], Rows]:
    """Return headings and rows; omit the clock if it never moves, and points if none are scored."""
    clock_moves = any(outcome.clock != now for _, outcome in said)
    has_scores = any(outcome.scored for _, outcome in said)
    columns = ["clock"] * clock_moves + ["scored"] * has_scores + ["then"]
    rows = [
        [_percent(chance), *(getattr(outcome, key) for key in columns)] for chance, outcome in said
    ]
    return ["chance", *columns], rows


def _percent(chance: float) -> str:
    return f"{chance:.4%}" if chance >= SMALLEST else "<0.0001%"
