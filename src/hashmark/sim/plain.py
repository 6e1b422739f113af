"""Simulation in plain Python: slow, and the reference for the compiled loop."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from hashmark.engine.coach_requests import CoachHandler
from hashmark.engine.dice import Die
from hashmark.engine.effects import EffectHandler
from hashmark.engine.events import EventKind, Values
from hashmark.engine.generator import (
    COACH_STREAM,
    DICE_STREAM,
    MASK,
    RandomStream,
    digest_ints,
    mix,
)
from hashmark.engine.record import (
    AWAY,
    HOME,
    NOBODY,
    TIE,
    MatchRecord,
    PositionRecord,
    PositionT,
    winner,
)
from hashmark.engine.rule_set import ENDLESS_GAME_MESSAGE, MAX_GAME_STEPS, NO_CALL, RuleSet
from hashmark.errors import EndlessGame, IllegalCall
from hashmark.sim.results import Totals

StepObserver = Callable[[Any, int, int, list[list[int]]], None]
"""Callback before each step with the position, the team, its call and the statistics so far."""


class SamplingHandler(EffectHandler):
    """Effect handler that rolls seeded dice and counts statistics."""

    def __init__(self, rules: RuleSet, seed: int, game: int) -> None:
        self.dice_stream = RandomStream(seed, game, DICE_STREAM)
        self.key = (seed, game)
        self.statistics = rules.statistics
        self.counts = rules.statistics.empty_counts()

    @cached_property
    def coach_stream(self) -> RandomStream:
        """Random stream of the coaches; opened on demand, since many steps need none."""
        return RandomStream(*self.key, COACH_STREAM)

    def roll_die(self, die: Die, team: int) -> int:
        return die.faces[self.dice_stream.randbelow(len(die.faces))]

    def draw(self, n: int) -> int:
        return self.coach_stream.randbelow(n)

    def emit(self, event: EventKind, team: int, values: Values) -> None:
        self.statistics.add(self.counts, event, team, values)


def illegal_call_error(rules: RuleSet, number: int, call: int) -> IllegalCall:
    """Return the error about an illegal call of a user-defined coach."""
    name = rules.calls[call] if 0 <= call < len(rules.calls) else str(call)
    return IllegalCall(f"game {number}: a coach called {name!r}, which is not legal there")


def play_game(
    rules: RuleSet,
    m: MatchRecord,
    start: PositionT,
    seed: int,
    number: int,
    coaches: tuple[int, int],
    before_step: StepObserver | None = None,
) -> tuple[PositionT, list[list[int]], int]:
    """Play one game; return its final position, its statistics and its number of steps."""
    handler = SamplingHandler(rules, seed, number)
    coach_handler = CoachHandler(handler.coach_stream)
    seats = rules.all_coaches()
    g = start.copy()
    g.handler = handler
    steps = 0
    while not rules.is_over(g):
        call, team = NO_CALL, NOBODY
        if rules.questions[rules.question(m, g)].calls:
            team = rules.team_to_act(m, g)
            with rules.redacted(m, g, team, coach_handler):
                call = rules.decide(seats[coaches[team]], m, g)
            if rules.is_custom and call not in rules.legal_calls(m, g):
                raise illegal_call_error(rules, number, call)
        if before_step is not None:
            before_step(g, team, call, handler.counts)
        rules.step(m, g, call)
        steps += 1
        if steps == MAX_GAME_STEPS:
            raise EndlessGame(ENDLESS_GAME_MESSAGE)
    return g, handler.counts, steps


def play_batch(
    rules: RuleSet,
    m: MatchRecord,
    start: PositionRecord,
    seed: int,
    first: int,
    count: int,
    coaches: tuple[int, int],
    rows: list[list[list[int]]] | None,
) -> Totals:
    """Play consecutive games and total them."""
    totals = Totals(len(rules.statistics.names))
    for number in range(first, first + count):
        g, counts, steps = play_game(rules, m, start, seed, number, coaches)
        margin, won = g.score[0] - g.score[1], winner(g)
        game_totals = Totals(
            totals.statistics,
            games=1,
            wins=[int(won == HOME), int(won == AWAY)],
            ties=int(won == TIE),
            steps=steps,
            digest=mix((digest_ints(g.flat()) + number) & MASK),
            margin=margin,
            margin_squares=margin * margin,
            sums=counts,
            squares=[[n * n for n in row] for row in counts],
        )
        totals.add(game_totals)
        if rows is not None:
            rows.append(counts)
    return totals
