"""The odds panel that `?` shows at the prompt: odds, instant win probabilities, position ID."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from hashmark.engine.game import Game
from hashmark.engine.position_id import PositionEncoder
from hashmark.engine.record import PositionRecord
from hashmark.errors import HashmarkError
from hashmark.number_text import percent
from hashmark.text.tables import format_fitting_table
from hashmark.text.wrapping import wrap
from hashmark.values.value import NoValue

if TYPE_CHECKING:
    from hashmark.odds.odds_tables import OddsCache, OddsTables
    from hashmark.values.value import CallValues, ValueSource

WIN_HEADINGS = ("WP", "vs. best")


class OddsPanel:
    """Odds panel of one game; computed odds are cached for the next request."""

    def __init__(self, game: Game) -> None:
        """Take the whole game, including secrets; only visible information is shown."""
        self.game = game
        self.error_message = ""  # why an existing solution cannot be used

    def lines(self, width: int) -> list[str]:
        """Return the panel for the current question as lines of text."""
        lines: list[str] = []
        judged = self.call_values()
        for title, headings, rows in self.tables(judged):
            lines += [""] if title else []
            lines += wrap(title, width) if title else []
            lines += format_fitting_table(headings, rows, width) if headings else []
        return [*lines, *self._notes(width, judged)]

    def tables(self, judged: CallValues | None) -> OddsTables:
        """Return the odds of the answers as tables, with the values of the calls if known."""
        return add_win_columns(self._odds.tables_for(self.game), self.game, judged)

    def method_note(self, judged: CallValues | None) -> str:
        """Return how the win probabilities were computed, and how to have them exactly."""
        if self.error_message or self.source is None:
            return self.error_message
        if judged is None:
            return ""
        return f"Win probabilities: {self.source.description}."

    def _notes(self, width: int, judged: CallValues | None) -> list[str]:
        """Return the method of the values, hints on better ones, and the position ID."""
        notes = [note for note in (self.method_note(judged),) if note]
        rules = self.game.rules
        is_exact = judged is not None and judged.value.is_exact
        if rules.solver.spec is not None and not is_exact and not self.error_message:
            notes.append(f"(`hashmark solve {rules.name}` makes the win probabilities exact)")
        identifier = self._ids.encode_or_none(self._position)
        notes += [] if identifier is None else [f"position {identifier}"]
        return ["", *(piece for line in notes for piece in wrap(line, width))] if notes else []

    def call_values(self) -> CallValues | None:
        """Return the value of every call, if it is known instantly."""
        if self.source is None or not self.game.wants_call:
            return None
        try:
            return self.source.judge(self._position)
        except NoValue:
            return None

    @property
    def _position(self) -> PositionRecord:
        """The current position as the team to act sees it."""
        from hashmark.odds.odds_tables import visible_position

        return visible_position(self.game)

    @cached_property
    def source(self) -> ValueSource | None:
        """The solved game or the game's value function; rollouts take too long for a panel."""
        from hashmark.values.sources import instant_source

        game = self.game
        try:
            return instant_source(game.rules, game.match, with_heuristics=False)
        except HashmarkError as fault:
            self.error_message = f"No win probabilities: {fault}"
            return None

    @cached_property
    def _ids(self) -> PositionEncoder:
        return PositionEncoder(self.game.rules, self.game.options)

    @cached_property
    def _odds(self) -> OddsCache:
        from hashmark.odds.odds_tables import OddsCache

        return OddsCache(self.game.rules)


def add_win_columns(shown: OddsTables, game: Game, judged: CallValues | None) -> OddsTables:
    """Add each call's win probability and its loss against the best call to the odds tables.

    Where no table lists the calls, because no dice are rolled, add a table of its own.
    """
    if judged is None:
        return shown
    from hashmark.values.analysis import format_loss

    cells = {
        game.rules.calls[call]: (
            percent(value.worth(judged.team, judged.tie), 1),
            format_loss(judged, call),
        )
        for call, value in judged.calls.items()
    }
    tables: OddsTables = []
    for title, headings, rows in shown:
        if headings and rows and all(row[0] in cells for row in rows):
            headings = (headings[0], *WIN_HEADINGS, *headings[1:])
            rows = [(row[0], *cells[row[0]], *row[1:]) for row in rows]
        tables.append((title, headings, rows))
    if any(headings for _, headings, _ in tables):
        return tables
    return [*tables, ("", ("call", *WIN_HEADINGS), [(name, *pair) for name, pair in cells.items()])]
