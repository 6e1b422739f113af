"""Tasks whose end is nobody's business any more, once all who waited for it have gone.

The loop complains of a fault that nobody has heard. Where a browser is closed, or a server ends,
while the database is away, that is no fault of ours: whoever comes next asks anew.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

Made = TypeVar("Made")


def together(work: Coroutine[Any, Any, Made]) -> asyncio.Task[Made]:
    """Something that several wait for (shielded), each of whom hears what came of it."""
    task = asyncio.get_running_loop().create_task(work)
    task.add_done_callback(whatever_came_of_it)
    return task


def whatever_came_of_it(ended: asyncio.Future[Any]) -> None:
    """Nobody has to wait for this: a fault of it counts as heard."""
    if not ended.cancelled():
        ended.exception()
