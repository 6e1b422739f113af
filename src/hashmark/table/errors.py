"""What can go wrong, each said in one sentence that a person can act on."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher, get_close_matches
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hashmark.table.dice import Die, Pool

from hashmark.table.readable import sentence, shown

LONGEST_NAME = 80  # what is longer resembles no name, and comparing it takes time


def nearest(name: object, allowed: Iterable[str]) -> str | None:
    """The allowed name that was probably meant; of equally good ones the one that begins so."""
    if not isinstance(name, str) or len(name) > LONGEST_NAME:
        return None
    by_letters = {one.lower(): one for one in allowed}
    word = name.lower()
    near = get_close_matches(word, list(by_letters), n=4, cutoff=0.5)
    likeness = {one: SequenceMatcher(None, one, word).ratio() for one in near}
    best = max(near, key=lambda one: (likeness[one], one[0] == word[0]), default=None)
    return None if best is None else by_letters[best]


def listed(names: Iterable[str], most: int = 24) -> str:
    """Names in a row; a very long list is cut."""
    all_names = list(names)
    rest = len(all_names) - most
    shown = ", ".join(all_names[:most]) or "nothing"
    return f"{shown} and {rest} more" if rest > 0 else shown


class HashmarkError(Exception):
    """Any fault in what the user gave: what is wrong, where, and what is allowed.

    Whatever it quotes, it is one line that a terminal can show.
    """

    def __init__(self, said: object = "") -> None:
        super().__init__(sentence(str(said)))


class UnknownName(HashmarkError):
    """A name that is not in the list it was looked up in."""

    def __init__(self, what: str, name: object, allowed: Iterable[str]) -> None:
        names = list(allowed)
        near = nearest(name, names)
        hint = f"did you mean {near!r}? " if near else ""
        given = shown(name) if isinstance(name, str) else repr(shown(name))
        super().__init__(f"unknown {what} {given}: {hint}allowed: {listed(names)}")


class InvalidPosition(HashmarkError):
    """A position that cannot be, with the key that is wrong."""


class IllegalCall(HashmarkError):
    """A call that the rules do not allow in this position."""


class InvalidDice(HashmarkError):
    """A face that the die does not have, or dice that cannot be read."""


class TooManyOutcomes(HashmarkError):
    """A step whose outcomes are too many to be listed one by one."""


class OutOfDice(HashmarkError):
    """A list of faces ended: which die of which team comes next, and whether it is the first
    of a pool; `rolled` says whether the step had rolled some before."""

    rolled = False

    def __init__(self, sentence: str, die: Die, team: int, pool: Pool | None) -> None:
        super().__init__(sentence)
        self.die, self.team, self.pool = die, team, pool


class EndlessGame(HashmarkError):
    """A game that goes on and on: charts can be such that no play takes any time."""


class BrokenLog(HashmarkError):
    """A game log that cannot be read, or that does not replay as it says."""


class BrokenScenario(HashmarkError):
    """A scenario file that cannot be read or does not follow the format."""
