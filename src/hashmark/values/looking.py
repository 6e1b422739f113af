"""What `?` shows at the prompt: odds, chances to win where the game is solved, the position's ID.

Values come from what needs NumPy; it is loaded when somebody looks, and who has none plays on.
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
    """Looks at one table; what was worked out is kept for the next look."""

    def __init__(self, game: Game) -> None:
        """The game itself, with all that is secret in it; only what may be seen is shown."""
        self.game = game
        self.complaint = ""  # why a solution that is there cannot be used

    def lines(self, width: int) -> list[str]:
        """All that can be said of the question that is asked now."""
        shown = beside(self.odds(), self.game, self.judgement())
        lines: list[str] = []
        for title, headings, rows in shown:
            lines += [""] if title else []
            lines += wrapped(title, width) if title else []
            lines += fitting(headings, rows, width) if headings else []
        return [*lines, *self._notes(width)]

    def odds(self) -> Shown:
        """The odds of the answers, as tables."""
        return self._looks.at(self.game)

    def _notes(self, width: int) -> list[str]:
        """How to get what is lacking, and the position as one word."""
        said = [self.complaint] if self.complaint else []
        rules = self.game.rules
        if self.source is None and not said and rules.solving is not None:
            said.append(f"(hashmark solve {rules.name} adds the chance to win by each call)")
        found = self._ids.if_any(self._asked())
        said += [] if found is None else [f"position {found}"]
        return ["", *(piece for line in said for piece in wrapped(line, width))] if said else []

    def judgement(self) -> Judgement | None:
        """The exact value of every call, where it is at hand."""
        if self.source is None or not self.game.wants_call:
            return None
        return self.source.judge(self._asked())

    def _asked(self) -> object:
        from hashmark.odds.advice import position_asked

        return position_asked(self.game)

    @cached_property
    def source(self) -> Source | None:
        """The solved game, if there is one; a value that takes long is nothing for a look."""
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
    """The odds with the chance to win by each call beside them, and what it gives away.

    Where nothing is rolled, and no table has the calls, they get one of their own.
    """
    if judged is None:
        return shown
    from hashmark.values.best import difference

    cells = {
        game.rules.calls[call]: (
            f"{one.worth(judged.team, judged.tie):.1%}",
            difference(judged, call),
        )
        for call, one in judged.calls.items()
    }
    made: Shown = []
    for title, headings, rows in shown:
        if headings and rows and all(row[0] in cells for row in rows):
            headings = (headings[0], *WINS, *headings[1:])
            rows = [(row[0], *cells[row[0]], *row[1:]) for row in rows]
        made.append((title, headings, rows))
    if any(headings for _, headings, _ in made):
        return made
    return [*made, ("", ("call", *WINS), [(name, *pair) for name, pair in cells.items()])]
