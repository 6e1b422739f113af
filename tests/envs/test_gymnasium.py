"""Gymnasium environment: its checker, rewards, names, rendering and errors."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from hashmark.engine import registry
from hashmark.envs import registration
from hashmark.envs.gymnasium import GameEnv
from hashmark.errors import HashmarkError

each_game = pytest.mark.parametrize("game", registry.builtin_names())


def make_env(game: str, **given: Any) -> GameEnv:
    env = gymnasium.make(registration.environment_id(game), **given).unwrapped
    assert isinstance(env, GameEnv)
    return env


@each_game
@pytest.mark.parametrize("observation", ["flat", "named"])
def test_gymnasiums_checker_passes(game: str, observation: str) -> None:
    """The checker makes calls without looking at the mask; by default they are replaced."""
    check_env(make_env(game, observation=observation))


def test_every_game_is_registered_by_name() -> None:
    wanted = ("FourthDown", "RollForYardage", "TwoMinuteDrill", "RapidRoll", "DataDriven")
    assert {f"hashmark/{name}-v1" for name in wanted} == set(
        map(registration.environment_id, registry.builtin_names())
    )
    env = gymnasium.make("hashmark/FourthDown-v1", opponent="book")
    assert isinstance(env.action_space, gymnasium.spaces.Discrete)
    assert env.action_space.n == 9


def finish(env: GameEnv, seed: int | None = None) -> tuple[list[float], Any]:
    """Play a game of random calls; return its rewards and the game."""
    _, info = env.reset(seed=seed)
    rng, rewards, over = np.random.default_rng(seed), [], False
    while not over:
        row, reward, ended, truncated, info = env.step(
            rng.choice(np.flatnonzero(info["action_mask"]))
        )
        assert row in env.observation_space
        assert (info["action_mask"].astype(bool) == env.action_masks()).all()
        rewards.append(reward)
        over = ended or truncated
    return rewards, env.play


@each_game
def test_rewards_add_up_to_the_result_or_the_lead(game: str) -> None:
    by_result, play = finish(make_env(game), 3)
    assert set(by_result[:-1]) <= {0.0}
    assert by_result[-1] == play.result(0)
    by_points, play = finish(make_env(game, reward="points"), 3)
    assert sum(by_points) == play.lead(0) - play.setting.first_lead


def test_away_sees_its_own_reward() -> None:
    for seed in range(5):
        rewards, play = finish(make_env("fourth-down", seat="away", opponent="random"), seed)
        assert rewards[-1] == play.result(1)


def test_resets_play_the_games_of_the_simulator() -> None:
    env = make_env("fourth-down")
    env.reset(seed=5)
    assert (env.play.seed, env.play.number) == (5, 0)
    env.reset()
    assert (env.play.seed, env.play.number) == (5, 1)
    env.reset(options={"game": 9})
    assert (env.play.seed, env.play.number) == (5, 9)
    with pytest.raises(HashmarkError, match=r"^unknown option of reset 'gmae'"):
        env.reset(options={"gmae": 9})


def test_named_observations_hold_the_flat_numbers() -> None:
    env = make_env("fourth-down", observation="named")
    named, _ = env.reset(seed=1)
    flat, _ = make_env("fourth-down").reset(seed=1)
    assert named["score"].shape == (2,)
    assert np.concatenate([*named.values()]).tolist() == flat.tolist()


def test_an_illegal_action_is_replaced_by_the_first_legal_one() -> None:
    env = make_env("fourth-down")
    _, info = env.reset(seed=1)
    assert not info["replaced"]
    wrong, right = int(info["action_mask"].argmin()), int(info["action_mask"].argmax())
    row, _, _, _, info = env.step(wrong)
    assert info["replaced"]
    env.reset(seed=1)
    same, _, _, _, info = env.step(right)
    assert not info["replaced"]
    assert row.tolist() == same.tolist()


@each_game
def test_every_game_is_rendered_as_text(game: str) -> None:
    env = make_env(game, render_mode="ansi")
    env.reset(seed=1)
    text = env.render()
    assert str(env.play.position.score[0]) in text
    env.step(int(env.action_masks().argmax()))
    assert env.render().endswith("\n")
    assert make_env(game).render() is None


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"opponent": "bok"}, "unknown coach of fourth-down 'bok': did you mean 'book'"),
        ({"seat": "both"}, "unknown seat 'both': allowed: home, away"),
        ({"reward": "style"}, "unknown reward 'style': allowed: result, points"),
        ({"observation": "x"}, "unknown observation 'x': .*allowed: flat, named"),
        ({"illegal": "lose"}, "unknown illegal 'lose': .*allowed: refuse, replace"),
        ({"options": {"punt-touchback": "x"}}, "unknown value of option punt-touchback 'x'"),
        ({"render_mode": "human"}, "unknown render_mode 'human': allowed: ansi, rgb_array"),
    ],
)
def test_invalid_arguments_are_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(HashmarkError, match=rf"^{said}"):
        GameEnv("fourth-down", **given)


def test_an_illegal_action_is_refused_on_request() -> None:
    env = make_env("fourth-down", illegal="refuse")
    env.reset(seed=1)
    with pytest.raises(
        HashmarkError, match=r"^action 8 \(two-point\) is not allowed here; allowed"
    ):
        env.step(8)


def test_rendering_before_the_first_reset_is_refused() -> None:
    with pytest.raises(HashmarkError, match=r"^call reset\(\) before render\(\)"):
        make_env("fourth-down", render_mode="ansi").render()
