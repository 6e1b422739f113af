"""A game from another distribution gets all environments: none knows a game by name."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PLUGIN = """
from dataclasses import replace
from hashmark.games.fourth_down import RULES as FOURTH_DOWN
from hashmark.games.fourth_down.position import Position as Usual
from hashmark.games.fourth_down.position import COIN_TOSS, DRIVE, OVER
from hashmark.games.fourth_down.tables import D20
from hashmark.engine.effects import roll
from hashmark.engine.record import whole
from hashmark.engine.rule import rule

class Position(Usual):
    wind: int = whole(-9, 9, default=3)

@rule
def step(m, g, call):
    g.score[0] += roll(g, D20, 0)
    g.phase, g.possession, g.winner = DRIVE if g.phase == COIN_TOSS else OVER, 0, 0

RULES = replace(FOURTH_DOWN, name="my-game", position=Position, step=step)
"""
PROGRAM = """
from types import SimpleNamespace
from hashmark.engine import registry
import my_plugin
registry.plugin_entry_points = lambda: {"my-game": SimpleNamespace(load=lambda: my_plugin.RULES)}
import gymnasium, pyspiel
from hashmark.envs import open_spiel, pettingzoo
from hashmark.envs.vector import VectorGames
env = gymnasium.make("hashmark/MyGame-v1")
row, _ = env.reset(seed=1)
names = env.unwrapped.play.observation.names
print(row.shape, names[-1], row[-1], env.observation_space.low[-1], env.observation_space.high[-1])
games = VectorGames("my-game", 2, seat="both")
print(games.reset(seed=1)[0][:, -1])
two = pettingzoo.env("my-game")
two.reset(seed=1)
print(two.observe("home")["observation"][-1])
state = pyspiel.load_game("hashmark_my_game").new_initial_state()
print(state.is_chance_node(), len(state.observation_tensor(0)))
"""


def test_a_plug_in_game_gets_every_environment(tmp_path: Path) -> None:
    (tmp_path / "my_plugin.py").write_text(PLUGIN, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, cwd=tmp_path
    )
    assert done.stdout.splitlines() == [
        "(16,) wind 3.0 -9.0 9.0",
        "[3. 3.]",
        "3.0",
        "True 16",
    ], done.stderr
