"""The games that are installed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hashmark.api.tables import TableView
from hashmark.engine import registry
from hashmark.engine.rule_set import RuleSet


@dataclass(frozen=True)
class GameInfo:
    """A game: `name`, `title` and `summary`, and the names of its `calls`, `coaches`, `options`."""

    name: str
    title: str
    summary: str
    calls: tuple[str, ...]
    coaches: tuple[str, ...]
    options: tuple[str, ...]

    @classmethod
    def _of(cls, rules: RuleSet) -> GameInfo:
        """Describe a rule set."""
        return cls(
            rules.name,
            rules.title,
            rules.summary,
            rules.calls,
            tuple(coach.name for coach in rules.all_coaches()),
            tuple(option.name for option in rules.setup.options),
        )

    def __repr__(self) -> str:
        return f"<GameInfo {self.name}: {self.title}>"


class GameList(TableView):
    """All installed games: a sequence that prints as a table."""

    def __init__(self, games: Sequence[GameInfo]) -> None:
        self._games = tuple(games)

    def __iter__(self) -> Iterator[GameInfo]:
        return iter(self._games)

    def __len__(self) -> int:
        return len(self._games)

    def __getitem__(self, key: int | str) -> GameInfo:
        """Return a game by index or by name."""
        if isinstance(key, str):
            return GameInfo._of(registry.load(key))
        return self._games[key]

    def __repr__(self) -> str:
        return f"<{len(self)} games: {', '.join(game.name for game in self)}>"

    def _table(self) -> tuple[Sequence[str], list[Sequence[str]]]:
        rows = [(game.name, game.title, ", ".join(game.coaches)) for game in self]
        return ("name", "game", "coaches"), [*rows]


def games() -> GameList:
    """Return all installed games.

    >>> import hashmark as hm
    >>> [game.name for game in hm.games()][:2]
    ['data-driven', 'fourth-down']
    >>> hm.games()["fourth-down"].title
    '4th Down!'
    """
    return GameList([GameInfo._of(registry.load(name)) for name in registry.names()])
