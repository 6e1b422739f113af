"""Shared tasks: every waiter gets the result, and unretrieved exceptions are not logged."""

from __future__ import annotations

import asyncio
import gc
from typing import Any

import pytest

from hashmark.web.tables import shared_tasks


def test_an_unretrieved_exception_is_not_logged() -> None:
    logged: list[dict[str, Any]] = []

    async def fails() -> None:
        raise OSError("away")

    async def main() -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _, context: logged.append(context))
        task = shared_tasks.start_shared(fails())
        with pytest.raises(OSError, match="away"):  # a waiter gets the exception
            await asyncio.shield(task)
        del task
        shared_tasks.start_shared(fails())
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        gc.collect()

    asyncio.run(main())
    assert logged == []


def test_a_cancelled_task_stays_cancelled() -> None:
    async def main() -> None:
        task = shared_tasks.start_shared(asyncio.sleep(3600))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
