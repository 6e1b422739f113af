"""Benchmark of environments on one core: Hashmark's, OpenSpiel's, Pgx's and PettingZoo's.

All are stepped from Python with random legal calls. Speed is measured in processor time, the best
of several runs. Hashmark's environments write observations and masks at every step. OpenSpiel's
games are measured twice: bare (legal actions, chance outcomes, apply), which is faster and is the
basis of the ratios, and with the observation tensor at each decision. Libraries that are not
installed are skipped.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from hashmark.engine import registry
from hashmark.envs.gymnasium import GameEnv
from hashmark.envs.pettingzoo import env as aec_env
from hashmark.envs.vector import VectorGames

GAMES_AT_ONCE = 1024
RUN_SECONDS, RUN_COUNT = 0.5, 5

Stepper = Callable[[], int]


def steps_per_second(step: Stepper) -> float:
    """Return the best rate over several runs of half a second each."""
    step()
    best = 0.0
    for _ in range(RUN_COUNT):
        steps, start = 0, time.process_time()
        while (elapsed := time.process_time() - start) < RUN_SECONDS:
            steps += step()
        best = max(best, steps / elapsed)
    return best


def make_vector_stepper(game: str) -> Stepper:
    """Step many Hashmark games at once, calling for both seats."""
    games = VectorGames(game, GAMES_AT_ONCE, seat="both", threads=1)
    games.reset(seed=1)

    def step() -> int:
        games.step(games.random_calls())
        return GAMES_AT_ONCE

    return step


def make_openspiel_stepper(game: str, observe: bool) -> Stepper:
    """Play a whole OpenSpiel game; every action is a step, chance actions included."""
    import pyspiel

    spiel_game, rng = pyspiel.load_game(game), random.Random(1)

    def play() -> int:
        state, steps = spiel_game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, probabilities = zip(*state.chance_outcomes(), strict=True)
                action = rng.choices(outcomes, probabilities)[0]
            else:
                action = rng.choice(state.legal_actions())
                if observe:
                    state.observation_tensor()
            state.apply_action(action)
            steps += 1
        return steps

    return play


def make_pgx_stepper() -> Stepper:
    """Step as many games of Pgx's backgammon at once as of Hashmark's.

    All games restart together after many steps, so that restarts take hardly any of the time.
    """
    import jax
    import pgx

    env = pgx.make("backgammon")
    init_all = jax.jit(jax.vmap(env.init))
    keys = jax.random.split(jax.random.PRNGKey(1), GAMES_AT_ONCE)

    def step_all(state: Any, key: Any) -> Any:
        masks = jax.numpy.log(state.legal_action_mask)
        calls = jax.random.categorical(key, masks, axis=1)
        return jax.vmap(env.step)(state, calls, jax.random.split(key, GAMES_AT_ONCE))

    step_all_jit = jax.jit(step_all)
    latest = {"state": init_all(keys), "key": jax.random.PRNGKey(2), "steps": 0}

    def step() -> int:
        latest["key"], key = jax.random.split(latest["key"])
        latest["state"] = (
            init_all(keys) if latest["steps"] % 64 == 63 else step_all_jit(latest["state"], key)
        )
        latest["state"].observation.block_until_ready()
        latest["steps"] += 1
        return GAMES_AT_ONCE

    return step


def make_aec_stepper(environment: Any) -> Stepper:
    """Play a whole game of a PettingZoo environment, drawing calls by the mask."""
    rng = np.random.default_rng(1)

    def play() -> int:
        environment.reset(seed=1)
        steps = 0
        for _ in environment.agent_iter():
            observation, _, terminated, truncated, info = environment.last()
            if terminated or truncated:
                environment.step(None)
                continue
            mask = (
                observation["action_mask"] if "action_mask" in observation else info["action_mask"]
            )
            legal = mask.nonzero()[0]
            environment.step(int(legal[int(rng.random() * len(legal))]))
            steps += 1
        return steps

    return play


def make_gymnasium_stepper(game: str) -> Stepper:
    """Play a whole game of Hashmark's Gymnasium environment."""
    environment, rng = GameEnv(game), np.random.default_rng(1)

    def play() -> int:
        _, info = environment.reset()
        steps, over = 0, False
        while not over:
            legal = info["action_mask"].nonzero()[0]
            call = int(legal[int(rng.random() * len(legal))])
            _, _, terminated, truncated, info = environment.step(call)
            steps, over = steps + 1, terminated or truncated
        return steps

    return play


def make_card_game_steppers() -> dict[str, Stepper]:
    """Return a stepper for each of PettingZoo's own card games."""
    from pettingzoo.classic import leduc_holdem_v4, texas_holdem_no_limit_v6, texas_holdem_v4

    modules = (leduc_holdem_v4, texas_holdem_v4, texas_holdem_no_limit_v6)
    return {
        module.__name__.rpartition(".")[2]: make_aec_stepper(module.env()) for module in modules
    }


def measure_if_installed(make: Callable[[], Stepper]) -> float | None:
    """Return the steps per second, or None if a library is missing."""
    try:
        step = make()
    except ImportError:
        return None
    return steps_per_second(step)


def measure_environments() -> dict[str, Any]:
    """Return the steps per second of all environments, and the ratios that matter."""
    spiel_rates = {
        f"{game}{' with observations' if observe else ''}": steps_per_second(
            make_openspiel_stepper(game, observe)
        )
        for game in ("pig", "backgammon")
        for observe in (False, True)
    }
    pgx_rate = measure_if_installed(make_pgx_stepper)
    try:
        card_rates = {
            name: steps_per_second(play) for name, play in make_card_game_steppers().items()
        }
    except (ImportError, ModuleNotFoundError):
        card_rates = {}
    results: dict[str, Any] = {
        "openspiel": {name: round(rate) for name, rate in spiel_rates.items()},
        "pgx_backgammon": "not installed" if pgx_rate is None else round(pgx_rate),
        "pettingzoo": {name: round(rate) for name, rate in card_rates.items()} or "not installed",
    }
    for game in registry.builtin_names():
        vector_rate = steps_per_second(make_vector_stepper(game))
        single_rates = {
            "aec": steps_per_second(make_aec_stepper(aec_env(game))),
            "gymnasium": steps_per_second(make_gymnasium_stepper(game)),
        }
        results[game] = {
            "vector": round(vector_rate),
            "to_pig": round(vector_rate / spiel_rates["pig"], 1),
            "to_backgammon": round(vector_rate / spiel_rates["backgammon"], 1),
            **{name: round(rate) for name, rate in single_rates.items()},
        }
        if pgx_rate is not None:
            results[game]["to_pgx_backgammon"] = round(vector_rate / pgx_rate, 1)
        if card_rates:
            results[game]["aec_to_fastest_card_game"] = round(
                single_rates["aec"] / max(card_rates.values()), 2
            )
    return results
