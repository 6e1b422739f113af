"""Invariants of every position and every step, regardless of the position a game began from."""

from __future__ import annotations

from typing import Any

from hashmark.engine.record import AWAY, HOME, TEAMS, TIE, Record
from hashmark.engine.rule_set import RuleSet


def position_violation(rules: RuleSet, m: Any, g: Any) -> str | None:
    """Return what is wrong with a position: play cannot continue from it, or it cannot exist."""
    question = rules.questions[rules.question(m, g)]
    if rules.is_over(g):
        if question.calls:
            return "the game is over and still asks"
        if "winner" in g.fields and g.winner not in (HOME, AWAY, TIE):
            return "the game is over and nobody has won"
    elif question.calls:
        if not rules.legal_calls(m, g):
            return "nobody has a legal call"
        if rules.team_to_act(m, g) not in (HOME, AWAY):
            return "a question is put to nobody"
        if question.is_window and rules.refusal(m, g, question.default):
            return "the default of a window is not allowed"
    on_field = 0 < g.spot < 100
    if rules.position.fields["spot"].to_json(g.spot) is not None and not on_field:
        return "the ball is not on the field"
    return None


def step_violation(rules: RuleSet, before: Record, g: Any, counts: list[list[int]]) -> str | None:
    """Return what is wrong with a step: points without an event, or a clock that ran backwards."""
    points = rules.statistics.names.index("points")
    previous: Any = before
    for team, name in enumerate(TEAMS):
        if g.score[team] - previous.score[team] != counts[team][points]:
            return f"{name} has points that no event told"
    if g.period < previous.period:
        return "the period ran backwards"
    if g.period == previous.period and g.clock > previous.clock + rules.solver.max_clock_rise:
        return "the clock ran backwards"
    return "the clock fell below zero" if g.clock < 0 else None
