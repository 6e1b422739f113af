"""The odds panel that `?` shows at the prompt: odds, win probabilities if solved, position ID.

Values need NumPy, which is loaded on first use; without it the panel shows odds only.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from hashmark.table import extras
from hashmark.table.errors import HashmarkError
from hashmark.table.game import Game
from hashmark.table.position_id import Ids
from hashmark.telling.columns import fitting
from hashmark.telling.wrapping import wrapped

if TYPE_CHECKING:
    from hashmark.odds.advice import Looks, Shown
    from hashmark.values.value import Judgement, Source

WINS = ("wins", "to best")


class Looking:
    """Odds panel of one game; computed odds are cached for the next request."""

    def __init__(self, game: Game) -> None:
        """Take the whole game, including secrets; only visible information is shown."""
        self.game = game
        self.complaint = ""  # why an existing solution cannot be used

    def lines(self, width: int) -> list[str]:
        """Return the panel for the current question as lines of text."""
        shown = beside(self.odds(), self.game, self.judgement())
        lines: list[str] = []
        for title, headings, rows in shown:
            lines += [""] if title else []
            lines += wrapped(title, width) if title else []
            lines += fitting(headings, rows, width) if headings else []
        return [*lines, *self._notes(width)]

    def odds(self) -> Shown:
        """Return the odds of the answers as tables."""
        return self._looks.at(self.game)

    def _notes(self, width: int) -> list[str]:
        """Return hints on missing values, and the position ID."""
        notes = [self.complaint] if self.complaint else []
        rules = self.game.rules
        if self.source is None and not notes and rules.solving is not None:
            notes.append(f"(hashmark solve {rules.name} adds the chance to win by each call)")
        identifier = self._ids.if_any(self._asked())
        notes += [] if identifier is None else [f"position {identifier}"]
        return ["", *(piece for line in notes for piece in wrapped(line, width))] if notes else []

    def judgement(self) -> Judgement | None:
        """Return the exact value of every call, if the game is solved."""
        if self.source is None or not self.game.wants_call:
            return None
        return self.source.judge(self._asked())

    def _asked(self) -> object:
        from hashmark.odds.advice import position_asked

        return position_asked(self.game)

    @cached_property
    def source(self) -> Source | None:
        """The solved game, if there is one; estimates take too long for a panel."""
        if not extras.has("numpy"):
            return None
        from hashmark.values.sources import solved_source

        try:
            return solved_source(self.game.rules, self.game.match)
        except HashmarkError as fault:
            self.complaint = f"No chances to win: {fault}"
            return None

    @cached_property
    def _ids(self) -> Ids:
        return Ids(self.game.rules, self.game.options)

    @cached_property
    def _looks(self) -> Looks:
        from hashmark.odds.advice import Looks

        return Looks(self.game.rules)


def beside(shown: Shown, game: Game, judged: Judgement | None) -> Shown:
    """Add each call's win probability and its loss against the best call to the odds tables.

    Where no table lists the calls, because no dice are rolled, add a table of its own.
    """
    if judged is None:
        return shown
    from hashmark.values.best import difference

    cells = {
        game.rules.calls[call]: (
            f"{value.worth(judged.team, judged.tie):.1%}",
            difference(judged, call),
        )
        for call, value in judged.calls.items()
    }
    tables: Shown = []
    for title, headings, rows in shown:
        if headings and rows and all(row[0] in cells for row in rows):
            headings = (headings[0], *WINS, *headings[1:])
            rows = [(row[0], *cells[row[0]], *row[1:]) for row in rows]
        tables.append((title, headings, rows))
    if any(headings for _, headings, _ in tables):
        return tables
    return [*tables, ("", ("call", *WINS), [(name, *pair) for name, pair in cells.items()])]
