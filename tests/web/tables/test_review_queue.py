"""Reviews of finished games."""

from __future__ import annotations

import asyncio

import pytest

from hashmark.engine.rule_set import NO_CALL
from hashmark.session.header import Header
from hashmark.session.log import seal_line, turn_line
from hashmark.web.clock import Clock
from hashmark.web.tables.review_queue import ReviewQueue
from timeouts import TIMEOUT_SECONDS
from web.harness import SHORT_GAME_OPTIONS


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
        turn = game.play(game.decide(coach) if game.wants_call else NO_CALL)
        text, chain = seal_line(chain, turn_line(game, len(game.turns), turn))
        lines.append(text)

    async def work() -> None:
        reviews = ReviewQueue(Clock())
        task = reviews.request("a", "".join(lines))
        assert reviews.request("a", "") is task
        assert reviews.progress("a") == (0, 0)
        review = await asyncio.wait_for(task, TIMEOUT_SECONDS)
        assert review.html.startswith(b"<!DOCTYPE html>")
        assert len(review.data["turns"]) == len(game.turns)
        assert reviews.progress("a") == (len(game.turns), len(game.turns))
        reviews.close()

    asyncio.run(work())
