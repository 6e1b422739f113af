"""Limits of one caller and of the whole server."""

from __future__ import annotations

from pathlib import Path

import pytest

from hashmark.web.limits import CALLERS, Limits, Rates, Streams, TooMuch

from .house import at_home, run


def test_a_token_bucket_refills_over_time() -> None:
    now = [0.0]
    rates = Rates(Limits(rate=2, burst=3), now=lambda: now[0])
    assert [rates.take("a") for _ in range(4)] == [True, True, True, False]
    assert rates.take("b")
    now[0] = 0.5
    assert [rates.take("a") for _ in range(2)] == [True, False]


def test_the_number_of_remembered_callers_is_limited() -> None:
    rates = Rates(Limits())
    for number in range(CALLERS + 10):
        rates.take(str(number))
    assert len(rates._left) == CALLERS


def test_open_streams_are_limited() -> None:
    streams = Streams(Limits(streams=3, streams_each=2))
    with streams.one_more("a"), streams.one_more("a"):
        with pytest.raises(TooMuch, match="from where you are"):
            streams.check("a")
        with streams.one_more("b"), pytest.raises(TooMuch, match="try again later"):
            streams.check("c")
    assert not streams.open


def test_open_games_are_limited(tmp_path: Path) -> None:
    async def work() -> None:
        limits = Limits(rate=1000, burst=1000, tables=3, tables_each=2)
        async with at_home(tmp_path, limits) as (client, app_state):
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
            by_caller, total = app_state.store.open_tables("somebody else", 0.0)
            assert (by_caller, total) == (0, 2)

    run(work)
