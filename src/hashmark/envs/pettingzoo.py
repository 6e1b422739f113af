"""A game for two learners, or for one where it is played alone, as PettingZoo environments.

    from hashmark.envs import pettingzoo

    env = pettingzoo.env("fourth-down")            # a call at a time: AEC
    env = pettingzoo.parallel_env("data-driven")   # secret calls are made at once

An observation is a dict of the row that the agent sees and the mask of its calls. In the parallel
environment every agent acts at each step; the last action is to wait, and the only one for whoever
is not asked. Where the rules ask one team for a secret call and the other for its own before either
is opened, both are asked at once. If the first call is an open one after all (a punt), the other's
is not looked at.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hashmark.table import extras

try:
    import numpy as np
    from gymnasium.spaces import Box, Dict, Discrete
    from gymnasium.utils import seeding
    from pettingzoo import AECEnv, ParallelEnv
except ImportError as fault:
    raise extras.lacking("hashmark.envs.pettingzoo", "pettingzoo") from fault

from hashmark.envs import seats
from hashmark.envs.calls import refusal
from hashmark.envs.gymnasium import RENDERED, check_render_mode, rendered
from hashmark.envs.playing import Play
from hashmark.odds.plays import Follower
from hashmark.table.errors import HashmarkError
from hashmark.table.record import NOBODY, TEAMS
from hashmark.table.rules import RuleSet

WAIT = "wait"


class _TwoSeats:
    """What both kinds of environment share: the game, its spaces, rewards and pictures."""

    def __init__(
        self,
        game: str | RuleSet,
        *,
        reward: str = seats.RESULT,
        options: Mapping[str, Any] | None = None,
        start: Mapping[str, Any] | None = None,
        render_mode: str | None = None,
    ) -> None:
        """`options` are those of the game, `start` is a position in which every game begins."""
        check_render_mode(render_mode)
        self.render_mode = render_mode
        self.by_points = seats.check_reward(reward) == seats.POINTS
        self.setting = seats.set_up(game, seat=seats.BOTH, options=options, start=start)
        self.rules = self.setting.rules
        self.metadata = {
            "name": f"{seats.name_of(self.rules.name)}_v1",
            "render_modes": list(RENDERED),
            "is_parallelizable": False,
            "render_fps": 2,
        }
        self.play = Play(self.setting)
        self.possible_agents = list(self.setting.teams)
        self.agents: list[str] = []
        self._make_spaces(self.possible_agents)

    def _actions(self) -> int:
        return len(self.rules.calls)

    def _make_spaces(self, agents: list[str]) -> None:
        seen, count = self.play.observation, self._actions()
        row = Box(seen.low, seen.high, dtype=seen.dtype.type)
        mask = Box(0, 1, (count,), np.int8)
        self.observation_spaces = {
            agent: Dict({"observation": row, "action_mask": mask}) for agent in agents
        }
        self.action_spaces = {agent: Discrete(count) for agent in agents}

    def observation_space(self, agent: str) -> Any:
        """The row of numbers and the mask of an agent."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The calls of the game."""
        return self.action_spaces[agent]

    def _begin(self, seed: int | None) -> None:
        """The first game of a seed, or the next one."""
        self.play.begin_next(seed, lambda: seeding.np_random()[1])
        self.agents = list(self.possible_agents)

    def _rewards(self) -> dict[str, float]:
        """What each agent gets for what has happened since the last reward."""
        reward = self.play.reward(self.by_points)
        return dict(zip(self.possible_agents, (reward, -reward), strict=False))

    def _seen_by(self, team: int) -> tuple[Any, Any]:
        """What a team sees, and its calls; for the one that is asked that is known already."""
        play = self.play
        return (play.row, play.mask) if team == play.asked else play.seen_by(team)

    def _each(self, value: Any) -> dict[str, Any]:
        return dict.fromkeys(self.agents, value)

    def render(self) -> Any:
        """Words or a picture of what everybody may see."""
        return rendered(self.play, self.render_mode, NOBODY)

    def close(self) -> None:
        """There is nothing to let go of."""


class GameAEC(_TwoSeats, AECEnv[str, Any, Any]):  # type: ignore[misc]
    """A game in which one agent acts at a time."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin the first game of a seed, or the next one."""
        self._begin(seed)
        self.rewards = self._each(0.0)
        self._cumulative_rewards = self._each(0.0)
        self.terminations, self.truncations = self._each(False), self._each(False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = TEAMS[self.play.asked]

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees now; whoever is not asked has no call."""
        row, mask = self._seen_by(TEAMS.index(agent))
        return {"observation": row, "action_mask": mask}

    def step(self, action: Any) -> None:
        """Make a call of the agent that is selected."""
        if not self.agents:
            raise HashmarkError("the game is over: reset begins the next one")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.play.call(action)
        self._cumulative_rewards[agent] = 0.0
        self.rewards = self._rewards()
        self.terminations = self._each(self.play.is_over)
        self.truncations = self._each(self.play.is_cut)
        if self.play.asked != NOBODY:
            self.agent_selection = TEAMS[self.play.asked]
        self._accumulate_rewards()


class GameParallel(_TwoSeats, ParallelEnv[str, Any, Any]):  # type: ignore[misc]
    """A game in which all agents act at each step, most of them by waiting."""

    def _actions(self) -> int:
        return len(self.rules.calls) + 1

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin the first game of a seed, or the next one."""
        self._begin(seed)
        return self._observe(), {agent: {} for agent in self.agents}

    def _observe(self) -> dict[str, Any]:
        """What each agent sees, and may do: call, or wait."""
        self.masks = {}
        seen = {}
        at_once = self._asked_at_once()
        self.at_once = at_once is not None
        for agent in self.possible_agents:
            team = TEAMS.index(agent)
            row, mask = self._seen_by(team)
            if at_once is not None and team != self.play.asked:
                row, mask = self.play.observation.read(self.play.match, at_once, team)
            whole = np.zeros(len(mask) + 1, np.int8)
            whole[:-1] = mask
            whole[-1] = not mask.any()
            self.masks[agent] = whole
            seen[agent] = {"observation": row, "action_mask": whole}
        return seen

    def _asked_at_once(self) -> Any:
        """The position in which the other team is asked, if it may call without being told more.

        That is so where a secret call is wanted, leads to a secret call of the other team and rolls
        nothing; which secret call it is then makes no difference to what the other team sees.
        """
        play, rules, m = self.play, self.rules, self.play.match
        if play.asked == NOBODY:
            return None
        question = rules.questions[rules.question(m, play.position)]
        calls = [call for call in rules.legal_calls(m, play.position) if call in question.secret]
        return Follower(rules, m).hidden(play.position, calls[0]) if calls else None

    def step(self, actions: Mapping[str, Any]) -> tuple[Any, ...]:
        """Take the action of every agent; one that is not allowed changes nothing."""
        play = self.play
        if not self.agents:
            raise HashmarkError("the game is over: reset begins the next one")
        self._check(actions)
        first = play.asked
        call = int(actions[TEAMS[first]])
        secret = call in self.rules.questions[self.rules.question(play.match, play.position)].secret
        play.call(call)
        if secret and self.at_once:
            play.call(actions[TEAMS[1 - first]])
        rewards = self._rewards()
        over, cut = self._each(play.is_over), self._each(play.is_cut)
        infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        if play.asked == NOBODY:
            self.agents = []
        return self._observe(), rewards, over, cut, infos

    def _check(self, actions: Mapping[str, Any]) -> None:
        """Refuse what is missing, or not allowed."""
        for agent in self.agents:
            if agent not in actions:
                raise HashmarkError(f"actions: {agent} has none; to wait is {self._actions() - 1}")
            names = (*self.rules.calls, WAIT)
            if refused := refusal(names, self.masks[agent], actions[agent], f"{agent}: "):
                raise refused


def env(game: str | RuleSet, **given: Any) -> GameAEC:
    """A game in which one agent acts at a time; see `GameAEC`."""
    return GameAEC(game, **given)


def parallel_env(game: str | RuleSet, **given: Any) -> GameParallel:
    """A game in which all act at once; see `GameParallel`."""
    return GameParallel(game, **given)
