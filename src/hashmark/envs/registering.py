"""The names under which Gymnasium knows the games: `hashmark/FourthDown-v1`.

Gymnasium finds this by itself where Hashmark is installed, through an entry point, and importing
`hashmark.envs.gymnasium` does the same. No game and no environment is loaded for it.
"""

from __future__ import annotations

from gymnasium.envs.registration import register, registry

from hashmark.table import registry as games

NAMESPACE, VERSION = "hashmark", 1


def id_of(game: str) -> str:
    """The name of a game for `gymnasium.make`."""
    return f"{NAMESPACE}/{''.join(part.capitalize() for part in game.split('-'))}-v{VERSION}"


def register_games() -> None:
    """Register every game that there is, and that is not yet known."""
    for game in games.names():
        if id_of(game) not in registry:
            register(
                id_of(game),
                entry_point="hashmark.envs.gymnasium:GameEnv",
                vector_entry_point="hashmark.envs.vector:VectorGames",
                kwargs={"game": game},
            )
