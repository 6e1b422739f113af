"""Outcomes of a call in football terms: who has the ball where, clock, score.

    outcomes = distinct_outcomes(rules, m, before, [(0.25, after), (0.75, other)], names)
    headings, rows = outcome_table(outcomes, now=rules.words.when(m, before))

Positions that read the same share a line: what distinguishes them (a count on the sheet, who
received first) does not interest a coach.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from hashmark.engine.record import MatchRecord, PositionRecord
from hashmark.engine.rule_set import RuleSet
from hashmark.engine.team_names import TeamNames
from hashmark.number_text import percent
from hashmark.text.phrases import capitalize

Rows = list[list[str]]
MIN_SHOWN_CHANCE = 5e-7  # a smaller chance would be shown as 0.0000 %


@dataclass(frozen=True)
class OutcomeText:
    """An outcome of a call as text."""

    clock: str
    scored: str  # what was scored, if anything
    then: str


def describe_outcome(
    rules: RuleSet, m: MatchRecord, before: PositionRecord, after: PositionRecord, names: TeamNames
) -> OutcomeText:
    """Describe a position compared with the one before."""
    words = rules.words
    then = (words.outcome_situation or words.situation)(m, after, names)
    return OutcomeText(words.when(m, after), _points_text(before, after, names), capitalize(then))


def _points_text(before: PositionRecord, after: PositionRecord, names: TeamNames) -> str:
    """Return the points of each team that scored: "home +6"."""
    score_before, score_after = getattr(before, "score", ()), getattr(after, "score", ())
    gained = [new - old for old, new in zip(score_before, score_after, strict=True)]
    return ", ".join(f"{names[team]} {points:+d}" for team, points in enumerate(gained) if points)


def distinct_outcomes(
    rules: RuleSet,
    m: MatchRecord,
    before: PositionRecord,
    outcomes: Iterable[tuple[float, PositionRecord]],
    names: TeamNames,
) -> list[tuple[float, OutcomeText]]:
    """Return the distinct outcomes with their chances, the likeliest first."""
    chances: dict[OutcomeText, float] = {}
    for chance, after in outcomes:
        outcome = describe_outcome(rules, m, before, after, names)
        chances[outcome] = chances.get(outcome, 0.0) + chance
    rows = [(chance, outcome) for outcome, chance in chances.items()]
    return sorted(rows, key=lambda one: -one[0])


def outcome_table(
    outcomes: Sequence[tuple[float, OutcomeText]], now: str
) -> tuple[list[str], Rows]:
    """Return headings and rows; omit the clock if it never moves, and points if none are scored."""
    clock_moves = any(outcome.clock != now for _, outcome in outcomes)
    has_scores = any(outcome.scored for _, outcome in outcomes)
    columns = ["clock"] * clock_moves + ["scored"] * has_scores + ["then"]
    rows = [
        [_percent(chance), *(getattr(outcome, key) for key in columns)]
        for chance, outcome in outcomes
    ]
    return ["chance", *columns], rows


def _percent(chance: float) -> str:
    return percent(chance, 4) if chance >= MIN_SHOWN_CHANCE else "<0.0001 %"
