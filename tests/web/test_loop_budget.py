"""No request keeps the event loop busy: what may take long leaves it.

The processor time of every callback of the loop is compared with that of a reference workload in
the same run, so the result does not depend on the machine or on what else it does.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest

from hashmark.engine import registry
from hashmark.session import log
from hashmark.session.header import Header
from hashmark.storage.text_limits import MAX_LOG_LINES
from hashmark.web.app import create_app
from hashmark.web.app_state import AppState
from web.harness import ROOMY_LIMITS, app_client, run_async

pytestmark = pytest.mark.heavy

REFERENCE_LOOPS = 1_000_000  # some 50 ms of processor time on the machines of 2026
TRIES = 3  # the least of several: a garbage collection may fall into one
PAGES = ("", "/plays", "/box", "/drives", "/help", "/at/5")
API_PATHS = ("", "/events", "/history", "/log", "/check", "/stream", "/sheet?format=pdf")
OTHER_PATHS = (
    *("/", "/seasons", "/seasons/2008", "/seasons/2008/ARI", "/versus", "/plans", "/works"),
    *("/leagues", "/charts", "/api", "/api/games", "/api/seasons", "/openapi.json", "/metrics"),
)


def reference_seconds() -> float:
    """Return the processor time of a plain loop."""
    started_at, total = time.thread_time(), 0
    for number in range(REFERENCE_LOOPS):
        total += number
    return time.thread_time() - started_at


@contextmanager
def longest_callback() -> Iterator[list[float]]:
    """Measure the longest callback of the event loop in processor seconds of its thread."""
    longest = [0.0]
    run = asyncio.Handle._run

    def measured(handle: Any) -> None:
        started_at = time.thread_time()
        run(handle)
        longest[0] = max(longest[0], time.thread_time() - started_at)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(asyncio.Handle, "_run", measured)
        yield longest


async def request(app: Any, method: str, path: str, body: bytes = b"") -> int:
    """Send a request to the application and discard the body of the response."""
    plain, _, query = path.partition("?")
    headers = [(b"host", b"localhost"), (b"accept-encoding", b"gzip")]
    scope = {
        "type": "http",
        "method": method,
        "path": plain,
        "raw_path": plain.encode(),
        "query_string": query.encode(),
        "headers": headers,
        "client": ("127.0.0.1", 9),
        "server": ("localhost", 80),
        "scheme": "http",
        "http_version": "1.1",
        "root_path": "",
    }
    statuses: list[int] = []
    messages = [{"type": "http.request", "body": body}]

    async def receive() -> Any:
        if not messages:
            await asyncio.Event().wait()
        return messages.pop()

    async def send(message: Any) -> None:
        statuses.append(message.get("status", 0))

    await app(scope, receive, send)
    return statuses[0]


def longest_log(rules: str) -> bytes:
    """Return the log of a game in which nearly every call was undone, as long as it may be."""
    header = Header(rules, seats=dict.fromkeys(("home", "away"), "human"), seed=1)
    game, chain, lines, rng = header.new_game(), "", [], Random(1)

    def write(line: dict[str, Any]) -> None:
        nonlocal chain
        text, chain = log.seal_line(chain, line)
        lines.append(text)

    write(header.to_json())
    while not game.is_over:
        if game.turns and len(lines) % 2 and len(lines) < MAX_LOG_LINES - 900:
            write(log.undo_line(len(game.turns), game.turns[-1]))
            game.take_back()
            continue
        turn = game.play(rng.choice(game.legal_calls())) if game.wants_call else game.play()
        write(log.turn_line(game, len(game.turns), turn))
    return "".join(lines).encode()


async def check(app: Any, paths: list[str]) -> list[str]:
    """Return the paths that keep the loop busy for longer than the reference."""
    slow = []
    for path in paths:
        ratios = []
        for _ in range(TRIES):
            with longest_callback() as longest:
                assert await request(app, "GET", path) == 200, path
                await asyncio.sleep(0)
            ratios.append(longest[0] / reference_seconds())
            if ratios[-1] < 1:
                break
        if min(ratios) >= 1:
            slow.append(f"{path}: {min(ratios):.1f} times the reference")
    return slow


@pytest.mark.parametrize("rules", registry.builtin_names())
def test_the_longest_game_that_is_taken_does_not_keep_the_loop_busy(
    rules: str, tmp_path: Path
) -> None:
    raw = longest_log(rules)

    async def work() -> None:
        async with app_client(tmp_path, ROOMY_LIMITS) as (client, app_state):
            imported = await client.post("/api/logs", content=raw)
            key = imported.json()["id"]
            app = create_app(app_state)
            paths = [f"/table/{key}{page}" for page in PAGES]
            paths += [f"/api/tables/{key}{path}" for path in API_PATHS]
            assert await check(app, paths) == []

    run_async(work)


def test_no_other_page_keeps_the_loop_busy(tmp_path: Path) -> None:
    async def work() -> None:
        async with app_client(tmp_path, ROOMY_LIMITS) as (_, app_state):
            games = [
                f"/{page}/{rules}"
                for rules in registry.builtin_names()
                for page in ("new", "rules")
            ]
            app = create_app(app_state)
            assert await check(app, [*OTHER_PATHS, *games]) == []

    run_async(work)


def test_a_busy_loop_is_noticed(tmp_path: Path) -> None:
    async def work() -> None:
        async with app_client(tmp_path, ROOMY_LIMITS) as (_, app_state):

            async def app(scope: Any, receive: Any, send: Any) -> None:
                await asyncio.sleep(0)
                reference_seconds()
                reference_seconds()
                await send({"type": "http.response.start", "status": 200})

            assert isinstance(app_state, AppState)
            assert len(await check(app, ["/busy"])) == 1

    run_async(work)
