"""Learns 4th Down! from games against itself, and measures what its calls cost.

    hashmark solve fourth-down            # once: what every call is worth
    python docs/learn_fourth_down.py      # learns for a minute, then plays 200 games

The learner is a table: situations that look alike share a row, and each call of a row has a number,
moved a little toward what followed it (Q-learning for two, the other team's gain being our loss).
The solved game then says of each of its calls how much less than the best one it was worth. Played
against the coach `best`, these regrets add up to what it loses to best play in a game.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

import numpy as np

from hashmark.engine import registry
from hashmark.engine.coach_requests import CoachHandler
from hashmark.engine.record import NOBODY
from hashmark.envs.settings import make_setting
from hashmark.envs.single_game import SingleGame
from hashmark.envs.vector import VectorGames
from hashmark.values import solution

RULES = registry.load("fourth-down")
LEADS = (-16, -8, -3, 0, 1, 4, 9, 17)  # where a lead begins to mean something else
TIMES = (3, 8, 16, 32, 64, 100, 140, 181, 220, 280, 330)
TO_GO = (2, 4, 7, 11)
SHAPE = (len(RULES.questions), len(LEADS) + 1, len(TIMES) + 1, 20, len(TO_GO) + 1)
FADING = 0.85  # 1 is the mean of all looks; less forgets the first ones, which knew less


class Table:
    """What each call is worth in each kind of situation, from -1 to 1."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self.at = {name: names.index(name) for name in names}
        size = int(np.prod(SHAPE))
        self.values = np.zeros((size, len(RULES.calls)))
        self.counts = np.zeros((size, len(RULES.calls)))
        self.changes = np.zeros((size, len(RULES.calls)))

    def kinds(self, rows: Any) -> Any:
        """Which kind of situation each row is."""

        def column(name: str) -> Any:
            return rows[..., self.at[name]].astype(np.int64)

        lead = column("score.own") - column("score.other")
        left = column("clock") + 180 * (2 - column("period"))
        parts = (
            column("question"),
            np.searchsorted(LEADS, lead, side="right"),
            np.searchsorted(TIMES, left, side="right"),
            column("spot") // 5,
            np.searchsorted(TO_GO, column("to_go"), side="right"),
        )
        return np.ravel_multi_index(parts, SHAPE)

    def best(self, kinds: Any, masks: Any) -> tuple[Any, Any]:
        """The best call of each, and its worth."""
        worth = np.where(masks, self.values[kinds], -np.inf)
        calls = worth.argmax(-1)
        return calls, np.take_along_axis(worth, calls[..., None], -1)[..., 0]

    def move(self, kinds: Any, calls: Any, targets: Any) -> None:
        """Move numbers toward targets, the more the less is known of them."""
        here = (kinds, calls)
        np.add.at(self.counts, here, 1)
        np.add.at(self.changes, here, targets - self.values[here])
        self.values[here] += self.changes[here] / self.counts[here] ** FADING
        self.changes[here] = 0


def learn(steps: int, games: int, seed: int, start: dict[str, Any] | None = None) -> Table:
    """A table from so many steps of games against itself."""
    env = VectorGames("fourth-down", games, seat="both", start=start)
    table = Table(env.observation.names)
    luck = np.random.default_rng(seed)
    rows, info = env.reset(seed=seed)
    kinds, masks, asked = table.kinds(rows), info["action_mask"], info["asked"].copy()
    calls, _ = table.best(kinds, masks)
    for step in range(steps):
        wild = luck.random(games) < 0.3 * (1 - step / steps) + 0.02
        calls = np.where(wild, env.random_calls(), calls)
        rows, rewards, ended, _, info = env.step(calls)
        then, next_asked = table.kinds(rows), info["asked"].copy()
        best, worth = table.best(then, info["action_mask"])
        ours = np.where(asked == 0, rewards, -rewards)
        targets = np.where(ended, ours, np.where(next_asked == asked, worth, -worth))
        live = asked != NOBODY  # where a game has just begun nothing was called
        table.move(kinds[live], calls[live], targets[live])
        kinds, asked, calls = then, next_asked, best
    return table


Policy = Callable[[SingleGame], int]


def learned(table: Table) -> Policy:
    """Plays what the table holds to be best."""
    return lambda play: int(table.best(table.kinds(play.row), play.mask)[0])


def coach(name: str) -> Policy:
    """Plays as a coach of the game does."""

    def call(play: SingleGame) -> int:
        view = RULES.view(play.match, play.position, play.asked)
        view.handler = CoachHandler(play.handler.coach_stream)
        return RULES.decide(RULES.coach(name), play.match, view)

    return call


def regret(policy: Policy, games: int, start: dict[str, Any] | None = None) -> tuple[float, float]:
    """What a policy loses to best play in a game, in win probability, and the standard error."""
    setting = make_setting("fourth-down", opponent="best", start=start)
    source = solution.find(RULES, setting.match)
    assert source is not None  # else there is no coach `best` either
    play, sums = SingleGame(setting), []
    for number in range(games):
        play.begin(1, number)
        lost = 0.0
        while play.asked != NOBODY:
            call = policy(play)
            judged = source.judge(play.position)
            worth = {one: value.worth(play.asked) for one, value in judged.calls.items()}
            lost += max(worth.values()) - worth[call]
            play.call(call)
        sums.append(lost)
    return float(np.mean(sums)), float(np.std(sums) / len(sums) ** 0.5)


def main(arguments: list[str] | None = None) -> None:
    """Learn, then compare with the coaches."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--steps", type=int, default=60_000, help="steps of each of the games")
    parser.add_argument("--games", type=int, default=1024, help="games at once")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--judged", type=int, default=200, help="games against the coach best")
    parser.add_argument("--clock", type=int, help="begin in the second half with so many blocks")
    given = parser.parse_args(arguments)
    start = None
    if given.clock:
        start = {"phase": "drive", "possession": "home", "spot": 20, "period": 2,
                 "clock": given.clock}  # fmt: skip
    table = learn(given.steps, given.games, given.seed, start)
    policies = {"random": coach("random"), "book": coach("book"), "learned": learned(table)}
    for name, policy in policies.items():
        lost, error = regret(policy, given.judged, start)
        print(f"{name:8} loses {100 * lost:.2f} points of win probability a game (± {error:.2%})")


if __name__ == "__main__":
    main()
