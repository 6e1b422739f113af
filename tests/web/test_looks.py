"""Odds panels, and reviews of finished games."""

from __future__ import annotations

import asyncio

import pytest

from hashmark.table.game import Game, SeededDice
from hashmark.table.header import Header
from hashmark.table.log import sealed, turn_line
from hashmark.web.looks import Glass
from hashmark.web.reviews import Reviews
from patience import PATIENCE

from .house import SHORT


def test_odds_are_cached_for_each_table() -> None:
    async def work() -> None:
        odds_service = Glass()
        game = Game("fourth-down", dice=SeededDice(3))
        while not game.wants_call:
            game.play()
        panel = await odds_service.look("a", game)
        assert panel.tables[0][1][0] == "call"
        assert [row[0] for row in panel.tables[0][2]] == game.legal()
        assert panel.to_json()["tables"][0]["rows"]
        assert (await odds_service.look("a", game)).tables == panel.tables
        odds_service.forget("a")
        odds_service.close()

    asyncio.run(work())


@pytest.mark.heavy
def test_a_finished_game_is_reviewed_in_a_separate_process() -> None:
    """The two-minute drill solves its own values, so nothing has to be compiled."""
    seats = {"home": "coach:book", "away": "coach:book"}
    short = SHORT["two-minute-drill"]
    header = Header("two-minute-drill", options=short, seats=seats, seed=4)
    game = header.new_game()
    coach = game.rules.coach("book")
    text, chain = sealed("", header.to_json())
    lines = [text]
    while not game.is_over:
        turn = game.play(game.decide(coach) if game.wants_call else None)
        text, chain = sealed(chain, turn_line(game, len(game.turns), turn))
        lines.append(text)

    async def work() -> None:
        reviews = Reviews()
        task = reviews.ask("a", "".join(lines))
        assert reviews.ask("a", "") is task
        page = await asyncio.wait_for(task, PATIENCE)
        assert page.startswith(b"<!DOCTYPE html>")
        reviews.close()

    asyncio.run(work())
