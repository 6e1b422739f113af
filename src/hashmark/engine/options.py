"""Options of a rule set: what a user may choose, and how the choice is parsed."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hashmark.errors import UnknownName


@dataclass(frozen=True)
class Option:
    """An option of the rule set: its allowed values (the first is the default), and its meaning.

    `allowed` is a tuple of values, or a range of integers with a `default`. An option of any other
    form (team records, a chart file) has a `parser` that parses the given value or raises an error;
    `allowed` then holds a description, and the game's `fill_match` puts the value into the match.

    An option with `list_choices` is part of the new-game dialog: the menu asks its `question`. It
    returns the values to choose from, the default first, with a few words on each, for the options
    and seats chosen so far; it returns none if there is nothing to ask.
    """

    name: str
    meaning: str
    allowed: tuple[Any, ...] | range
    default: Any = None
    parser: Callable[[Any], Any] | None = None
    list_choices: (
        Callable[[Mapping[str, Any], Mapping[str, str]], Sequence[tuple[str, str]]] | None
    ) = None
    question: str = ""

    @property
    def default_value(self) -> Any:
        if self.default is None and self.parser is None:
            return self.allowed[0]
        return self.default

    def allowed_texts(self) -> list[str]:
        """Return the allowed values as a user would type them."""
        if isinstance(self.allowed, range):
            return [f"{self.allowed.start} to {self.allowed[-1]}"]
        return [option_text(value) for value in self.allowed]

    def parse(self, given: object) -> Any:
        """Parse a value from JSON or the command line."""
        if self.parser is not None:
            return self.parser(given)
        if isinstance(self.allowed, range):
            number = parse_int(given)
            if number is not None and number in self.allowed:
                return number
        else:
            for value in self.allowed:
                if option_text(value) == option_text(given):
                    return value
        raise UnknownName(f"value of option {self.name}", option_text(given), self.allowed_texts())

    def code(self, value: int | str) -> int:
        """Return the integer that stands for a value in the match."""
        if isinstance(self.allowed, range):
            return int(value)
        return self.allowed.index(value)


def option_text(value: object) -> str:
    """Return the value of an option as a user types it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def parse_int(given: object) -> int | None:
    """Parse an integer given as a number or as text; None if it is not one."""
    text = str(given)
    return int(text) if re.fullmatch(r"[+-]?[0-9]{1,20}", text) else None
