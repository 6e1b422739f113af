"""Registration of the games with Gymnasium: `hashmark/FourthDown-v1`.

Importing `hashmark.envs.gymnasium` or `hashmark.envs.vector` registers them.
"""

from __future__ import annotations

from gymnasium.envs.registration import register, registry

from hashmark.envs.seats import class_name
from hashmark.table import registry as games

NAMESPACE, VERSION = "hashmark", 1


def id_of(game: str) -> str:
    """Return the ID of a game for `gymnasium.make`."""
    return f"{NAMESPACE}/{class_name(game)}-v{VERSION}"


def register_games() -> None:
    """Register every game that is not registered yet."""
    for game in games.names():
        if id_of(game) not in registry:
            register(
                id_of(game),
                entry_point="hashmark.envs.gymnasium:GameEnv",
                vector_entry_point="hashmark.envs.vector:VectorGames",
                kwargs={"game": game},
            )
