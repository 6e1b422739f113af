"""State abstraction: the parts of a position that a game declares irrelevant to its future."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from typing import Any

from hashmark.engine import solver_keys
from hashmark.engine.record import AWAY, HOME, MatchRecord, PositionRecord
from hashmark.engine.rule_set import RuleSet
from hashmark.odds import enumeration

EXTRA_POINTS = 7  # of both teams, or of one of them, in a twin

OutcomeKey = tuple[tuple[int, ...], int, int, int]
"""The abstraction of a next position, the points of each team, and the progress made."""


def abstracted(rules: RuleSet, m: MatchRecord, g: PositionRecord) -> Any:
    """Return a position without what the game declares irrelevant; the score stays."""
    position = g.copy()
    rules.solver.drop_irrelevant(m, position)
    return position


def equivalent_twins(rules: RuleSet, m: MatchRecord, g: PositionRecord) -> list[tuple[str, Any]]:
    """Return positions that must lead to the same outcomes, with a word on how they differ."""
    both = g.copy()
    both.score = [points + EXTRA_POINTS for points in g.score]
    pairs = [("forgetting", abstracted(rules, m, g)), ("the height of the score", both)]
    if not rules.solver.score_matters(m, g):
        ahead = g.copy()
        ahead.score[HOME] += EXTRA_POINTS
        pairs.append(("the lead", ahead))
    return pairs


def question_and_calls(rules: RuleSet, m: MatchRecord, g: PositionRecord) -> tuple[Any, ...]:
    """Return which question is put to which team, and its legal calls."""
    return (
        rules.question(m, g),
        rules.team_to_act(m, g),
        rules.legal_calls(m, g),
        rules.is_play_over(m, g),
    )


def outcome_chances(
    rules: RuleSet, m: MatchRecord, g: PositionRecord, call: int
) -> dict[OutcomeKey, Fraction]:
    """Return what a call leads to as a solver sees it, by abstraction, points and progress."""
    chances: dict[OutcomeKey, Fraction] = defaultdict(Fraction)
    before, progress = list(g.score), rules.solver.progress(m, g)
    for chance, after, _ in enumeration.enumerate_step(rules, m, g, call):
        home, away = (after.score[team] - before[team] for team in range(2))
        time = rules.solver.progress(m, after) - progress
        next_position = abstracted(rules, m, after)
        next_position.score = [0, 0]
        chances[tuple(next_position.flat()), home, away, time] += chance
    return chances


def solver_outcome_chances(
    rules: RuleSet, m: MatchRecord, g: PositionRecord, call: int
) -> dict[tuple[Any, ...], Fraction]:
    """Return what a call leads to for the team to act: keys, time passed and points."""
    team = rules.team_to_act(m, g)
    chances: dict[tuple[Any, ...], Fraction] = defaultdict(Fraction)
    for chance, after, _ in enumeration.enumerate_step(rules, m, g, call):
        points = (after.score[0] - g.score[0]) - (after.score[1] - g.score[1])
        row: tuple[Any, ...] = (-points if team == AWAY else points,)
        if not rules.is_over(after):
            slots = [0] * solver_keys.PLACE_SIZE
            solver_keys.split_key(rules, m, after, slots)
            flipped = slots[solver_keys.IS_FLIPPED] ^ (team == AWAY)
            passed = (slots[solver_keys.PERIOD] - g.period, slots[solver_keys.CLOCK] - g.clock)
            row = (*row, tuple(after.flat()), flipped, *passed)
            row += tuple(slots[solver_keys.CARRIED : solver_keys.LEAD])
        chances[row] += chance
    return chances


def solver_equivalents(rules: RuleSet, m: MatchRecord, g: PositionRecord) -> list[tuple[str, Any]]:
    """Return positions that a solver treats as equal, with a word on how they differ."""
    assert rules.solver.spec is not None
    swapped = g.copy()
    solver_keys.swap_teams(rules, swapped)
    pairs = [("which team is which", swapped)]
    steady = rules.solver.spec.steady_layer
    for other in (g.clock - 1, g.clock + 1):
        twin = g.copy()
        twin.clock = other
        if other > 0 and 0 < steady(m, g) == steady(m, twin):
            pairs.append(("the time", twin))
    return pairs
