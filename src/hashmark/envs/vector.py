"""Vectorized environment: thousands of games in one compiled step, as a Gymnasium `VectorEnv`.

    games = VectorGames("fourth-down", 1024, opponent="book")
    rows, info = games.reset(seed=1)
    rows, rewards, ended, cut, info = games.step(calls)   # calls where info["action_mask"] is 1

Place i plays games number i, i + n, i + 2n ... of the seed: the same games that `simulate` and the
plain engine play with the same calls, for any number of threads. A finished game is followed by the
next one in the following step, whose call for that place is ignored.

All arrays are allocated once. They come in two sets that alternate: the results of a step stay
valid until the step after the next.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from hashmark import extras

try:
    import numpy as np
    import numpy.typing as npt
    from gymnasium.spaces import Box, Discrete
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError as fault:
    raise extras.missing_library_error("hashmark.envs.vector", "gymnasium") from fault
try:
    import numba  # noqa: F401  (the compiled loop needs it)
except ImportError as fault:
    raise extras.missing_library_error("hashmark.envs.vector", "numba") from fault

from hashmark.compiler import dispatch, registration
from hashmark.engine.generator import check_seed
from hashmark.engine.rule_set import RuleSet
from hashmark.envs import kernel, observation, settings
from hashmark.envs import registration as gym_registration
from hashmark.envs.actions import check_action
from hashmark.envs.settings import Opponent
from hashmark.errors import HashmarkError
from hashmark.sanitize import quote
from hashmark.sim.plain import illegal_call_error
from hashmark.sim.threads import check_threads

MAX_GAMES = 1 << 20
COMPILED_USE = "the vector environment"
MIN_GAMES_PER_THREAD = 512  # games per thread; fewer are hardly worth the overhead (estimated)


class StepArrays:
    """One set of the arrays that a step fills."""

    def __init__(self, count: int, rules: RuleSet) -> None:
        layout = observation.of(rules)
        self.rows = np.zeros((count, layout.size), layout.dtype)
        self.masks = np.zeros((count, len(rules.calls)), np.int8)
        self.rewards = np.zeros(count, np.float64)
        self.terminated = np.zeros(count, np.bool_)
        self.truncated = np.zeros(count, np.bool_)
        self.asked = np.zeros(count, np.int8)
        present = np.ones(count, np.bool_)
        self.info = {
            "action_mask": self.masks,
            "_action_mask": present,
            "asked": self.asked,
            "_asked": present,
        }

    @property
    def arrays(self) -> tuple[Any, ...]:
        """The arrays that the loop fills, in its order."""
        ends = (self.terminated, self.truncated)
        return (self.rows, self.masks, self.rewards, *ends, self.asked)


class VectorGames(VectorEnv[Any, Any, Any]):
    """Many games of one match, against a coach or with both seats controlled by the caller."""

    metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP, "render_modes": []}  # noqa: RUF012

    def __init__(
        self,
        game: str | RuleSet,
        num_envs: int = 1024,
        *,
        seat: str = "home",
        opponent: Opponent | None = None,
        reward: str = settings.RESULT,
        options: Mapping[str, Any] | None = None,
        start: Mapping[str, Any] | None = None,
        threads: int | None = None,
    ) -> None:
        """Create the environment.

        With seat `both`, `info["asked"]` names the team to act, which sees only what it may see;
        rewards are then home's. Uses as many `threads` as cores, if that is worthwhile.
        """
        if isinstance(num_envs, bool) or not isinstance(num_envs, int | np.integer):
            raise HashmarkError(f"num_envs: {quote(num_envs)} is not a whole number")
        if not 1 <= num_envs <= MAX_GAMES:
            raise HashmarkError(f"num_envs: {num_envs} is not between 1 and {MAX_GAMES}")
        self.setting = settings.make_setting(
            game, seat=seat, opponent=opponent, options=options, start=start
        )
        self.num_envs, self.rules = int(num_envs), self.setting.rules
        self.reward_by = settings.REWARDS.index(settings.check_reward(reward))
        self.observation = observation.of(self.rules)
        layout = self.observation
        self.single_observation_space = Box(layout.low, layout.high, dtype=layout.dtype.type)
        self.single_action_space = Discrete(len(self.rules.calls))
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._make_arrays()
        self._bind_loops(check_threads(threads))

    def _make_arrays(self) -> None:
        setting, count = self.setting, self.num_envs
        extra = dispatch.sampling_fields(self.rules)
        self._match = dispatch.match_array(self.rules, setting.match)
        self._start = dispatch.position_array(self.rules, setting.start, extra)
        self._games = dispatch.position_array(self.rules, setting.start, extra, count)
        self._numbers = np.zeros(count, np.uint64)
        self._taken = np.zeros(count, np.int64)
        self._leads = np.zeros(count, np.int64)
        self._over = np.zeros(count, np.bool_)
        self._calls = np.zeros(count, np.int64)
        self._drawn = np.zeros(1, np.uint64)
        self._out = [StepArrays(count, self.rules), StepArrays(count, self.rules)]
        self._at = 0
        self._seed = np.zeros(1, np.uint64)
        self._begun = False

    def _bind_loops(self, threads: int) -> None:
        """Bind the compiled loops: each thread gets its games, an opponent and its arrays."""
        count, setting = self.num_envs, self.setting
        make_coach, variant = setting.compiled_opponent()
        parts = max(1, min(threads, count // MIN_GAMES_PER_THREAD))
        edges = [count * index // parts for index in range(parts + 1)]
        self._failed = [np.zeros(1, np.int64) for _ in range(parts)]
        self._pool = ThreadPoolExecutor(parts - 1) if parts > 1 else None
        coaches = [make_coach() for _ in range(parts)]
        table = (self.rules, self._match, self._start, self._games)
        which = (self._seed, np.uint64(count), self._numbers, self._taken, self._leads, self._over)
        self._loops = [
            [
                registration.bind_loop(
                    kernel.step_games,
                    self.rules,
                    (*table, edges[index], edges[index + 1], self._calls, coaches[index],
                     setting.seat, self.reward_by, *which, *out.arrays, self._failed[index]),
                    COMPILED_USE,
                    variant,
                )
                for index in range(parts)
            ]
            for out in self._out
        ]  # fmt: skip
        self._checks = [
            self._bind(kernel.first_illegal, self._calls, out.masks, self._over)
            for out in self._out
        ]
        self._draws = [
            self._bind(kernel.draw_calls, out.masks, self._drawn, self._calls) for out in self._out
        ]

    def _bind(self, function: Callable[..., Any], *arguments: object) -> Callable[[], Any]:
        return registration.bind_loop(function, self.rules, arguments)

    # --- Gymnasium ------------------------------------------------------------------------

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin the first games of a seed, or the next games if no seed is given."""
        super().reset(seed=seed)
        if seed is not None or not self._begun:
            drawn_seed = settings.seed_from(self.np_random_seed)
            self._begin_with(drawn_seed if seed is None else check_seed(seed))
        self._over[:] = True
        out = self._play()
        return out.rows, out.info

    def _begin_with(self, seed: int) -> None:
        """Set the seed; each place is now one game before its first."""
        self._begun = True
        self._seed[0] = self._drawn[0] = seed
        self._numbers[:] = np.arange(self.num_envs, dtype=np.uint64)
        self._numbers -= np.uint64(self.num_envs)

    def step(self, actions: npt.ArrayLike) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Make a call in each game; an illegal call in any of them changes nothing."""
        if not self._begun:
            raise HashmarkError("call reset() before step()")
        action_array = np.asarray(actions)
        if action_array.shape != (self.num_envs,) or action_array.dtype.kind not in "iu":
            raise HashmarkError(
                f"actions: {self.num_envs} integers expected, one per game, not "
                f"{action_array.dtype} of shape {action_array.shape}"
            )
        self._calls[:] = action_array
        illegal_index = self._checks[self._at]()
        if illegal_index != kernel.NO_FAILURE:
            mask, call = self._out[self._at].masks[illegal_index], int(self._calls[illegal_index])
            check_action(self.rules.calls, mask, call, f"game {illegal_index}: ")
        out = self._play()
        return out.rows, out.rewards, out.terminated, out.truncated, out.info

    def _play(self) -> StepArrays:
        """Advance all games, into the array set whose turn it is."""
        self._at = 1 - self._at
        own_loop, *others = self._loops[self._at]
        if self._pool is None:
            failures = [own_loop()]
        else:
            futures = [self._pool.submit(loop) for loop in others]
            failures = [own_loop(), *(future.result() for future in futures)]
        for failed, failure in zip(self._failed, failures, strict=True):
            if failure != kernel.NO_FAILURE:
                raise illegal_call_error(self.rules, int(self._numbers[failure]), int(failed[0]))
        return self._out[self._at]

    def close_extras(self, **kwargs: object) -> None:
        """Shut the threads down."""
        if self._pool is not None:
            self._pool.shutdown()

    # --- Beyond Gymnasium -------------------------------------------------------------------

    def random_calls(self) -> Any:
        """Return a uniformly random legal call for each game, in a reused array."""
        self._draws[self._at]()
        return self._calls

    def positions(self) -> list[Any]:
        """Return the unredacted positions, for inspection only: not for learning."""
        return [self.rules.position.from_array(record) for record in self._games]

    @property
    def game_numbers(self) -> Any:
        """Game number of each place."""
        return self._numbers.copy()


gym_registration.register_games()
