"""What a position comes to after a call, in football words: who has the ball where, clock, score.

    said = told_apart(rules, m, before, [(0.25, after), (0.75, other)])
    headings, rows = as_table(said, now=rules.words.when(m, before))

Positions that read the same are one line: what tells them apart (a count on the sheet, who
received first) is nothing that a coach asks for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from hashmark.table.names import NAMES
from hashmark.table.rules import RuleSet
from hashmark.telling.speech import capital

Rows = list[list[str]]
SMALLEST = 5e-7  # a chance that would be shown as 0.0000 %


@dataclass(frozen=True)
class Afterwards:
    """A position after a call, as it is told."""

    clock: str
    scored: str  # what was scored, if anything
    then: str


def afterwards(rules: RuleSet, m: Any, before: Any, after: Any) -> Afterwards:
    """What is told of a position, compared with the one before."""
    words = rules.words
    then = (words.ahead or words.situation)(m, after)
    return Afterwards(words.when(m, after), _scored(before, after), capital(then))


def _scored(before: Any, after: Any) -> str:
    """The points of each team that scored: "home +6"."""
    was, now = getattr(before, "score", ()), getattr(after, "score", ())
    gained = [new - old for old, new in zip(was, now, strict=True)]
    return ", ".join(f"{NAMES[team]} {more:+d}" for team, more in enumerate(gained) if more)


def told_apart(
    rules: RuleSet, m: Any, before: Any, found: Iterable[tuple[float, Any]]
) -> list[tuple[float, Afterwards]]:
    """What can come, each with its chance, the likeliest first."""
    chances: dict[Afterwards, float] = {}
    for chance, after in found:
        told = afterwards(rules, m, before, after)
        chances[told] = chances.get(told, 0.0) + chance
    listed = [(chance, told) for told, chance in chances.items()]
    return sorted(listed, key=lambda one: -one[0])


def as_table(said: Sequence[tuple[float, Afterwards]], now: str) -> tuple[list[str], Rows]:
    """Headings and a line for each; without the clock if none moves it, or points if none come."""
    moves = any(told.clock != now for _, told in said)
    scores = any(told.scored for _, told in said)
    kept = ["clock"] * moves + ["scored"] * scores + ["then"]
    rows = [[_percent(chance), *(getattr(told, key) for key in kept)] for chance, told in said]
    return ["chance", *kept], rows


def _percent(chance: float) -> str:
    return f"{chance:.4%}" if chance >= SMALLEST else "<0.0001%"
