"""PettingZoo environments: its checkers, simultaneous secret calls, and errors."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

from hashmark.engine import registry
from hashmark.envs import pettingzoo
from hashmark.envs.pettingzoo import GameAEC, GameParallel, env, parallel_env
from hashmark.errors import HashmarkError

with warnings.catch_warnings():  # importing it triggers its own deprecation warning
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import api_test, parallel_api_test, seed_test

each_game = pytest.mark.parametrize("game", registry.builtin_names())
MASKED = (  # warnings about every environment with masks, PettingZoo's own included
    "ignore:Observation is not a NumPy array",
    "ignore:Observation space for each agent probably should be",
    "ignore:We recommend agents to be named in the format",
)


@each_game
@pytest.mark.filterwarnings(*MASKED)
def test_pettingzoos_checkers_pass(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    api_test(env(game), num_cycles=150)
    seed_test(lambda: env(game), num_cycles=30)
    parallel_api_test(parallel_env(game), num_cycles=150)
    assert "Passed" in capsys.readouterr().out


def test_agents_are_the_teams() -> None:
    assert env("fourth-down").possible_agents == ["home", "away"]
    assert env("two-minute-drill").possible_agents == ["home"]


def finish(game: GameAEC, seed: int) -> dict[str, float]:
    """Play a whole game of random calls; return each agent's total reward."""
    game.reset(seed=seed)
    rng, sums = np.random.default_rng(seed), dict.fromkeys(game.possible_agents, 0.0)
    for agent in game.agent_iter():
        observation, reward, ended, truncated, _ = game.last()
        sums[agent] += reward
        call = (
            None if ended or truncated else rng.choice(np.flatnonzero(observation["action_mask"]))
        )
        game.step(call)
    assert game.agents == []
    return sums


@pytest.mark.parametrize("game", ["fourth-down", "two-minute-drill"])
def test_rewards_add_up_to_the_result_or_the_lead(game: str) -> None:
    by_result = env(game)
    sums = finish(by_result, 3)
    assert sums["home"] == by_result.play.result(0)
    assert sums.get("away", -sums["home"]) == -sums["home"]
    by_points = env(game, reward="points")
    points = finish(by_points, 3)["home"]
    assert points == by_points.play.lead(0) - by_points.setting.first_lead


def test_an_agent_that_is_not_to_act_has_no_legal_call() -> None:
    game = env("fourth-down")
    game.reset(seed=1)
    masks = {agent: game.observe(agent)["action_mask"] for agent in game.agents}
    asked = game.agent_selection
    assert masks.pop(asked).any()
    assert not any(mask.any() for mask in masks.values())


SCRIMMAGE = {"phase": "scrimmage", "possession": "home", "spot": 30}


def data_driven() -> tuple[GameParallel, dict[str, Any]]:
    game = parallel_env("data-driven", start=SCRIMMAGE)
    seen, _ = game.reset(seed=1)
    return game, seen


def code(game: GameParallel, name: str) -> int:
    return game.rules.call_codes[name]


def test_secret_calls_are_made_at_once() -> None:
    game, seen = data_driven()
    wait = len(game.rules.calls)
    assert not any(one["action_mask"][wait] for one in seen.values())
    steps = game.play.steps
    game.step({"home": code(game, "draw"), "away": code(game, "blitz")})
    assert game.play.steps >= steps + 2
    single = env("data-driven", start=SCRIMMAGE)
    single.reset(seed=1)
    for call in ("draw", "blitz"):
        single.step(code(game, call))
    assert game.play.position == single.play.position


def test_an_open_call_ignores_the_other_agents_call() -> None:
    game, _ = data_driven()
    game.step({"home": code(game, "punt"), "away": code(game, "blitz")})
    single = env("data-driven", start=SCRIMMAGE)
    single.reset(seed=1)
    single.step(code(game, "punt"))
    assert game.play.position == single.play.position


def test_exactly_one_agent_acts_and_the_other_waits() -> None:
    game = parallel_env("fourth-down")
    seen, _ = game.reset(seed=1)
    wait = len(game.rules.calls)
    asked = [agent for agent, one in seen.items() if not one["action_mask"][wait]]
    assert len(asked) == 1
    assert game.action_space("home").n == wait + 1
    assert pettingzoo.WAIT == "wait"


def test_illegal_actions_are_refused_and_change_nothing() -> None:
    game, _ = data_driven()
    before = game.play.position.copy()
    with pytest.raises(HashmarkError, match=r"^away: action 0 \(.+\) is not allowed here; allowed"):
        game.step({"home": code(game, "draw"), "away": 0})
    with pytest.raises(
        HashmarkError, match=r"^actions: no action for away; the action to wait is \d+"
    ):
        game.step({"home": code(game, "draw")})
    assert game.play.position == before
    single = env("fourth-down")
    single.reset(seed=1)
    with pytest.raises(HashmarkError, match=r"^action 99 is not allowed here; allowed"):
        single.step(99)


def test_steps_after_the_end_are_refused() -> None:
    start = {"phase": "try", "possession": "home", "period": 2, "clock": 0}
    single = env("fourth-down", start=start)
    finish(single, 1)
    with pytest.raises(HashmarkError, match=r"^the game is over"):
        single.step(0)
    both = parallel_env("fourth-down", start=start)
    both.reset(seed=1)
    wait = len(both.rules.calls)
    _, rewards, ended, _, _ = both.step({"home": code(both, "one-point"), "away": wait})
    assert all(ended.values())
    assert sum(rewards.values()) == 0
    with pytest.raises(HashmarkError, match=r"^the game is over"):
        both.step({"home": wait, "away": wait})


def test_render_modes_are_text_or_refused() -> None:
    single = env("fourth-down", render_mode="ansi")
    single.reset(seed=1)
    assert "HOME 0" in single.render()
    with pytest.raises(HashmarkError, match=r"^unknown render_mode 'human'"):
        env("fourth-down", render_mode="human")


def test_a_reset_without_a_seed_begins_the_next_game() -> None:
    game = env("fourth-down")
    game.reset()
    first = game.play.seed
    game.reset()
    assert (game.play.seed, game.play.number) == (first, 1)
