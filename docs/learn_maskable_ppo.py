"""Learns the end of a game of 4th Down! with MaskablePPO of sb3-contrib.

    pip install sb3-contrib
    python docs/learn_maskable_ppo.py

The environment says which calls are legal (`action_masks`), and MaskablePPO never makes another.
`docs/learn_masked_ppo.py` does the same in plain NumPy, faster, with thousands of games at once.
"""

from __future__ import annotations

import argparse
from typing import Any

import gymnasium
from sb3_contrib import MaskablePPO
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import DummyVecEnv, VecNormalize

import hashmark.envs.gymnasium  # noqa: F401  (registers the environments)

START = {"phase": "drive", "possession": "home", "spot": 20, "period": 2, "clock": 40,
         "score": {"home": 17, "away": 20}}  # fmt: skip


def make_env() -> gymnasium.Env[Any, Any]:
    """Return one environment; an illegal action would be an error."""
    name = "hashmark/FourthDown-v1"
    return Monitor(gymnasium.make(name, opponent="book", start=START, illegal="refuse"))


def learn(steps: int, games: int, seed: int) -> MaskablePPO:
    """Return a model that has learned from so many steps of some games at once."""
    env = VecNormalize(DummyVecEnv([make_env] * games), norm_reward=False, gamma=1.0)
    size = min(256, max(2, steps // games))
    model = MaskablePPO("MlpPolicy", env, n_steps=size, gamma=1.0, seed=seed)
    return model.learn(steps)


def win_rate(model: MaskablePPO, games: int, seed: int) -> float:
    """Return the win rate over so many games; a tie is half."""
    env, wins = make_env(), 0.0
    scale = model.get_vec_normalize_env()
    row, info = env.reset(seed=seed)
    for _ in range(games):
        over = False
        while not over:
            seen = row if scale is None else scale.normalize_obs(row)
            call, _ = model.predict(seen, action_masks=info["action_mask"], deterministic=True)
            row, reward, over, _, info = env.step(int(call))
        wins += (float(reward) + 1) / 2
        row, info = env.reset()
    return wins / games


def main(arguments: list[str] | None = None) -> None:
    """Learn, then play."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--steps", type=int, default=100_000)
    parser.add_argument("--games", type=int, default=8, help="games at once")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--judged", type=int, default=500, help="games to measure the win rate")
    given = parser.parse_args(arguments)
    model = learn(given.steps, given.games, given.seed)
    wins = win_rate(model, given.judged, given.seed + 1)
    print(f"MaskablePPO wins {wins:.1%} of {given.judged} games against book")


if __name__ == "__main__":
    main()
