"""What several wait for: each hears what came of it, and nobody is missed who has gone."""

from __future__ import annotations

import asyncio
import gc
from typing import Any

import pytest

from hashmark.web import tasks


def test_a_fault_that_nobody_waits_for_is_no_complaint() -> None:
    complaints: list[dict[str, Any]] = []

    async def fails() -> None:
        raise OSError("away")

    async def main() -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _, context: complaints.append(context))
        task = tasks.together(fails())
        with pytest.raises(OSError, match="away"):  # who waits hears of it
            await asyncio.shield(task)
        del task
        tasks.together(fails())
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        gc.collect()

    asyncio.run(main())
    assert complaints == []


def test_one_that_was_cancelled_has_nothing_to_tell() -> None:
    async def main() -> None:
        task = tasks.together(asyncio.sleep(3600))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
