"""Thousands of games in one compiled step: arrays in, arrays out, as a Gymnasium `VectorEnv`.

    games = VectorGames("fourth-down", 1024, opponent="book")
    rows, info = games.reset(seed=1)
    rows, rewards, ended, cut, info = games.step(calls)   # calls where info["action_mask"] is 1

Place i plays games number i, i + n, i + 2n ... of the seed: the very games that `simulate` plays
and that the plain engine plays with the same calls, whatever the number of threads. A game that is
over is followed by the next one in the step after it, whose call there is not looked at.

All arrays are made once. They come in two sets that take turns: what a step gives stays as it is
until the step after the next.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from hashmark.table import extras

try:
    import numpy as np
    from gymnasium.spaces import Box, Discrete
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError as fault:
    raise extras.lacking("hashmark.envs.vector", "gymnasium") from fault
try:
    import numba  # noqa: F401  (the loop below does)
except ImportError as fault:
    raise extras.lacking("hashmark.envs.vector", "numba") from fault

from hashmark.envs import kernel, observation, registering, seats
from hashmark.envs.calls import refusal
from hashmark.envs.seats import Opponent
from hashmark.sim.plain import illegal_call
from hashmark.sim.threads import check_threads
from hashmark.table import compiled, compiling
from hashmark.table.errors import HashmarkError
from hashmark.table.generator import check_seed
from hashmark.table.readable import shown
from hashmark.table.rules import RuleSet

MOST_GAMES = 1 << 20
USE = "the vector environment"
WORTH_A_THREAD = 512  # games; fewer are hardly worth handing over (judged, not measured)


class Out:
    """One set of the arrays that a step fills."""

    def __init__(self, count: int, rules: RuleSet) -> None:
        seen = observation.of(rules)
        self.rows = np.zeros((count, seen.size), seen.dtype)
        self.masks = np.zeros((count, len(rules.calls)), np.int8)
        self.rewards = np.zeros(count, np.float64)
        self.terminated = np.zeros(count, np.bool_)
        self.truncated = np.zeros(count, np.bool_)
        self.asked = np.zeros(count, np.int8)
        there = np.ones(count, np.bool_)
        self.info = {
            "action_mask": self.masks,
            "_action_mask": there,
            "asked": self.asked,
            "_asked": there,
        }

    @property
    def arrays(self) -> tuple[Any, ...]:
        """Those that the loop fills, in its order."""
        ends = (self.terminated, self.truncated)
        return (self.rows, self.masks, self.rewards, *ends, self.asked)


class VectorGames(VectorEnv[Any, Any, Any]):
    """Many games of one match, against a coach or with both seats in one's own hands."""

    metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP, "render_modes": []}  # noqa: RUF012

    def __init__(
        self,
        game: str | RuleSet,
        num_envs: int = 1024,
        *,
        seat: str = "home",
        opponent: Opponent | None = None,
        reward: str = seats.RESULT,
        options: Mapping[str, Any] | None = None,
        start: Mapping[str, Any] | None = None,
        threads: int | None = None,
    ) -> None:
        """With seat `both`, whoever is asked is told by `info["asked"]` and sees what it may see;
        rewards are then those of home. There are as many `threads` as cores, if that is worth it.
        """
        if isinstance(num_envs, bool) or not isinstance(num_envs, int | np.integer):
            raise HashmarkError(f"num_envs: {shown(num_envs)} is not a whole number")
        if not 1 <= num_envs <= MOST_GAMES:
            raise HashmarkError(f"num_envs: {num_envs} is not between 1 and {MOST_GAMES}")
        self.setting = seats.set_up(
            game, seat=seat, opponent=opponent, options=options, start=start
        )
        self.num_envs, self.rules = int(num_envs), self.setting.rules
        self.reward_by = seats.REWARDS.index(seats.check_reward(reward))
        self.observation = observation.of(self.rules)
        seen = self.observation
        self.single_observation_space = Box(seen.low, seen.high, dtype=seen.dtype.type)
        self.single_action_space = Discrete(len(self.rules.calls))
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._make_arrays()
        self._spread(check_threads(threads))

    def _make_arrays(self) -> None:
        setting, count = self.setting, self.num_envs
        extra = compiled.sampling_fields(self.rules)
        self._match = compiled.match_array(self.rules, setting.match)
        self._start = compiled.position_array(self.rules, setting.start, extra)
        self._games = compiled.position_array(self.rules, setting.start, extra, count)
        self._numbers = np.zeros(count, np.uint64)
        self._taken = np.zeros(count, np.int64)
        self._leads = np.zeros(count, np.int64)
        self._over = np.zeros(count, np.bool_)
        self._calls = np.zeros(count, np.int64)
        self._drawn = np.zeros(1, np.uint64)
        self._out = [Out(count, self.rules), Out(count, self.rules)]
        self._at = 0
        self._seed = np.zeros(1, np.uint64)
        self._begun = False

    def _spread(self, threads: int) -> None:
        """Give each thread its games and an opponent, and each loop the arrays it works on."""
        count, setting = self.num_envs, self.setting
        sits, part = setting.coach_in_compiled_games()
        parts = max(1, min(threads, count // WORTH_A_THREAD))
        edges = [count * at // parts for at in range(parts + 1)]
        self._failed = [np.zeros(1, np.int64) for _ in range(parts)]
        self._pool = ThreadPoolExecutor(parts - 1) if parts > 1 else None
        coaches = [sits() for _ in range(parts)]
        table = (self.rules, self._match, self._start, self._games)
        which = (self._seed, np.uint64(count), self._numbers, self._taken, self._leads, self._over)
        self._loops = [
            [
                compiling.bound(
                    kernel.step_games,
                    self.rules,
                    (*table, edges[at], edges[at + 1], self._calls, coaches[at], setting.seat,
                     self.reward_by, *which, *out.arrays, self._failed[at]),
                    USE,
                    part,
                )
                for at in range(parts)
            ]
            for out in self._out
        ]  # fmt: skip
        self._checks = [
            self._bound(kernel.first_refused, self._calls, out.masks, self._over)
            for out in self._out
        ]
        self._draws = [
            self._bound(kernel.draw_calls, out.masks, self._drawn, self._calls) for out in self._out
        ]

    def _bound(self, function: Callable[..., Any], *arguments: Any) -> Callable[[], Any]:
        return compiling.bound(function, self.rules, arguments)

    # --- Gymnasium ------------------------------------------------------------------------

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin anew, with the first games of a seed if one is given, else with further ones."""
        super().reset(seed=seed)
        if seed is not None or not self._begun:
            drawn = seats.any_seed(self.np_random_seed)
            self._begin_with(drawn if seed is None else check_seed(seed))
        self._over[:] = True
        out = self._play()
        return out.rows, out.info

    def _begin_with(self, seed: int) -> None:
        """The games of a seed; each is one step of its place before the first now."""
        self._begun = True
        self._seed[0] = self._drawn[0] = seed
        self._numbers[:] = np.arange(self.num_envs, dtype=np.uint64)
        self._numbers -= np.uint64(self.num_envs)

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Make a call in each game; a call that is not allowed in any of them changes nothing."""
        if not self._begun:
            raise HashmarkError("reset comes before the first step")
        given = np.asarray(actions)
        if given.shape != (self.num_envs,) or given.dtype.kind not in "iu":
            raise HashmarkError(
                f"actions: {self.num_envs} whole numbers are wanted, one for each game, not "
                f"{given.dtype} of shape {given.shape}"
            )
        self._calls[:] = given
        refused = self._checks[self._at]()
        if refused != kernel.NONE_FAILED:
            mask, call = self._out[self._at].masks[refused], int(self._calls[refused])
            raise (
                refusal(self.rules.calls, mask, call, f"game at place {refused}: ")
                or AssertionError
            )
        out = self._play()
        return out.rows, out.rewards, out.terminated, out.truncated, out.info

    def _play(self) -> Out:
        """Go on with all games, into the arrays whose turn it is."""
        self._at = 1 - self._at
        mine, *others = self._loops[self._at]
        if self._pool is None:
            ends = [mine()]
        else:
            begun = [self._pool.submit(loop) for loop in others]
            ends = [mine(), *(one.result() for one in begun)]
        for failed, end in zip(self._failed, ends, strict=True):
            if end != kernel.NONE_FAILED:
                raise illegal_call(self.rules, int(self._numbers[end]), int(failed[0]))
        return self._out[self._at]

    def close_extras(self, **kwargs: Any) -> None:
        """Let the threads go."""
        if self._pool is not None:
            self._pool.shutdown()

    # --- Beyond Gymnasium -------------------------------------------------------------------

    def random_calls(self) -> Any:
        """A legal call for each game, each equally likely, in an array that is used again."""
        self._draws[self._at]()
        return self._calls

    def positions(self) -> list[Any]:
        """The whole positions, for a look behind the veil: nothing to learn from."""
        return [self.rules.position.from_array(one) for one in self._games]

    @property
    def game_numbers(self) -> Any:
        """The number of the game of the seed in each place."""
        return self._numbers.copy()


registering.register_games()
