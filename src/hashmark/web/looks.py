"""Odds panel: odds of a decision and, where known, the win probability of each call.

One thread computes them one after the other and caches some for each table.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from hashmark.table.game import Game
from hashmark.table.record import TEAMS
from hashmark.values.looking import Looking, beside

MAX_CACHED_TABLES = 64  # tables whose odds are cached


@dataclass(frozen=True)
class Look:
    """Odds of the calls of one decision."""

    tables: list[tuple[str, list[str], list[list[str]]]]
    value: dict[str, Any] | None  # win, tie and loss probabilities with best play, if known
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


class Glass:
    """Computes and caches the odds panels of all tables."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "looks")
        self._cache: OrderedDict[str, Looking] = OrderedDict()

    async def look(self, key: str, game: Game) -> Look:
        """Return the odds of the calls that a table is waiting for."""
        return await asyncio.wrap_future(self._thread.submit(self._compute, key, game))

    def _compute(self, key: str, game: Game) -> Look:
        looking = self._cache.pop(key, None)
        if looking is None or looking.game.rules is not game.rules:
            looking = Looking(game)
        looking.game = game
        self._cache[key] = looking
        while len(self._cache) > MAX_CACHED_TABLES:
            self._cache.popitem(last=False)
        return _to_look(looking)

    def forget(self, key: str) -> None:
        self._cache.pop(key, None)

    def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)


def _to_look(looking: Looking) -> Look:
    game, judgement = looking.game, looking.judgement()
    odds_tables = beside(looking.odds(), game, judgement)
    tables = [
        (
            title,
            [str(heading) for heading in headings],
            [[str(cell) for cell in row] for row in rows],
        )
        for title, headings, rows in odds_tables
    ]
    if judgement is None:
        return Look(tables, None, None, looking.complaint)
    value = judgement.value
    chances = {"home": value.home, "tie": value.tie, "away": value.away, "exact": value.exact}
    return Look(
        tables,
        {**chances, "team": TEAMS[judgement.team]},
        game.rules.calls[judgement.best],
        looking.complaint,
    )
