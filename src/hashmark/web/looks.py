"""Looking at a question: its odds, and the chance to win by each answer where that is known.

One thread works them out, one after the other, and keeps a few of each table.
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

KEPT = 64  # tables whose looks are at hand


@dataclass(frozen=True)
class Look:
    """What can be said of the answers to a question."""

    tables: list[tuple[str, list[str], list[list[str]]]]
    value: dict[str, Any] | None  # the chances of home, a tie and away with best play, if known
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
    """Through which all tables of a server are looked at."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "looks")
        self._kept: OrderedDict[str, Looking] = OrderedDict()

    async def look(self, key: str, game: Game) -> Look:
        """The odds of the answers to what is asked now at a table."""
        return await asyncio.wrap_future(self._thread.submit(self._look, key, game))

    def _look(self, key: str, game: Game) -> Look:
        looking = self._kept.pop(key, None)
        if looking is None or looking.game.rules is not game.rules:
            looking = Looking(game)
        looking.game = game
        self._kept[key] = looking
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return _seen_through(looking)

    def forget(self, key: str) -> None:
        self._kept.pop(key, None)

    def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)


def _seen_through(looking: Looking) -> Look:
    game, judged = looking.game, looking.judgement()
    shown = beside(looking.odds(), game, judged)
    tables = [
        (title, [str(one) for one in headings], [[str(cell) for cell in row] for row in rows])
        for title, headings, rows in shown
    ]
    if judged is None:
        return Look(tables, None, None, looking.complaint)
    value = judged.value
    chances = {"home": value.home, "tie": value.tie, "away": value.away, "exact": value.exact}
    return Look(
        tables,
        {**chances, "team": TEAMS[judged.team]},
        game.rules.calls[judged.best],
        looking.complaint,
    )
