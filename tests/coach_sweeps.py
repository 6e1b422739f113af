"""Coaches asked in many positions, moved about the field and the clock; sheets of unfinished games.

Whether such a position could come up does not matter; a coach answers it all the same, and the
same fault that is seldom seen in games is seen here.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import golden_games
from hashmark.referee import Referee
from hashmark.sheet import sheet_of
from hashmark.sim.plain import Sampler
from hashmark.table.generator import Stream
from hashmark.table.rules import RuleSet

SEED = 25


def digest(found: Iterator[Any]) -> str:
    return hashlib.blake2b(repr(list(found)).encode(), digest_size=6).hexdigest()


def answers(
    rules: RuleSet, number: int, options: Sequence[Mapping[str, Any]], clocks: Sequence[int]
) -> Iterator[list[int]]:
    """What each coach answers to the questions of a game, each asked in six places."""
    luck = Stream(SEED, number, 0)
    game = Referee(rules, seed=SEED).played(options[number % len(options)], number, "random")
    for turn in game.turns:
        if turn.call < 0:
            continue
        g = turn.before.copy()
        for _ in range(6):
            g.table = Sampler(rules, SEED, number)
            yield [rules.decide(coach, game.match, g) for coach in rules.coaches]
            move(g, luck, clocks)


def half_played(rules: RuleSet, options: Mapping[str, Any]) -> Iterator[Any]:
    """The sheet of a random game after a few turns, in the middle and shortly before the end."""
    referee = Referee(rules, seed=SEED)
    turns = len(referee.played(options, 0, "random").turns)
    game = referee.game(options, 0)
    for at, _ in enumerate(referee.playout(game, referee.rules.coach("random"))):
        if at in (3, turns // 2, turns - 3):
            yield sheet_of(game)


def from_starts(rules: RuleSet) -> Iterator[Any]:
    """The sheets of random games that begin late: in each start of the golden games but a few."""
    referee = Referee(rules, seed=SEED)
    for number, start in enumerate(golden_games.SERIES[rules.name].variety.starts):
        if number % 6 == 0 or "score" not in start or start.get("period", 0) > 4:
            game = referee.game({}, number, start)
            for _ in referee.playout(game, rules.coach("random")):
                pass
            yield sheet_of(game)


def move(g: Any, luck: Stream, clocks: Sequence[int]) -> None:
    """Another spot, down, distance, clock, period and score, where there are such things."""
    if g.spot > 0:
        g.spot = 1 + luck.below(99)
        if g.to_go > 0:
            g.to_go = 1 + luck.below(min((3, 12)[luck.below(2)], 100 - g.spot))
    if getattr(g, "down", 0) > 0:
        g.down = 1 + luck.below(4)
    g.clock = 1 + luck.below(clocks[luck.below(len(clocks))])
    g.period = 1 + luck.below(g.fields["period"].high if g.fields["period"].high < 5 else 5)
    g.score = [luck.below(4) * 3 + luck.below(8) for _ in range(2)]
    if hasattr(g, "play_end"):  # what a penalty is weighed against
        near = g.spot + luck.below(30) - 8
        g.play_end = (min(max(near, 0), 100), 99, 100, 0, luck.below(101))[luck.below(5)]
        g.play_lost = int(luck.below(4) == 0)
