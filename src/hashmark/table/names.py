"""What the teams are called.

In rules and files the teams are `home` and `away`. People may give them names: whoever tells a
game does so under `naming`, and says `NAMES[team]`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar, overload

from hashmark.table.errors import HashmarkError
from hashmark.table.readable import shown
from hashmark.table.record import TEAMS

LONGEST_NAME = 40

_in_force: ContextVar[tuple[str, str]] = ContextVar("names of the teams", default=TEAMS)


class _Names(Sequence[str]):
    """The names of the game that is being told now."""

    @overload
    def __getitem__(self, team: int) -> str: ...
    @overload
    def __getitem__(self, team: slice) -> tuple[str, ...]: ...
    def __getitem__(self, team: int | slice) -> str | tuple[str, ...]:
        return _in_force.get()[team]

    def __len__(self) -> int:
        return len(TEAMS)


NAMES = _Names()


@contextmanager
def naming(names: tuple[str, str]) -> Iterator[None]:
    """For a while, these are the teams."""
    before = _in_force.set(names)
    try:
        yield
    finally:
        _in_force.reset(before)


Tell = TypeVar("Tell", bound=Callable[..., Any])


def by_name(tell: Tell) -> Tell:
    """A function that tells of a game, its first argument, with the names of that game."""

    @functools.wraps(tell)
    def told(game: Any, *rest: Any, **more: Any) -> Any:
        with naming(game.names):
            return tell(game, *rest, **more)

    return told  # type: ignore[return-value]


def read_names(given: str) -> tuple[str, str]:
    """The names of home and away as a person gives them: "Bombers,Gunners"."""
    names = [name.strip() for name in given.split(",")]
    if len(names) != len(TEAMS):
        raise HashmarkError(f"names {shown(given)}: expected two with a comma between them")
    return check_names(names[0], names[1])


def check_names(home: Any, away: Any) -> tuple[str, str]:
    """Two names that can be told apart, of letters that can be printed."""
    for name in (home, away):
        if not isinstance(name, str) or not 1 <= len(name.strip()) <= LONGEST_NAME:
            raise HashmarkError(
                f"name {shown(name)}: expected 1 to {LONGEST_NAME} letters for each team"
            )
        if not name.isprintable():
            raise HashmarkError(f"name {shown(name)}: it cannot be printed")
    if home.casefold() == away.casefold():
        raise HashmarkError(f"name {shown(home)}: both teams have it")
    return home, away
