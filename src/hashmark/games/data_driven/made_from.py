"""Share of a season that charts or plans were made from, if it was not the whole season.

Charts of four weeks look like charts of a season. So the file records what they were made from, and
reports, pages and sheets show it.

    made-from = { weeks = 4, of-weeks = 17, games = 60, of-games = 256 }
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hashmark.sanitize import quote

MADE_FROM = "made-from"
FIELDS = ("weeks", "of-weeks", "games", "of-games")
MAX_COUNT = 9999


@dataclass(frozen=True)
class MadeFrom:
    """Weeks and games used, and how many the regular season has."""

    weeks: int
    of_weeks: int
    games: int
    of_games: int

    def __str__(self) -> str:
        games = f"{self.games} of {self.of_games} games"
        if self.weeks == self.of_weeks:
            return f"made from {games}"
        return f"made from {self.weeks} of {self.of_weeks} weeks ({games})"

    def to_json(self) -> dict[str, int | str]:
        return {**self.__dict__, "text": str(self)}

    def to_toml(self) -> str:
        """Return the line of a file that `parse_made_from` parses."""
        pairs = zip(FIELDS, self.__dict__.values(), strict=True)
        return f"{MADE_FROM} = {{ {', '.join(f'{key} = {n}' for key, n in pairs)} }}"


def parse_made_from(given: object) -> MadeFrom | None:
    """Parse the value of a file's key; a ValueError says what is wrong with it."""
    if given is None:
        return None
    if not isinstance(given, Mapping) or sorted(given) != sorted(FIELDS):
        raise ValueError(f"{MADE_FROM} must be a table of {', '.join(FIELDS)}, not {quote(given)}")
    for key in FIELDS:
        if type(given[key]) is not int or not 0 <= given[key] <= MAX_COUNT:
            raise ValueError(
                f"{MADE_FROM}: {key} is {quote(given[key])}, not between 0 and {MAX_COUNT}"
            )
    for part, whole in (FIELDS[:2], FIELDS[2:]):
        if given[part] > given[whole]:
            raise ValueError(f"{MADE_FROM}: {given[part]} {part} are more than {given[whole]}")
    return MadeFrom(*(given[key] for key in FIELDS))
