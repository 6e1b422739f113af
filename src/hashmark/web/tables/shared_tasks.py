"""Shared tasks whose exceptions may go unretrieved.

asyncio logs an exception that no one retrieves. That is expected here if a browser disconnects or a
server shuts down while the database is away: the next request tries again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")


def start_shared(coroutine: Coroutine[Any, Any, Result]) -> asyncio.Task[Result]:
    """Start a task that several callers await, each shielded."""
    task = asyncio.get_running_loop().create_task(coroutine)
    task.add_done_callback(mark_retrieved)
    return task


def mark_retrieved(future: asyncio.Future[Any]) -> None:
    """Mark the exception of a future as retrieved."""
    if not future.cancelled():
        future.exception()
