"""What the teams are called.

In rules and files the teams are `home` and `away`. People may give them names: whoever tells a
game does so under `naming`, and says `NAMES[team]`, or `SHORT_NAMES[team]` where there is little
room: beside the field, in a narrow column.
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
SHORT = 13  # letters of a short name: every town of the league has room

_in_force: ContextVar[tuple[str, str]] = ContextVar("names of the teams", default=TEAMS)


class _Names(Sequence[str]):
    """The names of the game that is being told now, in one of their forms."""

    def __init__(self, form: Callable[[tuple[str, str]], tuple[str, str]]) -> None:
        self.form = form

    @overload
    def __getitem__(self, team: int) -> str: ...
    @overload
    def __getitem__(self, team: slice) -> tuple[str, ...]: ...
    def __getitem__(self, team: int | slice) -> str | tuple[str, ...]:
        return self.form(_in_force.get())[team]

    def __len__(self) -> int:
        return len(TEAMS)


@functools.lru_cache
def shortened(names: tuple[str, str]) -> tuple[str, str]:
    """Two names in at most `SHORT` letters each that can be told apart.

    A longer one becomes its last word ("Giants"), its first ("Manchester"), or is cut at its end
    or in its middle, whichever is the first that fits and is not the other team's.
    """
    for short in (_last_word, _first_word, _without_end, _without_middle):
        home, away = (name if len(name) <= SHORT else short(name) for name in names)
        if max(len(home), len(away)) <= SHORT and home.casefold() != away.casefold():
            return home, away
    return TEAMS


def _last_word(name: str) -> str:
    return name.split()[-1]


def _first_word(name: str) -> str:
    return name.split()[0]


def _without_end(name: str) -> str:
    return f"{name[: SHORT - 1].rstrip()}…"


def _without_middle(name: str) -> str:
    half = SHORT // 2
    return f"{name[:half].rstrip()}…{name[-half:].lstrip()}"


NAMES = _Names(lambda names: names)
SHORT_NAMES = _Names(shortened)


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


def check_name(name: Any, what: str = "each team") -> str:
    """A name that can be printed, and is not too long."""
    if not isinstance(name, str) or not 1 <= len(name.strip()) <= LONGEST_NAME:
        raise HashmarkError(f"name {shown(name)}: expected 1 to {LONGEST_NAME} letters for {what}")
    if not name.isprintable():
        raise HashmarkError(f"name {shown(name)}: it cannot be printed")
    return name


def check_names(home: Any, away: Any) -> tuple[str, str]:
    """Two names that can be told apart, of letters that can be printed."""
    home, away = check_name(home), check_name(away)
    if home.casefold() == away.casefold():
        raise HashmarkError(f"name {shown(home)}: both teams have it")
    return home, away
