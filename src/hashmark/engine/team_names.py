"""Display names of the teams.

In rules and files the teams are `home` and `away`. Users may give them names: code that renders a
game uses `game.names`, or `short_names(game.names)` where space is tight, such as beside the field
or in a narrow column.
"""

from __future__ import annotations

import functools

from hashmark.engine.record import TEAMS
from hashmark.errors import HashmarkError
from hashmark.sanitize import quote

MAX_NAME_LETTERS = 40
MAX_SHORT_NAME_LETTERS = 13  # letters of a short name: enough for every town of the league

TeamNames = tuple[str, str]  # of home and away


@functools.lru_cache
def short_names(names: TeamNames) -> TeamNames:
    """Return two distinct names of at most `MAX_SHORT_NAME_LETTERS` letters each.

    A longer name becomes its last word ("Giants") or its first ("Manchester"), or is cut at its end
    or in its middle: the first form that fits and differs from the other team's.
    """
    for shorten in (_last_word, _first_word, _cut_at_end, _cut_in_middle):
        home, away = (
            name if len(name) <= MAX_SHORT_NAME_LETTERS else shorten(name) for name in names
        )
        is_short = max(len(home), len(away)) <= MAX_SHORT_NAME_LETTERS
        if is_short and home.casefold() != away.casefold():
            return home, away
    return TEAMS


def _last_word(name: str) -> str:
    return name.split()[-1]


def _first_word(name: str) -> str:
    return name.split()[0]


def _cut_at_end(name: str) -> str:
    return f"{name[: MAX_SHORT_NAME_LETTERS - 1].rstrip()}…"


def _cut_in_middle(name: str) -> str:
    half = MAX_SHORT_NAME_LETTERS // 2
    return f"{name[:half].rstrip()}…{name[-half:].lstrip()}"


def parse_names(given: str) -> TeamNames:
    """Parse the names of home and away as a user gives them: "Bombers,Gunners"."""
    names = [name.strip() for name in given.split(",")]
    if len(names) != len(TEAMS):
        raise HashmarkError(f"names {quote(given)}: expected two names separated by a comma")
    return check_names(names[0], names[1])


def check_name(name: object, label: str = "each team") -> str:
    """Return a name if it is printable and not too long."""
    if not isinstance(name, str) or not 1 <= len(name.strip()) <= MAX_NAME_LETTERS:
        raise HashmarkError(
            f"name {quote(name)}: expected 1 to {MAX_NAME_LETTERS} letters for {label}"
        )
    if not name.isprintable():
        raise HashmarkError(f"name {quote(name)}: it cannot be printed")
    return name


def check_names(home: object, away: object) -> TeamNames:
    """Return two names if they are valid and differ."""
    names = check_name(home), check_name(away)
    if names[0].casefold() == names[1].casefold():
        raise HashmarkError(f"name {quote(home)}: the teams need different names")
    return names
