"""Odds panel: odds of a decision and, where known, the win probability of each call.

One thread computes them one after the other and caches some for each table.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from hashmark.engine.game import Game
from hashmark.engine.record import TEAMS
from hashmark.values.instant import win_probability_json
from hashmark.values.odds_panel import OddsPanel as SessionOdds

MAX_CACHED_TABLES = 64  # tables whose odds are cached


@dataclass(frozen=True)
class OddsResponse:
    """Odds of the calls of one decision."""

    tables: list[tuple[str, list[str], list[list[str]]]]
    value: dict[str, Any] | None  # win, tie and loss probabilities, error and method, if known
    best: str | None
    note: str = ""

    def to_json(self) -> dict[str, Any]:
        return {
            "tables": [
                {"title": title, "headings": headings, "rows": rows}
                for title, headings, rows in self.tables
            ],
            "value": self.value,
            "best": self.best,
            "note": self.note,
        }


class OddsService:
    """Computes and caches the odds panels of all tables."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "looks")
        self._cache: OrderedDict[str, SessionOdds] = OrderedDict()

    async def compute(self, key: str, game: Game) -> OddsResponse:
        """Return the odds of the calls that a table is waiting for."""
        return await asyncio.wrap_future(self._thread.submit(self._compute, key, game))

    def _compute(self, key: str, game: Game) -> OddsResponse:
        session_odds = self._cache.pop(key, None)
        if session_odds is None or session_odds.game.rules is not game.rules:
            session_odds = SessionOdds(game)
        session_odds.game = game
        self._cache[key] = session_odds
        while len(self._cache) > MAX_CACHED_TABLES:
            self._cache.popitem(last=False)
        return _to_panel(session_odds)

    def evict(self, key: str) -> None:
        self._cache.pop(key, None)

    def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)


def _to_panel(session_odds: SessionOdds) -> OddsResponse:
    game, call_values = session_odds.game, session_odds.call_values()
    tables = [
        (
            title,
            [str(heading) for heading in headings],
            [[str(cell) for cell in row] for row in rows],
        )
        for title, headings, rows in session_odds.tables(call_values)
    ]
    note = session_odds.method_note(call_values)
    if call_values is None:
        return OddsResponse(tables, None, None, note)
    value = call_values.value
    return OddsResponse(
        tables,
        {
            **win_probability_json(value),
            "exact": value.is_exact,
            "team": TEAMS[call_values.team],
        },
        game.rules.calls[call_values.best],
        note,
    )
