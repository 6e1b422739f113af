"""What happens at a table, as it happens: server-sent events with numbers to go on from.

Every happening is an event whose id is its number, as the viewer may see it. A browser that lost
its connection names the last number it has, and hears all that followed, once. What is no
happening (a seat was taken, a rematch is on) is a nudge without an id: look again.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

from hashmark.web.tables import Table, Viewer

HEARTBEAT = 15.0  # seconds of silence after which a stream says that it is there
AGAIN = 1000  # milliseconds until a browser tries again


def event(kind: str, data: Any, number: int | None = None) -> str:
    """One event on the wire."""
    first = f"id: {number}\n" if number is not None else ""
    return f"{first}event: {kind}\ndata: {json.dumps(data, separators=(',', ':'))}\n\n"


async def told(
    table: Table, viewer: Viewer, holder: str, after: int, closing: asyncio.Event, caller: str
) -> AsyncIterator[str]:
    """All that a viewer may know after a number, and whatever comes."""
    with table.hall.streams.one_more(caller), table.listening() as happened:
        yield f"retry: {AGAIN}\n\n"
        version = -1
        while not closing.is_set():
            happened.clear()
            table.viewer(holder)  # he is there
            for one in table.since(after, viewer):
                after = one["number"]
                yield event("happening", one, after)
            if version != table.version:
                version = table.version
                yield event("table", {"version": version, "stage": table.kept.stage})
            try:
                await asyncio.wait_for(happened.wait(), HEARTBEAT)
            except TimeoutError:
                yield ": still here\n\n"
