"""Coaches think where they delay nobody, and say the same wherever they think."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from typing import Any

import pytest

from hashmark.table import registry
from hashmark.table.header import Header
from hashmark.table.rules import Coach
from hashmark.table.sitting import Sitting
from hashmark.table.thinking import Thought
from hashmark.web.thinking import LONG, Thinkers, think


def thought(rules: str = "roll-for-yardage", coach: str = "random") -> Thought:
    """The first question to a coach in a game."""
    seats = {"home": f"coach:{coach}", "away": f"coach:{coach}"}
    header = Header(rules, seats=seats, seed=3)
    sitting = Sitting(header, header.new_game())
    while (found := sitting.to_think()) is None:
        sitting.proceed()
    return found


def slow(seconds: float) -> Thought:
    """A coach that takes its time."""

    def call(m: Any, g: Any) -> int:
        until = time.thread_time() + seconds
        while time.thread_time() < until:
            pass
        return registry.load("roll-for-yardage").legal_calls(m, g)[0]

    return replace(thought(), coach=Coach("slow", "Thinks long.", call))


def test_a_coach_says_the_same_in_another_process() -> None:
    for rules, coach in (("roll-for-yardage", "random"), ("rapid-roll", "book")):
        there = thought(rules, coach)
        sent = (there.match, there.view, there.luck)
        assert think(rules, coach, sent) == thought(rules, coach).decide()


def test_a_long_thought_delays_nobody() -> None:
    async def work() -> None:
        thinkers = Thinkers()
        busy = slow(0.5)
        long = [asyncio.create_task(thinkers.decide(busy)) for _ in range(3)]
        await asyncio.sleep(0.02)
        for _ in range(50):
            await thinkers.decide(thought())
        assert not all(one.done() for one in long)
        await asyncio.gather(*long)
        assert thinkers.is_slow(busy)
        assert thinkers.is_quick(thought())
        thinkers.close()

    asyncio.run(work())


@pytest.mark.heavy
def test_who_was_slow_thinks_in_a_process_of_its_own() -> None:
    async def work() -> None:
        thinkers = Thinkers()
        thinkers._most["roll-for-yardage", "random"] = 2 * LONG
        assert thinkers.is_slow(thought())
        assert await thinkers.decide(thought()) == thought().decide()
        assert thinkers._processes is not None
        thinkers.close()

    asyncio.run(work())
    assert LONG < 1
