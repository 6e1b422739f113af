"""PettingZoo environments: a game for two learners, or for one in a solo game.

    from hashmark.envs import pettingzoo

    env = pettingzoo.env("fourth-down")            # a call at a time: AEC
    env = pettingzoo.parallel_env("data-driven")   # secret calls are made at once

An observation is a dict of the agent's row of numbers and its action mask. In the parallel
environment every agent acts at each step; the last action is to wait, the only legal one for an
agent that is not to call. Where the rules ask both teams for secret calls before either is
revealed, both call in the same step. If the first call turns out to be an open one (a punt), the
other agent's call is ignored.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from hashmark import extras

try:
    import numpy as np
    from gymnasium.spaces import Box, Dict, Discrete
    from gymnasium.utils import seeding
    from pettingzoo import AECEnv, ParallelEnv
except ImportError as fault:
    raise extras.missing_library_error("hashmark.envs.pettingzoo", "pettingzoo") from fault

from hashmark.engine.record import NOBODY, TEAMS
from hashmark.engine.rule_set import RuleSet
from hashmark.envs import settings
from hashmark.envs.actions import check_action
from hashmark.envs.gymnasium import RENDER_MODES, check_render_mode, render_game
from hashmark.envs.single_game import SingleGame
from hashmark.errors import HashmarkError
from hashmark.odds.plays import Follower

WAIT = "wait"
Value = TypeVar("Value")


class _TwoSeats:
    """Common part of both environments: the game, its spaces, rewards and rendering."""

    def __init__(
        self,
        game: str | RuleSet,
        *,
        reward: str = settings.RESULT,
        options: Mapping[str, Any] | None = None,
        start: Mapping[str, Any] | None = None,
        render_mode: str | None = None,
    ) -> None:
        """Create the environment; every game begins in the position `start`, if given."""
        check_render_mode(render_mode)
        self.render_mode = render_mode
        self.by_points = settings.check_reward(reward) == settings.POINTS
        self.setting = settings.make_setting(game, seat=settings.BOTH, options=options, start=start)
        self.rules = self.setting.rules
        self.metadata = {
            "name": f"{settings.identifier_of(self.rules.name)}_v1",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
            "render_fps": 2,
        }
        self.play = SingleGame(self.setting)
        self.possible_agents = list(self.setting.teams)
        self.agents: list[str] = []
        self._make_spaces(self.possible_agents)

    def _actions(self) -> int:
        return len(self.rules.calls)

    def _make_spaces(self, agents: list[str]) -> None:
        layout, count = self.play.observation, self._actions()
        row = Box(layout.low, layout.high, dtype=layout.dtype.type)
        mask = Box(0, 1, (count,), np.int8)
        self.observation_spaces = {
            agent: Dict({"observation": row, "action_mask": mask}) for agent in agents
        }
        self.action_spaces = {agent: Discrete(count) for agent in agents}

    def observation_space(self, agent: str) -> Any:
        """Return the space of an agent's observation and action mask."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def _begin(self, seed: int | None) -> None:
        """Begin the first game of a seed, or the next game."""
        self.play.begin_next(seed, lambda: seeding.np_random()[1])
        self.agents = list(self.possible_agents)

    def _rewards(self) -> dict[str, float]:
        """Return each agent's reward since the last one."""
        reward = self.play.reward(self.by_points)
        return dict(zip(self.possible_agents, (reward, -reward), strict=False))

    def _observation_of(self, team: int) -> tuple[Any, Any]:
        """Return the observation and mask of a team, cached for the team to act."""
        play = self.play
        return (play.row, play.mask) if team == play.asked else play.observe(team)

    def _for_each_agent(self, value: Value) -> dict[str, Value]:
        return dict.fromkeys(self.agents, value)

    def render(self) -> Any:
        """Render public information, as text or as an image."""
        return render_game(self.play, self.render_mode, NOBODY)

    def close(self) -> None:
        """Do nothing: there are no resources to release."""


class GameAEC(_TwoSeats, AECEnv[str, Any, Any]):  # type: ignore[misc]
    """A game in which one agent acts at a time."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin the first game of a seed, or the next game."""
        self._begin(seed)
        self.rewards = self._for_each_agent(0.0)
        self._cumulative_rewards = self._for_each_agent(0.0)
        self.terminations = self._for_each_agent(False)
        self.truncations = self._for_each_agent(False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = TEAMS[self.play.asked]

    def observe(self, agent: str) -> dict[str, Any]:
        """Return an agent's observation; an agent that is not to act has no legal call."""
        row, mask = self._observation_of(TEAMS.index(agent))
        return {"observation": row, "action_mask": mask}

    def step(self, action: object) -> None:
        """Make a call of the selected agent."""
        if not self.agents:
            raise HashmarkError("the game is over: call reset() to start the next one")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.play.call(action)
        self._cumulative_rewards[agent] = 0.0
        self.rewards = self._rewards()
        self.terminations = self._for_each_agent(self.play.is_over)
        self.truncations = self._for_each_agent(self.play.is_truncated)
        if self.play.asked != NOBODY:
            self.agent_selection = TEAMS[self.play.asked]
        self._accumulate_rewards()


class GameParallel(_TwoSeats, ParallelEnv[str, Any, Any]):  # type: ignore[misc]
    """A game in which all agents act at each step, mostly by waiting."""

    def _actions(self) -> int:
        return len(self.rules.calls) + 1

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin the first game of a seed, or the next game."""
        self._begin(seed)
        return self._observe(), {agent: {} for agent in self.agents}

    def _observe(self) -> dict[str, Any]:
        """Return each agent's observation with its mask of calls and the wait action."""
        self.masks = {}
        observations = {}
        at_once = self._simultaneous_position()
        self.at_once = at_once is not None
        for agent in self.possible_agents:
            team = TEAMS.index(agent)
            row, mask = self._observation_of(team)
            if at_once is not None and team != self.play.asked:
                row, mask = self.play.observation.read(self.play.match, at_once, team)
            mask_with_wait = np.zeros(len(mask) + 1, np.int8)
            mask_with_wait[:-1] = mask
            mask_with_wait[-1] = not mask.any()
            self.masks[agent] = mask_with_wait
            observations[agent] = {"observation": row, "action_mask": mask_with_wait}
        return observations

    def _simultaneous_position(self) -> Any:
        """Return the position in which the other team calls at the same time, or None.

        That is so where a secret call leads to a secret call of the other team without dice; which
        secret call it is then makes no difference to the other team's observation.
        """
        play, rules, m = self.play, self.rules, self.play.match
        if play.asked == NOBODY:
            return None
        question = rules.questions[rules.question(m, play.position)]
        calls = [
            call for call in rules.legal_calls(m, play.position) if call in question.secret_calls
        ]
        return Follower(rules, m).after_secret_call(play.position, calls[0]) if calls else None

    def step(self, actions: Mapping[str, Any]) -> tuple[Any, ...]:
        """Take the action of every agent; an illegal one raises an error and changes nothing."""
        play = self.play
        if not self.agents:
            raise HashmarkError("the game is over: call reset() to start the next one")
        self._check(actions)
        first = play.asked
        call = int(actions[TEAMS[first]])
        question = self.rules.questions[self.rules.question(play.match, play.position)]
        secret = call in question.secret_calls
        play.call(call)
        if secret and self.at_once:
            play.call(actions[TEAMS[1 - first]])
        rewards = self._rewards()
        over = self._for_each_agent(play.is_over)
        truncated = self._for_each_agent(play.is_truncated)
        infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        if play.asked == NOBODY:
            self.agents = []
        return self._observe(), rewards, over, truncated, infos

    def _check(self, actions: Mapping[str, Any]) -> None:
        """Raise an error for a missing or illegal action."""
        for agent in self.agents:
            if agent not in actions:
                raise HashmarkError(
                    f"actions: no action for {agent}; the action to wait is {self._actions() - 1}"
                )
            names, mask = (*self.rules.calls, WAIT), self.masks[agent]
            check_action(names, mask, actions[agent], f"{agent}: ")


def env(game: str | RuleSet, **given: Any) -> GameAEC:
    """Create a game in which one agent acts at a time; see `GameAEC`."""
    return GameAEC(game, **given)


def parallel_env(game: str | RuleSet, **given: Any) -> GameParallel:
    """Create a game in which all agents act at once; see `GameParallel`."""
    return GameParallel(game, **given)
