"""Odds panels of the tables."""

from __future__ import annotations

import asyncio

from hashmark.engine.game import Game, SeededDice
from hashmark.web.tables.odds_panel import OddsService


def test_odds_are_cached_for_each_table() -> None:
    async def work() -> None:
        odds_service = OddsService()
        game = Game("fourth-down", dice=SeededDice(3))
        while not game.wants_call:
            game.play()
        panel = await odds_service.compute("a", game)
        assert panel.tables[0][1][0] == "call"
        legal = [game.rules.calls[call] for call in game.legal_calls()]
        assert [row[0] for row in panel.tables[0][2]] == legal
        assert panel.to_json()["tables"][0]["rows"]
        assert (await odds_service.compute("a", game)).tables == panel.tables
        odds_service.evict("a")
        odds_service.close()

    asyncio.run(work())
