"""Sandbox: what strangers send is read in a process with limits, and the server stays."""

from __future__ import annotations

import asyncio
import os

import pytest

from hashmark.errors import HashmarkError
from hashmark.web import sandbox
from hashmark.web.clock import Clock
from hashmark.web.rate_limits import LimitExceeded
from hashmark.web.sandbox import TOO_HEAVY, Sandbox

pytestmark = pytest.mark.heavy


def process_id() -> int:
    return os.getpid()


def refuse(text: str) -> str:
    raise HashmarkError(f"refused: {text}")


def take_memory() -> int:
    return len(bytearray(2 * sandbox.MAX_MEMORY_BYTES))


def end() -> None:
    os._exit(1)


def wait_forever() -> None:
    while True:
        pass


def test_results_and_errors_come_back_from_another_process() -> None:
    async def work() -> None:
        box = Sandbox(Clock())
        first = await box.run(process_id)
        assert first != os.getpid()
        with pytest.raises(HashmarkError, match="refused: this"):
            await box.run(refuse, "this")
        assert await box.run(process_id) == first
        box.close()

    asyncio.run(work())


@pytest.mark.parametrize("function", [take_memory, end])
def test_a_process_that_takes_too_much_is_replaced(function: object) -> None:
    async def work() -> None:
        box = Sandbox(Clock())
        with pytest.raises(HashmarkError, match=TOO_HEAVY):
            await box.run(function)  # type: ignore[arg-type]
        assert await box.run(process_id) != os.getpid()
        box.close()

    asyncio.run(work())


def test_a_function_that_does_not_end_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> None:
        box = Sandbox(Clock())
        await box.run(process_id)  # it runs
        monkeypatch.setattr(sandbox, "TIMEOUT_SECONDS", 0.0)
        with pytest.raises(HashmarkError, match=TOO_HEAVY):
            await box.run(wait_forever)
        monkeypatch.undo()
        assert await box.run(process_id) != os.getpid()
        box.close()

    asyncio.run(work())


def test_too_many_waiting_inputs_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> None:
        box = Sandbox(Clock())
        monkeypatch.setattr(sandbox, "MAX_WAITING", 3)
        results = await asyncio.gather(
            *(box.run(process_id) for _ in range(5)), return_exceptions=True
        )
        assert [isinstance(result, LimitExceeded) for result in results] == [False] * 3 + [True] * 2
        box.close()

    asyncio.run(work())
