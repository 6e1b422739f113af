"""Registration of the games with Gymnasium: `hashmark/FourthDown-v1`.

Importing `hashmark.envs.gymnasium` or `hashmark.envs.vector` registers them.
"""

from __future__ import annotations

from gymnasium.envs.registration import register, registry

from hashmark.engine import registry as games
from hashmark.envs.settings import class_name

NAMESPACE, VERSION = "hashmark", 1


def environment_id(game: str) -> str:
    """Return the ID of a game for `gymnasium.make`."""
    return f"{NAMESPACE}/{class_name(game)}-v{VERSION}"


def register_games() -> None:
    """Register every game that is not registered yet."""
    for game in games.names():
        if environment_id(game) not in registry:
            register(
                environment_id(game),
                entry_point="hashmark.envs.gymnasium:GameEnv",
                vector_entry_point="hashmark.envs.vector:VectorGames",
                kwargs={"game": game},
            )
