"""Environments side by side, in one run and on one core: ours, and those that others know.

All are stepped from Python with random legal calls, counted in processor time, the best of some
turns each. Ours write out observations and masks at every step. OpenSpiel's games are measured
twice: bare (legal actions, chance outcomes, applied), which is the faster and counts for the
ratios, and with the observation tensor at each decision. What is not installed is not measured.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from hashmark.envs.gymnasium import GameEnv
from hashmark.envs.pettingzoo import env as aec_env
from hashmark.envs.vector import VectorGames
from hashmark.table import registry

AT_ONCE = 1024
SECONDS, TURNS = 0.5, 5

Steps = Callable[[], int]


def steps_a_second(step: Steps) -> float:
    """The best of some turns of half a second each."""
    step()
    best = 0.0
    for _ in range(TURNS):
        done, began = 0, time.process_time()
        while (used := time.process_time() - began) < SECONDS:
            done += step()
        best = max(best, done / used)
    return best


def vector(game: str) -> Steps:
    """Many games of ours, both seats called for."""
    games = VectorGames(game, AT_ONCE, seat="both", threads=1)
    games.reset(seed=1)

    def step() -> int:
        games.step(games.random_calls())
        return AT_ONCE

    return step


def spiel(game: str, observe: bool) -> Steps:
    """A whole game of OpenSpiel's; every action is a step, those of chance too."""
    import pyspiel

    loaded, luck = pyspiel.load_game(game), random.Random(1)

    def play() -> int:
        state, steps = loaded.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                action = luck.choices(outcomes, chances)[0]
            else:
                action = luck.choice(state.legal_actions())
                if observe:
                    state.observation_tensor()
            state.apply_action(action)
            steps += 1
        return steps

    return play


def pgx_backgammon() -> Steps:
    """Pgx's backgammon, as many games at once as ours; all begin anew after many steps, so that
    hardly any of the time goes into it."""
    import jax
    import pgx

    env = pgx.make("backgammon")
    begin = jax.jit(jax.vmap(env.init))
    keys = jax.random.split(jax.random.PRNGKey(1), AT_ONCE)

    def one(state: Any, key: Any) -> Any:
        masks = jax.numpy.log(state.legal_action_mask)
        calls = jax.random.categorical(key, masks, axis=1)
        return jax.vmap(env.step)(state, calls, jax.random.split(key, AT_ONCE))

    go_on = jax.jit(one)
    held = {"state": begin(keys), "key": jax.random.PRNGKey(2), "steps": 0}

    def step() -> int:
        held["key"], key = jax.random.split(held["key"])
        held["state"] = begin(keys) if held["steps"] % 64 == 63 else go_on(held["state"], key)
        held["state"].observation.block_until_ready()
        held["steps"] += 1
        return AT_ONCE

    return step


def aec(made: Any) -> Steps:
    """A whole game of a PettingZoo environment, calls drawn by the mask."""
    luck = np.random.default_rng(1)

    def play() -> int:
        made.reset(seed=1)
        steps = 0
        for _ in made.agent_iter():
            seen, _, ended, cut, info = made.last()
            if ended or cut:
                made.step(None)
                continue
            mask = seen["action_mask"] if "action_mask" in seen else info["action_mask"]
            legal = mask.nonzero()[0]
            made.step(int(legal[int(luck.random() * len(legal))]))
            steps += 1
        return steps

    return play


def single(game: str) -> Steps:
    """A whole game of our Gymnasium environment."""
    made, luck = GameEnv(game), np.random.default_rng(1)

    def play() -> int:
        _, info = made.reset()
        steps, over = 0, False
        while not over:
            legal = info["action_mask"].nonzero()[0]
            call = int(legal[int(luck.random() * len(legal))])
            _, _, ended, cut, info = made.step(call)
            steps, over = steps + 1, ended or cut
        return steps

    return play


def card_games() -> dict[str, Steps]:
    """PettingZoo's own card games."""
    from pettingzoo.classic import leduc_holdem_v4, texas_holdem_no_limit_v6, texas_holdem_v4

    modules = (leduc_holdem_v4, texas_holdem_v4, texas_holdem_no_limit_v6)
    return {one.__name__.rpartition(".")[2]: aec(one.env()) for one in modules}


def measured(make: Callable[[], Steps]) -> float | None:
    """Steps a second, or None where a library is lacking."""
    try:
        step = make()
    except ImportError:
        return None
    return steps_a_second(step)


def environments() -> dict[str, Any]:
    """Steps a second of all, and the ratios that matter."""
    spiels = {
        f"{game}{' with observations' if observe else ''}": steps_a_second(spiel(game, observe))
        for game in ("pig", "backgammon")
        for observe in (False, True)
    }
    pgx = measured(pgx_backgammon)
    try:
        cards = {name: steps_a_second(play) for name, play in card_games().items()}
    except (ImportError, ModuleNotFoundError):
        cards = {}
    said: dict[str, Any] = {
        "openspiel": {name: round(rate) for name, rate in spiels.items()},
        "pgx_backgammon": "not installed" if pgx is None else round(pgx),
        "pettingzoo": {name: round(rate) for name, rate in cards.items()} or "not installed",
    }
    for game in registry.built_in():
        many = steps_a_second(vector(game))
        alone = {
            "aec": steps_a_second(aec(aec_env(game))),
            "gymnasium": steps_a_second(single(game)),
        }
        said[game] = {
            "vector": round(many),
            "to_pig": round(many / spiels["pig"], 1),
            "to_backgammon": round(many / spiels["backgammon"], 1),
            **{name: round(rate) for name, rate in alone.items()},
        }
        if pgx is not None:
            said[game]["to_pgx_backgammon"] = round(many / pgx, 1)
        if cards:
            said[game]["aec_to_fastest_card_game"] = round(alone["aec"] / max(cards.values()), 2)
    return said
