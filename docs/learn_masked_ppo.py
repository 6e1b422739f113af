"""Learns the end of a game of 4th Down! against the coach `book`: masked PPO in plain NumPy.

    python docs/learn_masked_ppo.py

Proximal policy optimization with a mask: calls that are not legal have probability 0, so that the
learner never makes one. It needs Gymnasium and NumPy only. `docs/learn_maskable_ppo.py` does the
same with MaskablePPO of sb3-contrib.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import Any

import numpy as np

from hashmark.envs.vector import VectorGames

START = {"phase": "drive", "possession": "home", "spot": 20, "period": 2, "clock": 40,
         "score": {"home": 17, "away": 20}}  # fmt: skip
HIDDEN = 64
CLIP, ENTROPY, DISCOUNT, SMOOTHING = 0.2, 0.01, 1.0, 0.95
STEPS, PASSES, BATCHES = 32, 4, 4  # steps of a rollout, passes over it, batches of a pass


@dataclass
class Rollout:
    """What was seen, called and won in some steps of all games, one step after the other."""

    rows: Any
    masks: Any
    calls: Any
    chances: Any  # logarithms of the chances of these calls
    advantages: Any
    returns: Any


class Policy:
    """A network with one hidden layer: scores of the calls, and the value of the position."""

    def __init__(self, size: int, calls: int, rng: np.random.Generator) -> None:
        self.rng, self.steps = rng, 0
        self.center, self.scale = np.zeros(size), np.ones(size)
        shapes = ((size, HIDDEN), (HIDDEN,), (HIDDEN, calls), (calls,), (HIDDEN,), (1,))
        self.weights = [rng.normal(0, shape[0] ** -0.5, shape) for shape in shapes]
        for index in (1, 2, 3, 4, 5):  # biases, and heads that begin neutral
            self.weights[index] *= 0.01
        self.moments = [np.zeros((2, *shape)) for shape in shapes]

    def fit_scale(self, rows: Any) -> None:
        """Scale what is seen by a sample of it."""
        self.center, self.scale = rows.mean(0), rows.std(0) + 1.0

    def __call__(self, rows: Any, masks: Any) -> tuple[Any, Any, Any, Any]:
        """Return inputs, hidden layer, logarithms of the chances of all calls, and values."""
        inputs = (rows - self.center) / self.scale
        hidden = np.tanh(inputs @ self.weights[0] + self.weights[1])
        scores = hidden @ self.weights[2] + self.weights[3]
        scores = np.where(masks, scores, -1e9)
        top = scores.max(-1, keepdims=True)
        chances = scores - top - np.log(np.exp(scores - top).sum(-1, keepdims=True))
        return inputs, hidden, chances, hidden @ self.weights[4] + self.weights[5][0]

    def sample(self, chances: Any) -> Any:
        """Return a call for each row, drawn by its chances."""
        noise = self.rng.gumbel(size=chances.shape)
        return (chances + noise).argmax(-1)

    def learn(self, batch: Rollout, rate: float) -> None:
        """Make one step of gradient descent on the loss of PPO."""
        inputs, hidden, logs, values = self(batch.rows, batch.masks)
        count, places = len(values), np.arange(len(values))
        ratio = np.exp(logs[places, batch.calls] - batch.chances)
        gain = batch.advantages
        is_clipped = np.where(gain > 0, ratio > 1 + CLIP, ratio < 1 - CLIP)
        chances = np.exp(logs)
        entropy = -(chances * np.where(batch.masks, logs, 0)).sum(-1, keepdims=True)
        pull = np.where(is_clipped, 0, -gain * ratio)[:, None]
        scores = -pull * chances
        scores[places, batch.calls] += pull[:, 0]
        scores += ENTROPY * chances * (np.where(batch.masks, logs, 0) + entropy)
        error = 0.5 * (values - batch.returns)
        back = scores @ self.weights[2].T + error[:, None] * self.weights[4]
        back *= 1 - hidden**2
        gradients = (inputs.T @ back, back.sum(0), hidden.T @ scores, scores.sum(0),
                     hidden.T @ error, error.sum(0, keepdims=True))  # fmt: skip
        self._descend([gradient / count for gradient in gradients], rate)

    def _descend(self, gradients: list[Any], rate: float) -> None:
        """Adam."""
        self.steps += 1
        for weight, moments, gradient in zip(self.weights, self.moments, gradients, strict=True):
            moments[0] += 0.1 * (gradient - moments[0])
            moments[1] += 0.001 * (gradient**2 - moments[1])
            mean = moments[0] / (1 - 0.9**self.steps)
            weight -= rate * mean / (np.sqrt(moments[1] / (1 - 0.999**self.steps)) + 1e-8)


def play(env: VectorGames, policy: Policy, rows: Any, info: Any) -> tuple[Rollout, Any, Any]:
    """Play some steps of all games; return them with the last observation."""
    seen: list[tuple[Any, ...]] = []
    for _ in range(STEPS):
        rows, masks = rows.copy(), info["action_mask"].astype(bool)
        live = masks.any(-1)  # elsewhere a game is over, and the next one begins
        masks[~live, 0] = True
        _, _, chances, values = policy(rows, masks)
        calls = policy.sample(chances)
        chosen = chances[np.arange(len(calls)), calls]
        following, rewards, ended, _, info = env.step(calls)
        seen.append((rows, masks, calls, chosen, values, rewards.copy(), ended.copy(), live))
        rows = following
    _, _, _, value = policy(rows, np.ones_like(seen[-1][1]))
    advantage, advantages = np.zeros(len(value)), []
    for _, _, _, _, values, rewards, ended, live in reversed(seen):
        stays = ~ended & live
        change = rewards + DISCOUNT * value * stays - values
        advantage = change + DISCOUNT * SMOOTHING * advantage * stays
        advantages.append(advantage)
        value = values
    live = np.concatenate([step[7] for step in seen])
    rows_, masks_, calls_, chosen_, values_ = (
        np.concatenate([step[index] for step in seen])[live] for index in range(5)
    )
    gains = np.concatenate(advantages[::-1])[live]
    scaled = (gains - gains.mean()) / (gains.std() + 1e-8)
    return Rollout(rows_, masks_, calls_, chosen_, scaled, gains + values_), rows, info


def learn(updates: int, games: int, seed: int, rate: float = 1e-3) -> Policy:
    """Return a policy that has learned from so many rollouts."""
    env = VectorGames("fourth-down", games, opponent="book", start=START)
    rng = np.random.default_rng(seed)
    rows, info = env.reset(seed=seed)
    policy = Policy(rows.shape[1], info["action_mask"].shape[1], rng)
    sample, _, _ = play(env, policy, rows, info)
    policy.fit_scale(sample.rows)
    for update in range(updates):
        rollout, rows, info = play(env, policy, rows, info)
        for _ in range(PASSES):
            order = rng.permutation(len(rollout.calls))
            for part in np.array_split(order, BATCHES):
                batch = Rollout(*(array[part] for array in vars(rollout).values()))
                policy.learn(batch, rate * (1 - update / updates))
    return policy


def win_rate(policy: Policy | None, games: int, seed: int) -> tuple[float, float]:
    """Return the win rate over so many games (a tie is half), and its standard error.

    Without a policy, calls are random.
    """
    env = VectorGames("fourth-down", games, opponent="book", start=START)
    rows, info = env.reset(seed=seed)
    results, over = np.zeros(games), np.zeros(games, bool)
    while not over.all():
        if policy is None:
            calls = env.random_calls()
        else:
            calls = policy(rows, info["action_mask"].astype(bool))[2].argmax(-1)
        rows, rewards, ended, _, info = env.step(calls)
        results[ended & ~over] = rewards[ended & ~over]
        over |= ended
    wins = (results + 1) / 2
    return float(wins.mean()), float(wins.std() / games**0.5)


def main(arguments: list[str] | None = None) -> None:
    """Learn, then compare with random calls."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--updates", type=int, default=150, help="rollouts to learn from")
    parser.add_argument("--games", type=int, default=256, help="games at once")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--judged", type=int, default=4000, help="games to measure the win rate")
    given = parser.parse_args(arguments)
    learned = learn(given.updates, given.games, given.seed)
    for name, policy in (("random", None), ("learned", learned)):
        wins, error = win_rate(policy, given.judged, given.seed + 1)
        print(f"{name:8} wins {wins:.1%} of its games against book (SE {error:.1%})")


if __name__ == "__main__":
    main()
