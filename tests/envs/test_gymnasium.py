"""One seat for Gymnasium: its own checker, rewards, names, pictures and sentences."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from hashmark.envs import registering
from hashmark.envs.gymnasium import GameEnv
from hashmark.table import registry
from hashmark.table.errors import HashmarkError

each_game = pytest.mark.parametrize("game", registry.built_in())


def made(game: str, **given: Any) -> GameEnv:
    env = gymnasium.make(registering.id_of(game), **given).unwrapped
    assert isinstance(env, GameEnv)
    return env


@each_game
@pytest.mark.parametrize("observation", ["flat", "named"])
def test_gymnasiums_own_checker(game: str, observation: str) -> None:
    """It makes calls without looking at the mask."""
    check_env(made(game, illegal="replace", observation=observation))


def test_the_names_of_the_games() -> None:
    wanted = ("FourthDown", "RollForYardage", "TwoMinuteDrill", "RapidRoll", "DataDriven")
    assert {f"hashmark/{name}-v1" for name in wanted} == set(
        map(registering.id_of, registry.built_in())
    )
    env = gymnasium.make("hashmark/FourthDown-v1", opponent="book")
    assert isinstance(env.action_space, gymnasium.spaces.Discrete)
    assert env.action_space.n == 9


def finish(env: GameEnv, seed: int | None = None) -> tuple[list[float], Any]:
    """A game of random calls: its rewards, and the game."""
    _, info = env.reset(seed=seed)
    dice, rewards, over = np.random.default_rng(seed), [], False
    while not over:
        row, reward, ended, cut, info = env.step(dice.choice(np.flatnonzero(info["action_mask"])))
        assert row in env.observation_space
        assert (info["action_mask"].astype(bool) == env.action_masks()).all()
        rewards.append(reward)
        over = ended or cut
    return rewards, env.play


@each_game
def test_rewards_of_a_whole_game(game: str) -> None:
    by_result, play = finish(made(game), 3)
    assert set(by_result[:-1]) <= {0.0}
    assert by_result[-1] == play.result(0)
    by_points, play = finish(made(game, reward="points"), 3)
    assert sum(by_points) == play.lead(0) - play.setting.first_lead


def test_away_sees_its_own_reward() -> None:
    for seed in range(5):
        rewards, play = finish(made("fourth-down", seat="away", opponent="random"), seed)
        assert rewards[-1] == play.result(1)


def test_seeds_are_those_of_the_simulator() -> None:
    env = made("fourth-down")
    env.reset(seed=5)
    assert (env.play.seed, env.play.number) == (5, 0)
    env.reset()
    assert (env.play.seed, env.play.number) == (5, 1)
    env.reset(options={"game": 9})
    assert (env.play.seed, env.play.number) == (5, 9)
    with pytest.raises(HashmarkError, match=r"^unknown option of reset 'gmae'"):
        env.reset(options={"gmae": 9})


def test_names_beside_the_numbers() -> None:
    env = made("fourth-down", observation="named")
    seen, _ = env.reset(seed=1)
    flat, _ = made("fourth-down").reset(seed=1)
    assert seen["score"].shape == (2,)
    assert np.concatenate([*seen.values()]).tolist() == flat.tolist()


def test_an_action_that_is_replaced() -> None:
    env = made("fourth-down", illegal="replace")
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
def test_words(game: str) -> None:
    env = made(game, render_mode="ansi")
    env.reset(seed=1)
    said = env.render()
    assert str(env.play.position.score[0]) in said
    env.step(int(env.action_masks().argmax()))
    assert env.render().endswith("\n")
    assert made(game).render() is None


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
def test_bad_arguments_get_a_sentence(given: dict[str, Any], said: str) -> None:
    with pytest.raises(HashmarkError, match=rf"^{said}"):
        GameEnv("fourth-down", **given)


def test_a_bad_action_gets_a_sentence() -> None:
    env = made("fourth-down")
    env.reset(seed=1)
    with pytest.raises(
        HashmarkError, match=r"^action 8 \(two-point\) is not allowed here; allowed"
    ):
        env.step(8)


def test_no_picture_before_the_first_game() -> None:
    with pytest.raises(HashmarkError, match=r"^reset comes before the first picture"):
        made("fourth-down", render_mode="ansi").render()
