"""Limits of one caller and of the whole server."""

from __future__ import annotations

from pathlib import Path

import pytest

from hashmark.web.rate_limits import (
    MAX_REMEMBERED_CALLERS,
    LimitExceeded,
    Limits,
    RateLimiter,
    StreamLimiter,
)
from web.harness import app_client, run_async
from web.manual_clock import ManualClock


def test_a_token_bucket_refills_over_time() -> None:
    clock = ManualClock()
    rates = RateLimiter(Limits(rate=2, burst=3), clock)
    assert [rates.take_token("a") for _ in range(4)] == [0, 0, 0, 0.5]
    assert not rates.take_token("b")
    clock.jump(-3600)
    clock.advance(0.4)
    assert rates.take_token("a") == pytest.approx(0.1)
    clock.advance(0.1)
    assert [rates.take_token("a") for _ in range(2)] == [0, 0.5]


def test_the_number_of_remembered_callers_is_limited() -> None:
    rates = RateLimiter(Limits(), ManualClock())
    for number in range(MAX_REMEMBERED_CALLERS + 10):
        rates.take_token(str(number))
    assert len(rates._buckets) == MAX_REMEMBERED_CALLERS


def test_open_streams_are_limited() -> None:
    streams = StreamLimiter(Limits(streams=3, streams_each=2))
    with streams.open_stream("a"), streams.open_stream("a"):
        with pytest.raises(LimitExceeded, match="too many pages open"):
            streams.check("a")
        with streams.open_stream("b"), pytest.raises(LimitExceeded, match="try again later"):
            streams.check("c")
    assert not streams.open_by_caller


def test_open_games_are_limited(tmp_path: Path) -> None:
    async def work() -> None:
        limits = Limits(rate=1000, burst=1000, tables=3, tables_each=2)
        async with app_client(tmp_path, limits) as (client, app_state):
            responses = [
                await client.post("/api/tables", json={"rules": "fourth-down"}) for _ in range(3)
            ]
            assert [response.status_code for response in responses] == [201, 201, 429]
            assert responses[2].json()["detail"].startswith("you have 2 open games")
            token = responses[0].json()["token"]
            headers = {"Authorization": f"Bearer {token}"}
            closed = await client.delete(
                f"/api/tables/{responses[0].json()['id']}", headers=headers
            )
            assert closed.status_code == 204
            more = await client.post("/api/tables", json={"rules": "fourth-down"})
            assert more.status_code == 201
            by_caller, total = app_state.store.count_open_tables("somebody else", 0.0)
            assert (by_caller, total) == (0, 2)

    run_async(work)
