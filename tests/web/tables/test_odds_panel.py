"""Odds panels, and reviews of finished games."""

from __future__ import annotations

import asyncio

import pytest

from hashmark.engine.game import Game, SeededDice
from hashmark.session.header import Header
from hashmark.session.log import seal_line, turn_line
from hashmark.web.tables.odds_panel import OddsService
from hashmark.web.tables.reviews import Reviews
from timeouts import TIMEOUT_SECONDS
from web.harness import SHORT_GAME_OPTIONS


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


@pytest.mark.heavy
def test_a_finished_game_is_reviewed_in_a_separate_process() -> None:
    """The two-minute drill solves its own values, so nothing has to be compiled."""
    seats = {"home": "coach:book", "away": "coach:book"}
    short = SHORT_GAME_OPTIONS["two-minute-drill"]
    header = Header("two-minute-drill", options=short, seats=seats, seed=4)
    game = header.new_game()
    coach = game.rules.coach("book")
    text, chain = seal_line("", header.to_json())
    lines = [text]
    while not game.is_over:
        turn = game.play(game.decide(coach))
        text, chain = seal_line(chain, turn_line(game, len(game.turns), turn))
        lines.append(text)

    async def work() -> None:
        reviews = Reviews()
        task = reviews.request("a", "".join(lines))
        assert reviews.request("a", "") is task
        page = await asyncio.wait_for(task, TIMEOUT_SECONDS)
        assert page.startswith(b"<!DOCTYPE html>")
        reviews.close()

    asyncio.run(work())
