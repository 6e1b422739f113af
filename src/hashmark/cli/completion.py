"""Shell completion: games, coaches and seasons as arguments and options complete them."""

from __future__ import annotations

import os

from hashmark.engine import registry
from hashmark.session.game_session import HUMAN

VARIABLE = "_HASHMARK_COMPLETE"  # set by the shell while it asks for completions


def is_completing() -> bool:
    """Return whether a shell asks for completions."""
    return VARIABLE in os.environ


def complete_game(incomplete: str) -> list[str]:
    """Return the games whose names begin like this."""
    return [name for name in registry.names() if name.startswith(incomplete)]


def complete_coach(incomplete: str) -> list[str]:
    """Return the coaches of the game on the command line.

    The line is read here: a context has no arguments while an option waits for its value.
    """
    words = f"{os.environ.get('COMP_WORDS', '')} {os.environ.get('_TYPER_COMPLETE_ARGS', '')}"
    games = [word for word in words.split() if word in registry.names()]
    coaches = registry.load(games[0]).all_coaches() if games else ()
    return [coach.name for coach in coaches if coach.name.startswith(incomplete)]


def complete_seat(incomplete: str) -> list[str]:
    """Return the seats at a table: a person or a coach."""
    people = [HUMAN] if HUMAN.startswith(incomplete) else []
    return [*people, *complete_coach(incomplete)]


def complete_season(incomplete: str) -> list[str]:
    """Return the seasons that ship with Hashmark."""
    from hashmark.league.data.schedule import available_seasons

    return [str(year) for year in available_seasons() if str(year).startswith(incomplete)]
