"""What must hold of every position and of every step, whatever position the game began from."""

from __future__ import annotations

from typing import Any

from hashmark.table.record import AWAY, HOME, TEAMS, TIE, Record
from hashmark.table.rules import RuleSet


def foul_in_position(rules: RuleSet, m: Any, g: Any) -> str | None:
    """What is wrong with a position: nobody can go on from it, or it cannot be."""
    asked = rules.questions[rules.question(m, g)]
    if rules.is_over(g):
        if asked.calls:
            return "the game is over and still asks"
        if "winner" in g.fields and g.winner not in (HOME, AWAY, TIE):
            return "the game is over and nobody has won"
    elif asked.calls:
        if not rules.legal_calls(m, g):
            return "nobody has a legal call"
        if rules.asked(m, g) not in (HOME, AWAY):
            return "a question is put to nobody"
        if asked.is_window and rules.refusal(m, g, asked.default):
            return "the default of a window is not allowed"
    on_field = 0 < g.spot < 100
    if rules.position.fields["spot"].to_json(g.spot) is not None and not on_field:
        return "the ball is not on the field"
    return None


def foul_in_step(rules: RuleSet, before: Record, g: Any, counts: list[list[int]]) -> str | None:
    """What is wrong with a step: points that no event told, or a clock that ran backwards."""
    points = rules.statistics.names.index("points")
    was: Any = before
    for team, name in enumerate(TEAMS):
        if g.score[team] - was.score[team] != counts[team][points]:
            return f"{name} has points that no event told"
    if g.period < was.period:
        return "the period ran backwards"
    if g.period == was.period and g.clock > was.clock + rules.clock_rise:
        return "the clock ran backwards"
    return "the clock fell below zero" if g.clock < 0 else None
