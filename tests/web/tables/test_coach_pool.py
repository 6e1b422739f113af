"""Coach pool: slow coaches delay no others, and decisions do not depend on the process."""

from __future__ import annotations

import asyncio
import threading
import time
from dataclasses import replace
from typing import Any

import pytest

from hashmark.engine import registry
from hashmark.engine.coach_requests import CoachRequest
from hashmark.engine.rule_set import Coach
from hashmark.session.game_session import GameSession
from hashmark.session.header import Header
from hashmark.web.tables.coach_pool import SLOW_SECONDS, CoachPool, decide_in_process
from timeouts import TIMEOUT_SECONDS


def first_request(rules: str = "roll-for-yardage", coach: str = "random") -> CoachRequest:
    """Return the first request to a coach in a game."""
    seats = {"home": f"coach:{coach}", "away": f"coach:{coach}"}
    header = Header(rules, seats=seats, seed=3)
    session = GameSession(header, header.new_game())
    while (request := session.coach_request()) is None:
        session.advance()
    return request


def slow_coach_request(may_end: threading.Event) -> CoachRequest:
    """Return a request to a coach that takes much processor time, and then waits."""

    def call(m: Any, g: Any) -> int:
        deadline = time.thread_time() + 2 * SLOW_SECONDS
        while time.thread_time() < deadline:
            pass
        assert may_end.wait(TIMEOUT_SECONDS)
        return registry.load("roll-for-yardage").legal_calls(m, g)[0]

    return replace(first_request(), coach=Coach("slow", "Thinks long.", call))


def test_a_coach_decides_the_same_in_another_process() -> None:
    for rules, coach in (("roll-for-yardage", "random"), ("rapid-roll", "book")):
        request = first_request(rules, coach)
        state = (request.match, request.view, request.stream)
        assert decide_in_process(rules, coach, state) == first_request(rules, coach).decide()


def test_a_slow_coach_does_not_delay_others() -> None:
    async def work() -> None:
        pool, may_end = CoachPool(), threading.Event()
        slow_request = slow_coach_request(may_end)
        slow_tasks = [asyncio.create_task(pool.decide(slow_request)) for _ in range(3)]
        for _ in range(50):
            await pool.decide(first_request())
        assert not any(task.done() for task in slow_tasks)
        may_end.set()
        await asyncio.gather(*slow_tasks)
        assert pool.is_slow(slow_request)
        assert pool.is_quick(first_request())
        pool.close()

    asyncio.run(work())


@pytest.mark.heavy
def test_a_slow_coach_runs_in_a_separate_process() -> None:
    async def work() -> None:
        pool = CoachPool()
        pool._slowest_seconds["roll-for-yardage", "random"] = 2 * SLOW_SECONDS
        assert pool.is_slow(first_request())
        assert await pool.decide(first_request()) == first_request().decide()
        assert pool._processes is not None
        pool.close()

    asyncio.run(work())
    assert SLOW_SECONDS < 1
