"""Coach answers in many shifted positions, and sheets of unfinished games.

Field position, clock and score are moved about. Whether such a position can come up does not
matter: a coach answers it anyway, and faults that are rare in games show up here.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import golden_games
from hashmark.conformance import ConformanceKit
from hashmark.engine.generator import RandomStream
from hashmark.engine.rule_set import RuleSet
from hashmark.sheets import sheet_of
from hashmark.sim.plain import SamplingHandler

SEED = 25


def digest(values: Iterator[Any]) -> str:
    return hashlib.blake2b(repr(list(values)).encode(), digest_size=6).hexdigest()


def coach_answers(
    rules: RuleSet, number: int, options: Sequence[Mapping[str, Any]], clocks: Sequence[int]
) -> Iterator[list[int]]:
    """Yield each coach's answers to the questions of a game, each asked in six places."""
    random = RandomStream(SEED, number, 0)
    game = ConformanceKit(rules, seed=SEED).play_game(
        options[number % len(options)], number, "random"
    )
    for turn in game.turns:
        if turn.call < 0:
            continue
        g = turn.before.copy()
        for _ in range(6):
            g.handler = SamplingHandler(rules, SEED, number)
            yield [rules.decide(coach, game.match, g) for coach in rules.coaches]
            shuffle_position(g, random, clocks)


def sheets_of_unfinished_games(rules: RuleSet, options: Mapping[str, Any]) -> Iterator[Any]:
    """Yield the sheet of a random game after a few turns, in the middle and near the end."""
    kit = ConformanceKit(rules, seed=SEED)
    turns = len(kit.play_game(options, 0, "random").turns)
    game = kit.new_game(options, 0)
    for turn_number, _ in enumerate(kit.playout(game, kit.rules.coach("random"))):
        if turn_number in (3, turns // 2, turns - 3):
            yield sheet_of(game)


def sheets_of_late_games(rules: RuleSet) -> Iterator[Any]:
    """Yield the sheets of random games that begin late, from a selection of golden starts."""
    kit = ConformanceKit(rules, seed=SEED)
    for number, start in enumerate(golden_games.SERIES[rules.name].variety.starts):
        if number % 6 == 0 or "score" not in start or start.get("period", 0) > 4:
            game = kit.new_game({}, number, start)
            for _ in kit.playout(game, rules.coach("random")):
                pass
            yield sheet_of(game)


def shuffle_position(g: Any, random: RandomStream, clocks: Sequence[int]) -> None:
    """Change spot, down, distance, clock, period and score, as far as the position has them."""
    if g.spot > 0:
        g.spot = 1 + random.randbelow(99)
        if g.to_go > 0:
            g.to_go = 1 + random.randbelow(min((3, 12)[random.randbelow(2)], 100 - g.spot))
    if getattr(g, "down", 0) > 0:
        g.down = 1 + random.randbelow(4)
    g.clock = 1 + random.randbelow(clocks[random.randbelow(len(clocks))])
    g.period = 1 + random.randbelow(g.fields["period"].high if g.fields["period"].high < 5 else 5)
    g.score = [random.randbelow(4) * 3 + random.randbelow(8) for _ in range(2)]
    if hasattr(g, "play_end"):  # the result that a penalty is compared with
        near = g.spot + random.randbelow(30) - 8
        g.play_end = (min(max(near, 0), 100), 99, 100, 0, random.randbelow(101))[
            random.randbelow(5)
        ]
        g.play_lost = int(random.randbelow(4) == 0)
