"""Simulation in plain Python: slow, and the reference for the compiled loop."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from hashmark.sim.results import Totals
from hashmark.table.dice import Die
from hashmark.table.effects import Table
from hashmark.table.errors import EndlessGame, IllegalCall
from hashmark.table.events import Event
from hashmark.table.generator import COACHES, DICE, MASK, Stream, fold, mix
from hashmark.table.record import AWAY, HOME, TIE, winner
from hashmark.table.rules import LONGEST_GAME, NO_CALL, NO_END, RuleSet
from hashmark.table.thinking import CoachTable


class Sampler(Table):
    """Effect handler that rolls seeded dice and counts statistics."""

    def __init__(self, rules: RuleSet, seed: int, game: int) -> None:
        self.dice = Stream(seed, game, DICE)
        self.key = (seed, game)
        self.statistics = rules.statistics
        self.counts = rules.statistics.zero()

    @cached_property
    def luck(self) -> Stream:
        """Random stream of the coaches; opened on demand, since many steps need none."""
        return Stream(*self.key, COACHES)

    def die(self, die: Die, team: int) -> int:
        return die.faces[self.dice.below(len(die.faces))]

    def draw(self, n: int) -> int:
        return self.luck.below(n)

    def tell(self, event: Event, team: int, a: int, b: int, c: int) -> None:
        self.statistics.add(self.counts, event, team, a, b, c)


def illegal_call(rules: RuleSet, number: int, call: int) -> IllegalCall:
    """Return the error about an illegal call of a user-defined coach."""
    name = rules.calls[call] if 0 <= call < len(rules.calls) else str(call)
    return IllegalCall(f"game {number}: a coach called {name!r}, which is not allowed there")


def play_game(
    rules: RuleSet, m: Any, start: Any, seed: int, number: int, coaches: tuple[int, int]
) -> tuple[Any, list[list[int]], int]:
    """Play one game; return its final position, its statistics and its number of steps."""
    handler = Sampler(rules, seed, number)
    coach_handler = CoachTable(handler.luck)
    seats = rules.all_coaches()
    g = start.copy()
    g.table = handler
    steps = 0
    while not rules.is_over(g):
        call = NO_CALL
        if rules.questions[rules.question(m, g)].calls:
            team = rules.asked(m, g)
            with rules.veiled(m, g, team, coach_handler):
                call = rules.decide(seats[coaches[team]], m, g)
            if rules.custom and call not in rules.legal_calls(m, g):
                raise illegal_call(rules, number, call)
        rules.step(m, g, call)
        steps += 1
        if steps == LONGEST_GAME:
            raise EndlessGame(NO_END)
    return g, handler.counts, steps


def play_batch(
    rules: RuleSet,
    m: Any,
    start: Any,
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
            digest=mix((fold(g.flat()) + number) & MASK),
            margin=margin,
            margin_squares=margin * margin,
            sums=counts,
            squares=[[n * n for n in row] for row in counts],
        )
        totals.add(game_totals)
        if rows is not None:
            rows.append(counts)
    return totals
