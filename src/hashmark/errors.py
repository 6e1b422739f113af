"""Exceptions, each with a one-sentence message that a user can act on."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher, get_close_matches
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hashmark.engine.dice import Die, Pool

from hashmark.sanitize import one_line, quote

MAX_COMPARED_LETTERS = 80  # longer texts resemble no name, and comparing them is slow


def closest_name(name: object, allowed: Iterable[str]) -> str | None:
    """Return the allowed name that was probably meant; ties go to the same first letter."""
    if not isinstance(name, str) or len(name) > MAX_COMPARED_LETTERS:
        return None
    by_lowercase = {candidate.lower(): candidate for candidate in allowed}
    word = name.lower()
    candidates = get_close_matches(word, list(by_lowercase), n=4, cutoff=0.5)

    def likeness(candidate: str) -> tuple[float, bool]:
        return SequenceMatcher(None, candidate, word).ratio(), candidate[0] == word[0]

    best = max(candidates, key=likeness, default=None)
    return None if best is None else by_lowercase[best]


def join_names(names: Iterable[str], max_names: int = 24) -> str:
    """Join names with commas; a very long list is cut."""
    all_names = list(names)
    rest = len(all_names) - max_names
    shown = ", ".join(all_names[:max_names]) or "nothing"
    return f"{shown} and {rest} more" if rest > 0 else shown


class HashmarkError(Exception):
    """Base of all errors in user input: what is wrong, where, and what is allowed.

    The message is always a single line that is safe for a terminal, even if it quotes user input.
    """

    def __init__(self, message: object = "") -> None:
        super().__init__(one_line(str(message)))


class UnknownName(HashmarkError):
    """A name that is not among the allowed ones."""

    def __init__(self, what: str, name: object, allowed: Iterable[str]) -> None:
        names = list(allowed)
        near = closest_name(name, names)
        hint = f"did you mean {near!r}? " if near else ""
        given = quote(name) if isinstance(name, str) else repr(quote(name))
        super().__init__(f"unknown {what} {given}: {hint}allowed: {join_names(names)}")


class InvalidPosition(HashmarkError):
    """An impossible position; the message names the wrong key."""


class IllegalCall(HashmarkError):
    """A call that the rules do not allow in this position."""


class InvalidDice(HashmarkError):
    """A face that the die does not have, or dice that cannot be read."""


class TooManyOutcomes(HashmarkError):
    """A step with too many outcomes to enumerate."""


class OutOfDice(HashmarkError):
    """A list of faces that ended: which die of which team comes next, and the pool it begins.

    `had_rolled` says whether the step had already rolled dice.
    """

    had_rolled = False

    def __init__(self, sentence: str, die: Die, team: int, pool: Pool | None) -> None:
        super().__init__(sentence)
        self.die, self.team, self.pool = die, team, pool


class EndlessGame(HashmarkError):
    """A game that never ends: with some charts no play takes any time."""


class BrokenLog(HashmarkError):
    """A game log that cannot be read or does not replay to the recorded positions."""


class BrokenScenario(HashmarkError):
    """A scenario file that cannot be read or does not follow the format."""
